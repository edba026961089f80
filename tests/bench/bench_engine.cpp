// What a training step costs, beside PyTorch where it is installed: ./run bench.

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <utility>
#include <vector>

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include "engine/model/composed_linear.h"
#include "engine/model/embedded_projection.h"
#include "engine/model/initialization.h"
#include "engine/numeric/matmul.h"
#include "engine/training/trainer.h"
#include "tests/engine/allocation_count.h"

using namespace headscope;

namespace {

/// Seconds that one measurement takes, at least: several steps of either side, so that none is measured by
/// one step that luckily found its memory at hand.
constexpr double kWindow = 0.1;

/// What this thread has had of its processor: on a busy machine the others' share does not count.
double now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Microseconds that one of something took, window by window. Of a noisy machine the least is the truest.
struct Times {
    std::vector<double> us;

    double least() const { return *std::min_element(us.begin(), us.end()); }
    double median() const {
        std::vector<double> sorted = us;
        std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
        return sorted[sorted.size() / 2];
    }
};

template <typename F>
void measure(Times& times, double seconds, F&& once) {
    const double end = now() + seconds;
    for (int count = 1; now() < end;) {
        const double window = now();
        for (int i = 0; i < count; ++i) once();
        const double each = (now() - window) / count;
        times.us.push_back(each * 1e6);
        count = std::max(1, static_cast<int>(std::lround(kWindow / each)));
    }
}

template <typename F>
double leastMicroseconds(F&& once, double seconds = 0.3) {
    once();
    Times times;
    measure(times, seconds, once);
    return times.least();
}

struct Configuration {
    const char* name;
    int D, H, T, B;
    double target, stretch;  // the ratio to PyTorch that it must and should reach

    Experiment experiment() const {
        Experiment e;
        e.model = {.vocab_size = 64, .d_model = D, .n_heads = H, .context_length = T};
        e.batch_size = B;
        return e;
    }
};

constexpr Configuration kConfigurations[] = {
    {"lesson", 32, 4, 12, 16, 10, 14},     {"wide-head", 128, 1, 12, 16, 2.5, 3},
    {"eight-heads", 128, 8, 64, 16, 3, 4}, {"long", 256, 4, 256, 4, 1.6, 2},
    {"longest", 64, 4, 1024, 1, 7, 11},
};

/// PyTorch in a process of its own, which takes turns with the engine.
class Peer {
public:
    explicit Peer(const QString& python) {
        if (python.isEmpty()) return;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("OMP_NUM_THREADS", "1");
        m_process.setProcessEnvironment(environment);
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(python, {HEADSCOPE_PEER});
    }
    ~Peer() {
        m_process.closeWriteChannel();
        m_process.waitForFinished();
    }

