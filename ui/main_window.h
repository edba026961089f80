#pragma once

#include <QMainWindow>

#include "engine/training/update.h"

namespace headscope {

/// The whole window. It is told what the engine did by showUpdate() and says what the user wants by its
/// signals; it never sees a session or a thread.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);

public slots:
    /// A run id not seen before begins a new curve; the one before stays as a ghost.
    void showUpdate(const headscope::Update& update);

signals:
    /// Start anew from the seed.
    void restartRequested(const headscope::Experiment& experiment);
    /// Go on with the weights there are; only what canCarryOn() allows differs from the running experiment.
    void carryOnRequested(const headscope::Experiment& experiment);
    void pauseRequested(bool paused);
    void stepRequested();
    /// Steps per second; kUnlimitedPace is as fast as it goes.
    void paceRequested(double steps_per_second);
};

}  // namespace headscope
