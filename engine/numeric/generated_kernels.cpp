#include "engine/numeric/generated_kernels.h"

#ifdef HEADSCOPE_LIBXSMM

#include <array>
#include <cstdint>
#include <sys/mman.h>

#include <libxsmm.h>

namespace headscope {
namespace {

/// libxsmm takes memory that it can write and then run. Where a system grants no such thing (a hardened
/// service, SELinux) it hands out kernels that crash: so ask first, as it would.
bool systemRunsGeneratedCode() {
    constexpr std::size_t size = 4096;
    constexpr int all = PROT_READ | PROT_WRITE | PROT_EXEC;
    void* page = mmap(nullptr, size, all, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return false;
    const bool granted = mprotect(page, size, PROT_READ | PROT_EXEC) == 0;
    munmap(page, size);
    return granted;
}

GeneratedKernel generate(const ProductShape& s) {
    const int flags = s.a_transposed ? LIBXSMM_GEMM_FLAG_TRANS_B : LIBXSMM_GEMM_FLAG_NONE;
    const int no_prefetch = LIBXSMM_GEMM_PREFETCH_NONE;
    const float alpha = 1, beta = s.adds ? 1.f : 0.f;
    return GeneratedKernel(libxsmm_smmdispatch(s.n, s.m, s.k, &s.b_stride, &s.a_stride, &s.c_stride, &alpha,
                                               &beta, &flags, &no_prefetch));
}

std::size_t slotOf(const ProductShape& s, std::size_t slots) {
    const auto part = [](int size, std::uint64_t odd) { return static_cast<std::uint64_t>(size) * odd; };
    const std::uint64_t sum = part(s.m, 0x9E3779B97F4A7C15) + part(s.n, 0xC2B2AE3D27D4EB4F) +
                              part(s.k, 0x165667B19E3779F9) + part(s.a_stride, 0xD6E8FEB86659FD93) +
                              part(s.b_stride, 0xA0761D6478BD642F) + part(s.c_stride, 0xE7037ED1A0B428DB) +
                              part(s.a_transposed, 0x8EBC6AF09C88C6E3) + part(s.adds, 0x589965CC75374CC3);
    return (sum >> 40) % slots;
}

}  // namespace

bool generatesKernels() {
    static const bool can = systemRunsGeneratedCode() && generate({1, 1, 1, 1, 1, 1, false, false});
    return can;
}

GeneratedKernel generatedKernel(const ProductShape& shape) {
    // libxsmm keeps what it generated until the program ends, but takes longer to find it again than some
    // products take. A table per thread needs no lock.
    struct Slot {
        ProductShape shape;
        GeneratedKernel kernel;
    };
    constexpr std::size_t kSlots = 256;
    static constinit thread_local std::array<Slot, kSlots> slots{};
    Slot& slot = slots[slotOf(shape, kSlots)];
    if (slot.shape != shape) slot = {shape, generatesKernels() ? generate(shape) : GeneratedKernel()};
    return slot.kernel;
}

}  // namespace headscope

#else

namespace headscope {

bool generatesKernels() { return false; }

GeneratedKernel generatedKernel(const ProductShape&) { return {}; }

}  // namespace headscope

#endif
