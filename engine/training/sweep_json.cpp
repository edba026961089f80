#include "engine/training/sweep_json.h"

#include <charconv>

#include <nlohmann/json.hpp>

#include "engine/training/experiment_json.h"

namespace headscope {

using nlohmann::ordered_json;

std::string toJson(const SweepPart& part) {
    const auto& [sweep, shard] = part;
    ordered_json object;
    object["heads"] = sweep.heads;
    object["scaling"] = sweep.scaling;
    object["seeds"] = sweep.seeds;
    object["threshold"] = sweep.threshold;
    object["shard"] = std::to_string(shard.index) + '/' + std::to_string(shard.count);
    object["first_run"] = ordered_json::parse(toJson(runsOf(sweep).front()));
    return object.dump(4) + '\n';
}

SweepPart sweepPartFromJson(std::string_view text) {
    SweepPart part;
    try {
        const ordered_json object = ordered_json::parse(text);
        part.sweep.heads = object.at("heads").get<std::vector<int>>();
        part.sweep.scaling = object.at("scaling").get<std::vector<bool>>();
        part.sweep.seeds = object.at("seeds").get<std::vector<std::uint64_t>>();
        part.sweep.threshold = object.at("threshold").get<double>();
        part.shard = shardFromText(object.at("shard").get<std::string>());
        part.sweep.base = experimentFromJson(object.at("first_run").dump());
        requireValid(part.sweep);
        // A number that became another on the way is none that was written.
        if (ordered_json::parse(toJson(part)) != object) throw Refusal("it describes no sweep");
    } catch (const ordered_json::exception&) {
        throw Refusal("it describes no sweep");
    }
    return part;
}

Shard shardFromText(std::string_view text) {
    Shard shard;
    const char* const end = text.data() + text.size();
    const auto index = std::from_chars(text.data(), end, shard.index);
    const bool slash = index.ec == std::errc{} && index.ptr != end && *index.ptr == '/';
    const auto count = slash ? std::from_chars(index.ptr + 1, end, shard.count) : index;
    if (!slash || count.ec != std::errc{} || count.ptr != end)
        throw Refusal("'%1' is no part of a sweep: it must be such as 2/5", {std::string(text)});
    requireValid(shard);
    return shard;
}

}  // namespace headscope
