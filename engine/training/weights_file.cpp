#include "engine/training/weights_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "engine/attention/multi_head_attention.h"
#include "engine/formats/input_file.h"
#include "engine/model/language_model.h"
#include "engine/training/experiment_json.h"
#include "engine/training/experiment_names.h"

namespace headscope {
namespace {

using Shape = std::vector<std::size_t>;

/// The two spellings of a projection's tensors.
struct Spelling {
    const char* weight;
    const char* bias;
};

constexpr Spelling kBlockSpellings[] = {
    {"qkv_proj.weight", "qkv_proj.bias"}, {"qkv.weight", "qkv.bias"}, {"in_proj_weight", "in_proj_bias"}};
constexpr const char* kModelMark = "token_emb.embedding.weight";

class Reader {
public:
    Reader(const Safetensors& file, const WeightsHints& hints) : m_file(file), m_hints(hints) {
        const auto& metadata = file.metadata();
        if (const auto json = metadata.find("experiment"); json != metadata.end()) {
            try {
                m_told = experimentFromJson(json->second).model;
            } catch (const Refusal& refusal) {
                throw Refusal("%1: its experiment cannot be read: %2", {file.name(), refusal.what()});
            }
        }
    }

    ImportedWeights read() {
        if (const auto prefix = prefixOf(kModelMark)) return model(*prefix);
        for (const Spelling& spelling : kBlockSpellings)
            if (const auto prefix = prefixOf(spelling.weight)) return block(*prefix, spelling);
        std::string blocks;
        const std::string before = m_hints.prefix.value_or("");
        for (const Spelling& spelling : kBlockSpellings)
            blocks += (blocks.empty() ? "" : ", ") + before + spelling.weight;
        throw Refusal("%1: it holds neither a model (%2) nor an attention block (%3)",
                      {m_file.name(), before + kModelMark, blocks});
    }

private:
    /// What stands before `ending` where it names a tensor of the weights; nothing where none ends so.
    std::optional<std::string> prefixOf(std::string_view ending) const {
        std::set<std::string> found;
        for (const auto& [name, tensor] : m_file.tensors())
            if (name.ends_with(ending)) found.insert(name.substr(0, name.size() - ending.size()));
        if (m_hints.prefix)
            return found.contains(*m_hints.prefix) ? m_hints.prefix : std::optional<std::string>();
        for (const char* usual : {"", "init.", "param."})
            if (found.contains(usual)) return usual;
        if (found.empty()) return std::nullopt;
        if (found.size() > 1)
            throw Refusal("%1: it holds several sets of weights, such as %2 and %3: a prefix must choose one",
                          {m_file.name(), quoted(*found.begin()), quoted(*found.rbegin())});
        return *found.begin();
    }

    const TensorView* find(const std::string& name) const {
        const auto found = m_file.tensors().find(name);
        return found == m_file.tensors().end() ? nullptr : &found->second;
    }

    /// The sizes of a matrix, each small enough for a model.
    std::pair<int, int> sizes(const std::string& name) const {
        const Shape& shape = m_file.tensor(name).shape;
        constexpr std::size_t kMost = std::numeric_limits<int>::max() / 4;
        if (shape.size() != 2 || std::ranges::max(shape) > kMost || std::ranges::min(shape) < 1)
            throw Refusal("%1: tensor %2 has the shape %3: it must be a matrix",
                          {m_file.name(), quoted(name), textOf(shape)});
        return {static_cast<int>(shape[0]), static_cast<int>(shape[1])};
    }

    void require(const std::string& name, const Shape& expected) const {
        const Shape& shape = m_file.tensor(name).shape;
        if (shape != expected)
            throw Refusal("%1: tensor %2 has the shape %3: it must be %4",
                          {m_file.name(), quoted(name), textOf(shape), textOf(expected)});
    }

    /// Copies the tensor, whose shape must be this, to where it belongs.
    void load(const std::string& name, const Shape& expected, std::span<double> to) const {
        require(name, expected);
        const TensorView& tensor = m_file.tensor(name);
        if (!isFraction(tensor.type))
            throw Refusal("%1: tensor %2 has the dtype %3: weights must be F64, F32, F16 or BF16",
                          {m_file.name(), quoted(name), std::string(nameOf(tensor.type))});
        const auto values = tensor.toDoubles();
        const auto bad = std::ranges::find_if(values, [](double x) { return !std::isfinite(x); });
        if (bad != values.end())
            throw Refusal("%1: tensor %2 has a value that is not finite", {m_file.name(), quoted(name)});
        std::ranges::copy(values, to.begin());
    }

