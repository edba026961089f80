// What a forward and backward pass of long causal attention takes of memory, on the plain and the blockwise
// path.

#include <cstdio>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/numeric/matmul.h"
#include "tests/engine/attention/block.h"

using namespace headscope;
using namespace headscope::test;

namespace {

long peakKilobytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/// By how much the resident memory of a process of its own grows at most, in kilobytes; −1 where it cannot
/// tell.
long growthOf(AttentionPath path, Index length) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    const pid_t child = fork();
    if (child == 0) {
        // Whatever multiplies sets itself up at its first product: that is neither path's.
        Matrix<float> product(64, 64);
        multiply<float>(Matrix<float>::Ones(64, 64), Matrix<float>::Ones(64, 64), product);

        const AttentionShape shape{1, length, 64, 4};
        const Block<float> block = randomBlock(shape, 1, 1).cast<float>();
        const Matrix<float> grad_out = randomGrad<float>(shape, 2);
        const long before = peakKilobytes();
        {
            MultiHeadAttention<float> attention(shape, {.path = path});
            attention.forward(block.parameters(), block.x);
            backward(attention, block, grad_out);
        }
        const long growth = peakKilobytes() - before;
        _exit(write(ends[1], &growth, sizeof growth) == sizeof growth ? 0 : 1);
    }
    close(ends[1]);
    long growth = -1;
    if (read(ends[0], &growth, sizeof growth) != sizeof growth) growth = -1;
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return growth;
}

}  // namespace

int main() {
    std::printf("Peak memory of forward and backward, D=64 H=4 B=1\n%8s %12s %12s %8s\n", "T", "plain MB",
                "blockwise MB", "ratio");
    bool reached = true;
    for (const Index length : {512, 1024, 2048, 4096}) {
        const auto plain = static_cast<double>(growthOf(AttentionPath::Plain, length));
        const auto blockwise = static_cast<double>(growthOf(AttentionPath::Blockwise, length));
        std::printf("%8td %12.1f %12.1f %8.1f\n", length, plain / 1024, blockwise / 1024, plain / blockwise);
        if (length == 4096) reached = plain > 20 * blockwise && blockwise > 0;
    }
    std::printf("At T=4096 the blockwise path must take less than a twentieth: %s\n",
                reached ? "reached" : "NOT REACHED");
    return reached ? 0 : 1;
}
