// A fuzz target without a fuzzer: every file of a corpus, and a fixed number of mutations of each, always the
// same ones. Usage: replay CORPUS MUTATIONS

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "tests/fuzz/fuzz.h"

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes read(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A few bytes overwritten, numbers made extreme, a piece cut out, doubled or lost at the end.
Bytes mutated(Bytes bytes, std::mt19937& random) {
    const auto below = [&](std::size_t n) { return std::size_t(random()) % std::max<std::size_t>(n, 1); };
    for (std::size_t changes = 1 + below(4); changes-- > 0 && !bytes.empty();) {
        const std::size_t at = below(bytes.size());
        const auto place = bytes.begin() + std::ptrdiff_t(at);
        const std::size_t length = std::min(bytes.size() - at, 1 + below(16));
        const auto end = place + std::ptrdiff_t(length);
        switch (below(6)) {
            case 0:
                *place = std::uint8_t(random());
                break;
            case 1:
                *place ^= std::uint8_t(1u << below(8));
                break;
            case 2:
                std::fill(place, end, std::uint8_t(below(2) * 255));
                break;
            case 3:
                bytes.erase(place, end);
                break;
            case 4: {
                const Bytes piece(place, end);
                bytes.insert(place, piece.begin(), piece.end());
                break;
            }
            default:
                bytes.resize(at);
        }
    }
    return bytes;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(argv[1])) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    if (files.empty()) return 2;
    std::mt19937 random(1);
    for (const auto& file : files) {
        const Bytes seed = read(file);
        std::printf("%s\n", file.c_str());
        std::fflush(stdout);
        LLVMFuzzerTestOneInput(seed.data(), seed.size());
        for (int i = std::atoi(argv[2]); i > 0; --i) {
            const Bytes bytes = mutated(seed, random);
            LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
        }
    }
}
