#include <cstring>

#include <QtTest>

#include "engine/formats/safetensors.h"
#include "engine/training/session_file.h"
#include "engine/training/trainer.h"

using namespace headscope;

namespace {

std::vector<std::byte> bytesOf(const std::string& text) {
    const auto* data = reinterpret_cast<const std::byte*>(text.data());
    return {data, data + text.size()};
}

StoredSession parse(const std::string& file) { return parseSession(bytesOf(file), "a.headscope"); }

/// A run and what it tells, as a session's thread would make it, but at the steps that a test wants.
class Story {
public:
    explicit Story(const Experiment& experiment, const std::optional<Experiment>& twin = {})
        : m_first(experiment) {
        if (twin) m_twin.emplace(*twin);
        m_update.run = 1;
        m_update.experiment = experiment;
        m_update.twin = twin;
    }
    explicit Story(const StoredSession& stored) : record(stored.record), m_first(stored.checkpoint.first) {
        if (stored.checkpoint.twin) m_twin.emplace(*stored.checkpoint.twin);
        m_update.run = record.run;
        m_update.experiment = stored.checkpoint.first.experiment;
        m_update.twin = record.twin;
    }

    void steps(int n) {
        for (int i = 0; i < n; ++i) {
            m_update.points = {m_first.step()};
            if (m_twin) m_update.twin_points = {m_twin->step()};
            tell();
        }
    }
    void look(const Probe& probe = {}) {
        m_update.snapshot = std::make_shared<const Snapshot>(*m_first.snapshot(probe));
        if (m_twin) m_update.twin_snapshot = std::make_shared<const Snapshot>(*m_twin->snapshot(probe));
        tell();
    }
    void setMode(int head, HeadMode mode) {
        auto modes = m_first.headModes();
        modes[std::size_t(head)] = mode;
        m_first.setHeadModes(modes);
        m_update.head_changes = {{m_first.stepsDone(), head, mode}};
        tell();
    }
    void carryOn(const Experiment& experiment) {
        m_first.carryOn(experiment);
        m_update.experiment = experiment;
        tell();
    }

    StoredSession stored() const {
        StoredSession stored{{m_first.state(), std::nullopt}, record, R"({"pace":60})"};
        if (m_twin) stored.checkpoint.twin = m_twin->state();
        return stored;
    }

    RunRecord record;

private:
    void tell() {
        m_update.steps_done = m_first.stepsDone();
        record.add(m_update);
        m_update.points.clear();
        m_update.twin_points.clear();
        m_update.head_changes.clear();
        m_update.snapshot.reset();
        m_update.twin_snapshot.reset();
    }

    Trainer m_first;
    std::optional<Trainer> m_twin;
    Update m_update;
};

Experiment small(Positions positions, double dropout = 0) {
    Experiment e;
    e.task = Task::LagCopy;
    e.lags = {1, 4};
    e.model = {64, 16, 4, 8, positions, true};
    e.batch_size = 4;
    e.attention_dropout = e.output_dropout = dropout;
    e.token_std = 1;
    return e;
}

/// A run with everything that a session file keeps.
Story eventful() {
    Experiment twin = small(Positions::Sinusoidal);
    twin.model.scale_scores = false;
    Story story(small(Positions::Sinusoidal), twin);
    story.look();
    story.steps(3);
    story.setMode(1, HeadMode::Muted);
    story.look();
    Probe probe;
    probe.row = 0;
    probe.tokens = {0, 1, 2, 3, 4, 5, 6, 7};
    probe.ripple = Ripple{3, 9};
    story.steps(2);
    story.look(probe);
    Experiment wider = small(Positions::Sinusoidal);
    wider.model.n_heads = 8;
    story.carryOn(wider);
    story.setMode(7, HeadMode::Frozen);
    story.steps(4);
    story.look();
    return story;
}

/// The metadata and tensors of a file with something changed in it, as a file again.
template <typename Change>
std::string changed(const std::string& file, const Change& change) {
    const Safetensors read = Safetensors::parse(bytesOf(file), "a.headscope");
    auto metadata = read.metadata();
    auto tensors = read.tensors();
    change(metadata, tensors);
    return safetensorsFile(tensors, metadata);
}

}  // namespace

Q_DECLARE_METATYPE(headscope::Experiment)

