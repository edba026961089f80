#pragma once

#include <QCoreApplication>

namespace headscope {

/// The pace slider: logarithmic from 1 to 1000 steps per second, and one place above it for no limit.
class PaceScale {
    Q_DECLARE_TR_FUNCTIONS(headscope::PaceScale)
public:
    static constexpr int kUnlimitedPlace = 64;

    /// Steps per second, to two digits; kUnlimitedPace at kUnlimitedPlace.
    static double at(int place);
    /// The place nearest to a pace.
    static int placeOf(double steps_per_second);
    /// "60 steps/s", or "unlimited".
    static QString text(double steps_per_second);
};

}  // namespace headscope
