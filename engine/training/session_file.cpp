#include "engine/training/session_file.h"

#include <map>
#include <span>
#include <utility>

#include "engine/formats/file_kind.h"
#include "engine/formats/input_file.h"
#include "engine/formats/safetensors.h"
#include "engine/training/session_description.h"
#include "engine/training/session_tensors.h"

namespace headscope {
namespace {

constexpr const char* kVersion = "1";
constexpr const char* kVersionKey = "headscope_session";

/// The frames in stretches of one experiment and one probe.
std::vector<std::span<const Frame>> stretchesOf(const std::vector<Frame>& frames) {
    std::vector<std::span<const Frame>> stretches;
    for (std::size_t from = 0; from < frames.size();) {
        const Snapshot& first = *frames[from].snapshot;
        std::size_t to = from + 1;
        while (to < frames.size() && frames[to].snapshot->experiment == first.experiment &&
               frames[to].snapshot->probe == first.probe)
            ++to;
        stretches.push_back(std::span(frames).subspan(from, to - from));
        from = to;
    }
    return stretches;
}

void readFrames(const SessionTensorReader& tensors, const SessionDescription& told, RunRecord& record) {
    std::int64_t next = 0;
    for (std::size_t k = 0; k < told.stretches.size(); ++k) {
        const std::string prefix = framesPrefix(k);
        const std::vector<std::int64_t> steps = tensors.steps(prefix);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps[i] < next || steps[i] > told.steps_done)
                throw Refusal("a frame of step %1 is not where it can be", {std::to_string(steps[i])});
            next = steps[i] + 1;
            const auto frame = [&](const std::string& of, const Experiment& experiment) {
                auto snapshot = std::make_shared<Snapshot>();
                snapshot->steps_done = steps[i];
                snapshot->experiment = experiment;
                snapshot->probe = told.stretches[k].probe;
                tensors.readFrame(of, i, steps.size(), *snapshot);
                return std::shared_ptr<const Snapshot>(std::move(snapshot));
            };
            record.recorder.add(frame(prefix, told.stretches[k].experiment),
                                told.twin ? frame(kTwinPrefix + prefix, *told.twin) : nullptr);
        }
    }
}

StoredSession sessionOf(const Safetensors& file) {
    const SessionDescription told = readDescription(file.metadata());
    const SessionTensorReader tensors(file);
    StoredSession session{
        {tensors.state("", told.experiment, told.first_steps_done, told.modes), std::nullopt, told.diverged},
        RunRecord(),
        {}};
    if (told.twin)
        session.checkpoint.twin =
            tensors.state(kTwinPrefix, *told.twin, told.twin_steps_done, told.twin_modes);
    requireValid(session.checkpoint);
    if (stepsDone(session.checkpoint) != told.steps_done)
        throw Refusal("its curves have %1 steps and its run has made %2",
                      {std::to_string(told.steps_done), std::to_string(stepsDone(session.checkpoint))});
    RunRecord& record = session.record;
    record.began = told.began;
    record.experiment = told.experiment;
    record.twin = told.twin;
    record.changes = told.changes;
    record.curve = tensors.curve("", told.steps_done);
    if (told.twin) record.twin_curve = tensors.curve(kTwinPrefix, told.steps_done);
    readFrames(tensors, told, record);
    const auto panel = file.metadata().find("panel");
    if (panel != file.metadata().end()) session.panel = panel->second;
    return session;
}

}  // namespace

