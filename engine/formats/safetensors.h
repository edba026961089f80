#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/formats/tensor.h"

namespace headscope {

/// The bytes of a safetensors file: the same tensors and metadata give the same bytes. Every tensor begins at
/// a multiple of its element's size. Names and metadata are valid UTF-8; no tensor is called `__metadata__`.
std::string safetensorsFile(const std::map<std::string, TensorView>& tensors,
                            const std::map<std::string, std::string>& metadata = {});

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

    const std::string& name() const { return m_file; }  ///< what stands for the file in messages
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
