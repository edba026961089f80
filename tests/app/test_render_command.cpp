#include <QImage>
#include <QTemporaryDir>
#include <QtTest>

#include "app/render_command.h"
#include "engine/formats/npy.h"
#include "engine/training/session_file.h"
#include "engine/training/trainer.h"
#include "tests/refusal_of.h"
#include "ui/output_files.h"
#include "ui/run_text.h"

using namespace headscope;

class TestRenderCommand : public QObject {
    Q_OBJECT
private slots:
    void init() {
        // Two layers, one row, two heads, three tokens. Head 2 of layer 2 looks at the next token.
        std::vector<float> weights(2 * 2 * 9, 1.f / 3);
        const std::vector<float> next = {0, 1, 0, 0, 0, 1, 1, 0, 0};
        std::copy(next.begin(), next.end(), weights.end() - 9);
        writeFile(at("a.npy"), QByteArray::fromStdString(npyFile(viewOf(weights, {2, 1, 2, 3, 3}))));
        writeFile(at("t.txt"), "the cat sat");
        QFile::remove(at("p.png"));
    }

    void drawsWhatIsAskedFor() {
        renderToFile(
            parseRender({at("a.npy"), "--out", at("p.png"), "--layer", "2", "--head", "2", "--width", "800",
                         "--dpi", "300", "--palette", "grays", "--tokens", at("t.txt"), "--caption", ""}));
        const QImage picture(at("p.png"));
        QCOMPARE(picture.size(), QSize(800, 450));
        QCOMPARE(qRound(picture.dotsPerMeterX() * 0.0254), 300);
        // Three cells of full weight, three of none beside them; no hatched triangle.
        int white = 0, black = 0;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x) {
                const QRgb pixel = picture.pixel(x, y);
                white += pixel == colorOf(Colormap::Grays, 1);
                black += pixel == colorOf(Colormap::Grays, 0);
            }
        QVERIFY(black > 2 * 90 * 90);
        QVERIFY(white > 90 * 90);
    }

    void drawsEveryHeadByDefault() {
        renderToFile(parseRender({at("a.npy"), "--out", at("p.png")}));
        const QImage all(at("p.png"));
        QCOMPARE(all.size(), QSize(1920, 1080));
        renderToFile(parseRender({at("a.npy"), "--out", at("p.png"), "--layer", "2"}));
        QVERIFY(QImage(at("p.png")) != all);
        renderToFile(parseRender({at("a.npy"), "--out", at("p.png"), "--caption", "x"}));
        QVERIFY(QImage(at("p.png")) != all);
    }

    void drawsShapesWhereTheNameAsksForThem() {
        renderToFile(parseRender({at("a.npy"), "--out", at("p.svg"), "--tokens", at("t.txt")}));
        renderToFile(parseRender({at("a.npy"), "--out", at("p.PDF")}));
        const auto content = [&](const char* name) {
            QFile file(at(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(content("p.svg").contains("<svg") && !content("p.svg").contains("<image"));
        QVERIFY(content("p.PDF").startsWith("%PDF"));
    }

    void drawsTheLastStepOfARun() {
        Experiment experiment;
        experiment.steps = 5;
        Trainer trainer(experiment);
        RunRecord record;
        Update update;
        update.run = 1;
        update.experiment = experiment;
        for (int i = 0; i <= 5; ++i) {
            if (i > 0) update.points = {trainer.step()};
            update.snapshot = std::make_shared<const Snapshot>(*trainer.snapshot());
            record.add(update);
        }
        const StoredSession stored{{trainer.state(), std::nullopt, std::nullopt}, record, "{}"};
        writeFile(at("run.headscope"), QByteArray::fromStdString(sessionFile(stored)));
        renderToFile(parseRender({at("run.headscope"), "--out", at("p.svg"), "--head", "2"}));
        PictureOptions look = parseRender({"x.npy", "--out", "x.svg"}).look;
        look.caption = captionFor(experiment, 5);
        QFile file(at("p.svg"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), fileOf(headPicture(update.snapshot, 1), look, PictureFormat::Svg));
        QCOMPARE(refusalOf([&] {
                     renderToFile(parseRender({at("run.headscope"), "--out", at("p.svg"), "--row", "2"}));
                 }),
                 at("run.headscope") + " is a run, which has no --row");
    }

    void refusesWhatCannotBeMeant_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("sentence");
        const auto row = [this](const char* name, const QStringList& words, const QString& sentence) {
            QTest::newRow(name) << QStringList{at("a.npy"), "--out", at("p.png")} + words << sentence;
        };
        QTest::newRow("nothing") << QStringList()
                                 << "render needs an NPY, NPZ or safetensors file of attention";
        QTest::newRow("no place") << QStringList{"a.npy"} << "render needs --out FILE, where to write to";
        QTest::newRow("another format")
            << QStringList{"a.npy", "--out", "a.gif"}
            << "cannot write a.gif: the name of a picture must end in .png, .svg or .pdf";
        QTest::newRow("no file") << QStringList{"/no/where", "--out", "a.png"}
                                 << "/no/where: there is no such file";
        row("two files", {"b.npy"}, "unexpected argument 'b.npy'");
        row("layer", {"--layer", "3"}, "--layer is 3: it must be from 1 to 2");
        row("layer 0", {"--layer", "0"}, "--layer is 0: it must be from 1 to 2");
        row("row", {"--row", "2"}, "--row is 2: it must be from 1 to 1");
        row("head", {"--head", "3"}, "--head is 3: it must be from 1 to 2");
        row("width", {"--width", "9000"}, "--width is 9000: it must be from 128 to 8192");
        row("dpi", {"--dpi", "0"}, "--dpi is 0: it must be from 36 to 2400");
        row("palette", {"--palette", "jet"},
            "--palette is 'jet': it must be one of viridis, cividis, magma, grays");
        row("array", {"--array", "x"}, at("a.npy") + ": there is no array “x”");
        row("tokens", {"--tokens", at("a.npy")}, {});
        row("of training", {"--steps", "3"}, "render does not take --steps");
    }

    void refusesWhatCannotBeMeant() {
        QFETCH(QStringList, words);
        QFETCH(QString, sentence);
        const QString said = refusalOf([&] { renderToFile(parseRender(words)); });
        if (sentence.isEmpty())
            QVERIFY(said.startsWith(at("a.npy") + ": there are "));
        else
            QCOMPARE(said, sentence);
        QVERIFY(!QFile::exists(at("p.png")));
    }

private:
    QString at(const char* name) const { return m_directory.filePath(QLatin1String(name)); }

    QTemporaryDir m_directory;
};

QTEST_MAIN(TestRenderCommand)
#include "test_render_command.moc"
