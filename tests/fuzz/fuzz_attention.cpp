#include "engine/training/opened_attention.h"
#include "tests/fuzz/fuzz.h"

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::tryTo([&] {
        const AttentionMaps maps = parseAttention(fuzz::bytesOf(data, size), "file");
        snapshotOf(maps, maps.layers - 1, maps.rows - 1, "file");
    });
}
