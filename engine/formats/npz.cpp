#include "engine/formats/npz.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <zip.h>

#include "engine/formats/input_file.h"

namespace headscope {
namespace {

constexpr std::string_view kEnding = ".npy";

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
    void operator()(zip_file_t* file) const { zip_fclose(file); }
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Archive = std::unique_ptr<zip_t, Discard>;
using ArchiveFile = std::unique_ptr<zip_file_t, Discard>;
using Source = std::unique_ptr<zip_source_t, Discard>;

/// Only memory can be short where the archive is written to memory.
template <typename T>
T orOutOfMemory(T result, T failed) {
    if (result == failed) throw std::bad_alloc();
    return result;
}

Source sourceOf(const void* bytes, std::size_t size) {
    return Source(orOutOfMemory<zip_source_t*>(zip_source_buffer_create(bytes, size, 0, nullptr), nullptr));
}

struct ArchiveEntry {
    zip_uint64_t index;
    std::string name;  ///< without the ending
    zip_uint64_t size;
};

/// The archive's directory, all of whose entries may be inflated.
std::vector<ArchiveEntry> entriesOf(zip_t* archive, std::uint64_t fileSize, const std::string& name) {
    const std::uint64_t most = std::min(std::max(kInflatedAlways, kInflatedTimes * fileSize), kLargestFile);
    std::vector<ArchiveEntry> entries;
    std::uint64_t total = 0;
    const auto count = static_cast<zip_uint64_t>(std::max<zip_int64_t>(0, zip_get_num_entries(archive, 0)));
    for (zip_uint64_t i = 0; i < count; ++i) {
        zip_stat_t stat;
        constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_METHOD;
        if (zip_stat_index(archive, i, 0, &stat) != 0 || (stat.valid & kNeeded) != kNeeded)
            throw Refusal("%1: it is not a whole ZIP archive", {name});
        std::string_view entry = stat.name;
        if (!entry.ends_with(kEnding))
            throw Refusal("%1: it holds %2, which is not an NPY file", {name, quoted(stat.name)});
        if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)
            throw Refusal("%1: %2 is compressed in a way that numpy does not use", {name, quoted(stat.name)});
        if (stat.size > most - total)
            throw Refusal("%1: its arrays come to more than %2 bytes, which is too much for a file of %3",
                          {name, std::to_string(most), std::to_string(fileSize)});
        total += stat.size;
        entry.remove_suffix(kEnding.size());
        entries.push_back({i, std::string(entry), stat.size});
    }
    return entries;
}

/// Exactly as many bytes as the directory says, with the checksum that it says.
std::vector<std::byte> inflated(zip_t* archive, const ArchiveEntry& entry, const std::string& name) {
    const auto damaged = [&] { return Refusal("%1: %2 in it is damaged", {name, quoted(entry.name)}); };
    const ArchiveFile file(zip_fopen_index(archive, entry.index, 0));
    if (!file) throw damaged();
    std::vector<std::byte> bytes(entry.size);
    std::size_t end = 0;
    while (end < bytes.size()) {
        const zip_int64_t count = zip_fread(file.get(), bytes.data() + end, bytes.size() - end);
        if (count <= 0) throw damaged();
        end += static_cast<std::size_t>(count);
    }
    std::byte beyond;
    if (zip_fread(file.get(), &beyond, 1) != 0) throw damaged();  // reading the end checks the checksum
    return bytes;
}

}  // namespace

std::string npzFile(const std::map<std::string, TensorView>& tensors) {
    assert(!tensors.empty());        // libzip writes no archive of nothing
    std::vector<std::string> files;  // libzip reads them when the archive is closed
    files.reserve(tensors.size());
    const Source source = sourceOf(nullptr, 0);
    zip_source_keep(source.get());  // the archive takes one
    Archive archive(orOutOfMemory<zip_t*>(
        zip_open_from_source(source.get(), ZIP_CREATE | ZIP_TRUNCATE, nullptr), nullptr));
    for (const auto& [name, tensor] : tensors) {
        files.push_back(npyFile(tensor));
        Source content = sourceOf(files.back().data(), files.back().size());
        const auto index = static_cast<zip_uint64_t>(
            orOutOfMemory<zip_int64_t>(zip_file_add(archive.get(), (name + std::string(kEnding)).c_str(),
                                                    content.get(), ZIP_FL_ENC_UTF_8),
                                       -1));
        content.release();
        zip_set_file_compression(archive.get(), index, ZIP_CM_STORE, 0);
        constexpr zip_uint16_t kFirstDay = 1 << 5 | 1;  // 1 January 1980, whenever it is written
        zip_file_set_dostime(archive.get(), index, 0, kFirstDay, 0);
    }
    orOutOfMemory(zip_close(archive.get()), -1);
    archive.release();

    orOutOfMemory(zip_source_open(source.get()), -1);
    zip_stat_t stat;
    orOutOfMemory(zip_source_stat(source.get(), &stat), -1);
    std::string file(stat.size, '\0');
    orOutOfMemory(zip_source_read(source.get(), file.data(), file.size()), zip_int64_t{-1});
    zip_source_close(source.get());
    return file;
}

std::map<std::string, Array> parseNpz(std::vector<std::byte> bytes, const std::string& name) {
    const auto notWhole = [&] { return Refusal("%1: it is not a whole ZIP archive", {name}); };
    if (bytes.empty()) throw notWhole();  // for libzip an archive of nothing
    Source source = sourceOf(bytes.data(), bytes.size());
    const Archive archive(zip_open_from_source(source.get(), ZIP_RDONLY, nullptr));
    if (!archive) throw notWhole();
    source.release();
    std::map<std::string, Array> arrays;
    for (const ArchiveEntry& entry : entriesOf(archive.get(), bytes.size(), name)) {
        const std::string place = name + ", " + entry.name;
        if (!arrays.emplace(entry.name, parseNpy(inflated(archive.get(), entry, name), place)).second)
            throw Refusal("%1: %2 is there twice", {name, quoted(entry.name)});
    }
    return arrays;
}

}  // namespace headscope
