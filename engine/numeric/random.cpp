#include "engine/numeric/random.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <numbers>

namespace headscope {

std::uint64_t splitmix64(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

Random::Random(std::uint64_t seed, RandomStream stream) {
    for (std::uint64_t& word : m_state) word = splitmix64(seed);
    for (int i = 0; i < static_cast<int>(stream); ++i) jump();
}

std::uint64_t Random::next() {
    State& s = m_state;
    const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
    const std::uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = std::rotl(s[3], 45);
    return result;
}

/// Goes 2^128 numbers ahead: the polynomial x^(2^128) modulo the generator's characteristic polynomial.
void Random::jump() {
    constexpr State kPolynomial = {0x180ec6d33cfd0aba, 0xd5a61266f0c9392c, 0xa9582618e03fc9aa,
                                   0x39abdc4529b1661c};
    State ahead = {};
    for (const std::uint64_t word : kPolynomial) {
        for (int bit = 0; bit < 64; ++bit) {
            if ((word >> bit) & 1)
                for (std::size_t i = 0; i < ahead.size(); ++i) ahead[i] ^= m_state[i];
            next();
        }
    }
    m_state = ahead;
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

std::uint32_t Random::below(std::uint32_t n) {
    assert(n >= 1);
    const std::uint32_t biased = -n % n;  // 2^32 mod n: so many low parts would come once too often
    for (;;) {
        const std::uint64_t product = (next() >> 32) * n;
        if (static_cast<std::uint32_t>(product) >= biased) return static_cast<std::uint32_t>(product >> 32);
    }
}

double Random::normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));  // 1 − u is never 0
    return radius * std::sin(2 * std::numbers::pi * uniform());
}

}  // namespace headscope
