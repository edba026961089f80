#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include <QtTest>

#include "engine/numeric/random.h"
#include "engine/training/session_file.h"
#include "engine/training/trainer.h"
#include "tests/contents_of.h"
#include "ui/output_files.h"

using namespace headscope;

namespace {

/// A run of some steps, as a file.
QByteArray runOf(int steps) {
    Trainer trainer{Experiment{}};
    RunRecord record;
    Update update;
    update.run = 1;
    update.snapshot = std::make_shared<const Snapshot>(*trainer.snapshot());
    record.add(update);
    update.snapshot.reset();
    for (int i = 0; i < steps; ++i) {
        update.points = {trainer.step()};
        record.add(update);
    }
    return QByteArray::fromStdString(sessionFile({{trainer.state(), std::nullopt}, record, {}}));
}

}  // namespace

class TestKilledWhileSaving : public QObject {
    Q_OBJECT
private slots:
    void theFileIsTheOldOneOrTheNewOne() {
        const QTemporaryDir place;
        QVERIFY(place.isValid());
        const QString file = place.filePath("run.headscope");
        const QByteArray one = runOf(3), other = runOf(300);
        writeFile(file, one);
        Random random(1, RandomStream::Batches);
        int ones = 0;
        for (int kill = 0; kill < 200; ++kill) {
            int saved[2];  // a byte for each time it was saved
            QCOMPARE(pipe(saved), 0);
            const pid_t child = fork();
            QVERIFY(child >= 0);
            if (child == 0) {
                for (;;)
                    for (const QByteArray* content : {&other, &one}) {
                        writeFile(file, *content);
                        if (::write(saved[1], "", 1) != 1) _exit(1);
                    }
            }
            char byte = 0;
            for (std::uint32_t wait = random.below(2) + 1; wait > 0; --wait)
                QCOMPARE(::read(saved[0], &byte, 1), 1);
            usleep(random.below(1000));
            ::kill(child, SIGKILL);
            for (const int end : saved) ::close(end);
            QCOMPARE(waitpid(child, nullptr, 0), child);
            const QByteArray found = contentsOf(file);
            QVERIFY(found == one || found == other);
            const auto session = readSession(file.toStdString());
            QCOMPARE(session.record.curve.size(), std::size_t(found == one ? 3 : 300));
            ones += found == one;
        }
        QVERIFY2(ones > 10 && ones < 190, qPrintable(QString::number(ones)));
    }
};

QTEST_APPLESS_MAIN(TestKilledWhileSaving)
#include "test_killed_while_saving.moc"
