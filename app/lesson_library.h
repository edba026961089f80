#pragma once

#include <vector>

#include <QByteArray>
#include <QString>

#include "ui/lesson.h"

namespace headscope {

/// Reads a lesson file (JSON): id, title, story, look_for (each an object with "en" and "zh"), pace (steps
/// per second) and experiment; where the lesson has them, twin (the members of its experiment that differ),
/// ripple (an object with position and token, of the first probe row) and panel ("fused-qkv" or
/// "masked-rows"). `language` is the code of one of languages(). Throws Refusal, naming the file and the key,
/// for a key that is missing or unknown, or a value that cannot be.
Lesson parseLesson(const QByteArray& json, const QString& file, const QString& language);

/// The lessons that the program brings with it, in the order of teaching.
std::vector<Lesson> builtInLessons(const QString& language = QStringLiteral("en"));

}  // namespace headscope
