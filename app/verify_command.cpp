#include "app/verify_command.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <QCoreApplication>

namespace headscope {
namespace {

struct Verify {
    Q_DECLARE_TR_FUNCTIONS(headscope::VerifyCommand)
};

QString nameOf(Equivalence what) {
    switch (what) {
        case Equivalence::SeparateProjections:
            return Verify::tr("three projections are the fused one");
        case Equivalence::PerHeadLoops:
            return Verify::tr("loops over heads are the batched form");
        case Equivalence::Blockwise:
            return Verify::tr("the blockwise path is the plain one");
        case Equivalence::CausalByPerturbation:
            return Verify::tr("a token changes no output before it, and the one at it");
        case Equivalence::CausalByGradient:
            return Verify::tr("no output has a gradient with respect to a later token");
        case Equivalence::RowsSumToOne:
            return Verify::tr("the weights of every query sum to 1");
        case Equivalence::SplitThenMerge:
            return Verify::tr("splitting into heads and merging gives the same");
        case Equivalence::GradientsReachEveryParameter:
            return Verify::tr("gradients reach every parameter (the key bias's cancel)");
        case Equivalence::ComplexStep:
            break;
    }
    return Verify::tr("gradients are the complex-step derivatives");
}

QString number(double x) { return x == 0 ? QStringLiteral("0") : QString::number(x, 'e', 1); }

}  // namespace

QString equivalenceTable(const EquivalenceSize& size, const std::vector<EquivalenceCheck>& checks) {
    qsizetype width = 0, held = 0;
    for (const EquivalenceCheck& check : checks) {
        width = std::max(width, nameOf(check.what).size());
        held += check.passed();
    }
    const auto line = [&](const QString& name, const QString& error, const QString& allowed,
                          const QString& result) {
        return QStringLiteral("%1 %2 %3  %4\n")
            .arg(name, -static_cast<int>(width))
            .arg(error, 9)
            .arg(allowed, 9)
            .arg(result);
    };
    QString table = line(Verify::tr("Check"), Verify::tr("error"), Verify::tr("allowed"), {});
    for (const EquivalenceCheck& check : checks)
        table += line(nameOf(check.what), number(check.error), number(check.allowed),
                      check.passed() ? Verify::tr("pass") : Verify::tr("FAIL"));
    return table + Verify::tr("%1 of %2 hold (D=%3 H=%4 T=%5 B=%6, seed %7, double precision)\n")
                       .arg(held)
                       .arg(checks.size())
                       .arg(size.d_model)
                       .arg(size.n_heads)
                       .arg(size.context_length)
                       .arg(size.batch_rows)
                       .arg(size.seed);
}

bool verifyBlock(const VerifyBlock& request) {
    const auto checks = checkEquivalences(request.size);
    std::fputs(qPrintable(equivalenceTable(request.size, checks)), stdout);
    return std::all_of(checks.begin(), checks.end(), [](const auto& check) { return check.passed(); });
}

}  // namespace headscope
