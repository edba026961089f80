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

/// A shape in 189 bits: comparing and hashing it must cost less than multiplying small matrices.
struct Key {
    std::uint64_t first = 0, second = 0, third = 0;

    Key() = default;
    explicit Key(const ProductShape& s)
        : first(pair(s.m, s.n) | (s.a_transposed ? 1ull << 62 : 0)),
          second(pair(s.k, s.a_stride) | (s.adds ? 1ull << 62 : 0)),
          third(pair(s.b_stride, s.c_stride)) {}
    bool operator==(const Key&) const = default;

    static std::uint64_t pair(int low, int high) {
        return static_cast<std::uint64_t>(low) | static_cast<std::uint64_t>(high) << 31;
    }
    std::uint64_t hash() const {
        return (first * 0x9E3779B97F4A7C15 + second * 0xC2B2AE3D27D4EB4F + third * 0x165667B19E3779F9) >> 40;
    }
};

}  // namespace

bool generatesKernels() {
    static const bool can = systemRunsGeneratedCode() && generate({1, 1, 1, 1, 1, 1, false, false});
    return can;
}

GeneratedKernel generatedKernel(const ProductShape& shape) {
    // libxsmm keeps what it generated until the program ends, but takes longer to find it again than some
    // products take. A table per thread needs no lock.
    struct Slot {
        Key key;
        GeneratedKernel kernel;
    };
    constexpr std::size_t kSlots = 512;
    static constinit thread_local std::array<Slot, kSlots> slots{};
    constexpr std::size_t kProbes = 8;
    const Key key(shape);
    const std::uint64_t hash = key.hash();
    for (std::size_t probe = 0; probe < kProbes; ++probe) {
        Slot& slot = slots[(hash + probe) % kSlots];
        if (slot.key == key) return slot.kernel;
        const bool free = slot.key == Key();
        if (!free && probe + 1 < kProbes) continue;
        slot = {key, generatesKernels() ? generate(shape) : GeneratedKernel()};
        return slot.kernel;
    }
    return {};
}

}  // namespace headscope

#else

namespace headscope {

bool generatesKernels() { return false; }

GeneratedKernel generatedKernel(const ProductShape&) { return {}; }

}  // namespace headscope

#endif