    void loadBias(const std::string& name, std::size_t size, std::span<double> to) const {
        if (find(name)) load(name, {size}, to);
    }

    Matrix<double> matrix(const std::string& name, int rows, int cols) const {
        require(name, {std::size_t(rows), std::size_t(cols)});  // before memory is taken
        Matrix<double> loaded(rows, cols);
        load(name, {std::size_t(rows), std::size_t(cols)}, {loaded.data(), std::size_t(loaded.size())});
        return loaded;
    }

    Matrix<double> bias(const std::string& name, int size) const {
        Matrix<double> loaded = Matrix<double>::Zero(1, size);
        loadBias(name, std::size_t(size), {loaded.data(), std::size_t(size)});
        return loaded;
    }

    const std::string* metadata(const char* key) const {
        const auto found = m_file.metadata().find(key);
        return found == m_file.metadata().end() ? nullptr : &found->second;
    }

    [[noreturn]] void refuseMetadata(const char* key, const std::string& value) const {
        throw Refusal("%1: %2 in its metadata is %3, which cannot be meant",
                      {m_file.name(), key, quoted(value)});
    }

    int heads() const {
        if (m_hints.n_heads) return *m_hints.n_heads;
        if (m_told) return m_told->n_heads;
        const std::string* said = metadata("n_heads");
        if (!said)
            throw Refusal("%1: how many heads it has is not in the file and must be said", {m_file.name()});
        int number = 0;
        const char* end = said->data() + said->size();
        const auto [after, error] = std::from_chars(said->data(), end, number);
        if (error != std::errc{} || after != end) refuseMetadata("n_heads", *said);
        return number;
    }

    bool scaled() const {
        if (m_hints.scale_scores) return *m_hints.scale_scores;
        if (m_told) return m_told->scale_scores;
        const std::string* said = metadata("scale_scores");
        if (said && *said != "true" && *said != "false") refuseMetadata("scale_scores", *said);
        return !said || *said == "true";
    }

    std::optional<Positions> positions() const {
        if (m_hints.positions) return m_hints.positions;
        if (m_told) return m_told->positions;
        const std::string* said = metadata("positions");
        if (!said) return std::nullopt;
        if (*said == "rope") return Positions::Rotary;
        if (const auto value = valueOf(kPositionsNames, *said)) return value;
        refuseMetadata("positions", *said);
    }

    Positions modelPositions(bool has_tensor) const {
        const auto said = positions();
        if (!said && !has_tensor)
            throw Refusal("%1: how it knows positions is not in the file and must be said", {m_file.name()});
        const Positions meant = said.value_or(Positions::Learned);
        if (has_tensor && meant != Positions::Learned)
            throw Refusal("%1: it has learned positions, and the kind asked for is %2",
                          {m_file.name(), std::string(nameOf(kPositionsNames, meant))});
        if (!has_tensor && meant == Positions::Learned)
            throw Refusal("%1: it has no tensor of learned positions, which are asked for", {m_file.name()});
        return meant;
    }

    ModelWeights model(const std::string& prefix) const {
        ModelConfig config;
        std::tie(config.vocab_size, config.d_model) = sizes(prefix + "token_emb.embedding.weight");
        const std::string learned = prefix + "pos_emb.embedding.weight";
        config.positions = modelPositions(find(learned) != nullptr);
        if (config.positions == Positions::Learned) config.context_length = sizes(learned).first;
        config.n_heads = heads();
        config.scale_scores = scaled();
        requireFor(config);
        requireShapes(prefix, config);
        ModelWeights weights{config, Parameters<double>(config)};
        weights.parameters.forEach([&](std::string_view part, Tensor<double> tensor) {
            const std::string name = prefix + std::string(part);
            if (tensor.is_vector)
                loadBias(name, std::size_t(tensor.cols), tensor.values());
            else
                load(name, {std::size_t(tensor.rows), std::size_t(tensor.cols)}, tensor.values());
        });
        return weights;
    }

    /// Before memory is taken for a model that the file need not hold.
    void requireShapes(const std::string& prefix, const ModelConfig& config) const {
        const auto V = std::size_t(config.vocab_size), D = std::size_t(config.d_model);
        require(prefix + "attn.qkv_proj.weight", {3 * D, D});
        require(prefix + "attn.out_proj.weight", {D, D});
        require(prefix + "lm_head.weight", {V, D});
    }

