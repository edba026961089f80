#include "engine/numeric/built_with.h"

#include <zip.h>

#include <Eigen/Core>
#include <hwy/highway.h>
#include <nlohmann/json.hpp>
#ifdef HEADSCOPE_LIBXSMM
#include <libxsmm_version.h>
#endif

namespace headscope {
namespace {

std::string dotted(int major, int minor, int patch) {
    return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

}  // namespace

std::vector<Library> engineLibraries() {
    return {
        {"Eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION), "MPL-2.0"},
#ifdef HEADSCOPE_LIBXSMM
        {"libxsmm", LIBXSMM_CONFIG_VERSION, "BSD-3-Clause"},
#endif
        {"Highway", dotted(HWY_MAJOR, HWY_MINOR, HWY_PATCH), "Apache-2.0"},
        {"JSON for Modern C++",
         dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH),
         "MIT"},
        {"libzip", LIBZIP_VERSION, "BSD-3-Clause"},
    };
}

}  // namespace headscope
