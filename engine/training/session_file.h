#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/training/checkpoint.h"
#include "engine/training/run_record.h"

namespace headscope {

/// What a session file (`.headscope`) holds: a run as it stood, what it had shown until then, and how the
/// window showed it.
struct StoredSession {
    Checkpoint checkpoint;
    RunRecord record;  ///< as far as the checkpoint: its experiments are this one's, and its curves end there
    std::string panel;  ///< JSON of whoever shows it; of no meaning here
};

/// Lets the run make so many steps in all. Throws Refusal, changing nothing, where it has made more or they
/// are not as many as an experiment can have.
void setSteps(StoredSession& session, int steps);

/// The bytes of the file: safetensors of version 1 of this layout, little-endian.
///
/// The weights are there by the names that Parameters gives them, Adam's moments as `adam.mean.…` and
/// `adam.variance.…`, the generators as `random.batches` and `random.dropout` (4, U64); the curves as `loss`
/// and `accuracy` (steps); the recorded frames as `frames.K.…`, K counting the stretches of one experiment
/// and one probe, the first axis of each being time; of a twin the same below `twin.`. `__metadata__` has
/// `headscope_session` (the version), `experiment`, `run` and `panel`, each JSON but the first.
///
/// The same session gives the same bytes. Throws Refusal where they would be more than can be read again.
std::string sessionFile(const StoredSession& session);

/// Reads it back, the same bits. A file is not trusted: what is missing, does not fit together or cannot be
/// throws a Refusal that names the file and the reason, and memory is bounded by the file's size and what its
/// experiment, which is valid, takes to train. Blocks.
StoredSession readSession(const std::filesystem::path& path);

/// The same of bytes; `name` stands for the file in messages.
StoredSession parseSession(std::vector<std::byte> bytes, const std::string& name);

}  // namespace headscope
