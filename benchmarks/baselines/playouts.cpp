// Random plays from the beginning to an end, every legal move equally likely, on one thread.
//
//   playouts tic-tac-toe|breakthrough-6x6|breakthrough-8x8 PLAYOUTS [SEED]
#include "common.hpp"

namespace {

struct Tally {
    u64 plies = 0, first = 0, second = 0, draws = 0;
};

// The bit of *set* with the given number, counted from the lowest.
u64 chosen(u64 set, u32 number) {
    while (number--) set &= set - 1;
    return set & -set;
}

void tic_tac_toe(Random& random, Tally& tally) {
    constexpr u64 LINES[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    u64 own = 0, other = 0;
    for (int ply = 0; ply < 9; ++ply) {
        const u64 free = ~(own | other) & 0777;
        own |= chosen(free, random.below(static_cast<u32>(__builtin_popcountll(free))));
        ++tally.plies;
        for (u64 line : LINES) {
            if ((own & line) == line) {
                ++(ply % 2 ? tally.second : tally.first);
                return;
            }
        }
        std::swap(own, other);
    }
    ++tally.draws;
}

// White moves up, by N, N − 1 and N + 1 cells. Black's steps are seen from its own side: the board
// is turned round, so that both players run through the same code.
template <int N>
void breakthrough(Random& random, Tally& tally) {
    constexpr u64 BOARD = N * N == 64 ? ~u64{0} : (u64{1} << (N * N % 64)) - 1;
    constexpr u64 ROW = (u64{1} << N) - 1;
    u64 left = 0;
    for (int row = 0; row < N; ++row) left |= u64{1} << row * N;
    const u64 right = left << (N - 1);
    const auto turned = [](u64 set) {
        u64 swapped = __builtin_bswap64(set);
        swapped = (swapped >> 1 & 0x5555555555555555) | (swapped & 0x5555555555555555) << 1;
        swapped = (swapped >> 2 & 0x3333333333333333) | (swapped & 0x3333333333333333) << 2;
        swapped = (swapped >> 4 & 0x0f0f0f0f0f0f0f0f) | (swapped & 0x0f0f0f0f0f0f0f0f) << 4;
        return swapped >> (64 - N * N);
    };
    u64 own = ROW | ROW << N, other = own << (N - 2) * N;
    for (int ply = 0;; ++ply) {
        const u64 straight = own << N & BOARD & ~(own | other);
        const u64 to_left = (own & ~left) << (N - 1) & BOARD & ~own;
        const u64 to_right = (own & ~right) << N << 1 & BOARD & ~own;
        const u32 straights = static_cast<u32>(__builtin_popcountll(straight));
        const u32 lefts = static_cast<u32>(__builtin_popcountll(to_left));
        const u32 rights = static_cast<u32>(__builtin_popcountll(to_right));
        u32 number = random.below(straights + lefts + rights);
        u64 to, from;
        if (number < straights) {
            to = chosen(straight, number);
            from = to >> N;
        } else if ((number -= straights) < lefts) {
            to = chosen(to_left, number);
            from = to >> (N - 1);
        } else {
            to = chosen(to_right, number - lefts);
            from = to >> N >> 1;
        }
        own ^= from | to;
        other &= ~to;
        ++tally.plies;
        if (to >> (N - 1) * N || !other) {
            ++(ply % 2 ? tally.second : tally.first);
            return;
        }
        const u64 mine = own;
        own = turned(other);
        other = turned(mine);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string name = argc > 1 ? argv[1] : "";
    const u64 playouts = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;
    Random random(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
    void (*play)(Random&, Tally&) = name == "tic-tac-toe"        ? tic_tac_toe
                                    : name == "breakthrough-6x6" ? breakthrough<6>
                                    : name == "breakthrough-8x8" ? breakthrough<8>
                                                                 : nullptr;
    if (!play) {
        std::fprintf(stderr, "no such game: %s\n", name.c_str());
        return 2;
    }
    Clock clock;
    Tally tally;
    for (u64 i = 0; i < playouts; ++i) play(random, tally);
    std::printf(
        "{\"playouts\": %llu, \"plies\": %llu, \"first\": %llu, \"second\": %llu, \"draws\": %llu, "
        "\"seconds\": %.3f}\n",
        (unsigned long long)playouts, (unsigned long long)tally.plies,
        (unsigned long long)tally.first, (unsigned long long)tally.second,
        (unsigned long long)tally.draws, clock.seconds());
}
