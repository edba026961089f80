#include "ui/heads_card.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/sentences.h"
#include "ui/tick_slider.h"

namespace headscope {
namespace {

/// The counts that the model can have, the one it has among them.
std::vector<int> choicesOf(ModelConfig model) {
    const int now = model.n_heads;
    std::vector<int> choices = divisors(model.d_model);
    std::erase_if(choices, [&](int n_heads) {
        model.n_heads = n_heads;
        return n_heads != now && !problems(model).empty();
    });
    return choices;
}

}  // namespace

HeadsCard::HeadsCard(QWidget* parent)
    : Card(tr("Heads"), Folding::Folds, parent),
      m_count(makeLabel({}, "big")),
      m_width(makeLabel({}, "muted")),
      m_slider(new TickSlider) {
    setObjectName(QStringLiteral("headsCard"));
    m_count->setObjectName(QStringLiteral("headsCount"));
    m_width->setObjectName(QStringLiteral("headsWidth"));
    m_slider->setObjectName(QStringLiteral("headsSlider"));
    m_slider->setAccessibleName(tr("Number of heads"));
    setExperiment({});

    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    row->addWidget(m_count);
    row->addWidget(m_width, 1);
    body()->addLayout(row);
    body()->addWidget(m_slider);
    body()->setSpacing(4);

    connect(m_slider, &TickSlider::sliderMoved, this, &HeadsCard::describe);
    connect(m_slider, &TickSlider::valueChanged, this, &HeadsCard::describe);
    connect(m_slider, &TickSlider::sliderMoved, this,
            [this](int place) { emit previewed(m_choices[std::size_t(place)]); });
    connect(m_slider, &TickSlider::chosen, this, [this](int place) {
        const int n_heads = m_choices[std::size_t(place)];
        if (n_heads != m_model.n_heads) emit chosen(n_heads);
    });
}

void HeadsCard::setExperiment(const Experiment& experiment) {
    m_model = experiment.model;
    const std::vector<int> choices = choicesOf(m_model);
    if (choices != m_choices) {
        m_choices = choices;
        QStringList labels;
        for (const int n : m_choices) labels << QString::number(n);
        m_slider->setLabels(labels);
    }
    const bool rotary = m_model.positions == Positions::Rotary;
    setNote(rotary ? tr("rotary: d_head is even") : tr("divisors of d_model %1").arg(m_model.d_model));
    m_slider->setToolTip(
        rotary
            ? tr("n_heads must divide d_model, and rotary positions turn pairs: d_head = d_model / n_heads "
                 "must be even (+ and −)")
            : tr("n_heads must divide d_model: d_head = d_model / n_heads (+ and −)"));
    const auto found = std::lower_bound(m_choices.begin(), m_choices.end(), m_model.n_heads);
    m_slider->setValue(int(found - m_choices.begin()));
    describe(m_slider->value());
}

void HeadsCard::moveBy(int places) {
    const int before = m_slider->value();
    m_slider->setValue(before + places);
    if (m_slider->value() != before) emit m_slider->chosen(m_slider->value());
}

void HeadsCard::describe(int place) {
    const int n_heads = m_choices[std::size_t(place)];
    const int d_head = m_model.d_model / n_heads;
    m_count->setText(QString::number(n_heads));
    const QString text = n_heads == 1 ? tr("head of d_head %1, %2") : tr("heads of d_head %1, %2");
    m_width->setText(text.arg(d_head).arg(rootOf(d_head)));
}

}  // namespace headscope
