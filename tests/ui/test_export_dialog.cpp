#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QCryptographicHash>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

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
        source.frame.snapshot = uniformSnapshot(4, 12);
    }
    /// A run of 11 frames with a twin.
    void record() {
        for (int step = 0; step <= 100; step += 10) {
            auto snapshot = uniformSnapshot(4, 12);
            snapshot->steps_done = step;
            snapshot->diagnostics.resize(4);
            for (HeadDiagnostics& head : snapshot->diagnostics)
                head.row_entropy = static_cast<float>(step) / 50;
            for (float& weight : snapshot->weights) weight *= 1 - static_cast<float>(step) / 200;
            auto twin = std::make_shared<Snapshot>(*snapshot);
            twin->experiment.model.scale_scores = false;
            source.recorded.push_back({snapshot, twin});
        }
        source.frame = source.recorded.back();
    }
    PictureSource source;
};

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

/// Says everything twice.
class Stutter : public QTranslator {
public:
    Stutter() { QCoreApplication::installTranslator(this); }
    bool isEmpty() const override { return false; }
    QString translate(const char*, const char* text, const char*, int) const override {
        return QString::fromUtf8(text) + u' ' + QString::fromUtf8(text);
    }
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
        QCOMPARE(suggestedName(f.source), "heads-repeat-h4-step360");
        f.source.kind = PictureKind::Head;
        f.source.head = 1;
        QCOMPARE(suggestedName(f.source), "head2-repeat-h4-step360");
        f.source.kind = PictureKind::LossCurve;
        QCOMPARE(suggestedName(f.source), "loss-repeat-h4-step2");
    }

    void pictureFollowsTheFields() {
        Fixture f;
        ExportDialog dialog(f.source);
        QCOMPARE(child<QLineEdit>(dialog, "exportCaption").text(),
                 captionFor(f.source.frame.snapshot->experiment, 360));
        child<QSpinBox>(dialog, "exportWidth").setValue(700);
        child<QSpinBox>(dialog, "exportHeight").setValue(500);
        child<QSpinBox>(dialog, "exportDpi").setValue(72);
        child<QComboBox>(dialog, "exportColors").setCurrentIndex(1);
        const QImage picture = dialog.picture();
        QCOMPARE(picture.size(), QSize(700, 500));
        QCOMPARE(picture.pixel(0, 0), Theme::darkTheme().card.rgb());
        QCOMPARE(qRound(picture.dotsPerMeterX() * 0.0254), 72);
        QCOMPARE(picture, imageOf(headsPicture(f.source.frame.snapshot), dialog.options()));
        auto& kind = child<QComboBox>(dialog, "exportKind");
        QVERIFY(child<QComboBox>(dialog, "exportHead").isHidden());
        kind.setCurrentIndex(1);
        child<QComboBox>(dialog, "exportHead").setCurrentIndex(2);
        QCOMPARE(dialog.picture(), imageOf(headPicture(f.source.frame.snapshot, 2), dialog.options()));
    }

    void speaksThePicturesOwnLanguage() {
        Fixture f;
        const auto plain = [] { return std::shared_ptr<const void>(); };
        const auto stutter = [] { return std::make_shared<const Stutter>(); };
        ExportDialog dialog(f.source, {{"en", "English", plain}, {"st", "Stutter", stutter}});
        dialog.show();
        auto& language = child<QComboBox>(dialog, "exportLanguage");
        auto& caption = child<QLineEdit>(dialog, "exportCaption");
        const QString said = caption.text();
        const QImage picture = dialog.picture();
        QTemporaryDir place;
        for (const char* name : {"before.svg", "after.svg"}) {
            QVERIFY(dialog.saveTo(place.filePath(name)));
            language.setCurrentIndex(1);
        }
        QVERIFY(contentOf(place.filePath("before.svg")).contains(">query<"));
        QVERIFY(contentOf(place.filePath("after.svg")).contains(">query query<"));
        QVERIFY(caption.text() != said && caption.text().startsWith("repeat repeat"));
        QVERIFY(dialog.picture() != picture);
        QCOMPARE(child<QPushButton>(dialog, "exportClose").text(), "Close");  // the window's stays
        caption.setText("my own");
        language.setCurrentIndex(0);
        QCOMPARE(caption.text(), "my own");
    }

    void oneLanguageIsNoChoice() {
        Fixture f;
        ExportDialog dialog(f.source);
        dialog.show();
        QVERIFY(!child<QComboBox>(dialog, "exportLanguage").isVisible());
    }

    void prefilledCaptionFollowsAndAnOwnOneStays() {
        Fixture f;
        ExportDialog dialog(f.source);
        auto& caption = child<QLineEdit>(dialog, "exportCaption");
        auto& kind = child<QComboBox>(dialog, "exportKind");
        kind.setCurrentIndex(2);
        QVERIFY(caption.text().endsWith("step 2"));
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

    void theNameChoosesTheFormat() {
        Fixture f;
        QTemporaryDir directory;
        ExportDialog dialog(f.source);
        for (const auto& [suffix, start] : {std::pair{"png", "\x89PNG"}, {"svg", "<?xml"}, {"PDF", "%PDF"}}) {
            const QString path = directory.filePath(QStringLiteral("heads.") + suffix);
            QVERIFY(dialog.saveTo(path));
            QVERIFY(contentOf(path).startsWith(start));
        }
        QVERIFY(!dialog.saveTo(directory.filePath("heads.bmp")));
        QVERIFY(child<QLabel>(dialog, "exportMessage").text().contains(".png, .svg or .pdf"));
        QVERIFY(!QFile::exists(directory.filePath("heads.bmp")));
    }

    void allThatIsThereIsOffered() {
        Fixture f;
        f.record();
        ExportDialog dialog(f.source);
        auto& kind = child<QComboBox>(dialog, "exportKind");
        QCOMPARE(kind.count(), 6);
        QSet<QByteArray> pictures;
        for (int i = 0; i < kind.count(); ++i) {
            kind.setCurrentIndex(i);
            const QImage picture = dialog.picture();
            QCOMPARE(picture.size(), QSize(1920, 1080));
            pictures << QCryptographicHash::hash({picture.bits(), picture.sizeInBytes()},
                                                 QCryptographicHash::Md5);
        }
        QCOMPARE(pictures.size(), 6);
    }

    void aFilmstripShowsTheRecordedStepsNearestToThoseAsked() {
        Fixture f;
        f.record();
        f.source.kind = PictureKind::Filmstrip;
        ExportDialog dialog(f.source);
        auto& steps = child<QLineEdit>(dialog, "exportSteps");
        QCOMPARE(steps.text(), "0, 20, 50, 70, 100");
        QVERIFY(child<QLineEdit>(dialog, "exportCaption").text().startsWith("head 1 · repeat"));
        QVERIFY(!child<QLineEdit>(dialog, "exportCaption").text().contains("step"));
        steps.setText("98, 2, 101");
        std::vector<std::shared_ptr<const Snapshot>> frames{f.source.recorded.front().snapshot,
                                                            f.source.recorded.back().snapshot};
        QCOMPARE(dialog.picture(), imageOf(filmstripPicture(frames, 0), dialog.options()));
        for (const char* wrong : {"", "a", "1,,2", "-3", "1.5"}) {
            steps.setText(wrong);
            QVERIFY(!child<QPushButton>(dialog, "exportSave").isEnabled());
            QVERIFY(child<QLabel>(dialog, "exportMessage").text().startsWith("Steps are whole numbers"));
        }
        steps.setText("0");
        QVERIFY(child<QPushButton>(dialog, "exportSave").isEnabled());
    }

    void presetsSetTheSizeAndAnOwnOneIsToldSo() {
        Fixture f;
        ExportDialog dialog(f.source);
        auto& preset = child<QComboBox>(dialog, "exportPreset");
        QCOMPARE(preset.currentIndex(), 0);
        preset.setCurrentIndex(1);
        QCOMPARE(dialog.options().size, QSize(2008, 1240));
        QCOMPARE(dialog.options().dpi, 300);
        child<QSpinBox>(dialog, "exportWidth").setValue(2000);
        QCOMPARE(preset.currentIndex(), 2);
        QCOMPARE(dialog.options().size, QSize(2000, 1240));
        preset.setCurrentIndex(0);
        QCOMPARE(dialog.options().size, QSize(1920, 1080));
    }

    void everyFieldShowsInThePicture() {
        Fixture f;
        ExportDialog dialog(f.source);
        const QImage before = dialog.picture();
        child<QCheckBox>(dialog, "exportTitles").setChecked(false);
        const QImage untitled = dialog.picture();
        QVERIFY(untitled != before);
        child<QCheckBox>(dialog, "exportColorBar").setChecked(false);
        const QImage bare = dialog.picture();
        QVERIFY(bare != untitled);
        child<QSpinBox>(dialog, "exportTextSize").setValue(150);
        QVERIFY(dialog.picture() != bare);
        child<QComboBox>(dialog, "exportColors").setCurrentIndex(3);
        const QImage transparent = dialog.picture();
        QCOMPARE(qAlpha(transparent.pixel(0, 0)), 0);
        QCOMPARE(dialog.options().theme.text, Theme::darkTheme().text);
    }

    void anOwnScaleReachesTheLargestWeightInEveryPalette() {
        Fixture f;
        auto faint = uniformSnapshot(2, 4);
        for (float& weight : faint->weights) weight /= 2;
        f.source.frame.snapshot = faint;
        ExportDialog dialog(f.source);
        child<QCheckBox>(dialog, "exportColorBar").setChecked(false);
        const auto brightest = [&](Colormap map) {
            const QImage picture = dialog.picture();
            int pixels = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x) pixels += picture.pixel(x, y) == colorOf(map, 1);
            return pixels;
        };
        QCOMPARE(brightest(Colormap::Viridis), 0);
        child<QComboBox>(dialog, "exportScales").setCurrentIndex(1);
        QVERIFY(brightest(Colormap::Viridis) > 1000);
        QCOMPARE(brightest(Colormap::Magma), 0);
        auto& palette = child<QComboBox>(dialog, "exportColormap");
        QCOMPARE(palette.currentText(), "Viridis");  // the window's
        palette.setCurrentText("Magma");
        QVERIFY(brightest(Colormap::Magma) > 1000);
        QCOMPARE(brightest(Colormap::Viridis), 0);
    }

    void eachHeadGetsAFileOfItsOwnAndNoneIsReplacedUnasked() {
        Fixture f;
        f.source.frame.snapshot = uniformSnapshot(12, 12);
        f.source.kind = PictureKind::Head;
        QTemporaryDir directory;
        ExportDialog dialog(f.source);
        dialog.show();
        dialog.saveEachTo(directory.filePath("a.svg"));
        QStringList files = QDir(directory.path()).entryList(QDir::Files, QDir::Name);
        QCOMPARE(files.size(), 12);
        QCOMPARE(files.front(), "a-head01.svg");
        QCOMPARE(files.back(), "a-head12.svg");
        QSet<QByteArray> contents;
        for (const QString& file : files) contents << contentOf(directory.filePath(file));
        QCOMPARE(contents.size(), 12);

        for (const bool replace : {false, true}) {
            QFile::remove(directory.filePath("a-head03.svg"));
            QFile old(directory.filePath("a-head05.svg"));
            QVERIFY(old.open(QIODevice::WriteOnly));
            old.write("old");
            old.close();
            dialog.saveEachTo(directory.filePath("a.svg"));
            auto* question = dialog.findChild<QMessageBox*>("exportReplace");
            QVERIFY(question && question->text().contains("a-head05.svg"));
            QVERIFY(!question->text().contains("a-head03.svg"));
            question->button(replace ? QMessageBox::Yes : QMessageBox::Cancel)->click();
            QTRY_VERIFY(!dialog.findChild<QMessageBox*>("exportReplace"));
            QCOMPARE(contentOf(directory.filePath("a-head05.svg")) == "old", !replace);
            QCOMPARE(QFile::exists(directory.filePath("a-head03.svg")), replace);
        }
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
        f.source.frame.snapshot = nullptr;
        f.source.kind = PictureKind::LossCurve;
        ExportDialog dialog(f.source);
        QCOMPARE(child<QComboBox>(dialog, "exportKind").count(), 1);
        QVERIFY(!dialog.picture().isNull());
    }
};

QTEST_MAIN(TestExportDialog)
#include "test_export_dialog.moc"
