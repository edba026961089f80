#pragma once

#include <vector>

#include <QByteArray>

#include "engine/training/recorder.h"

namespace headscope {

// A run as data for other programs: the bytes of files. CSV is UTF-8 with a header, lines end in \n, and
// numbers are written in the C locale with all digits of a float.

/// "step,loss,accuracy": every batch before its update; with a twin, which has as many, also
/// "twin_loss,twin_accuracy".
QByteArray lossCsv(const std::vector<LossPoint>& points, const std::vector<LossPoint>& twin = {});

/// "step,head,score_std,…" of HeadDiagnostics: a row a recorded step and head, counted from 1. With a twin
/// "run" comes first: "first" or "twin".
QByteArray mechanismCsv(const std::vector<Frame>& frames);

/// float32 (H, T, T).
QByteArray attentionNpy(const Snapshot& snapshot);

enum class ArraysFormat { Npz, Safetensors };

/// Of n recorded frames: `steps` (n) int64, `attention` (n, H, T, T), `probe_loss`, `probe_accuracy` (n) and
/// of each of HeadDiagnostics (n, H), all float32; with a twin the same again as `twin_…`. Frames from before
/// the number of heads last changed are left out. safetensors has the experiment in its metadata. At least
/// one frame (assert).
QByteArray recordedRunFile(const std::vector<Frame>& frames, ArraysFormat format);

}  // namespace headscope
