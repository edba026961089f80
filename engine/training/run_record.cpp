#include "engine/training/run_record.h"

#include <cassert>

namespace headscope {

void LossCurve::add(const std::vector<LossPoint>& points) {
    for (const LossPoint& point : points) {
        assert(point.step == static_cast<std::int64_t>(size()));
        loss.push_back(point.loss);
        accuracy.push_back(point.accuracy);
    }
}

std::vector<LossPoint> LossCurve::points(std::size_t from, std::size_t to) const {
    std::vector<LossPoint> points;
    for (std::size_t i = from; i < to; ++i)
        points.push_back({static_cast<std::int64_t>(i), loss[i], accuracy[i]});
    return points;
}

void RunRecord::add(const Update& update) {
    if (update.run != run) {
        *this = RunRecord(recorder.budget());
        run = update.run;
        began = experiment = update.experiment;
        twin = update.twin;
    }
    if (update.experiment != experiment) {
        experiment = update.experiment;
        changes.push_back({static_cast<std::int64_t>(curve.size()), experiment});
    }
    for (const HeadChange& change : update.head_changes)
        if (change.head < experiment.model.n_heads)  // else it was of heads that are no more
            changes.push_back({change.step, change});
    curve.add(update.points);
    twin_curve.add(update.twin_points);
    if (update.snapshot) recorder.add(update.snapshot, update.twin_snapshot);
}

void RunRecord::tell(RunId id, const std::function<void(const Update&)>& listener) const {
    Update update;
    update.run = id;
    update.state = RunState::Paused;
    update.experiment = began;
    update.twin = twin;
    const auto trainAll = [&] {
        update.modes.assign(static_cast<std::size_t>(update.experiment.model.n_heads), HeadMode::Trained);
    };
    trainAll();
    /// With the points that come before so many steps.
    const auto pass = [&](std::int64_t step) {
        const auto from = static_cast<std::size_t>(update.steps_done), to = static_cast<std::size_t>(step);
        update.points = curve.points(from, to);
        if (twin) update.twin_points = twin_curve.points(from, to);
        update.steps_done = step;
        listener(update);
        update.head_changes.clear();
        update.snapshot.reset();
        update.twin_snapshot.reset();
    };

    auto change = changes.begin();
    const auto changeUntil = [&](std::int64_t step) {
        for (; change != changes.end() && change->step <= step; ++change) {
            if (change->step > update.steps_done) pass(change->step);
            if (const auto* experiment_then = std::get_if<Experiment>(&change->what)) {
                const bool same_heads = experiment_then->model.n_heads == update.experiment.model.n_heads;
                update.experiment = *experiment_then;
                if (!same_heads) trainAll();
            } else {
                const HeadChange& head = std::get<HeadChange>(change->what);
                update.modes[static_cast<std::size_t>(head.head)] = head.mode;
                update.head_changes.push_back(head);
            }
            pass(change->step);
        }
    };
    for (const Frame& frame : recorder.frames()) {
        const std::int64_t step = frame.snapshot->steps_done;
        changeUntil(step);
        update.snapshot = frame.snapshot;
        update.twin_snapshot = frame.twin;
        pass(step);
    }
    const auto end = static_cast<std::int64_t>(curve.size());
    changeUntil(end);
    pass(end);
}

}  // namespace headscope
