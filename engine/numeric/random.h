#pragma once

#include <array>
#include <cstdint>

namespace headscope {

/// What random numbers are drawn for. Each has a stream of its own, so that, for instance, another head count
/// or another kind of positions changes no batch.
enum class RandomStream { Initialization, Probe, Batches, Dropout };

/// The project's own random numbers: the std distributions differ between libraries.
///
/// xoshiro256++ 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), its state
/// filled by splitmix64 from the seed. A value: a copy goes on with the same numbers.
class Random {
public:
    using State = std::array<std::uint64_t, 4>;  ///< anything but four zeros

    /// Streams of one seed lie 2^128 numbers apart, so they never overlap.
    Random(std::uint64_t seed, RandomStream stream);
    explicit Random(const State& state) : m_state(state) {}

    const State& state() const { return m_state; }

    /// The next 64 random bits.
    std::uint64_t next();

    /// Uniform in [0, 1), a multiple of 2^-53.
    double uniform();

    /// Uniform in 0 … n − 1, without bias (Lemire, "Fast random integer generation in an interval", 2019).
    /// n at least 1.
    std::uint32_t below(std::uint32_t n);

    /// Normal with mean 0 and standard deviation 1 (Box and Muller, 1958).
    double normal();

    bool operator==(const Random&) const = default;

private:
    void jump();

    State m_state;
};

/// The next number of splitmix64 (Steele, Lea and Flood, 2014); `state` goes on.
std::uint64_t splitmix64(std::uint64_t& state);

}  // namespace headscope
