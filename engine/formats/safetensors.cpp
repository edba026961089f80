#include "engine/formats/safetensors.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/formats/file_kind.h"
#include "engine/formats/input_file.h"

namespace headscope {
namespace {

using nlohmann::json;

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeader = 100'000'000;  // what the format's own reader allows
constexpr std::size_t kMaxRank = 16;

/// One entry of the header as it stands there.
struct Entry {
    std::string name;
    std::optional<TensorType> type;
    std::optional<std::vector<std::uint64_t>> shape;
    std::optional<std::vector<std::uint64_t>> offsets;
};

/// Takes the header apart while it is parsed: nothing of it is ever held as a tree, and the first thing that
/// does not belong ends the parsing.
class HeaderReader final : public json::json_sax_t {
public:
    explicit HeaderReader(std::string file) : m_file(std::move(file)) {}

    std::vector<Entry> entries;
    std::map<std::string, std::string> metadata;

    [[noreturn]] void refuse(const char* pattern, std::vector<std::string> arguments = {}) const {
        arguments.insert(arguments.begin(), m_file);
        throw Refusal(pattern, std::move(arguments));
    }

    bool start_object(std::size_t) override {
        if (m_depth >= 2) refuseValue();
        ++m_depth;
        if (m_depth == 2 && !m_inMetadata) entries.push_back({m_name, {}, {}, {}});
        return true;
    }

    bool end_object() override {
        if (m_depth == 2 && !m_inMetadata) {
            const Entry& e = entries.back();
            if (!e.type || !e.shape || !e.offsets)
                refuse("%1: tensor %2 needs dtype, shape and data_offsets", {quoted(e.name)});
        }
        --m_depth;
        return true;
    }

    bool key(std::string& text) override {
        if (m_depth == 1) {
            if (!m_names.emplace(text, 0).second) refuse("%1: %2 is there twice", {quoted(text)});
            m_name = text;
            m_inMetadata = text == "__metadata__";
        } else {
            m_key = text;
        }
        return true;
    }

    bool start_array(std::size_t) override {
        if (m_depth != 2 || m_inMetadata) refuseValue();
        Entry& e = entries.back();
        auto& list = m_key == "shape" ? e.shape : e.offsets;
        if ((m_key != "shape" && m_key != "data_offsets") || list) refuseValue();
        m_list = &list.emplace();
        ++m_depth;
        return true;
    }

    bool end_array() override {
        if (m_key == "data_offsets" && m_list->size() != 2) refuseValue();
        --m_depth;
        return true;
    }

    bool number_unsigned(std::uint64_t value) override {
        if (m_depth != 3 || m_list->size() == kMaxRank) refuseValue();
        m_list->push_back(value);
        return true;
    }

    bool string(std::string& text) override {
        if (m_depth == 2 && m_inMetadata) {
            if (!metadata.emplace(m_key, text).second) refuse("%1: %2 is there twice", {quoted(m_key)});
            return true;
        }
        if (m_depth != 2 || m_key != "dtype" || entries.back().type) refuseValue();
        entries.back().type = tensorTypeOf(text);
        if (!entries.back().type)
            refuse(
                "%1: tensor %2 has the dtype %3: it must be BOOL, F64, F32, F16, BF16, or I or U with 8, 16, "
                "32 "
                "or 64",
                {quoted(m_name), quoted(text)});
        return true;
    }

    bool null() override { refuseValue(); }
    bool boolean(bool) override { refuseValue(); }
    bool number_integer(std::int64_t) override { refuseValue(); }
    bool number_float(double, const std::string&) override { refuseValue(); }
    bool binary(json::binary_t&) override { refuseValue(); }
    bool parse_error(std::size_t, const std::string&, const json::exception&) override {
        refuse("%1: its header is not valid JSON");
    }

private:
    [[noreturn]] void refuseValue() const {
        if (m_depth == 0) refuse("%1: its header is not a JSON object");
        if (m_depth == 1) refuse("%1: the value of %2 in the header is not an object", {quoted(m_name)});
        refuse("%1: the value of %2 in %3 is not what the format allows", {quoted(m_key), quoted(m_name)});
    }

