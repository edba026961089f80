#pragma once

#include <string>
#include <vector>

namespace headscope {

/// A library, as it was when the program was built.
struct Library {
    std::string name, version, license;
};

/// What the engine is built with, in the order of what it matters to.
std::vector<Library> engineLibraries();

}  // namespace headscope