    /// False, adding nothing, where there is no PyTorch.
    bool measure(const Configuration& c, double seconds, Times& times) {
        if (m_process.state() == QProcess::NotRunning) return false;
        m_process.write(
            qPrintable(QString("64 %1 %2 %3 %4 %5\n").arg(c.D).arg(c.H).arg(c.T).arg(c.B).arg(seconds)));
        while (!m_process.canReadLine())
            if (!m_process.waitForReadyRead(60'000)) return false;
        for (const QByteArray& us : m_process.readLine().simplified().split(' '))
            times.us.push_back(us.toDouble());
        return true;
    }

private:
    QProcess m_process;
};

/// Products of a step in floating point operations, as they are made: a causal half of the attention, and the
/// fused projection on tables and the two output layers as one where that pays. Each product is made once
/// forward and twice backward.
double productOperations(const Configuration& c) {
    const double V = 64, D = c.D, T = c.T, rows = double(c.B) * T;
    const double projected = EmbeddedProjection<float>::pays(64, c.T, c.B) ? V + T : rows;
    const bool composed = ComposedLinear<float>::pays(Index{c.B} * c.T, 64);
    const double output = rows * D * V + (composed ? V : rows) * D * D;
    const double projections = projected * D * 3 * D + output;
    const double attention = 2 * c.B * D * T * (T + 1) / 2;
    return 3 * 2 * (projections + attention);
}

/// The best that products of floats reach here, in operations per second.
double peak() {
    double best = 0;
    for (const Index n : {48, 64, 96, 128, 192}) {
        const Matrix<float> a = Matrix<float>::Constant(n, n, 0.5f), b = a;
        Matrix<float> c(n, n);
        const double us = leastMicroseconds([&] { multiply<float>(a, b, c); }, 0.2);
        best = std::max(best, 2. * double(n * n * n) / us * 1e6);
    }
    return best;
}

/// Where the time of a step goes, in microseconds, from the real step's stages and, apart, the parts that a
/// stage is made of.
QJsonObject phases(const Configuration& c) {
    const Experiment e = c.experiment();
    const CopyTask task(e.task, e.lags, e.model.vocab_size, e.model.context_length);
    const Index rows = Index{c.B} * c.T, V = e.model.vocab_size, D = c.D;
    std::vector<int> tokens(static_cast<std::size_t>(rows)), targets = tokens;
    Parameters<float> parameters(e.model), gradients(e.model);
    Random random(1, RandomStream::Batches);
    initialize(parameters, e.token_std, e.position_std, random);
    LanguageModel<float> model(e.model, e.batch_size, fasterPath(c.T, c.T));
    Adam<float> adam(e.model);

    enum Stage { Tokens, Forward, Loss, Backward, Update, StageCount };
    std::array<double, StageCount> stages;
    double shortest = INFINITY;
    const auto step = [&] {
        std::array<double, StageCount + 1> at;
        at[Tokens] = now();
        task.sample(random, tokens, targets);
        at[Forward] = now();
        model.forward(parameters, tokens);
        at[Loss] = now();
        model.loss(targets);
        at[Backward] = now();
        model.backward(parameters, gradients);
        at[Update] = now();
        adam.step(parameters, gradients, e.learning_rate);
        at[StageCount] = now();
        const double whole = at[StageCount] - at[Tokens];
        if (whole >= shortest) return;
        shortest = whole;
        for (std::size_t i = 0; i < StageCount; ++i) stages[i] = (at[i + 1] - at[i]) * 1e6;
    };
    leastMicroseconds(step, 0.5);

    MultiHeadAttention<float> block({c.B, c.T, c.D, c.H}, {.path = fasterPath(c.T, c.T)});
    const double attention = leastMicroseconds([&] {
        block.qkv().setConstant(0.1f);
        block.attend();
        block.gradContext().setConstant(0.01f);
        block.attendBackward();
    });

    assert(fasterOutput(e.model, c.B) == OutputPath::Composed);  // of every configuration here
    const auto layersOf = [](auto& p) {
        return TwoLayers<decltype(p.lm_head_weight())>{p.attn().out_proj_weight, p.attn().out_proj_bias,
                                                       p.lm_head_weight(), p.lm_head_bias()};
    };
    ComposedLinear<float> output(D, V);
    Matrix<float> logits = Matrix<float>::Constant(rows, V, 0.01f), context = block.context();
    const double head = leastMicroseconds([&] {
        output.forward(layersOf(std::as_const(parameters)), block.context(), logits);
        output.backward(layersOf(std::as_const(parameters)), block.context(), logits, layersOf(gradients),
                        context);
    });
    return {{"tokens", stages[Tokens]},
            {"projections", stages[Forward] + stages[Backward] - attention - head},
            {"attention", attention},
            {"head_and_loss", head + stages[Loss]},
            {"adam", stages[Update]}};
}

QJsonObject measureConfiguration(const Configuration& c, Peer& peer, double peak_rate, int rounds) {
    Trainer trainer(c.experiment());
    trainer.step();
    const long allocations = test::allocationsIn([&] { trainer.step(); });
    Times own, others;
    bool with_peer = false;
    for (int round = 0; round < rounds; ++round) {
        measure(own, 0.4, [&] { trainer.step(); });
        with_peer = peer.measure(c, 0.8, others);
    }
    const QJsonObject parts = phases(c);
    const double share = productOperations(c) / (own.least() * 1e-6) / peak_rate;
    QJsonObject row{
        {"name", c.name},         {"us_per_step", own.least()},         {"us_per_step_median", own.median()},
        {"share_of_peak", share}, {"allocations", double(allocations)}, {"phases", parts}};
    std::printf("%-12s %9.1f %9.1f", c.name, own.least(), own.median());
    if (with_peer) {
        row["peer_us_per_step"] = others.least();
        row["peer_us_per_step_median"] = others.median();
        row["ratio"] = others.least() / own.least();
        std::printf(" %9.0f %9.0f %6.2f %6.2f", others.least(), others.median(), others.least() / own.least(),
                    others.median() / own.median());
    } else {
        std::printf(" %9s %9s %6s %6s", "-", "-", "-", "-");
    }
    std::printf(" %5.1f %4.0f %6.0f %%  %3ld ", c.target, c.stretch, 100 * share, allocations);
    for (const char* name : {"tokens", "projections", "attention", "head_and_loss", "adam"})
        std::printf(" %s %.1f", name, parts[name].toDouble());
    std::printf("\n");
    std::fflush(stdout);
    return row;
}

/// Steps of growing models, and the exponent of the line through them on double logarithmic paper.
template <typename Make>
QJsonObject growth(const char* with, std::initializer_list<int> values, Make&& configurationOf) {
    QJsonArray points;
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    std::printf("growth with %s:", with);
    for (const int value : values) {
        Trainer trainer(configurationOf(value).experiment());
        const double us = leastMicroseconds([&] { trainer.step(); }, 0.5);
        std::printf("  %d: %.0f", value, us);
        std::fflush(stdout);
        points.append(QJsonObject{{"value", value}, {"us_per_step", us}});
        const double x = std::log(value), y = std::log(us);
        n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    const double exponent = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    std::printf("  exponent %.2f\n", exponent);
    return {{"with", with}, {"points", points}, {"exponent", exponent}};
}

}  // namespace

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    QCommandLineParser arguments;
    arguments.addHelpOption();
    arguments.addOptions({{"json", "Write the figures to <file>.", "file"},
                          {"peer", "Take turns with PyTorch in this <python>.", "python"},
                          {"only", "Measure this <configuration> alone.", "configuration"},
                          {"rounds", "Take <n> turns a configuration.", "n", "6"}});
    arguments.process(application);
    const QString only = arguments.value("only");

    const double peak_rate = peak();
    std::printf("float products: %s, peak %.0f GFLOP/s\n", matmulBackend().data(), peak_rate * 1e-9);
    std::printf(
        "microseconds a step, least and median: Headscope, PyTorch, PyTorch ÷ Headscope, the ratio to reach "
        "and the stretch, share of peak, allocations, phases\n");
    Peer peer(arguments.value("peer"));
    QJsonArray configurations;
    for (const Configuration& c : kConfigurations)
        if (only.isEmpty() || only == c.name)
            configurations.append(
                measureConfiguration(c, peer, peak_rate, arguments.value("rounds").toInt()));
    QJsonArray grown;
    if (only.isEmpty()) {
        grown.append(growth("T", {64, 128, 256, 512, 1024, 2048, 4096},
                            [](int T) { return Configuration{"", 64, 4, T, 1, 0, 0}; }));
        grown.append(growth("D", {32, 64, 128, 256, 512},
                            [](int D) { return Configuration{"", D, 4, 64, 16, 0, 0}; }));
    }
    if (arguments.isSet("json")) {
        QFile file(arguments.value("json"));
        const QJsonObject all{{"matmul", matmulBackend().data()},
                              {"peak_gflops", peak_rate * 1e-9},
                              {"configurations", configurations},
                              {"growth", grown}};
        if (!file.open(QFile::WriteOnly) || file.write(QJsonDocument(all).toJson()) < 0 || !file.flush()) {
            std::fprintf(stderr, "bench: cannot write %s: %s\n", qPrintable(file.fileName()),
                         qPrintable(file.errorString()));
            return 1;
        }
    }
    return 0;
}
