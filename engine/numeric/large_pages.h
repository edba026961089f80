#pragma once

#include "engine/numeric/matrix.h"

namespace headscope {

/// Asks the system to hold a matrix in large pages, as far as it fills some: of megabytes that are gone
/// through again and again, a processor then looks up hundreds of addresses less. A hint that changes no
/// value; whole pages are taken where only some of it is used.
void preferLargePages(Matrix<float>& matrix);

}  // namespace headscope
