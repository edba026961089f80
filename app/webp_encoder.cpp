#include <cmath>
#include <webp/encode.h>
#include <webp/mux.h>

#include <QCoreApplication>

#include "app/animation_encoder.h"
#include "engine/numeric/refusal.h"

namespace headscope {
namespace {

class WebPEncoder : public AnimationEncoder {
public:
    WebPEncoder(const QSize& size, const AnimationTiming& timing, std::function<bool()> goesOn)
        : m_timing(timing), m_goesOn(std::move(goesOn)) {
        WebPAnimEncoderOptions options;
        require(WebPAnimEncoderOptionsInit(&options));
        options.anim_params.loop_count = timing.loop ? 0 : 1;
        m_encoder.reset(WebPAnimEncoderNew(size.width(), size.height(), &options));
        if (!m_encoder) throw std::bad_alloc();
    }

    void add(const QImage& image) override {
        const QImage frame = image.convertToFormat(QImage::Format_RGB32);
        WebPConfig config;
        constexpr int kFast = 1;  // of 9: files grow by a few percent, and take a fifth of the time
        require(WebPConfigInit(&config) && WebPConfigLosslessPreset(&config, kFast));
        WebPPicture picture;
        require(WebPPictureInit(&picture));
        const std::unique_ptr<WebPPicture, decltype(&WebPPictureFree)> owner(&picture, &WebPPictureFree);
        picture.use_argb = 1;
        picture.width = frame.width();
        picture.height = frame.height();
        picture.user_data = this;
        picture.progress_hook = [](int, const WebPPicture* of) {
            return static_cast<int>(static_cast<WebPEncoder*>(of->user_data)->m_goesOn());
        };
        static_assert(Q_BYTE_ORDER == Q_LITTLE_ENDIAN);
        require(WebPPictureImportBGRX(&picture, frame.constBits(), static_cast<int>(frame.bytesPerLine())));
        require(WebPAnimEncoderAdd(m_encoder.get(), &picture, at(m_frames++), &config));
    }

    QByteArray finish() override {
        require(WebPAnimEncoderAdd(m_encoder.get(), nullptr, at(m_frames), nullptr));
        WebPData data;
        WebPDataInit(&data);
        const std::unique_ptr<WebPData, decltype(&WebPDataClear)> owner(&data, &WebPDataClear);
        require(WebPAnimEncoderAssemble(m_encoder.get(), &data));
        return {reinterpret_cast<const char*>(data.bytes), static_cast<qsizetype>(data.size)};
    }

private:
    int at(int frame) const {  // in milliseconds
        return static_cast<int>(std::lround(1000 * frame / m_timing.frames_per_second));
    }

    void require(int done) const {
        if (done || !m_goesOn()) return;  // what was given up gives nothing, and is no error
        const char* reason = m_encoder ? WebPAnimEncoderGetError(m_encoder.get()) : "WebP";
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot make the animation: %1"), {reason});
    }

    struct Delete {
        void operator()(WebPAnimEncoder* encoder) const { WebPAnimEncoderDelete(encoder); }
    };
    AnimationTiming m_timing;
    std::function<bool()> m_goesOn;
    std::unique_ptr<WebPAnimEncoder, Delete> m_encoder;
    int m_frames = 0;
};

}  // namespace

std::unique_ptr<AnimationEncoder> makeWebPEncoder(const QSize& size, const AnimationTiming& timing,
                                                  std::function<bool()> goesOn) {
    return std::make_unique<WebPEncoder>(size, timing, std::move(goesOn));
}

}  // namespace headscope
