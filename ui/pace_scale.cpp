#include "ui/pace_scale.h"

#include <algorithm>
#include <cmath>

#include "engine/training/update.h"

namespace headscope {
namespace {

constexpr double kFastest = 1000;
constexpr int kFastestPlace = 60;  // some room between it and "unlimited", so that neither is hit by accident

}  // namespace

double PaceScale::at(int place) {
    if (place >= (kFastestPlace + kUnlimitedPlace) / 2) return kUnlimitedPace;
    const double share = std::clamp(double(place) / kFastestPlace, 0.0, 1.0);
    const double pace = std::pow(kFastest, share);
    const double unit = std::pow(10, std::floor(std::log10(pace)) - 1);
    return std::max(1.0, std::round(std::round(pace / unit) * unit));
}

int PaceScale::placeOf(double steps_per_second) {
    if (std::isinf(steps_per_second)) return kUnlimitedPlace;
    const double share = std::log(std::max(1.0, steps_per_second)) / std::log(kFastest);
    return std::min(kFastestPlace, int(std::lround(share * kFastestPlace)));
}

QString PaceScale::text(double steps_per_second) {
    if (std::isinf(steps_per_second)) return tr("unlimited");
    return tr("%1 steps/s").arg(steps_per_second, 0, 'g', 4);
}

}  // namespace headscope
