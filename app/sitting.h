#pragma once

#include <memory>

#include <QLockFile>
#include <QString>

namespace headscope {

/// A place on the disk for what a window is at, so that it outlives the program. Every sitting has a file of
/// its own and holds a lock beside it for as long as its program runs: windows do not disturb each other, and
/// a file whose lock nobody holds was left by a program that did not end well.
class Sitting {
public:
    /// ~/.local/share/headscope/sittings, or where XDG_DATA_HOME has it.
    static QString standardDirectory();

    /// Makes the directory where there is none. Throws Refusal where no place can be had.
    explicit Sitting(const QString& directory);

    /// Where to keep this sitting.
    QString file() const { return fileOf(m_name); }

    /// The newest file that was left, which is this sitting's alone to restore or forget; empty where there
    /// is none.
    QString left() const { return m_leftLock ? fileOf(m_leftName) : QString(); }
    void forgetLeft();

    /// What the last sitting that ended well kept; there need not be one.
    QString last() const;

    /// Ends well: what was kept becomes the last sitting's.
    void end();

private:
    QString fileOf(const QString& name) const;
    std::unique_ptr<QLockFile> lockOf(const QString& name) const;
    void claimLeft();

    QString m_directory, m_name, m_leftName;
    std::unique_ptr<QLockFile> m_lock, m_leftLock;  // the second while there is a file left
};

}  // namespace headscope
