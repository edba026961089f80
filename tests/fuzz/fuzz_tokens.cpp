#include "engine/formats/attention_maps.h"
#include "tests/fuzz/fuzz.h"

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    AttentionMaps maps;
    maps.rows = 2;
    maps.length = 3;
    const bool as_text = size > 0 && data[0] % 2 == 0;
    return fuzz::tryTo(
        [&] { setTokens(maps, fuzz::textOf(data, size), as_text ? "tokens.txt" : "tokens.json"); });
}
