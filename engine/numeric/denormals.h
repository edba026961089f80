#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace headscope {

/// While it lives, this thread takes floats below the smallest normal number for 0 and makes none, where the
/// processor can be told so (x86, 64-bit ARM). What fades, as the gradients and the moments of a trained
/// model do, would otherwise stay just above 0, where processors are slow.
class DenormalsAreZero {
public:
    DenormalsAreZero() : m_before(control()) { setControl(m_before | kFlush); }
    ~DenormalsAreZero() { setControl(m_before); }
    DenormalsAreZero(const DenormalsAreZero&) = delete;
    DenormalsAreZero& operator=(const DenormalsAreZero&) = delete;

private:
#if defined(__SSE2__)
    using Control = unsigned;
    static constexpr Control kFlush = 0x8040;  // of results, and of operands
    static Control control() { return _mm_getcsr(); }
    static void setControl(Control value) { _mm_setcsr(value); }
#elif defined(__aarch64__)
    using Control = std::uint64_t;
    static constexpr Control kFlush = 1u << 24;
    static Control control() {
        Control value;
        asm volatile("mrs %0, fpcr" : "=r"(value));
        return value;
    }
    static void setControl(Control value) { asm volatile("msr fpcr, %0" : : "r"(value)); }
#else
    using Control = int;
    static constexpr Control kFlush = 0;
    static Control control() { return 0; }
    static void setControl(Control) {}
#endif

    const Control m_before;
};

}  // namespace headscope
