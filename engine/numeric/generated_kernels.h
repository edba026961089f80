#pragma once

namespace headscope {

/// What a kernel is generated for: c (m, n) = op(a) · b, or c += op(a) · b where it adds, of row-major floats
/// with rows so many elements apart; op(a) is a (m, k), or the transpose of a (k, m). Everything is positive.
struct ProductShape {
    int m, n, k;
    int a_stride, b_stride, c_stride;
    bool a_transposed;
    bool adds;

    bool operator==(const ProductShape&) const = default;
};

/// A function made for one shape, or nothing.
class GeneratedKernel {
public:
    /// libxsmm's type. It thinks in columns, where a row-major product is that of the operands exchanged.
    using Function = void (*)(const float* b, const float* a, float* c, ...);

    GeneratedKernel() = default;
    explicit GeneratedKernel(Function function) : m_function(function) {}

    explicit operator bool() const { return m_function != nullptr; }
    void operator()(const float* a, const float* b, float* c) const { m_function(b, a, c); }

private:
    Function m_function = nullptr;
};

/// True where this build, processor and system can generate kernels at all.
bool generatesKernels();

/// The kernel for a shape; nothing where the shape, the build, the processor or the
/// system allows none. Quick from the second time on, and never from the heap of the program. Any thread.
GeneratedKernel generatedKernel(const ProductShape& shape);

}  // namespace headscope