class TestSessionFile : public QObject {
    Q_OBJECT
private slots:
    void carryingOnGivesTheSameBits_data() {
        QTest::addColumn<Experiment>("experiment");
        QTest::addColumn<int>("before");
        QTest::newRow("lesson") << Experiment{} << 7;
        QTest::newRow("not begun") << Experiment{} << 0;
        QTest::newRow("learned positions") << small(Positions::Learned) << 7;
        QTest::newRow("rotary positions") << small(Positions::Rotary) << 7;
        QTest::newRow("no positions") << small(Positions::None) << 7;
        QTest::newRow("dropout") << small(Positions::Sinusoidal, 0.25) << 7;
        Experiment blockwise;
        blockwise.model.context_length = 256;
        blockwise.batch_size = 2;
        QTest::newRow("long context") << blockwise << 2;
    }

    void carryingOnGivesTheSameBits() {
        QFETCH(Experiment, experiment);
        QFETCH(int, before);
        Story whole(experiment), begun(experiment);
        whole.steps(before + 5);
        begun.steps(before);
        Story resumed(parse(sessionFile(begun.stored())));
        resumed.steps(5);
        QVERIFY(resumed.record.curve == whole.record.curve);
        QVERIFY(sessionFile(resumed.stored()) == sessionFile(whole.stored()));
    }

    void aTwinCarriesOnBesideIt() {
        Experiment twin = small(Positions::Rotary);
        twin.model.n_heads = 8;
        Story whole(small(Positions::Rotary), twin), begun(small(Positions::Rotary), twin);
        whole.steps(9);
        begun.steps(4);
        Story resumed(parse(sessionFile(begun.stored())));
        resumed.steps(5);
        QVERIFY(sessionFile(resumed.stored()) == sessionFile(whole.stored()));
    }

    void headsStayInTheirModes_data() {
        QTest::addColumn<int>("mode");
        QTest::newRow("muted") << int(HeadMode::Muted);
        QTest::newRow("uniform") << int(HeadMode::Uniform);
        QTest::newRow("frozen") << int(HeadMode::Frozen);
    }

    void headsStayInTheirModes() {
        QFETCH(int, mode);
        Story whole(small(Positions::Learned)), begun(small(Positions::Learned));
        for (Story* story : {&whole, &begun}) {
            story->steps(3);  // Adam's moments move a head on unless it is held
            story->setMode(1, HeadMode(mode));
            story->steps(3);
        }
        Story resumed(parse(sessionFile(begun.stored())));
        for (Story* story : {&whole, &resumed}) {
            story->steps(3);
            story->setMode(1, HeadMode::Trained);
            story->steps(3);
        }
        QVERIFY(sessionFile(resumed.stored()) == sessionFile(whole.stored()));
    }

    void aRunCarriedOnWithOtherHeads() {
        Experiment other = small(Positions::Learned);
        other.model.n_heads = 2;
        other.model.scale_scores = false;
        other.learning_rate = 1e-3;
        Story whole(small(Positions::Learned));
        whole.steps(3);
        whole.carryOn(other);
        Story resumed(parse(sessionFile(whole.stored())));
        for (Story* story : {&whole, &resumed}) story->steps(4);
        QVERIFY(sessionFile(resumed.stored()) == sessionFile(whole.stored()));
    }

    void theSameSessionGivesTheSameBytes() {
        const std::string file = sessionFile(eventful().stored());
        QVERIFY(sessionFile(eventful().stored()) == file);
        QVERIFY(sessionFile(parse(file)) == file);
    }

    void theStoryIsAllThere() {
        const StoredSession stored = eventful().stored(), read = parse(sessionFile(stored));
        QVERIFY(read.panel == stored.panel);
        QVERIFY(read.record.curve == stored.record.curve);
        QVERIFY(read.record.twin_curve == stored.record.twin_curve);
        QCOMPARE(read.record.curve.size(), std::size_t{9});
        QVERIFY(read.record.changes == stored.record.changes);
        QCOMPARE(read.record.changes.size(), std::size_t{3});
        QVERIFY(read.record.recorder.steps() == (std::vector<std::int64_t>{0, 3, 5, 9}));
        for (std::size_t i = 0; i < 4; ++i) {
            const Frame &a = stored.record.recorder.frames()[i], &b = read.record.recorder.frames()[i];
            for (const auto& [was, is] : {std::pair(a.snapshot, b.snapshot), std::pair(a.twin, b.twin)}) {
                QVERIFY(is->experiment == was->experiment);
                QVERIFY(is->probe == was->probe);
                QVERIFY(is->weights == was->weights);
                QVERIFY(is->scores == was->scores);
                QVERIFY(is->tokens == was->tokens);
                QVERIFY(is->predicted == was->predicted);
                QVERIFY(is->predicted_probability == was->predicted_probability);
                QVERIFY(is->ripple == was->ripple);
                QVERIFY(is->modes == was->modes);
                QVERIFY(is->diagnostics == was->diagnostics);
                QVERIFY(is->loss_without == was->loss_without);
                QCOMPARE(is->probe_loss, was->probe_loss);
                QCOMPARE(is->probe_accuracy, was->probe_accuracy);
            }
        }
    }

