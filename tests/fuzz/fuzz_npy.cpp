#include <cstdlib>

#include "engine/formats/npy.h"
#include "tests/fuzz/fuzz.h"

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::tryTo([&] {
        const Array array = parseNpy(fuzz::bytesOf(data, size), "file");
        const std::string again = npyFile(array.view());
        const Array copy = parseNpy(
            fuzz::bytesOf(reinterpret_cast<const std::uint8_t*>(again.data()), again.size()), "copy");
        if (copy.shape != array.shape || copy.bytes != array.bytes) std::abort();
    });
}
