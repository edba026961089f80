#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QWidget>
#include <QtTest>

#include "app/attention_driver.h"
#include "engine/training/trainer.h"
#include "engine/training/weights_file.h"
#include "ui/attention_window.h"
#include "ui/head_grid.h"
#include "ui/output_files.h"

using namespace headscope;

namespace {

void open(const QString& path, QWidget* over) { openAttending(readAttending(path), path, over); }

}  // namespace

class TestAttentionDriver : public QObject {
    Q_OBJECT
private slots:
    void attentionOpensInAWindow() {
        QWidget over;
        open(HEADSCOPE_TEST_DATA "/reference/lesson_repeat.safetensors", &over);
        auto* window = over.findChild<AttentionWindow*>("attentionWindow");
        QVERIFY(window && window->isVisible());
        QCOMPARE(window->grid()->snapshot()->origin, "lesson_repeat.safetensors · row 1 of 16");
    }

    void weightsAskForTheirTokens() {
        const QTemporaryDir directory;
        Experiment experiment;
        experiment.model.n_heads = 2;
        const Trainer trainer(experiment);
        const QString path = directory.filePath("w.safetensors");
        writeFile(path, QByteArray::fromStdString(weightsFile(trainer.parameters(), experiment)));
        QWidget over;
        open(path, &over);
        auto* dialog = over.findChild<QWidget*>("attendDialog");
        QVERIFY(dialog && dialog->isVisible());

        dialog->findChild<QSpinBox*>("attendHeads")->setValue(5);
        dialog->findChild<QPushButton*>("attendButton")->click();
        QVERIFY(dialog->isVisible());
        QVERIFY(dialog->findChild<QLabel*>("attendMessage")
                    ->text()
                    .endsWith("n_heads 5 does not divide d_model 32"));
        dialog->findChild<QSpinBox*>("attendHeads")->setValue(0);
        dialog->findChild<QPushButton*>("attendButton")->click();
        QVERIFY(!dialog->isVisible());
        auto* window = over.findChild<AttentionWindow*>("attentionWindow");
        QVERIFY(window);
        const auto snapshot = window->grid()->snapshot();
        QCOMPARE(snapshot->experiment.model.n_heads, 2);
        QCOMPARE(snapshot->labels, (std::vector<std::string>{"3", "1", "4", "1", "5"}));
        QVERIFY(snapshot->causal);
    }

    void whatIsNeitherOpensNothing() {
        QVERIFY_EXCEPTION_THROWN(readAttending("/no/where.npz"), Refusal);
        QVERIFY_EXCEPTION_THROWN(readAttending("/no/where.safetensors"), Refusal);
    }
};

QTEST_MAIN(TestAttentionDriver)
#include "test_attention_driver.moc"
