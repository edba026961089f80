#pragma once

#include <atomic>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEADSCOPE_SANITIZED 1
// Of the sanitizers' <sanitizer/allocator_interface.h>, which GCC does not install.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t),
                                                         void (*)(const volatile void*));
#else
#define HEADSCOPE_SANITIZED 0
#endif

// Counts what the whole program takes from the heap, by operator new or by malloc (Eigen's way). Include it
// in one source of a test program.

namespace headscope::test {

inline std::atomic<long> allocation_count = 0;
inline std::atomic<std::size_t> allocated_bytes = 0;  // of all of them, whether given back or not

inline void countAllocation(std::size_t size) {
    ++allocation_count;
    allocated_bytes += size;
}

/// Makes the count go on under the sanitizers too. False where they cannot.
inline bool countAllocations() {
#if HEADSCOPE_SANITIZED
    static const int installed = __sanitizer_install_malloc_and_free_hooks(
        [](const volatile void*, std::size_t size) { countAllocation(size); }, [](const volatile void*) {});
    return installed != 0;
#else
    return true;
#endif
}

/// How often `action` takes memory from the heap.
template <typename F>
long allocationsIn(F&& action) {
    if (!countAllocations()) return -1;
    const long before = allocation_count;
    action();
    return allocation_count - before;
}

/// How many bytes `action` takes from the heap, whether it gives them back or not.
template <typename F>
std::size_t bytesTakenIn(F&& action) {
    if (!countAllocations()) return 0;
    const std::size_t before = allocated_bytes;
    action();
    return allocated_bytes - before;
}

}  // namespace headscope::test

#if !HEADSCOPE_SANITIZED
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
    headscope::test::countAllocation(size);
    return __libc_malloc(size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    headscope::test::countAllocation(size);
    return __libc_memalign(alignment, size);
}
}
#endif
