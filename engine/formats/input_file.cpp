#include "engine/formats/input_file.h"

#include <fstream>
#include <new>
#include <system_error>

#include "engine/numeric/refusal.h"

namespace headscope {

std::vector<std::byte> readFile(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) throw Refusal("%1: there is no such file", {path.string()});
    if (!std::filesystem::is_regular_file(status)) throw Refusal("%1: this is not a file", {path.string()});
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    std::ifstream in(path, std::ios::binary);
    if (error || !in) throw Refusal("%1: the file cannot be opened", {path.string()});
    if (size == 0) throw Refusal("%1: the file is empty", {path.string()});
    if (size > kLargestFile)
        throw Refusal("%1: the file has %2 bytes: at most %3 can be read",
                      {path.string(), std::to_string(size), std::to_string(kLargestFile)});
    try {
        std::vector<std::byte> bytes(size);
        in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
        if (!in) throw Refusal("%1: the file cannot be read", {path.string()});
        return bytes;
    } catch (const std::bad_alloc&) {
        throw Refusal("%1: there is not enough memory to read the file", {path.string()});
    }
}

std::string quoted(std::string text) {
    constexpr std::size_t kMost = 80;
    if (text.size() > kMost) {
        std::size_t end = kMost;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // whole UTF-8 only
        text = text.substr(0, end) + "…";
    }
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    return "“" + text + "”";
}

}  // namespace headscope
