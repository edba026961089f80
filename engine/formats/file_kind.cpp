#include "engine/formats/file_kind.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "engine/numeric/refusal.h"

namespace headscope {
namespace {

using namespace std::string_view_literals;

struct Magic {
    FileKind kind;
    std::string_view begin;
};

constexpr Magic kMagics[] = {
    {FileKind::Npy, "\x93NUMPY"sv},   {FileKind::Zip, "PK\x03\x04"sv},    {FileKind::Zip, "PK\x05\x06"sv},
    {FileKind::Png, "\x89PNG\r\n"sv}, {FileKind::Jpeg, "\xff\xd8\xff"sv}, {FileKind::Gif, "GIF8"sv},
    {FileKind::Pdf, "%PDF-"sv},       {FileKind::Gzip, "\x1f\x8b"sv},     {FileKind::Hdf5, "\x89HDF\r\n"sv},
    {FileKind::Pickle, "\x80\x02"sv}, {FileKind::Xml, "<?xml"sv},         {FileKind::Xml, "<svg"sv},
};

/// The length before its JSON object is not longer than the file.
bool isSafetensors(std::span<const std::byte> bytes) {
    std::uint64_t length = 0;
    if (!beginsAsSafetensors(bytes)) return false;
    std::memcpy(&length, bytes.data(), sizeof length);
    return length <= bytes.size() - sizeof length;
}

bool isJson(std::string_view bytes) {
    const auto first = bytes.find_first_not_of(" \t\r\n");
    return first != bytes.npos && (bytes[first] == '{' || bytes[first] == '[') &&
           bytes.substr(0, 512).find('\0') == bytes.npos;
}

Refusal isOf(FileKind kind, const std::string& name, const char* wanted) {
    switch (kind) {
        case FileKind::Npy:
            return Refusal("%1 is a NumPy array (NPY), not %2", {name, wanted});
        case FileKind::Zip:
            return Refusal("%1 is a ZIP archive, as NPZ and PyTorch files are, not %2", {name, wanted});
        case FileKind::Safetensors:
            return Refusal("%1 is a safetensors file, not %2", {name, wanted});
        case FileKind::Png:
        case FileKind::Jpeg:
        case FileKind::Gif:
            return Refusal("%1 is a picture, not %2", {name, wanted});
        case FileKind::Pdf:
            return Refusal("%1 is a PDF document, not %2", {name, wanted});
        case FileKind::Gzip:
            return Refusal("%1 is compressed by gzip, not %2", {name, wanted});
        case FileKind::Hdf5:
            return Refusal("%1 is an HDF5 file, not %2", {name, wanted});
        case FileKind::Pickle:
            return Refusal("%1 is a Python pickle, which may run programs and is never read, not %2",
                           {name, wanted});
        case FileKind::Xml:
            return Refusal("%1 is an XML or SVG document, not %2", {name, wanted});
        case FileKind::Json:
            return Refusal("%1 is JSON text, not %2", {name, wanted});
        case FileKind::Unknown:
            break;
    }
    return Refusal("%1 is not %2", {name, wanted});
}

}  // namespace

bool beginsAsSafetensors(std::span<const std::byte> bytes) {
    constexpr std::size_t kBrace = sizeof(std::uint64_t);
    return bytes.size() > kBrace && bytes[kBrace] == std::byte{'{'};
}

FileKind kindOf(std::span<const std::byte> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (isSafetensors(bytes)) return FileKind::Safetensors;
    const auto* magic =
        std::ranges::find_if(kMagics, [&](const Magic& m) { return text.starts_with(m.begin); });
    if (magic != std::end(kMagics)) return magic->kind;
    return isJson(text) ? FileKind::Json : FileKind::Unknown;
}

void requireKind(FileKind kind, std::span<const std::byte> bytes, const std::string& name,
                 const char* wanted) {
    const FileKind is = kindOf(bytes);
    if (is != kind && is != FileKind::Unknown) throw isOf(is, name, wanted);
}

}  // namespace headscope
