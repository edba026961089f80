#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/numeric/refusal.h"

namespace headscope {

enum class TensorType { Bool, I32, I64, F32, F64 };

/// One tensor of a file, row-major; refers to the file's bytes and lives as long as the Safetensors it is of.
struct TensorView {
    TensorType type = TensorType::F32;
    std::vector<std::size_t> shape;  ///< empty for a scalar
    std::span<const std::byte> bytes;

    std::size_t size() const;  ///< number of elements
    /// Any type; bool gives 0 and 1, and NaN and infinities are data.
    std::vector<double> toDoubles() const;
    std::vector<float> toFloats() const;
    /// Throws Refusal when the values are not of an integer type, or one does not fit.
    std::vector<int> toInts() const;
};

/// What a safetensors file holds: 8 bytes of header length (little-endian), a JSON header, raw tensors.
/// https://github.com/huggingface/safetensors, section Format.
///
/// A file is not trusted: a length, shape or offset that does not fit, tensors that overlap or leave a hole,
/// a name given twice, or a header that is not exactly what the format says throws a Refusal that names the
/// file and the reason. Takes no more memory than a small multiple of the file's size.
class Safetensors {
public:
    /// Blocks. Throws Refusal also where the path is no readable regular file.
    static Safetensors read(const std::filesystem::path& path);

    /// `name` stands for the file in messages.
    static Safetensors parse(std::vector<std::byte> bytes, const std::string& name);

    const std::map<std::string, std::string>& metadata() const { return m_metadata; }
    const std::map<std::string, TensorView>& tensors() const { return m_tensors; }
    /// Throws Refusal where there is none of this name.
    const TensorView& tensor(const std::string& name) const;

    Safetensors(Safetensors&&) = default;
    Safetensors& operator=(Safetensors&&) = default;

private:
    Safetensors() = default;

    std::string m_file;
    std::vector<std::byte> m_bytes;
    std::map<std::string, std::string> m_metadata;
    std::map<std::string, TensorView> m_tensors;
};

}  // namespace headscope
