#include "engine/numeric/generated_kernels.h"

#ifdef HEADSCOPE_LIBXSMM

#include <array>
#include <limits>
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
    for (const Index size : {s.m, s.n, s.k, s.a_stride, s.b_stride, s.c_stride})
        if (size < 1 || size > std::numeric_limits<int>::max()) return {};
    const auto number = [](Index size) { return static_cast<int>(size); };
    const int a_stride = number(s.a_stride), b_stride = number(s.b_stride), c_stride = number(s.c_stride);
    const int flags = s.a_transposed ? LIBXSMM_GEMM_FLAG_TRANS_B : LIBXSMM_GEMM_FLAG_NONE;
    const int no_prefetch = LIBXSMM_GEMM_PREFETCH_NONE;
    const float alpha = 1, beta = s.adds ? 1.f : 0.f;
    return GeneratedKernel(libxsmm_smmdispatch(number(s.n), number(s.m), number(s.k), &b_stride, &a_stride,
                                               &c_stride, &alpha, &beta, &flags, &no_prefetch));
}

std::size_t slotOf(const ProductShape& s, std::size_t slots) {
    std::size_t hash = (s.a_transposed ? 1u : 0u) + (s.adds ? 2u : 0u);
    for (const Index size : {s.m, s.n, s.k, s.a_stride, s.b_stride, s.c_stride})
        hash = (hash ^ static_cast<std::size_t>(size)) * 0x9E3779B97F4A7C15u;
    return (hash >> 32) % slots;
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
    static thread_local std::array<Slot, kSlots> slots{};
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
