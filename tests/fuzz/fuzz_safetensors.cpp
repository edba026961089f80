#include <cstdlib>

#include "engine/formats/safetensors.h"
#include "tests/fuzz/fuzz.h"

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::tryTo([&] {
        const auto file = Safetensors::parse(fuzz::bytesOf(data, size), "file");
        for (const auto& named : file.tensors()) {
            const TensorView& tensor = named.second;
            if (tensor.toFloats().size() != tensor.size()) std::abort();
            fuzz::tryTo([&] { static_cast<void>(tensor.toInts()); });
        }
        // What was read is written as a file that reads the same.
        const std::string again = safetensorsFile(file.tensors(), file.metadata());
        const auto copy = Safetensors::parse(
            fuzz::bytesOf(reinterpret_cast<const std::uint8_t*>(again.data()), again.size()), "copy");
        if (copy.metadata() != file.metadata() || copy.tensors().size() != file.tensors().size())
            std::abort();
    });
}
