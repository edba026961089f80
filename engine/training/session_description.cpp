#include "engine/training/session_description.h"

#include <array>
#include <limits>
#include <utility>

#include "engine/formats/json_reading.h"
#include "engine/training/checkpoint.h"
#include "engine/training/experiment_json.h"
#include "engine/training/experiment_names.h"

namespace headscope {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::array kSideNames = {
    Named<TwinSide>{TwinSide::First, "first"},
    Named<TwinSide>{TwinSide::Twin, "twin"},
    Named<TwinSide>{TwinSide::Both, "both"},
};

// Writing.

ordered_json objectOf(const Experiment& experiment) { return ordered_json::parse(toJson(experiment)); }

ordered_json objectOf(const Probe& probe) {
    ordered_json object = {{"row", probe.row}, {"tokens", probe.tokens}};
    if (probe.ripple)
        object["ripple"] = {{"position", probe.ripple->position}, {"token", probe.ripple->token}};
    return object;
}

ordered_json objectOf(const RunChange& change) {
    if (const auto* experiment = std::get_if<Experiment>(&change.what))
        return {{"step", change.step}, {"experiment", objectOf(*experiment)}};
    const auto& head = std::get<HeadChange>(change.what);
    return {{"step", change.step}, {"head", head.head}, {"mode", nameOf(kHeadModeNames, head.mode)}};
}

ordered_json listOf(const std::vector<HeadMode>& modes) {
    ordered_json list = ordered_json::array();
    for (const HeadMode mode : modes) list.push_back(nameOf(kHeadModeNames, mode));
    return list;
}

// Reading.

[[noreturn]] void refuse(const char* key) {
    throw Refusal("%1 is missing in its description, or not what it must be", {key});
}

/// The member of an object.
const json& member(const json& object, const char* key) {
    if (!object.is_object()) refuse(key);
    const auto found = object.find(key);
    if (found == object.end()) refuse(key);
    return *found;
}

bool has(const json& object, const char* key) { return object.is_object() && object.contains(key); }

const json& list(const json& object, const char* key) {
    const json& found = member(object, key);
    if (!found.is_array()) refuse(key);
    return found;
}

std::int64_t whole(const json& object, const char* key, std::int64_t low, std::int64_t high) {
    const auto number = wholeNumber(member(object, key), low, high);
    if (!number) refuse(key);
    return *number;
}

int wholeInt(const json& value, const char* key) {
    const auto number = wholeNumber(value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
    if (!number) refuse(key);
    return static_cast<int>(*number);
}

template <typename Names>
auto oneOf(const Names& names, const json& value, const char* key) {
    if (!value.is_string()) refuse(key);
    const auto found = valueOf(names, value.get_ref<const std::string&>());
    if (!found) refuse(key);
    return *found;
}

json parsed(const std::map<std::string, std::string>& metadata, const char* key) {
    constexpr int kDeepest = 8;
    const auto found = metadata.find(key);
    if (found == metadata.end()) refuse(key);
    auto read = parsedJson(found->second, kDeepest);
    if (!read) refuse(key);
    return std::move(*read);
}

Experiment experimentOf(const json& object) { return experimentFromJson(object.dump()); }

std::vector<HeadMode> modesOf(const json& object, const char* key) {
    std::vector<HeadMode> modes;
    for (const json& name : list(object, key)) modes.push_back(oneOf(kHeadModeNames, name, key));
    return modes;
}

Probe probeOf(const json& object, const ModelConfig& model) {
    Probe probe;
    probe.row = wholeInt(member(object, "row"), "row");
    for (const json& token : list(object, "tokens")) probe.tokens.push_back(wholeInt(token, "tokens"));
    if (has(object, "ripple")) {
        const json& ripple = member(object, "ripple");
        probe.ripple = Ripple{wholeInt(member(ripple, "position"), "position"),
                              wholeInt(member(ripple, "token"), "token")};
    }
    requireValid(probe, model);
    return probe;
}

/// `at` is the experiment until then.
RunChange changeOf(const json& object, std::int64_t from, std::int64_t to, Experiment& at) {
    const std::int64_t step = whole(object, "step", from, to);
    if (has(object, "experiment")) {
        const Experiment next = experimentOf(member(object, "experiment"));
        requireCarryOn(at, next);
        at = next;
        return {step, next};
    }
    const auto head = static_cast<int>(whole(object, "head", 0, at.model.n_heads - 1));
    return {step, HeadChange{step, head, oneOf(kHeadModeNames, member(object, "mode"), "mode")}};
}

}  // namespace

std::map<std::string, std::string> describe(const SessionDescription& session) {
    ordered_json run = {{"steps_done", session.steps_done},
                        {"first_steps_done", session.first_steps_done},
                        {"modes", listOf(session.modes)},
                        {"began", objectOf(session.began)}};
    std::map<std::string, std::string> metadata{{"experiment", toJson(session.experiment)}};
    if (session.twin) {
        metadata["twin"] = toJson(*session.twin);
        run["twin_steps_done"] = session.twin_steps_done;
        run["twin_modes"] = listOf(session.twin_modes);
    }
    if (session.diverged) run["diverged"] = nameOf(kSideNames, *session.diverged);
    run["changes"] = ordered_json::array();
    for (const RunChange& change : session.changes) run["changes"].push_back(objectOf(change));
    run["stretches"] = ordered_json::array();
    for (const auto& stretch : session.stretches)
        run["stretches"].push_back(
            {{"experiment", objectOf(stretch.experiment)}, {"probe", objectOf(stretch.probe)}});
    metadata["run"] = run.dump();
    return metadata;
}

SessionDescription readDescription(const std::map<std::string, std::string>& metadata) {
    const json run = parsed(metadata, "run");
    SessionDescription session;
    session.experiment = experimentOf(parsed(metadata, "experiment"));
    const std::int64_t planned = session.experiment.steps;
    session.steps_done = whole(run, "steps_done", 0, planned);
    session.first_steps_done = whole(run, "first_steps_done", 0, planned);
    session.modes = modesOf(run, "modes");
    session.began = experimentOf(member(run, "began"));
    if (metadata.contains("twin")) {
        session.twin = experimentOf(parsed(metadata, "twin"));
        session.twin_steps_done = whole(run, "twin_steps_done", 0, planned);
        session.twin_modes = modesOf(run, "twin_modes");
    }
    if (has(run, "diverged")) session.diverged = oneOf(kSideNames, member(run, "diverged"), "diverged");

    Experiment at = session.began;
    std::int64_t step = 0;
    for (const json& change : list(run, "changes")) {
        session.changes.push_back(changeOf(change, step, session.steps_done, at));
        step = session.changes.back().step;
    }
    if (at != session.experiment) refuse("experiment");
    for (const json& stretch : list(run, "stretches")) {
        const Experiment experiment = experimentOf(member(stretch, "experiment"));
        requireCarryOn(session.began, experiment);
        session.stretches.push_back({experiment, probeOf(member(stretch, "probe"), experiment.model)});
    }
    return session;
}

}  // namespace headscope
