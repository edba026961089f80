#pragma once

#include <string>
#include <vector>

#include "engine/formats/tensor.h"

namespace headscope {

/// A tensor that owns its bytes, row-major and little-endian whatever the file had.
struct Array {
    TensorType type = TensorType::F32;
    std::vector<std::size_t> shape;
    std::vector<std::byte> bytes;

    TensorView view() const { return {type, shape, bytes}; }
};

/// The bytes of a .npy file (format 1.0), row-major and little-endian: what numpy.load reads.
/// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
/// Any type but BF16, which the format has no name for.
std::string npyFile(const TensorView& tensor);

/// What such a file holds, of format 1.0 to 3.0, in C or Fortran order and either byte order. `name` stands
/// for the file in messages.
///
/// The file is not trusted: a header that is not what the format says, a shape that does not fit the bytes,
/// and pickled Python objects, records, complex numbers and texts throw a Refusal that names the file and
/// the reason. Takes no more memory than a small multiple of the file's size.
Array parseNpy(std::vector<std::byte> bytes, const std::string& name);

}  // namespace headscope
