#include "engine/training/session_file.h"
#include "tests/fuzz/fuzz.h"

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::tryTo([&] { parseSession(fuzz::bytesOf(data, size), "file"); });
}
