#include <cstddef>
#include <cstdlib>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <QtTest>

#include "engine/numeric/matmul.h"
#include "tests/engine/complex_step.h"

using namespace headscope;
using namespace headscope::test;

namespace {

template <typename Scalar>
Matrix<Scalar> filled(Index rows, Index cols, Random& random) {
    Matrix<Scalar> m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) {
        if constexpr (Eigen::NumTraits<Scalar>::IsComplex)
            m.data()[i] = {random.normal(), random.normal()};
        else
            m.data()[i] = static_cast<Scalar>(random.normal());
    }
    return m;
}

/// Plain loops, in no matrix library's order; of floats, in double.
template <typename Scalar>
Matrix<Scalar> product(const Matrix<Scalar>& a, const Matrix<Scalar>& b) {
    using Wide = std::conditional_t<std::is_same_v<Scalar, float>, double, Scalar>;
    Matrix<Wide> c = Matrix<Wide>::Zero(a.rows(), b.cols());
    for (Index i = 0; i < a.rows(); ++i)
        for (Index k = 0; k < a.cols(); ++k)
            for (Index j = 0; j < b.cols(); ++j) c(i, j) += Wide(a(i, k)) * Wide(b(k, j));
    return c.template cast<Scalar>();
}

/// From now on the system refuses this process memory that is executable, as a hardened one would.
bool refuseExecutableMemory() {
    constexpr auto argument = [](int i) { return std::uint32_t(offsetof(seccomp_data, args) + 8 * i); };
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument(2)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program = {std::size(filter), filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// The products of one shape; every operand and result is a slice of something wider, as a head is.
template <typename Scalar>
double worstError(Index m, Index n, Index k) {
    Random random(static_cast<std::uint64_t>(m * 10007 + n * 101 + k), RandomStream::Probe);
    const Matrix<Scalar> wide_a = filled<Scalar>(m, k + 5, random), wide_b = filled<Scalar>(k, n + 3, random);
    const Matrix<Scalar> a = wide_a.middleCols(2, k), b = wide_b.leftCols(n);
    const Matrix<Scalar> a_transposed = a.transpose(), b_transposed = b.transpose();
    const Matrix<Scalar> expected = product(a, b);
    const auto error = [&](auto&& multiplyInto, Scalar added_to = 0) {
        Matrix<Scalar> wide_c = Matrix<Scalar>::Constant(m + 2, n + 4, Scalar(7));
        multiplyInto(Out<Scalar>(wide_c.block(1, 2, m, n)));
        double worst = (wide_c.block(1, 2, m, n).array() - added_to - expected.array()).abs().maxCoeff();
        wide_c.block(1, 2, m, n).setConstant(Scalar(7));
        return std::max(worst, double((wide_c.array() - Scalar(7)).abs().maxCoeff()));
    };
    return std::max({
        error([&](Out<Scalar> c) { multiply<Scalar>(wide_a.middleCols(2, k), wide_b.leftCols(n), c); }),
        error([&](Out<Scalar> c) { multiplyABt<Scalar>(wide_a.middleCols(2, k), b_transposed, c); }),
        error([&](Out<Scalar> c) { multiplyAtB<Scalar>(a_transposed, wide_b.leftCols(n), c); }),
        error([&](Out<Scalar> c) { multiplyAdd<Scalar>(wide_a.middleCols(2, k), wide_b.leftCols(n), c); }, 7),
        error([&](Out<Scalar> c) { multiplyAtBAdd<Scalar>(a_transposed, wide_b.leftCols(n), c); }, 7),
    });
}

}  // namespace

class TestMatmul : public QObject {
    Q_OBJECT
private slots:
    void equalsPlainLoops_data() {
        QTest::addColumn<int>("m");
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("k");
        const int shapes[][3] = {{1, 1, 1},
                                 {1, 5, 3},
                                 {5, 1, 3},
                                 {4, 4, 1},
                                 {1, 1, 40},
                                 {1, 300, 7},
                                 {300, 1, 9},
                                 {7, 9, 11},
                                 {33, 31, 17},
                                 {63, 65, 66},
                                 {5, 40, 1100},
                                 {3, 9, 3000},
                                 {2, 20, 20000},
                                 // those of the lesson and of wider heads, forward and backward
                                 {12, 12, 8},
                                 {12, 8, 12},
                                 {12, 12, 128},
                                 {12, 128, 12},
                                 {64, 64, 16},
                                 {64, 16, 64},
                                 {192, 96, 32},
                                 {96, 32, 192},
                                 {192, 64, 32},
                                 {192, 384, 128},
                                 {384, 128, 192},
                                 {32, 256, 64}};
        for (const auto& s : shapes) QTest::addRow("%dx%dx%d", s[0], s[1], s[2]) << s[0] << s[1] << s[2];
    }

    void equalsPlainLoops() {
        QFETCH(int, m);
        QFETCH(int, n);
        QFETCH(int, k);
        const double terms = std::max(std::sqrt(double(k)), k / 60.);
        QVERIFY(worstError<float>(m, n, k) <= 4e-6 * terms);
        QVERIFY(worstError<double>(m, n, k) <= 1e-14 * terms);
        QVERIFY(worstError<Complex>(m, n, k) <= 2e-14 * terms);
    }

    void aSumOfProductsIsThatOfEachWhateverItsShape() {
        Random random(1, RandomStream::Probe);
        SumOfProducts sum;
        for (const auto [m, n, k] : std::vector<std::array<Index, 3>>{
                 {32, 16, 64}, {32, 16, 64}, {32, 16, 32}, {32, 16, 64}, {5, 7, 3}})
            for (const bool transposed : {false, true}) {
                const Matrix<float> a =
                    transposed ? filled<float>(k, m, random) : filled<float>(m, k, random);
                const Matrix<float> b = filled<float>(k, n, random), before = filled<float>(m, n, random);
                Matrix<float> added = before, expected = before;
                if (transposed) {
                    sum.addAtB(a, b, added);
                    multiplyAtBAdd<float>(a, b, expected);
                } else {
                    sum.add(a, b, added);
                    multiplyAdd<float>(a, b, expected);
                }
                QVERIFY(added == expected);
                QVERIFY(added != before);
            }
    }

    void nothingToAddIsZero() {
        const Matrix<float> a(3, 0), b(0, 4), bt(4, 0);
        Matrix<float> c = Matrix<float>::Constant(3, 4, 7);
        multiply<float>(a, b, c);
        QVERIFY(c.isZero(0));
        c.setConstant(7);
        multiplyABt<float>(a, bt, c);
        QVERIFY(c.isZero(0));
        multiplyAdd<float>(a, b, c);
        QVERIFY(c.isZero(0));
    }

    void sameBitsEveryTime() {
        Random random(2, RandomStream::Probe);
        const Matrix<float> a = filled<float>(13, 37, random), b = filled<float>(37, 29, random);
        Matrix<float> first(13, 29), moved(20, 40);
        multiply<float>(a, b, first);
        for (Index at = 0; at < 7; ++at) {
            multiply<float>(a, b, moved.block(at, at, 13, 29));
            QVERIFY(moved.block(at, at, 13, 29) == first);
        }
    }

    /// CTest runs this program three times: as it is, and where kernels or executable memory are refused.
    void theBackendIsWhatCanBeUsed() {
        const bool refused = qEnvironmentVariable("LIBXSMM_TARGET") == "generic" ||
                             qEnvironmentVariableIsSet("HEADSCOPE_REFUSE_EXECUTABLE_MEMORY");
        QCOMPARE(matmulBackend(), HEADSCOPE_WITH_LIBXSMM && !refused ? "libxsmm" : "Eigen");
    }

    void takesWhatIsLaidOutByColumns() {
        Random random(1, RandomStream::Probe);
        const Matrix<double> a = filled<double>(6, 4, random), b = filled<double>(5, 4, random);
        Matrix<double> c(6, 5);
        multiply<double>(a, b.transpose(), c);
        QVERIFY(relativeError(c, product<double>(a, b.transpose())) <= 1e-15);
    }

    void complexTransposeIsNoAdjoint() {
        const Matrix<Complex> i = Matrix<Complex>::Constant(1, 1, Complex(0, 1));
        Matrix<Complex> c(1, 1);
        multiplyABt<Complex>(i, i, c);
        QCOMPARE(c(0, 0), Complex(-1, 0));
        multiplyAtB<Complex>(i, i, c);
        QCOMPARE(c(0, 0), Complex(-1, 0));
    }
};

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsSet("HEADSCOPE_REFUSE_EXECUTABLE_MEMORY") && !refuseExecutableMemory())
        return EXIT_FAILURE;
    TestMatmul test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_matmul.moc"