    std::string m_file;
    int m_depth = 0;  // 1 in the header, 2 in one of its entries, 3 in a list of numbers
    bool m_inMetadata = false;
    std::string m_name, m_key;
    std::map<std::string, int> m_names;
    std::vector<std::uint64_t>* m_list = nullptr;
};

/// Bytes that the entry's shape asks for; refused where that is more than any file can have.
std::uint64_t extent(const HeaderReader& header, const Entry& e) {
    const auto bytes = extentOf(*e.type, *e.shape);
    if (!bytes) header.refuse("%1: the shape of tensor %2 is too large for any file", {quoted(e.name)});
    return *bytes;
}

/// Every tensor inside the data, as long as its shape says, one after the other without overlap or hole.
void checkExtents(const HeaderReader& header, std::uint64_t dataSize) {
    std::vector<const Entry*> inOrder;
    for (const Entry& e : header.entries) {
        const std::uint64_t begin = (*e.offsets)[0], end = (*e.offsets)[1];
        if (begin > end || end > dataSize)
            header.refuse(
                "%1: tensor %2 lies at bytes %3 to %4 of %5",
                {quoted(e.name), std::to_string(begin), std::to_string(end), std::to_string(dataSize)});
        const std::uint64_t needed = extent(header, e);
        if (needed != end - begin)
            header.refuse("%1: tensor %2 has %3 bytes and its shape needs %4",
                          {quoted(e.name), std::to_string(end - begin), std::to_string(needed)});
        inOrder.push_back(&e);
    }
    std::sort(inOrder.begin(), inOrder.end(),
              [](const Entry* a, const Entry* b) { return *a->offsets < *b->offsets; });
    std::uint64_t at = 0;
    for (const Entry* e : inOrder) {
        const std::uint64_t begin = (*e->offsets)[0];
        if (begin < at) header.refuse("%1: tensor %2 overlaps another", {quoted(e->name)});
        if (begin > at) header.refuse("%1: there is a hole before tensor %2", {quoted(e->name)});
        at = (*e->offsets)[1];
    }
    if (at != dataSize)
        header.refuse("%1: %2 bytes at its end belong to no tensor", {std::to_string(dataSize - at)});
}

}  // namespace

std::string safetensorsFile(const std::map<std::string, TensorView>& tensors,
                            const std::map<std::string, std::string>& metadata) {
    std::vector<std::pair<std::string_view, const TensorView*>> inOrder;
    for (const auto& [name, tensor] : tensors) inOrder.emplace_back(name, &tensor);
    std::ranges::stable_sort(inOrder, std::greater{}, [](const auto& t) { return bytesOf(t.second->type); });

    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!metadata.empty()) header["__metadata__"] = metadata;
    std::size_t end = 0;
    for (const auto& [name, tensor] : inOrder) {
        const std::size_t begin = std::exchange(end, end + tensor->bytes.size());
        header[std::string(name)] = {
            {"dtype", nameOf(tensor->type)}, {"shape", tensor->shape}, {"data_offsets", {begin, end}}};
    }
    std::string text = header.dump();
    text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');

    const std::uint64_t length = text.size();
    std::string file(kLengthBytes, '\0');
    std::memcpy(file.data(), &length, kLengthBytes);
    file.reserve(kLengthBytes + text.size() + end);
    file += text;
    for (const auto& [name, tensor] : inOrder)
        file.append(reinterpret_cast<const char*>(tensor->bytes.data()), tensor->bytes.size());
    return file;
}

Safetensors Safetensors::read(const std::filesystem::path& path) {
    return parse(readFile(path), path.string());
}

Safetensors Safetensors::parse(std::vector<std::byte> bytes, const std::string& name) {
    requireKind(FileKind::Safetensors, bytes, name, "a safetensors file");
    HeaderReader header(name);
    if (bytes.size() < kLengthBytes)
        header.refuse("%1: %2 bytes are too few for a safetensors file", {std::to_string(bytes.size())});
    std::uint64_t headerSize = 0;
    std::memcpy(&headerSize, bytes.data(), kLengthBytes);
    const std::uint64_t available = bytes.size() - kLengthBytes;
    if (headerSize > available)
        header.refuse("%1: its header should have %2 bytes and the file has only %3 more",
                      {std::to_string(headerSize), std::to_string(available)});
    if (headerSize > kMaxHeader)
        header.refuse("%1: its header has %2 bytes: at most %3 are allowed",
                      {std::to_string(headerSize), std::to_string(kMaxHeader)});

    const auto* text = reinterpret_cast<const char*>(bytes.data() + kLengthBytes);
    json::sax_parse(text, text + headerSize, &header);
    checkExtents(header, available - headerSize);

    Safetensors file;
    file.m_file = name;
    file.m_bytes = std::move(bytes);
    file.m_metadata = std::move(header.metadata);
    const std::span<const std::byte> data =
        std::span<const std::byte>(file.m_bytes).subspan(kLengthBytes + headerSize);
    for (Entry& e : header.entries) {
        const std::uint64_t begin = (*e.offsets)[0], end = (*e.offsets)[1];
        file.m_tensors[e.name] = {
            *e.type, {e.shape->begin(), e.shape->end()}, data.subspan(begin, end - begin)};
    }
    return file;
}

const TensorView& Safetensors::tensor(const std::string& name) const {
    const auto found = m_tensors.find(name);
    if (found == m_tensors.end()) throw Refusal("%1: there is no tensor %2", {m_file, quoted(name)});
    return found->second;
}

}  // namespace headscope
