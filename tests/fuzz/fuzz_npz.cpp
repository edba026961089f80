#include "engine/formats/npz.h"
#include "tests/fuzz/fuzz.h"

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::tryTo([&] {
        for (const auto& [name, array] : parseNpz(fuzz::bytesOf(data, size), "file"))
            static_cast<void>(array.view().toDoubles());
    });
}
