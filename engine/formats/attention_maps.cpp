#include "engine/formats/attention_maps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <locale>
#include <map>
#include <optional>
#include <sstream>

#include "engine/formats/file_kind.h"
#include "engine/formats/input_file.h"
#include "engine/formats/json_reading.h"
#include "engine/formats/npz.h"

namespace headscope {
namespace {

using nlohmann::json;

// What can be told apart on a screen.
constexpr std::size_t kMostHeads = 256;
constexpr std::size_t kMostTokens = 4096;

// Sixteen bits round a weight by up to 0.4 %, and rows of them as much.
constexpr float kWeightRoom = 1e-3f;
constexpr double kSumRoom = 1e-2;

constexpr std::array kUsualNames = {"attention", "attentions", "attn", "weights"};

/// What a file holds, whichever kind it is; `views` refer to what the others own.
struct Content {
    std::map<std::string, TensorView> views;
    std::string tokens;  ///< JSON, or empty
    std::map<std::string, Array> arrays = {};
    std::optional<Safetensors> safetensors = {};
};

Content contentOf(std::vector<std::byte> bytes, const std::string& name) {
    Content content;
    const FileKind kind = kindOf(bytes);
    if (kind == FileKind::Npy) {
        content.arrays.emplace("attention", parseNpy(std::move(bytes), name));
    } else if (kind == FileKind::Zip) {
        content.arrays = parseNpz(std::move(bytes), name);
    } else if (kind == FileKind::Unknown && !beginsAsSafetensors(bytes)) {
        throw Refusal("%1: this is neither an NPY, an NPZ nor a safetensors file", {name});
    } else {
        requireKind(FileKind::Safetensors, bytes, name, "an NPY, an NPZ or a safetensors file");
        content.safetensors = Safetensors::parse(std::move(bytes), name);
        content.views = content.safetensors->tensors();
        const auto tokens = content.safetensors->metadata().find("tokens");
        if (tokens != content.safetensors->metadata().end()) content.tokens = tokens->second;
    }
    for (const auto& [key, array] : content.arrays) content.views[key] = array.view();
    return content;
}

bool isSquare(const TensorView& view) {
    const auto& shape = view.shape;
    return isFraction(view.type) && shape.size() >= 3 && shape.size() <= 5 &&
           shape[shape.size() - 1] == shape[shape.size() - 2];
}

const TensorView& chosen(const Content& content, const std::string& name, const std::string& array) {
    if (!array.empty()) {
        const auto found = content.views.find(array);
        if (found == content.views.end()) throw Refusal("%1: there is no array %2", {name, quoted(array)});
        return found->second;
    }
    std::vector<const std::string*> square, usual;
    for (const auto& [key, view] : content.views) {
        if (content.views.size() == 1) return view;
        if (!isSquare(view)) continue;
        square.push_back(&key);
        const std::string last = key.substr(key.rfind('.') + 1);
        if (std::ranges::find(kUsualNames, last) != kUsualNames.end()) usual.push_back(&key);
    }
    const auto& best = usual.size() == 1 ? usual : square;
    if (best.empty())
        throw Refusal(
            "%1: it holds no attention: no array of fractions (H, T, T), (B, H, T, T) or (layers, B, "
            "H, T, T)",
            {name});
    if (best.size() > 1)
        throw Refusal("%1: it holds several arrays that may be attention, such as %2 and %3: say which",
                      {name, quoted(*best.front()), quoted(*best.back())});
    return content.views.at(*best.front());
}

/// Maps of that shape, without weights yet.
AttentionMaps shaped(const TensorView& view, const std::string& name) {
    const auto& shape = view.shape;
    if (!isFraction(view.type))
        throw Refusal("%1: its values are of the type %2: weights must be fractions",
                      {name, std::string(nameOf(view.type))});
    if (!isSquare(view))
        throw Refusal(
            "%1: it has the shape %2: attention must be (H, T, T), (B, H, T, T) or (layers, B, H, T, "
            "T)",
            {name, textOf(shape)});
    const std::size_t rank = shape.size();
    AttentionMaps maps;
    if (rank > 4) maps.layers = shape[rank - 5];
    if (rank > 3) maps.rows = shape[rank - 4];
    maps.n_heads = shape[rank - 3];
    maps.length = shape[rank - 1];
    if (view.bytes.empty())
        throw Refusal("%1: it has the shape %2: there is nothing in it", {name, textOf(shape)});
    if (maps.n_heads > kMostHeads || maps.length > kMostTokens)
        throw Refusal("%1: it has the shape %2: at most %3 heads and %4 tokens can be shown",
                      {name, textOf(shape), std::to_string(kMostHeads), std::to_string(kMostTokens)});
    return maps;
}

/// Where a weight is, in words: the head as it is numbered on the screen.
std::string placeOf(const AttentionMaps& maps, std::size_t row_of_weights) {
    const std::size_t query = row_of_weights % maps.length, map = row_of_weights / maps.length;
    const std::size_t head = map % maps.n_heads, sequence = map / maps.n_heads;
    std::string place = "query " + std::to_string(query) + " of head " + std::to_string(head + 1);
    if (maps.rows > 1) place += ", row " + std::to_string(sequence % maps.rows + 1);
    if (maps.layers > 1) place += ", layer " + std::to_string(sequence / maps.rows + 1);
    return place;
}

std::string number(double value) {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out << value;
    return out.str();
}

/// Checks every weight, and finds out whether they are causal.
void check(AttentionMaps& maps, const std::string& name) {
    const std::size_t T = maps.length;
    maps.causal = true;
    for (std::size_t row = 0; row * T < maps.weights.size(); ++row) {
        const std::span<const float> weights(&maps.weights[row * T], T);
        double sum = 0;
        for (const float weight : weights) {
            if (!(weight >= -kWeightRoom && weight <= 1 + kWeightRoom))
                throw Refusal("%1: a weight of %2 is %3: it must be from 0 to 1",
                              {name, placeOf(maps, row), number(double{weight})});
            sum += double{weight};
        }
        const bool sees_nothing = std::ranges::all_of(weights, [](float weight) { return weight == 0; });
        if (!sees_nothing && std::abs(sum - 1) > kSumRoom)
            throw Refusal(
                "%1: the weights of %2 sum to %3: they must sum to 1, as after a softmax, without dropout",
                {name, placeOf(maps, row), number(sum)});
        const auto later = weights.subspan(row % T + 1);
        maps.causal = maps.causal && std::ranges::all_of(later, [](float weight) { return weight == 0; });
    }
}

/// JSON of a list of texts, or of lists of texts.
std::vector<std::vector<std::string>> tokensOfJson(std::string_view text, const std::string& name) {
    const auto refusal = [&] {
        return Refusal("%1: tokens must be a list of texts, or a list of such lists, in JSON", {name});
    };
    const std::optional<json> parsed = parsedJson(text, 2);
    if (!parsed || !parsed->is_array()) throw refusal();
    const json& list = *parsed;
    const auto row = [&](const json& texts) {
        std::vector<std::string> tokens;
        for (const json& token : texts) {
            if (!token.is_string()) throw refusal();
            tokens.push_back(token.get<std::string>());
        }
        return tokens;
    };
    if (list.empty() || !list.front().is_array()) return {row(list)};
    std::vector<std::vector<std::string>> rows;
    for (const json& texts : list) {
        if (!texts.is_array()) throw refusal();
        rows.push_back(row(texts));
    }
    return rows;
}

/// A text may begin with a bracket too: [CLS].
bool isJson(std::string_view text, const std::string& name) {
    if (name.ends_with(".json")) return true;
    std::string begin;
    for (std::size_t i = 0; i < text.size() && begin.size() < 2; ++i)
        if (std::string_view(" \t\r\n").find(text[i]) == std::string_view::npos) begin += text[i];
    return begin == "[\"" || begin == "[[" || begin == "[]";
}

std::vector<std::vector<std::string>> tokensOfText(std::string_view text) {
    while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
    std::vector<std::string> tokens;
    std::istringstream in{std::string(text)};
    if (text.find('\n') == text.npos) {
        for (std::string token; in >> token;) tokens.push_back(token);
    } else {
        for (std::string line; std::getline(in, line);) {
            if (line.ends_with('\r')) line.pop_back();
            tokens.push_back(line);
        }
    }
    return {tokens};
}

void adopt(AttentionMaps& maps, std::vector<std::vector<std::string>> tokens, const std::string& name) {
    if (tokens.size() != 1 && tokens.size() != maps.rows)
        throw Refusal("%1: there are tokens of %2 rows: the attention has %3",
                      {name, std::to_string(tokens.size()), std::to_string(maps.rows)});
    for (const auto& row : tokens)
        if (row.size() != maps.length)
            throw Refusal("%1: there are %2 tokens: the attention is over %3",
                          {name, std::to_string(row.size()), std::to_string(maps.length)});
    maps.tokens = std::move(tokens);
}

/// Those of an array of whole numbers: (T), or (B, T).
void adoptNumbers(AttentionMaps& maps, const TensorView& ids, const std::string& name) {
    const std::vector<int> numbers = ids.toInts();
    const std::size_t width = ids.shape.empty() ? 1 : ids.shape.back();
    std::vector<std::vector<std::string>> tokens;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i % width == 0) tokens.emplace_back();
        tokens.back().push_back(std::to_string(numbers[i]));
    }
    adopt(maps, std::move(tokens), name);
}

}  // namespace