    void aDivergedTwinIsKeptSo() {
        Experiment wild = small(Positions::Sinusoidal);
        wild.learning_rate = 1e30;
        Story story(small(Positions::Sinusoidal), wild);
        story.look();
        StoredSession stored = story.stored();
        stored.checkpoint.first.steps_done = 1;
        stored.checkpoint.diverged = TwinSide::Twin;
        const StoredSession read = parse(sessionFile(stored));
        QCOMPARE(read.checkpoint.diverged, std::optional(TwinSide::Twin));
        QCOMPARE(stepsDone(read.checkpoint), 0);
        QVERIFY(sessionFile(read) == sessionFile(stored));
        stored.checkpoint.diverged.reset();
        QVERIFY_EXCEPTION_THROWN(parse(sessionFile(stored)), Refusal);
    }

    void theWeightsAreThereByTheirNames() {
        Story story{Experiment{}};
        story.steps(2);
        const StoredSession stored = story.stored();
        const Safetensors file = Safetensors::parse(bytesOf(sessionFile(stored)), "a");
        const auto qkv = file.tensor("attn.qkv_proj.weight");
        QVERIFY(qkv.shape == (std::vector<std::size_t>{96, 32}));
        const auto expected = stored.checkpoint.first.parameters.attn().qkv_proj_weight;
        QVERIFY(std::memcmp(qkv.bytes.data(), expected.data(), qkv.bytes.size()) == 0);
        QVERIFY(file.metadata().at("experiment").find("\"n_heads\": 4") != std::string::npos);
    }