    void requireFor(const ModelConfig& config) const {
        try {
            requireValid(config);
        } catch (const Refusal& refusal) {
            throw Refusal("%1: %2", {m_file.name(), refusal.what()});
        }
    }

    BlockWeights block(const std::string& prefix, const Spelling& spelling) const {
        const int D = sizes(prefix + spelling.weight).second;
        ModelConfig config{.d_model = D, .n_heads = heads(), .scale_scores = scaled()};
        config.positions = positions() == Positions::Rotary ? Positions::Rotary : Positions::None;
        requireFor(config);
        return {config.n_heads,
                config.scale_scores,
                config.positions == Positions::Rotary,
                matrix(prefix + spelling.weight, 3 * D, D),
                bias(prefix + spelling.bias, 3 * D),
                matrix(prefix + "out_proj.weight", D, D),
                bias(prefix + "out_proj.bias", D)};
    }

    const Safetensors& m_file;
    const WeightsHints& m_hints;
    std::optional<ModelConfig> m_told;  // by the metadata's experiment
};

std::vector<double> valuesOf(const Matrix<double>& matrix) {
    return {matrix.data(), matrix.data() + matrix.size()};
}

/// The same model for a shorter context.
ModelWeights shortened(const ModelWeights& model, int length) {
    ModelConfig config = model.config;
    config.context_length = length;
    ModelWeights to{config, Parameters<double>(config)};
    std::map<std::string_view, std::span<const double>> tensors;
    model.parameters.forEach(
        [&](std::string_view name, Tensor<const double> tensor) { tensors[name] = tensor.values(); });
    to.parameters.forEach([&](std::string_view name, Tensor<double> tensor) {
        std::ranges::copy(tensors.at(name).first(tensor.values().size()), tensor.values().begin());
    });
    return to;
}

}  // namespace

std::string weightsFile(const Parameters<float>& parameters, const Experiment& experiment) {
    std::map<std::string, TensorView> tensors;
    parameters.forEach([&](std::string_view name, Tensor<const float> tensor) {
        const auto rows = std::size_t(tensor.rows), cols = std::size_t(tensor.cols);
        tensors[std::string(name)] =
            viewOf(tensor.values(), tensor.is_vector ? Shape{cols} : Shape{rows, cols});
    });
    return safetensorsFile(tensors, {{"experiment", toJson(experiment)}});
}

ImportedWeights weightsFrom(const Safetensors& file, const WeightsHints& hints) {
    return Reader(file, hints).read();
}

Attended attend(const ModelWeights& model, std::span<const int> tokens) {
    if (tokens.empty()) throw Refusal("there are no tokens to attend to");
    const int length =
        static_cast<int>(std::min<std::size_t>(tokens.size(), std::numeric_limits<int>::max()));
    if (model.config.positions == Positions::Learned && length > model.config.context_length)
        throw Refusal("there are %1 tokens: the model has learned %2 positions",
                      {std::to_string(tokens.size()), std::to_string(model.config.context_length)});
    const ModelWeights fitting = shortened(model, length);
    LanguageModel<double> language(fitting.config, 1, AttentionPath::Plain, ProjectionPath::Plain,
                                   OutputPath::Plain);
    language.forward(fitting.parameters, tokens);
    return {std::size_t(fitting.config.n_heads), tokens.size(), valuesOf(language.weights()),
            valuesOf(language.logits())};
}

Attended attend(const BlockWeights& block, const Matrix<double>& x) {
    if (x.cols() != block.d_model())
        throw Refusal("the input has the width %1: the block's is %2",
                      {std::to_string(x.cols()), std::to_string(block.d_model())});
    MultiHeadAttention<double> attention({1, x.rows(), x.cols(), block.n_heads},
                                         {.scale_scores = block.scale_scores, .rotary = block.rotary});
    const auto view = [](const Matrix<double>& m) {
        return ConstView<double>(m.data(), m.rows(), m.cols(), Eigen::OuterStride<>(m.cols()));
    };
    attention.forward({view(block.qkv_proj_weight), view(block.qkv_proj_bias), view(block.out_proj_weight),
                       view(block.out_proj_bias)},
                      x);
    return {std::size_t(block.n_heads), std::size_t(x.rows()), valuesOf(attention.weights()),
            valuesOf(attention.attn_out())};
}

}  // namespace headscope
