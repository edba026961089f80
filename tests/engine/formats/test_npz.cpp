#include <algorithm>
#include <cstring>
#include <zip.h>

#include <QTemporaryDir>
#include <QtTest>

#include "engine/formats/input_file.h"
#include "engine/formats/npz.h"
#include "tests/engine/formats/bytes.h"

using namespace headscope;

namespace {

struct Packed {
    std::string name;
    std::string content;
    zip_int32_t method = ZIP_CM_DEFLATE;
    bool encrypted = false;
};

class Archive {
public:
    std::vector<std::byte> of(const std::vector<Packed>& files) const {
        const std::string path = m_directory.filePath("archive").toStdString();
        zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
        for (const Packed& file : files) {
            zip_source_t* source = zip_source_buffer(archive, file.content.data(), file.content.size(), 0);
            const auto index =
                zip_uint64_t(zip_file_add(archive, file.name.c_str(), source, ZIP_FL_ENC_UTF_8));
            zip_set_file_compression(archive, index, file.method, 0);
            if (file.encrypted) zip_file_set_encryption(archive, index, ZIP_EM_AES_256, "secret");
        }
        if (zip_close(archive) != 0) qFatal("the archive could not be made");
        return readFile(path);
    }

private:
    QTemporaryDir m_directory;
};

std::string npy(std::initializer_list<float> values) {
    return npyFile(viewOf(std::span(std::data(values), values.size()), {values.size()}));
}

std::string said(const std::vector<std::byte>& bytes) {
    return complaint([&] { parseNpz(bytes, "bad"); });
}

/// Puts `to` where `from` stands, every time.
std::vector<std::byte> replaced(std::vector<std::byte> bytes, const std::string& from,
                                const std::string& to) {
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return bytesOfText(text);
}

}  // namespace

class TestNpz : public QObject {
    Q_OBJECT
private slots:
    void readsWhatItWrites() {
        const std::vector<float> a = {1, 2, 3, 4};
        const std::vector<std::int64_t> steps = {0, 9};
        const std::map<std::string, TensorView> tensors = {
            {"weights", viewOf(a, {2, 2})}, {"步", viewOf(steps, {2})}, {"none", viewOf(a, {4})}};
        const std::string file = npzFile(tensors);
        const auto read = parseNpz(bytesOfText(file), "again");
        QCOMPARE(read.size(), tensors.size());
        for (const auto& [name, tensor] : tensors) {
            QCOMPARE(read.at(name).type, tensor.type);
            QCOMPARE(read.at(name).shape, tensor.shape);
            QVERIFY(std::ranges::equal(read.at(name).bytes, tensor.bytes));
        }
        QVERIFY(npzFile(tensors) == file);
    }

    void readsStoredAndDeflated() {
        for (const auto method : {ZIP_CM_STORE, ZIP_CM_DEFLATE}) {
            const auto read = parseNpz(m_archive.of({{"a.npy", npy({1, 2}), method}}), "packed");
            QCOMPARE(read.at("a").view().toFloats(), (std::vector<float>{1, 2}));
        }
    }

    void refusesWhatIsNoArchiveOfArrays() {
        const std::string whole = "bad: it is not a whole ZIP archive";
        QCOMPARE(said({}), whole);
        QCOMPARE(said(bytesOfText("PK\3\4 and no more")), whole);
        QCOMPARE(said(m_archive.of({{"a.txt", "text"}})), "bad: it holds “a.txt”, which is not an NPY file");
        QCOMPARE(said(m_archive.of({{"a.npy", "text"}})), "bad, a: this is not an NPY file");
        QCOMPARE(said(m_archive.of({{"a.npy", npy({1}), ZIP_CM_BZIP2}})),
                 "bad: “a.npy” is compressed in a way that numpy does not use");
        QCOMPARE(said(m_archive.of({{"a.npy", npy({1}), ZIP_CM_STORE, true}})), "bad: “a” in it is damaged");
        const auto twice = m_archive.of({{"a.npy", npy({1})}, {"b.npy", npy({1})}});
        QCOMPARE(said(replaced(twice, "b.npy", "a.npy")), "bad: “a” is there twice");
    }

    void refusesDamage() {
        const auto good = m_archive.of({{"a.npy", npy({1, 2}), ZIP_CM_STORE}});
        QCOMPARE(said(replaced(good, raw({1.f, 2.f}), raw({1.f, 3.f}))), "bad: “a” in it is damaged");
        const std::string packed = npyFile(viewOf(std::vector<float>(1000, 1), {1000}));
        auto deflated = m_archive.of({{"a.npy", packed}});
        for (std::size_t at = 60; at < 80; ++at) deflated[at] = std::byte{0xff};
        QCOMPARE(said(deflated), "bad: “a” in it is damaged");
    }

    void everyTruncationOfAGoodFileIsRefused() {
        const auto good = m_archive.of({{"a.npy", npy({1, 2})}});
        QCOMPARE(parseNpz(good, "good").size(), 1u);
        for (std::size_t size = 0; size < good.size(); ++size)
            QVERIFY_EXCEPTION_THROWN(parseNpz({good.begin(), good.begin() + std::ptrdiff_t(size)}, "cut"),
                                     Refusal);
    }

    void refusesBombsBeforeTheyAreInflated() {
        std::vector<Packed> files;
        const std::string megabytes = npyFile(viewOf(std::vector<float>(8 << 20), {8 << 20}));  // 32 MiB
        for (const char* name : {"a.npy", "b.npy", "c.npy"}) files.push_back({name, megabytes});
        const auto bomb = m_archive.of(files);
        QVERIFY(bomb.size() < (1u << 20));
        QCOMPARE(said(bomb),
                 "bad: its arrays come to more than 67108864 bytes, which is too much for a file of " +
                     std::to_string(bomb.size()));
        files.pop_back();
        files.back().content = npy({1});
        QCOMPARE(parseNpz(m_archive.of(files), "large").at("a").view().size(), std::size_t{8} << 20);
    }

    void refusesSizesThatAreNot_data() {
        QTest::addColumn<std::uint32_t>("size");
        QTest::addColumn<QString>("sentence");
        const QString damaged = "bad: “a” in it is damaged";
        QTest::newRow("one less") << 135u << damaged;
        QTest::newRow("one more") << 137u << damaged;
        QTest::newRow("none") << 0u << damaged;
        QTest::newRow("32 MiB") << (32u << 20) << damaged;
        QTest::newRow("4 GiB") << 0xfffffff0u
                               << "bad: its arrays come to more than 67108864 bytes, which is too much for a "
                                  "file of %1";
    }

    void refusesSizesThatAreNot() {
        QFETCH(std::uint32_t, size);
        QFETCH(QString, sentence);
        const std::string content = npy({1, 2});
        QCOMPARE(content.size(), 136u);
        auto bytes = m_archive.of({{"a.npy", content}});
        // The directory's entry begins with PK\1\2; the size lies 24 bytes on.
        const std::string mark = "PK\1\2";
        const auto entry = std::ranges::search(bytes, std::as_bytes(std::span(mark)));
        std::memcpy(&entry[24], &size, 4);
        QCOMPARE(QString::fromStdString(said(bytes)),
                 sentence.contains("%1") ? sentence.arg(bytes.size()) : sentence);
    }

private:
    Archive m_archive;
};

QTEST_APPLESS_MAIN(TestNpz)
#include "test_npz.moc"
