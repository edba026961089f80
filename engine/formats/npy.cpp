#include "engine/formats/npy.h"

#include <bit>
#include <cassert>

namespace headscope {

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

std::string npyFile(std::span<const float> values, std::span<const std::size_t> shape) {
    std::size_t size = 1;
    std::string dimensions;
    for (const std::size_t n : shape) {
        size *= n;
        dimensions += std::to_string(n) + ", ";
    }
    assert(size == values.size());
    if (shape.size() > 1) dimensions.resize(dimensions.size() - 2);  // "(4, 12)", but "(4, )": a tuple

    constexpr std::size_t kFixed = 10, kAlignment = 64;  // magic, version, header length; where data begins
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + dimensions + "), }";
    header.append(kAlignment - 1 - (kFixed + header.size()) % kAlignment, ' ');
    header += '\n';

    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(header.size() & 0xff);
    file += static_cast<char>(header.size() >> 8);
    file += header;
    return file.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

}  // namespace headscope
