#include "app/animation_driver.h"

#include <chrono>
#include <new>

#include <QDir>

#include "engine/numeric/refusal.h"
#include "ui/sentences.h"

namespace headscope {

using namespace std::chrono_literals;

AnimationDriver::AnimationDriver(AnimationDialog& dialog) : QObject(&dialog), m_dialog(dialog) {
    connect(&dialog, &AnimationDialog::saveRequested, this, &AnimationDriver::start);
    connect(&dialog, &AnimationDialog::cancelRequested, this, &AnimationDriver::stop);
    connect(&m_timer, &QTimer::timeout, this, &AnimationDriver::pass);
    m_timer.setInterval(50ms);
}

void AnimationDriver::start(const QString& path) {
    try {
        m_job = std::make_unique<AnimationJob>(m_dialog.source(), m_dialog.options(), path);
        m_path = path;
        m_timer.start();
    } catch (const Refusal& refusal) {
        m_dialog.showEnd(sentence(refusal), true);
    }
}

void AnimationDriver::pass() {
    m_dialog.showProgress(m_job->done());
    if (!m_job->hasEnded()) return;
    const std::exception_ptr failure = m_job->failure();
    stop();
    try {
        if (failure) std::rethrow_exception(failure);
        m_dialog.showEnd(tr("Saved %1.").arg(QDir::toNativeSeparators(m_path)), false);
    } catch (const Refusal& refusal) {
        m_dialog.showEnd(sentence(refusal), true);
    } catch (const std::bad_alloc&) {
        m_dialog.showEnd(tr("There is not enough memory for this animation."), true);
    }
}

void AnimationDriver::stop() {
    m_timer.stop();
    m_job.reset();
}

void openAnimation(const PictureSource& source, QWidget* window) {
    auto* dialog = new AnimationDialog(source, canMakeMp4(), window);
    dialog->setObjectName(QStringLiteral("animationDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    new AnimationDriver(*dialog);
    dialog->show();
}

}  // namespace headscope
