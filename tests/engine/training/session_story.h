#pragma once

// Of the tests of sessions, which are plain programs: Qt Test's watchdog and the thread sanitizer do not go
// together.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "engine/training/session.h"
#include "tests/engine/training/training_runs.h"

#define CHECK(condition)                                                                 \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            std::exit(1);                                                                \
        }                                                                                \
    } while (false)

namespace headscope {

inline Experiment lesson(int steps) {
    Experiment e;
    e.steps = steps;
    return e;
}

/// So small that the thread is all that takes time.
inline Experiment tiny(int steps) {
    Experiment e;
    e.model.vocab_size = e.model.d_model = e.model.n_heads = e.model.context_length = 4;
    e.batch_size = 1;
    e.steps = steps;
    return e;
}

/// So large a step that a test can act while it is made.
inline Experiment slow() {
    Experiment e;
    e.model.d_model = 256, e.model.context_length = 128;
    return e;
}

/// All that a run has told.
struct Story {
    std::vector<LossPoint> points;
    std::vector<std::shared_ptr<const Snapshot>> snapshots;
    std::vector<LossPoint> twin_points;
    std::vector<std::shared_ptr<const Snapshot>> twin_snapshots;
    std::vector<HeadChange> head_changes;
    Update last;
};

/// Drains until `enough`, checking what holds of every stream of updates.
inline void follow(Session& session, RunId run, Story& story,
                   const std::function<bool(const Story&)>& enough) {
    while (!enough(story)) {
        Update update = session.drain();
        CHECK(update.run == run);
        // Nothing comes after the end.
        CHECK(!isTerminal(story.last.state) || (update.points.empty() && update.state == story.last.state));
        CHECK(update.steps_done >= story.last.steps_done);
        for (const LossPoint& point : update.points) {
            CHECK(point.step == std::int64_t(story.points.size()));  // every one, once, in order
            CHECK(std::isfinite(point.loss));
            story.points.push_back(point);
        }
        CHECK(update.steps_done == std::int64_t(story.points.size()));
        CHECK(update.twin_points.size() == (update.twin ? update.points.size() : 0));
        for (std::size_t i = 0; i < update.twin_points.size(); ++i) {
            CHECK(update.twin_points[i].step == update.points[i].step);  // in lockstep
            story.twin_points.push_back(update.twin_points[i]);
        }
        CHECK(!update.twin_snapshot == !(update.twin && update.snapshot));
        if (update.twin_snapshot) {
            CHECK(update.twin_snapshot->steps_done == update.snapshot->steps_done);
            story.twin_snapshots.push_back(update.twin_snapshot);
        }
        story.head_changes.insert(story.head_changes.end(), update.head_changes.begin(),
                                  update.head_changes.end());
        if (update.snapshot) story.snapshots.push_back(update.snapshot);
        story.last = std::move(update);
        std::this_thread::yield();
    }
}

inline Story followToEnd(Session& session, RunId run) {
    Story story;
    follow(session, run, story, [](const Story& s) { return isTerminal(s.last.state); });
    return story;
}

inline bool isRefused(const std::function<void()>& command) {
    try {
        command();
    } catch (const Refusal&) {
        return true;
    }
    return false;
}

inline void runTests(std::initializer_list<std::pair<const char*, void (*)()>> tests) {
    for (const auto& [name, test] : tests) {
        std::printf("%s\n", name);
        std::fflush(stdout);
        test();
    }
}

}  // namespace headscope
