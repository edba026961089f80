#pragma once

#include <QDialog>

#include "ui/animation_options.h"

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace headscope {

class ChoiceBox;

/// Sets up an animation of the recorded run and says what the user wants by its signals; it never sees a
/// thread.
class AnimationDialog : public QDialog {
    Q_OBJECT
public:
    /// `source` has recorded frames. Without `mp4`, that is not offered.
    AnimationDialog(PictureSource source, bool mp4, QWidget* parent = nullptr);

    AnimationOptions options() const;
    /// The recorded run, with the kind of picture and the head that are chosen.
    const PictureSource& source() const { return m_source; }

public slots:
    void showProgress(int frames);
    /// Nothing more will come; `message` says why or what became of it.
    void showEnd(const QString& message, bool failed);

signals:
    void saveRequested(const QString& path);
    void cancelRequested();

private:
    void layOut();
    void changed();
    void saveOrCancel();
    void say(const QString& sentence, bool warns);

    PictureSource m_source;
    bool m_mp4;
    bool m_running = false;
    ChoiceBox* m_kind;
    QSpinBox* m_every;
    QDoubleSpinBox* m_rate;
    QCheckBox* m_loop;
    QCheckBox* m_captions;
    QSpinBox* m_width;
    QSpinBox* m_height;
    ChoiceBox* m_colors;
    QLabel* m_length;
    QLabel* m_message;
    QProgressBar* m_progress;
    QPushButton* m_save;
};

}  // namespace headscope