void setSteps(StoredSession& session, int steps) {
    Experiment planned = session.checkpoint.first.experiment;
    planned.steps = steps;
    requireValid(planned);
    const std::int64_t done = stepsDone(session.checkpoint);
    if (done > steps)
        throw Refusal("a run of %1 steps cannot have made %2", {std::to_string(steps), std::to_string(done)});
    session.checkpoint.first.experiment.steps = steps;
    if (session.checkpoint.twin) session.checkpoint.twin->experiment.steps = steps;
    RunRecord& record = session.record;
    record.began.steps = record.experiment.steps = steps;
    if (record.twin) record.twin->steps = steps;
    for (RunChange& change : record.changes)
        if (auto* experiment = std::get_if<Experiment>(&change.what)) experiment->steps = steps;
    Recorder frames(record.recorder.budget());
    const auto with = [&](const std::shared_ptr<const Snapshot>& snapshot) {
        auto copy = std::make_shared<Snapshot>(*snapshot);
        copy->experiment.steps = steps;
        return copy;
    };
    for (const Frame& frame : record.recorder.frames())
        frames.add(with(frame.snapshot), frame.twin ? with(frame.twin) : nullptr);
    record.recorder = std::move(frames);
}

std::string sessionFile(const StoredSession& session) {
    const Checkpoint& checkpoint = session.checkpoint;
    const RunRecord& record = session.record;
    const auto stretches = stretchesOf(record.recorder.frames());
    SessionDescription told;
    told.experiment = checkpoint.first.experiment;
    told.began = record.began;
    told.steps_done = stepsDone(checkpoint);
    told.first_steps_done = checkpoint.first.steps_done;
    told.modes = checkpoint.first.modes;
    told.diverged = checkpoint.diverged;
    told.changes = record.changes;

    SessionTensors tensors;
    tensors.add("", checkpoint.first);
    tensors.add("", record.curve);
    if (checkpoint.twin) {
        told.twin = checkpoint.twin->experiment;
        told.twin_steps_done = checkpoint.twin->steps_done;
        told.twin_modes = checkpoint.twin->modes;
        tensors.add(kTwinPrefix, *checkpoint.twin);
        tensors.add(kTwinPrefix, record.twin_curve);
    }
    for (std::size_t k = 0; k < stretches.size(); ++k) {
        const Snapshot& first = *stretches[k].front().snapshot;
        told.stretches.push_back({first.experiment, first.probe});
        std::vector<std::int64_t> steps;
        std::vector<const Snapshot*> first_frames, twin_frames;
        for (const Frame& frame : stretches[k]) {
            steps.push_back(frame.snapshot->steps_done);
            first_frames.push_back(frame.snapshot.get());
            if (told.twin) twin_frames.push_back(frame.twin.get());
        }
        tensors.addSteps(framesPrefix(k), std::move(steps));
        tensors.addFrames(framesPrefix(k), first_frames);
        if (told.twin) tensors.addFrames(kTwinPrefix + framesPrefix(k), twin_frames);
    }
    std::map<std::string, std::string> metadata = describe(told);
    metadata[kVersionKey] = kVersion;
    metadata["panel"] = session.panel;
    if (tensors.bytes() > kLargestFile / 2)
        throw Refusal("a run of %1 bytes is too large for a session file: at most %2 are written",
                      {std::to_string(tensors.bytes()), std::to_string(kLargestFile / 2)});
    return safetensorsFile(tensors.views(), metadata);
}

StoredSession readSession(const std::filesystem::path& path) {
    return parseSession(readFile(path), path.string());
}

StoredSession parseSession(std::vector<std::byte> bytes, const std::string& name) {
    requireKind(FileKind::Safetensors, bytes, name, "a session file");
    if (!beginsAsSafetensors(bytes)) throw Refusal("%1: this is no session of Headscope", {name});
    const Safetensors file = Safetensors::parse(std::move(bytes), name);
    const auto version = file.metadata().find(kVersionKey);
    if (version == file.metadata().end()) throw Refusal("%1: this is no session of Headscope", {name});
    if (version->second != kVersion)
        throw Refusal("%1: this session is of version %2: only version %3 can be read",
                      {name, quoted(version->second), kVersion});
    try {
        return sessionOf(file);
    } catch (const Refusal& refusal) {
        throw Refusal("%1: %2", {name, refusal.what()});
    }
}

}  // namespace headscope
