#pragma once

#include <functional>
#include <memory>

#include <QString>

namespace headscope {

/// A language that the window and its pictures can be had in.
struct SpokenLanguage {
    QString code;  ///< as in the name of its translation
    QString name;  ///< in itself
    /// As long as what it returns lives, all texts that are made are in this language.
    std::function<std::shared_ptr<const void>()> speak;
};

}  // namespace headscope
