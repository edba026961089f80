#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/formats/npy.h"

namespace headscope {

/// What the arrays of an NPZ file may come to when inflated: this much, or this many times the file's size,
/// whichever is more. (Attention that looks at one key a row, T = 256, 12 × 12 heads, is 38 MB and deflates
/// to a hundredth.)
inline constexpr std::uint64_t kInflatedAlways = std::uint64_t{64} << 20;
inline constexpr std::uint64_t kInflatedTimes = 16;

/// The bytes of an .npz file, a ZIP archive of .npy files, not compressed: what numpy.load reads. The same
/// tensors give the same bytes. At least one, and none of BF16.
std::string npzFile(const std::map<std::string, TensorView>& tensors);

/// The arrays of such a file, compressed or not, under their names without “.npy”. `name` stands for the
/// file in messages.
///
/// The file is not trusted: what is no archive of .npy files, is encrypted, damaged, there twice or larger
/// than allowed above throws a Refusal that names the file and the reason, before anything is inflated where
/// that can be told from the archive's directory.
std::map<std::string, Array> parseNpz(std::vector<std::byte> bytes, const std::string& name);

}  // namespace headscope
