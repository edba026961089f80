#include <array>

#include "engine/training/weights_file.h"
#include "tests/fuzz/fuzz.h"

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::tryTo([&] {
        const auto file = Safetensors::parse(fuzz::bytesOf(data, size), "file");
        const ImportedWeights weights = weightsFrom(file);
        if (const auto* model = std::get_if<ModelWeights>(&weights)) attend(*model, std::array{0, 1});
        if (const auto* block = std::get_if<BlockWeights>(&weights))
            attend(*block, Matrix<double>::Ones(2, block->d_model()));
    });
}
