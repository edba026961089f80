#include "engine/training/experiment_json.h"

#include <cassert>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "engine/formats/json_reading.h"
#include "engine/training/experiment_names.h"

namespace headscope {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// Calls visit(name, member) for every member of an Experiment: the one list that writing and reading share.
template <typename E, typename Visit>
void forEachMember(E& e, const Visit& visit) {
    visit("task", e.task);
    visit("lags", e.lags);
    visit("vocab_size", e.model.vocab_size);
    visit("d_model", e.model.d_model);
    visit("n_heads", e.model.n_heads);
    visit("context_length", e.model.context_length);
    visit("positions", e.model.positions);
    visit("scale_scores", e.model.scale_scores);
    visit("batch_size", e.batch_size);
    visit("learning_rate", e.learning_rate);
    visit("token_std", e.token_std);
    visit("position_std", e.position_std);
    visit("attention_dropout", e.attention_dropout);
    visit("output_dropout", e.output_dropout);
    visit("seed", e.seed);
    visit("steps", e.steps);
}

struct Writer {
    ordered_json& object;

    void operator()(const char* name, Task task) const { object[name] = nameOf(kTaskNames, task); }
    void operator()(const char* name, Positions positions) const {
        object[name] = nameOf(kPositionsNames, positions);
    }
    template <typename T>
    void operator()(const char* name, const T& value) const {
        object[name] = value;
    }
};

struct Reader {
    const json& object;

    void operator()(const char* name, Task& task) const { choose(name, kTaskNames, task); }
    void operator()(const char* name, Positions& positions) const {
        choose(name, kPositionsNames, positions);
    }
    void operator()(const char* name, int& value) const {
        if (const json* found = find(name)) value = whole(name, *found);
    }
    void operator()(const char* name, std::vector<int>& list) const {
        const json* found = find(name);
        if (!found) return;
        if (!found->is_array()) throw Refusal("%1 must be a list of whole numbers", {name});
        list.clear();
        for (const json& element : *found) list.push_back(whole(name, element));
    }
    void operator()(const char* name, std::uint64_t& value) const {
        const json* found = find(name);
        if (!found) return;
        if (!found->is_number_unsigned())
            throw Refusal("%1 must be a whole number from 0 to 2⁶⁴ − 1", {name});
        value = found->get<std::uint64_t>();
    }
    void operator()(const char* name, double& value) const {
        const json* found = find(name);
        if (!found) return;
        if (!found->is_number()) throw Refusal("%1 must be a number", {name});
        value = found->get<double>();
    }
    void operator()(const char* name, bool& value) const {
        const json* found = find(name);
        if (!found) return;
        if (!found->is_boolean()) throw Refusal("%1 must be true or false", {name});
        value = found->get<bool>();
    }

private:
    const json* find(const char* name) const {
        const auto found = object.find(name);
        return found == object.end() ? nullptr : &*found;
    }

    static int whole(const char* name, const json& value) {
        const auto found =
            wholeNumber(value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
        if (!found) throw Refusal("%1 must be a whole number of at most 2³¹ − 1", {name});
        return static_cast<int>(*found);
    }

    template <typename Names, typename Value>
    void choose(const char* name, const Names& names, Value& value) const {
        const json* found = find(name);
        if (!found) return;
        const auto known = found->is_string() ? valueOf(names, found->get_ref<const std::string&>())
                                              : std::optional<Value>();
        if (!known) throw Refusal("%1 must be one of %2", {name, allNames(names)});
        value = *known;
    }
};

/// Parses a flat object, none of whose keys is there twice.
json parseObject(std::string_view text) {
    std::set<std::string> keys;
    const auto watch = [&](int depth, json::parse_event_t event, json& parsed) {
        if (depth > 2) throw Refusal("an experiment's values are not nested");
        if (event == json::parse_event_t::key && !keys.insert(parsed.get<std::string>()).second)
            throw Refusal("%1 is there twice", {parsed.get<std::string>()});
        return true;
    };
    json object;
    try {
        object = json::parse(text, watch);
    } catch (const json::exception&) {
        throw Refusal("an experiment must be valid JSON");
    }
    if (!object.is_object()) throw Refusal("an experiment must be a JSON object");
    return object;
}

}  // namespace

std::string toJson(const Experiment& experiment) {
    assert(problems(experiment).empty());
    ordered_json object;
    forEachMember(experiment, Writer{object});
    return object.dump(4) + '\n';
}

Experiment experimentFromJson(std::string_view text) {
    const json object = parseObject(text);
    Experiment experiment;
    std::set<std::string> known;
    forEachMember(experiment, [&](const char* name, const auto&) { known.insert(name); });
    for (const auto& [key, value] : object.items())
        if (!known.contains(key)) throw Refusal("%1 is not a member of an experiment", {key});
    forEachMember(experiment, Reader{object});
    requireValid(experiment);
    return experiment;
}

}  // namespace headscope