std::span<const float> AttentionMaps::of(std::size_t layer, std::size_t row) const {
    const std::size_t size = n_heads * length * length;
    return std::span(weights).subspan((layer * rows + row) * size, size);
}

std::span<const std::string> AttentionMaps::tokensOf(std::size_t row) const {
    if (tokens.empty()) return {};
    return tokens.size() == 1 ? tokens.front() : tokens[row];
}

AttentionMaps readAttention(const std::filesystem::path& path, const std::string& array) {
    return parseAttention(readFile(path), path.string(), array);
}

AttentionMaps parseAttention(std::vector<std::byte> bytes, const std::string& name,
                             const std::string& array) {
    const Content content = contentOf(std::move(bytes), name);
    const TensorView& view = chosen(content, name, array);
    AttentionMaps maps = shaped(view, name);
    maps.weights = view.toFloats();
    check(maps, name);
    if (!content.tokens.empty()) {
        adopt(maps, tokensOfJson(content.tokens, name), name);
    } else if (const auto ids = content.views.find("tokens");
               ids != content.views.end() && !isFraction(ids->second.type)) {
        adoptNumbers(maps, ids->second, name);
    }
    return maps;
}

bool holdsAttention(const Safetensors& file) {
    return std::ranges::any_of(file.tensors(), [](const auto& named) { return isSquare(named.second); });
}

void setTokens(AttentionMaps& maps, std::string_view text, const std::string& name) {
    adopt(maps, isJson(text, name) ? tokensOfJson(text, name) : tokensOfText(text), name);
}

}  // namespace headscope
