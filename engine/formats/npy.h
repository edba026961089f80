#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace headscope {

/// The bytes of a .npy file (format 1.0) of little-endian float32 values, row-major: what numpy.load reads.
/// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
/// The product of `shape` is the number of values.
std::string npyFile(std::span<const float> values, std::span<const std::size_t> shape);

}  // namespace headscope
