#include "engine/formats/npy.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cstring>
#include <iterator>
#include <optional>

#include "engine/formats/file_kind.h"
#include "engine/formats/input_file.h"

namespace headscope {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxRank = 32;  // numpy's own

struct Descr {
    TensorType type;
    std::string_view name;  ///< as NPY spells it, without the byte order
};

constexpr Descr kDescrs[] = {
    {TensorType::Bool, "b1"}, {TensorType::U8, "u1"},  {TensorType::I8, "i1"},  {TensorType::U16, "u2"},
    {TensorType::I16, "i2"},  {TensorType::U32, "u4"}, {TensorType::I32, "i4"}, {TensorType::U64, "u8"},
    {TensorType::I64, "i8"},  {TensorType::F16, "f2"}, {TensorType::F32, "f4"}, {TensorType::F64, "f8"},
};

struct Header {
    TensorType type = TensorType::F32;
    bool bigEndian = false;
    bool fortranOrder = false;
    std::vector<std::uint64_t> shape;
};

/// Reads the header's dictionary, a Python literal of three known keys: nothing of Python beyond these.
class HeaderReader {
public:
    HeaderReader(std::string_view text, const std::string& file) : m_rest(text), m_file(file) {}

    Header read() {
        Header header;
        bool descr = false, order = false, shape = false;
        require('{');
        while (!take('}')) {
            const std::string_view key = text();
            require(':');
            bool& there = key == "descr" ? descr : key == "fortran_order" ? order : shape;
            if ((key != "descr" && key != "fortran_order" && key != "shape") || there) refuse();
            there = true;
            if (key == "descr") readType(header);
            if (key == "fortran_order") header.fortranOrder = truth();
            if (key == "shape") header.shape = tuple();
            if (!take(',') && !next('}')) refuse();
        }
        skipSpace();
        if (!m_rest.empty() || !descr || !order || !shape) refuse();
        return header;
    }

private:
    [[noreturn]] void refuse() const { throw Refusal("%1: its header is not one of an NPY file", {m_file}); }

    void skipSpace() { m_rest.remove_prefix(std::min(m_rest.find_first_not_of(" \t\r\n"), m_rest.size())); }
    bool next(char c) {
        skipSpace();
        return m_rest.starts_with(c);
    }
    bool take(char c) {
        const bool there = next(c);
        if (there) m_rest.remove_prefix(1);
        return there;
    }
    void require(char c) {
        if (!take(c)) refuse();
    }

    std::string_view text() {
        const char quote = take('"') ? '"' : '\'';
        if (quote == '\'') require('\'');
        const std::size_t end = m_rest.find(quote);
        if (end == m_rest.npos) refuse();
        const std::string_view text = m_rest.substr(0, end);
        m_rest.remove_prefix(end + 1);
        return text;
    }

    bool truth() {
        skipSpace();
        for (const auto& [word, value] : {std::pair("True", true), std::pair("False", false)}) {
            if (!m_rest.starts_with(word)) continue;
            m_rest.remove_prefix(std::strlen(word));
            return value;
        }
        refuse();
    }

    std::vector<std::uint64_t> tuple() {
        std::vector<std::uint64_t> numbers;
        require('(');
        while (!take(')')) {
            skipSpace();
            std::uint64_t number = 0;
            const char* end = m_rest.data() + m_rest.size();
            const auto [after, error] = std::from_chars(m_rest.data(), end, number);
            if (error != std::errc{} || numbers.size() == kMaxRank) refuse();
            m_rest.remove_prefix(static_cast<std::size_t>(after - m_rest.data()));
            if (m_rest.starts_with('L')) m_rest.remove_prefix(1);  // a long of Python 2
            numbers.push_back(number);
            if (!take(',') && !next(')')) refuse();
        }
        return numbers;
    }

    void readType(Header& header) {
        if (next('[')) throw Refusal("%1: it holds records, not plain numbers", {m_file});
        const std::string_view descr = text();
        const std::string_view name = descr.substr(std::min(descr.find_first_not_of("<>|="), descr.size()));
        if (name.starts_with('O'))
            throw Refusal("%1: it holds pickled Python objects, which are never read", {m_file});
        const auto* found = std::ranges::find(kDescrs, name, &Descr::name);
        if (found == std::end(kDescrs) || descr.size() > name.size() + 1)
            throw Refusal("%1: it holds values of the type %2: they must be numbers of up to 8 bytes",
                          {m_file, quoted(std::string(descr))});
        header.type = found->type;
        header.bigEndian = descr.starts_with('>');
    }

