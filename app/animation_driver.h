#pragma once

#include <memory>

#include <QObject>
#include <QTimer>

#include "app/animation_job.h"
#include "ui/animation_dialog.h"

namespace headscope {

/// Makes the animation that a dialog asks for, and tells it how far it is. A child of the dialog, in its
/// thread.
class AnimationDriver : public QObject {
    Q_OBJECT
public:
    explicit AnimationDriver(AnimationDialog& dialog);

private:
    void start(const QString& path);
    void pass();
    void stop();

    AnimationDialog& m_dialog;
    QString m_path;
    std::unique_ptr<AnimationJob> m_job;
    QTimer m_timer;
};

/// Opens the dialog over a window, for what was recorded until now. Deletes itself when closed.
void openAnimation(const PictureSource& source, QWidget* window);

}  // namespace headscope
