#include "ui/run_data.h"

#include <cassert>
#include <charconv>
#include <map>
#include <string>

#include "engine/formats/npz.h"
#include "engine/formats/safetensors.h"
#include "engine/inspection/named_diagnostics.h"
#include "engine/training/experiment_json.h"

namespace headscope {
namespace {

/// The shortest text that reads back as the same number, whatever the locale.
template <typename Number>
void append(QByteArray& text, Number value) {
    char digits[32];
    text.append(digits, std::to_chars(digits, std::end(digits), value).ptr - digits);
}

void appendDiagnostics(QByteArray& csv, const char* run, const Snapshot& snapshot) {
    for (std::size_t head = 0; head < snapshot.diagnostics.size(); ++head) {
        if (*run) csv += QByteArray(run) + ',';
        append(csv, snapshot.steps_done);
        csv += ',';
        append(csv, head + 1);
        for (const NamedDiagnostic& column : kHeadDiagnostics) {
            csv += ',';
            append(csv, snapshot.diagnostics[head].*column.value);
        }
        csv += '\n';
    }
}

/// Of one side's frames, as arrays under names that begin with `prefix`.
class Arrays {
public:
    void add(const std::string& prefix, const std::vector<const Snapshot*>& snapshots) {
        const ModelConfig& model = snapshots.back()->experiment.model;
        const auto heads = static_cast<std::size_t>(model.n_heads);
        const auto length = static_cast<std::size_t>(model.context_length);
        std::vector<float> attention, loss, accuracy;
        for (const Snapshot* snapshot : snapshots) {
            attention.insert(attention.end(), snapshot->weights.begin(), snapshot->weights.end());
            loss.push_back(snapshot->probe_loss);
            accuracy.push_back(snapshot->probe_accuracy);
        }
        put(prefix + "attention", std::move(attention), {snapshots.size(), heads, length, length});
        put(prefix + "probe_loss", std::move(loss), {snapshots.size()});
        put(prefix + "probe_accuracy", std::move(accuracy), {snapshots.size()});
        for (const NamedDiagnostic& column : kHeadDiagnostics) {
            std::vector<float> values;
            for (const Snapshot* snapshot : snapshots)
                for (const HeadDiagnostics& head : snapshot->diagnostics)
                    values.push_back(head.*column.value);
            if (values.size() == snapshots.size() * heads)
                put(prefix + column.name, std::move(values), {snapshots.size(), heads});
        }
    }

    void addSteps(const std::vector<const Snapshot*>& snapshots) {
        for (const Snapshot* snapshot : snapshots) m_steps.push_back(snapshot->steps_done);
        m_views["steps"] = viewOf(m_steps, {m_steps.size()});
    }

    const std::map<std::string, TensorView>& views() const { return m_views; }

private:
    void put(const std::string& name, std::vector<float> values, std::vector<std::size_t> shape) {
        const std::vector<float>& kept = m_values[name] = std::move(values);
        m_views[name] = viewOf(kept, std::move(shape));
    }

    std::map<std::string, std::vector<float>> m_values;
    std::vector<std::int64_t> m_steps;
    std::map<std::string, TensorView> m_views;
};

}  // namespace

QByteArray lossCsv(const std::vector<LossPoint>& points, const std::vector<LossPoint>& twin) {
    const bool both = !twin.empty();
    QByteArray csv = both ? "step,loss,accuracy,twin_loss,twin_accuracy\n" : "step,loss,accuracy\n";
    const auto appendValues = [&csv](const LossPoint& point) {
        for (const float value : {point.loss, point.accuracy}) {
            csv += ',';
            append(csv, value);
        }
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
        append(csv, points[i].step);
        appendValues(points[i]);
        if (i < twin.size()) appendValues(twin[i]);
        csv += '\n';
    }
    return csv;
}

QByteArray mechanismCsv(const std::vector<Frame>& frames) {
    const bool both = !frames.empty() && frames.back().twin;
    QByteArray csv = both ? "run,step,head" : "step,head";
    for (const NamedDiagnostic& column : kHeadDiagnostics) csv += QByteArray(",") + column.name;
    csv += '\n';
    for (const Frame& frame : frames) {
        appendDiagnostics(csv, both ? "first" : "", *frame.snapshot);
        if (frame.twin) appendDiagnostics(csv, "twin", *frame.twin);
    }
    return csv;
}

QByteArray attentionNpy(const Snapshot& snapshot) {
    const auto heads = static_cast<std::size_t>(snapshot.experiment.model.n_heads);
    const auto length = static_cast<std::size_t>(snapshot.experiment.model.context_length);
    return QByteArray::fromStdString(npyFile(viewOf(snapshot.weights, {heads, length, length})));
}

QByteArray recordedRunFile(const std::vector<Frame>& frames, ArraysFormat format) {
    assert(!frames.empty());
    const Experiment& experiment = frames.back().snapshot->experiment;
    std::vector<const Snapshot*> first, twin;
    for (const Frame& frame : frames) {
        if (frame.snapshot->experiment.model.n_heads != experiment.model.n_heads) {
            first.clear();
            twin.clear();
            continue;
        }
        first.push_back(frame.snapshot.get());
        if (frame.twin) twin.push_back(frame.twin.get());
    }
    Arrays arrays;
    arrays.addSteps(first);
    arrays.add({}, first);
    if (twin.size() == first.size()) arrays.add("twin_", twin);
    if (format == ArraysFormat::Npz) return QByteArray::fromStdString(npzFile(arrays.views()));
    std::map<std::string, std::string> metadata{{"experiment", toJson(experiment)}};
    if (twin.size() == first.size()) metadata["twin"] = toJson(twin.back()->experiment);
    return QByteArray::fromStdString(safetensorsFile(arrays.views(), metadata));
}

}  // namespace headscope