    void whatCannotBeIsRefused_data() {
        using Metadata = std::map<std::string, std::string>;
        using Views = std::map<std::string, TensorView>;
        using Change = std::function<void(Metadata&, Views&)>;
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const char* reason, Change change) {
            QTest::newRow(name) << change << QString::fromUtf8(reason);
        };
        const auto replace = [](const char* key, const char* from, const char* to) -> Change {
            return [=](Metadata& m, Views&) {
                const auto at = m.at(key).find(from);
                QVERIFY2(at != std::string::npos, from);
                m.at(key).replace(at, std::strlen(from), to);
            };
        };
        const auto cut = [](const char* name) -> Change {
            return [=](Metadata&, Views& v) {
                TensorView& view = v.at(name);
                view.shape[0] -= 1;
                std::size_t size = headscope::bytesOf(view.type);
                for (const std::size_t n : view.shape) size *= n;
                view.bytes = view.bytes.first(size);
            };
        };
        row("weights only", "this is no session of Headscope",
            [](Metadata& m, Views&) { m.erase("headscope_session"); });
        row("another version", "this session is of version “2”: only version 1 can be read",
            [](Metadata& m, Views&) { m["headscope_session"] = "2"; });
        row("no experiment", "experiment is missing", [](Metadata& m, Views&) { m.erase("experiment"); });
        row("no JSON", "run is missing", [](Metadata& m, Views&) { m["run"] = "{"; });
        row("deep JSON", "run is missing", [](Metadata& m, Views&) { m["run"] = std::string(100'000, '['); });
        row("a list", "steps_done is missing", [](Metadata& m, Views&) { m["run"] = "[]"; });
        row("5 heads", "5", replace("experiment", "\"n_heads\": 8", "\"n_heads\": 5"));
        row("another width", "it must be F32", [](Metadata& m, Views&) {
            for (const char* key : {"experiment", "run"})
                for (const char* space : {"", " "}) {
                    const std::string from = std::string("\"d_model\":") + space + "16";
                    for (auto at = m[key].find(from); at != std::string::npos; at = m[key].find(from))
                        m[key].replace(at, from.size(), std::string("\"d_model\":") + space + "32");
                }
        });
        row("a huge model", "it must be F32", [](Metadata& m, Views&) {
            m.erase("twin");
            m["experiment"] = R"({"vocab_size": 32768, "d_model": 512})";
            m["run"] = R"({"steps_done":0,"first_steps_done":0,"modes":["trained","trained","trained",
                    "trained"],"began":{"vocab_size": 32768, "d_model": 512},"changes":[],"stretches":[]})";
        });
        row("an experiment that does not follow", "experiment is missing",
            replace("experiment", "\"n_heads\": 8", "\"n_heads\": 4"));
        row("a head that is none", "head is missing", replace("run", "\"head\":7", "\"head\":8"));
        row("a mode that is none", "mode is missing", replace("run", "\"frozen\"}", "\"melted\"}"));
        row("a change too late", "step is missing", replace("run", "\"step\":5", "\"step\":10"));
        row("changes that do not ascend", "step is missing", replace("run", "\"step\":3", "\"step\":6"));
        row("more steps than planned", "steps_done",
            replace("run", "\"steps_done\":9", "\"steps_done\":361"));
        row("fractions of steps", "steps_done", replace("run", "\"steps_done\":9", "\"steps_done\":9.5"));
        row("too few modes", "", replace("run", "\"modes\":[\"trained\",", "\"modes\":["));
        row("curves of another length", "its curves have 8 steps and its run has made 9",
            replace("run", "\"steps_done\":9", "\"steps_done\":8"));
        row("twins out of step", "twins must have made equally many steps",
            replace("run", "\"first_steps_done\":9", "\"first_steps_done\":8"));
        row("a row that is none", "32", replace("run", "\"row\":0", "\"row\":32"));
        row("a ripple beyond the row", "8", replace("run", "\"position\":3", "\"position\":8"));
        row("no weights", "there is no tensor “lm_head.weight”",
            [](Metadata&, Views& v) { v.erase("lm_head.weight"); });
        row("no moments", "there is no tensor “adam.variance.lm_head.bias”",
            [](Metadata&, Views& v) { v.erase("adam.variance.lm_head.bias"); });
        row("too few weights", "tensor “lm_head.weight” is F32 (63, 16): it must be F32 (64, 16)",
            cut("lm_head.weight"));
        row("too short a curve", "tensor “loss” is F32 (8): it must be F32 (9)", cut("loss"));
        row("too few frames", "it must be F32", cut("frames.0.weights"));
        row("a generator of zeros", "a random generator's state cannot be all zeros",
            [](Metadata&, Views& v) {
                static const std::uint64_t zeros[4] = {};
                v["random.dropout"] = viewOf(std::span(zeros), {4});
            });
        row("another type", "it must be F32",
            [](Metadata&, Views& v) { v.at("loss").type = TensorType::I32; });
        row("frames that do not ascend", "a frame of step 5 is not where it can be",
            [](Metadata&, Views& v) { v["frames.2.steps_done"] = v.at("frames.1.steps_done"); });
        row("a token that is none", "a token is", [](Metadata&, Views& v) {
            static const int tokens[8] = {0, 0, 0, 64, 0, 0, 0, 0};
            v["frames.1.predicted"] = viewOf(std::span(tokens), {1, 8});
        });
        row("a frame's mode that is none", "a head's mode is -1: it must be from 0 to 3",
            [](Metadata&, Views& v) {
                static const int modes[4] = {0, -1, 0, 0};
                v["frames.1.modes"] = viewOf(std::span(modes), {1, 4});
            });
    }

    void whatCannotBeIsRefused() {
        using Change =
            std::function<void(std::map<std::string, std::string>&, std::map<std::string, TensorView>&)>;
        QFETCH(Change, change);
        QFETCH(QString, reason);
        const std::string file = changed(sessionFile(eventful().stored()), change);
        try {
            parse(file);
            QFAIL("it is read");
        } catch (const Refusal& refusal) {
            const QString what = QString::fromUtf8(refusal.what());
            QVERIFY2(what.startsWith("a.headscope: ") && what.contains(reason), qPrintable(what));
        }
    }

    void aFileCutShortIsRefusedWhereverItIsCut() {
        const std::string file = sessionFile(eventful().stored());
        for (std::size_t size = 0; size < file.size(); size += 997)
            QVERIFY_EXCEPTION_THROWN(parse(file.substr(0, size)), Refusal);
    }
};

QTEST_APPLESS_MAIN(TestSessionFile)
#include "test_session_file.moc"
