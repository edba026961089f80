#include <cstdlib>

#include "engine/training/experiment_json.h"
#include "tests/fuzz/fuzz.h"

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::tryTo([&] {
        const Experiment experiment = experimentFromJson(fuzz::textOf(data, size));
        if (!(experimentFromJson(toJson(experiment)) == experiment)) std::abort();
    });
}