    std::string_view m_rest;
    const std::string& m_file;
};

void swapBytes(std::vector<std::byte>& bytes, std::size_t width) {
    for (auto at = bytes.begin(); at != bytes.end(); at += std::ptrdiff_t(width))
        std::reverse(at, at + std::ptrdiff_t(width));
}

/// The elements, which lie with the first index running fastest, so that the last one does.
std::vector<std::byte> rowMajor(const std::vector<std::byte>& bytes, const std::vector<std::size_t>& shape,
                                std::size_t width) {
    std::vector<std::byte> sorted;
    sorted.reserve(bytes.size());
    std::vector<std::size_t> strides(shape.size(), width), at(shape.size(), 0);
    for (std::size_t axis = 1; axis < shape.size(); ++axis)
        strides[axis] = strides[axis - 1] * shape[axis - 1];
    std::size_t offset = 0;
    while (sorted.size() < bytes.size()) {
        const auto element = bytes.begin() + std::ptrdiff_t(offset);
        sorted.insert(sorted.end(), element, element + std::ptrdiff_t(width));
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            offset += strides[axis];
            if (++at[axis] < shape[axis]) break;
            offset -= strides[axis] * shape[axis];
            at[axis] = 0;
        }
    }
    return sorted;
}

/// How long the header is, and where it begins.
struct HeaderPlace {
    std::size_t begin;
    std::uint64_t size;
};

HeaderPlace headerPlace(const std::vector<std::byte>& bytes, const std::string& name) {
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    if (!std::string_view(text, bytes.size()).starts_with(kMagic))
        throw Refusal("%1: this is not an NPY file", {name});
    constexpr std::size_t kVersion = kMagic.size() + 2;
    const int version = bytes.size() < kVersion ? 0 : std::to_integer<int>(bytes[kMagic.size()]);
    if (version < 1 || version > 3 || bytes[kMagic.size() + 1] != std::byte{0})
        throw Refusal("%1: its NPY version must be 1.0, 2.0 or 3.0", {name});
    HeaderPlace place{kVersion + (version == 1 ? 2u : 4u), 0};
    if (bytes.size() < place.begin) throw Refusal("%1: it ends within its header", {name});
    std::memcpy(&place.size, text + kVersion, place.begin - kVersion);
    if (place.size > bytes.size() - place.begin) throw Refusal("%1: it ends within its header", {name});
    return place;
}

}  // namespace

std::string npyFile(const TensorView& tensor) {
    const auto* descr = std::ranges::find(kDescrs, tensor.type, &Descr::type);
    assert(descr != std::end(kDescrs));
    std::string dimensions;
    for (const std::size_t n : tensor.shape) dimensions += std::to_string(n) + ", ";
    if (tensor.shape.size() > 1) dimensions.resize(dimensions.size() - 2);  // "(4, 12)", but "(4, )": a tuple

    constexpr std::size_t kFixed = 10, kAlignment = 64;  // magic, version, header length; where data begins
    const char* order = bytesOf(tensor.type) == 1 ? "|" : "<";
    std::string header = std::string("{'descr': '") + order + std::string(descr->name) +
                         "', 'fortran_order': False, 'shape': (" + dimensions + "), }";
    header.append(kAlignment - 1 - (kFixed + header.size()) % kAlignment, ' ');
    header += '\n';

    std::string file(kMagic);
    file.append("\x01\x00", 2);
    file += static_cast<char>(header.size() & 0xff);
    file += static_cast<char>(header.size() >> 8);
    file.reserve(file.size() + header.size() + tensor.bytes.size());
    file += header;
    return file.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
}

Array parseNpy(std::vector<std::byte> bytes, const std::string& name) {
    requireKind(FileKind::Npy, bytes, name, "an NPY file");
    const HeaderPlace place = headerPlace(bytes, name);
    const auto* text = reinterpret_cast<const char*>(bytes.data()) + place.begin;
    const Header header = HeaderReader({text, place.size}, name).read();
    const std::uint64_t available = bytes.size() - place.begin - place.size;
    const auto needed = extentOf(header.type, header.shape);
    if (!needed) throw Refusal("%1: its shape is too large for any file", {name});
    if (*needed != available)
        throw Refusal("%1: it has %2 bytes of values and its shape needs %3",
                      {name, std::to_string(available), std::to_string(*needed)});

    bytes.erase(bytes.begin(), bytes.end() - std::ptrdiff_t(available));
    Array array{header.type, {header.shape.begin(), header.shape.end()}, std::move(bytes)};
    if (header.bigEndian) swapBytes(array.bytes, bytesOf(array.type));
    if (header.fortranOrder) array.bytes = rowMajor(array.bytes, array.shape, bytesOf(array.type));
    return array;
}

}  // namespace headscope
