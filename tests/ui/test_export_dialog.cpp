#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/snapshots.h"
#include "ui/export_dialog.h"
#include "ui/loss_chart.h"
#include "ui/run_text.h"

using namespace headscope;

namespace {

struct Fixture {
    Fixture() {
        auto chart = std::make_shared<LossChart>();
        chart->beginRun(Experiment());
        chart->append({{0, 4, 0}, {1, 3, 0.5f}});
        source.chart = chart;
        source.snapshot = uniformSnapshot(4, 12);
    }
    PictureSource source;
};

template <typename T>
T& child(const QWidget& parent, const char* name) {
    return *parent.findChild<T*>(QString::fromLatin1(name));
}

}  // namespace

class TestExportDialog : public QObject {
    Q_OBJECT
private slots:
    void onlyWhatExistsIsAvailable() {
        Fixture f;
        QVERIFY(isAvailable(f.source));
        f.source.kind = PictureKind::Head;
        f.source.head = 3;
        QVERIFY(isAvailable(f.source));
        f.source.head = 4;
        QVERIFY(!isAvailable(f.source));
        f.source.kind = PictureKind::LossCurve;
        QVERIFY(isAvailable(f.source));
        f.source.chart = std::make_shared<LossChart>();
        QVERIFY(!isAvailable(f.source));
        QVERIFY(!isAvailable({}));
    }

    void fileNamesHaveNoSpaces() {
        Fixture f;
        QCOMPARE(suggestedFileName(f.source), "heads-repeat-h4-step360.png");
        f.source.kind = PictureKind::Head;
        f.source.head = 1;
        QCOMPARE(suggestedFileName(f.source), "head2-repeat-h4-step360.png");
        f.source.kind = PictureKind::LossCurve;
        QCOMPARE(suggestedFileName(f.source), "loss-repeat-h4-step1.png");
    }

    void pictureFollowsTheFields() {
        Fixture f;
        ExportDialog dialog(f.source);
        QCOMPARE(child<QLineEdit>(dialog, "exportCaption").text(),
                 captionFor(f.source.snapshot->experiment, 360));
        child<QSpinBox>(dialog, "exportWidth").setValue(700);
        child<QSpinBox>(dialog, "exportHeight").setValue(500);
        child<QSpinBox>(dialog, "exportDpi").setValue(72);
        child<QComboBox>(dialog, "exportColors").setCurrentIndex(1);
        const QImage picture = dialog.picture();
        QCOMPARE(picture.size(), QSize(700, 500));
        QCOMPARE(picture.pixel(0, 0), Theme::darkTheme().card.rgb());
        QCOMPARE(qRound(picture.dotsPerMeterX() * 0.0254), 72);
        QCOMPARE(picture, imageOf(headsPicture(f.source.snapshot), dialog.options()));
        auto& kind = child<QComboBox>(dialog, "exportKind");
        QVERIFY(!child<QComboBox>(dialog, "exportHead").isEnabled());
        kind.setCurrentIndex(1);
        child<QComboBox>(dialog, "exportHead").setCurrentIndex(2);
        QCOMPARE(dialog.picture(), imageOf(headPicture(f.source.snapshot, 2), dialog.options()));
    }

    void prefilledCaptionFollowsAndAnOwnOneStays() {
        Fixture f;
        ExportDialog dialog(f.source);
        auto& caption = child<QLineEdit>(dialog, "exportCaption");
        auto& kind = child<QComboBox>(dialog, "exportKind");
        kind.setCurrentIndex(2);
        QVERIFY(caption.text().endsWith("step 1"));
        caption.setText("mine");
        kind.setCurrentIndex(0);
        QCOMPARE(caption.text(), "mine");
    }

    void savesAndSaysSo() {
        Fixture f;
        QTemporaryDir directory;
        ExportDialog dialog(f.source);
        const QString path = directory.filePath("注意力 heads.png");
        QVERIFY(dialog.saveTo(path));
        QCOMPARE(QImage(path).size(), QSize(1920, 1080));
        QVERIFY(child<QLabel>(dialog, "exportMessage").text().startsWith("Saved "));
        QVERIFY(!dialog.saveTo(directory.filePath("missing/heads.png")));
        QVERIFY(child<QLabel>(dialog, "exportMessage").text().startsWith("cannot write "));
    }

    void saveButtonAsksWhere() {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        Fixture f;
        QTemporaryDir directory;
        ExportDialog dialog(f.source);
        dialog.show();
        child<QPushButton>(dialog, "exportSave").click();
        auto* chooser = dialog.findChild<QFileDialog*>();
        QVERIFY(chooser);
        QVERIFY(chooser->selectedFiles().constFirst().endsWith("/heads-repeat-h4-step360.png"));
        QVERIFY(!chooser->testOption(QFileDialog::DontConfirmOverwrite));
        chooser->setDirectory(directory.path());
        chooser->selectFile("chosen.png");
        QMetaObject::invokeMethod(chooser, "accept");
        QTRY_COMPARE(QImage(directory.filePath("chosen.png")).size(), QSize(1920, 1080));
    }

    void copyButtonCopies() {
        Fixture f;
        ExportDialog dialog(f.source);
        child<QPushButton>(dialog, "exportCopy").click();
        QCOMPARE(QApplication::clipboard()->image().size(), QSize(1920, 1080));
    }

    void lossAloneCanBeExported() {
        Fixture f;
        f.source.snapshot = nullptr;
        f.source.kind = PictureKind::LossCurve;
        ExportDialog dialog(f.source);
        QCOMPARE(child<QComboBox>(dialog, "exportKind").count(), 1);
        QVERIFY(!dialog.picture().isNull());
    }
};

QTEST_MAIN(TestExportDialog)
#include "test_export_dialog.moc"
