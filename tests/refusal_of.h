#pragma once

#include <QString>

#include "engine/numeric/refusal.h"

namespace headscope {

/// The sentence with which `action` is refused; empty where it is not.
template <typename Action>
QString refusalOf(const Action& action) {
    try {
        action();
    } catch (const Refusal& refusal) {
        return QString::fromUtf8(refusal.what());
    }
    return {};
}

}  // namespace headscope
