#include "engine/numeric/large_pages.h"

#include <memory>
#include <sys/mman.h>

namespace headscope {

void preferLargePages(Matrix<float>& matrix) {
    constexpr std::size_t kPage = std::size_t{1} << 21;
    void* start = matrix.data();
    std::size_t bytes = static_cast<std::size_t>(matrix.size()) * sizeof(float);
    if (!std::align(kPage, kPage, start, bytes)) return;
    madvise(start, bytes / kPage * kPage, MADV_HUGEPAGE);
}

}  // namespace headscope
