#include "engine/formats/tensor.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <Eigen/Core>

namespace headscope {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are read as they lie in the file");

struct TypeName {
    TensorType type;
    std::string_view name;
    std::size_t bytes;
};

constexpr TypeName kTypes[] = {
    {TensorType::Bool, "BOOL", 1}, {TensorType::U8, "U8", 1},     {TensorType::I8, "I8", 1},
    {TensorType::U16, "U16", 2},   {TensorType::I16, "I16", 2},   {TensorType::U32, "U32", 4},
    {TensorType::I32, "I32", 4},   {TensorType::U64, "U64", 8},   {TensorType::I64, "I64", 8},
    {TensorType::F16, "F16", 2},   {TensorType::BF16, "BF16", 2}, {TensorType::F32, "F32", 4},
    {TensorType::F64, "F64", 8},
};

const TypeName& entryOf(TensorType type) {
    const TypeName& entry = kTypes[static_cast<std::size_t>(type)];
    assert(entry.type == type);
    return entry;
}

/// Calls `use` with each element of a tensor whose elements are of type T.
template <class T, class Use>
void forEachOfType(const TensorView& view, const Use& use) {
    for (std::size_t at = 0; at + sizeof(T) <= view.bytes.size(); at += sizeof(T)) {
        T value;
        std::memcpy(static_cast<void*>(&value), view.bytes.data() + at, sizeof(T));
        use(value);
    }
}

/// The same with the element type that the tensor has.
template <class Use>
void forEachElement(const TensorView& view, const Use& use) {
    switch (view.type) {
        case TensorType::Bool:
            return forEachOfType<std::uint8_t>(view, [&](auto b) { use(int{b != 0}); });
        case TensorType::U8:
            return forEachOfType<std::uint8_t>(view, use);
        case TensorType::I8:
            return forEachOfType<std::int8_t>(view, use);
        case TensorType::U16:
            return forEachOfType<std::uint16_t>(view, use);
        case TensorType::I16:
            return forEachOfType<std::int16_t>(view, use);
        case TensorType::U32:
            return forEachOfType<std::uint32_t>(view, use);
        case TensorType::I32:
            return forEachOfType<std::int32_t>(view, use);
        case TensorType::U64:
            return forEachOfType<std::uint64_t>(view, use);
        case TensorType::I64:
            return forEachOfType<std::int64_t>(view, use);
        case TensorType::F16:
            return forEachOfType<Eigen::half>(view, [&](auto h) { use(float{h}); });
        case TensorType::BF16:
            return forEachOfType<Eigen::bfloat16>(view, [&](auto b) { use(float{b}); });
        case TensorType::F32:
            return forEachOfType<float>(view, use);
        case TensorType::F64:
            return forEachOfType<double>(view, use);
    }
}

template <class T>
std::vector<T> converted(const TensorView& view) {
    std::vector<T> values;
    values.reserve(view.size());
    forEachElement(view, [&](auto value) { values.push_back(static_cast<T>(value)); });
    return values;
}

template <class T>
TensorView viewAs(TensorType type, std::span<const T> values, std::vector<std::size_t> shape) {
    assert(extentOf(type, std::vector<std::uint64_t>(shape.begin(), shape.end())) == values.size_bytes());
    return {type, std::move(shape), std::as_bytes(values)};
}

}  // namespace

std::size_t bytesOf(TensorType type) { return entryOf(type).bytes; }

bool isFraction(TensorType type) { return nameOf(type).find('F') != std::string_view::npos; }

std::string_view nameOf(TensorType type) { return entryOf(type).name; }

std::optional<TensorType> tensorTypeOf(std::string_view name) {
    for (const TypeName& t : kTypes)
        if (t.name == name) return t.type;
    return std::nullopt;
}

std::string textOf(const std::vector<std::size_t>& shape) {
    std::string all;
    for (const std::size_t n : shape) all += (all.empty() ? "" : ", ") + std::to_string(n);
    return "(" + all + ")";
}

std::vector<double> TensorView::toDoubles() const { return converted<double>(*this); }
std::vector<float> TensorView::toFloats() const { return converted<float>(*this); }

std::vector<int> TensorView::toInts() const {
    std::vector<int> values;
    values.reserve(size());
    forEachElement(*this, [&](auto value) {
        if constexpr (std::is_floating_point_v<decltype(value)>) {
            throw Refusal("a tensor of whole numbers is needed here, and this one is of fractions");
        } else {
            if (!std::in_range<int>(value))
                throw Refusal("%1 is too large a whole number", {std::to_string(value)});
            values.push_back(static_cast<int>(value));
        }
    });
    return values;
}

TensorView viewOf(std::span<const float> values, std::vector<std::size_t> shape) {
    return viewAs(TensorType::F32, values, std::move(shape));
}
TensorView viewOf(std::span<const double> values, std::vector<std::size_t> shape) {
    return viewAs(TensorType::F64, values, std::move(shape));
}
TensorView viewOf(std::span<const std::int32_t> values, std::vector<std::size_t> shape) {
    return viewAs(TensorType::I32, values, std::move(shape));
}
TensorView viewOf(std::span<const std::int64_t> values, std::vector<std::size_t> shape) {
    return viewAs(TensorType::I64, values, std::move(shape));
}
TensorView viewOf(std::span<const std::uint64_t> values, std::vector<std::size_t> shape) {
    return viewAs(TensorType::U64, values, std::move(shape));
}

std::optional<std::uint64_t> extentOf(TensorType type, std::span<const std::uint64_t> shape) {
    if (std::ranges::find(shape, 0u) != shape.end()) return 0;
    std::uint64_t bytes = bytesOf(type);
    for (const std::uint64_t n : shape) {
        if (n > std::numeric_limits<std::uint64_t>::max() / bytes) return std::nullopt;
        bytes *= n;
    }
    return bytes;
}

}  // namespace headscope
