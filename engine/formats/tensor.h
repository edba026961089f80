#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/numeric/refusal.h"

namespace headscope {

/// What the elements of a tensor in a file are, little-endian. F16: IEEE 754 binary16. BF16: the upper half
/// of a binary32.
enum class TensorType { Bool, U8, I8, U16, I16, U32, I32, U64, I64, F16, BF16, F32, F64 };

std::size_t bytesOf(TensorType type);  ///< of one element
bool isFraction(TensorType type);      ///< a floating-point type
/// As safetensors files spell it: "BOOL", "F32" …
std::string_view nameOf(TensorType type);
std::optional<TensorType> tensorTypeOf(std::string_view name);

/// "(2, 3)": for sentences.
std::string textOf(const std::vector<std::size_t>& shape);

/// One tensor, row-major; refers to bytes that another owns.
struct TensorView {
    TensorType type = TensorType::F32;
    std::vector<std::size_t> shape;  ///< empty for a scalar
    std::span<const std::byte> bytes;

    std::size_t size() const { return bytes.size() / bytesOf(type); }  ///< number of elements
    /// Any type; bool gives 0 and 1, and NaN and infinities are data.
    std::vector<double> toDoubles() const;
    std::vector<float> toFloats() const;
    /// Throws Refusal when the values are not of an integer type, or one does not fit.
    std::vector<int> toInts() const;
};

/// Of values where they lie: `shape` has as many elements.
TensorView viewOf(std::span<const float> values, std::vector<std::size_t> shape);
TensorView viewOf(std::span<const double> values, std::vector<std::size_t> shape);
TensorView viewOf(std::span<const std::int32_t> values, std::vector<std::size_t> shape);
TensorView viewOf(std::span<const std::int64_t> values, std::vector<std::size_t> shape);
TensorView viewOf(std::span<const std::uint64_t> values, std::vector<std::size_t> shape);

/// Bytes of `count` elements as a shape has them, or nothing where that is more than 64 bits can count.
std::optional<std::uint64_t> extentOf(TensorType type, std::span<const std::uint64_t> shape);

}  // namespace headscope
