#include "app/attention_driver.h"

#include <memory>
#include <new>

#include <QCoreApplication>
#include <QFileInfo>

#include "app/background.h"
#include "ui/attend_dialog.h"
#include "ui/attention_window.h"
#include "ui/sentences.h"

namespace headscope {
namespace {

void show(AttentionMaps maps, const QString& name, QWidget* over) {
    auto* window = new AttentionWindow(std::move(maps), name, over);
    window->setObjectName(QStringLiteral("attentionWindow"));
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
}

AttentionMaps mapsOf(const Attended& attended, const std::vector<int>& tokens) {
    AttentionMaps maps;
    maps.n_heads = attended.n_heads;
    maps.length = attended.length;
    maps.weights.assign(attended.weights.begin(), attended.weights.end());
    maps.causal = true;
    for (auto& texts = maps.tokens.emplace_back(); const int token : tokens)
        texts.push_back(std::to_string(token));
    return maps;
}

Attended attendWith(const Safetensors& file, const WeightsHints& hints, const std::vector<int>& tokens) {
    const ImportedWeights weights = weightsFrom(file, hints);
    if (const auto* model = std::get_if<ModelWeights>(&weights)) return attend(*model, tokens);
    throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                    "%1 holds a bare block, which knows no tokens: the command headscope "
                                    "attend can give it rows of numbers instead"),
                  {file.name()});
}

void askForTokens(const std::shared_ptr<const Safetensors>& file, const QString& name, QWidget* over) {
    auto* dialog = new AttendDialog(name, over);
    dialog->setObjectName(QStringLiteral("attendDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &AttendDialog::attendRequested, dialog,
                     [=](const std::vector<int>& tokens, const WeightsHints& hints) {
                         try {
                             show(mapsOf(attendWith(*file, hints, tokens), tokens), name, over);
                             dialog->accept();
                         } catch (const Refusal& refusal) {
                             dialog->showProblem(sentence(refusal));
                         } catch (const std::bad_alloc&) {
                             dialog->showProblem(sentence(outOfMemory()));
                         }
                     });
    dialog->show();
}

}  // namespace

Attending readAttending(const QString& path) {
    const std::string file = path.toStdString();
    if (path.endsWith(QStringLiteral(".safetensors"), Qt::CaseInsensitive)) {
        auto tensors = std::make_shared<const Safetensors>(Safetensors::read(file));
        if (!holdsAttention(*tensors)) return tensors;
    }
    return readAttention(file);
}

void openAttending(Attending attending, const QString& path, QWidget* window) {
    const QString name = QFileInfo(path).fileName();
    if (auto* maps = std::get_if<AttentionMaps>(&attending)) return show(std::move(*maps), name, window);
    askForTokens(std::get<std::shared_ptr<const Safetensors>>(attending), name, window);
}

}  // namespace headscope
