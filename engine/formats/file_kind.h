#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace headscope {

enum class FileKind { Unknown, Npy, Zip, Safetensors, Png, Jpeg, Gif, Pdf, Gzip, Hdf5, Pickle, Xml, Json };

/// Eight bytes and then a brace: a safetensors file, or what is left of one.
bool beginsAsSafetensors(std::span<const std::byte> bytes);

/// What a file's first bytes show it to be.
FileKind kindOf(std::span<const std::byte> bytes);

/// Throws Refusal where they show it to be another kind: it says which, and that it is not `wanted`, as "a
/// session file". What they do not show is for its reader to find out.
void requireKind(FileKind kind, std::span<const std::byte> bytes, const std::string& name,
                 const char* wanted);

}  // namespace headscope
