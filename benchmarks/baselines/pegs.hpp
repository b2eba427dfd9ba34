// The game of pegs: nine pegs on a 3×3 board, each row and column kept as the set of its pegs.
#pragma once

#include "common.hpp"

namespace pegs {

// Occ in bits 0–8, then One … Six, nine bits each; turn and result in the second word, whose
// highest bit says that the slot is used.
struct State {
    u64 sets = 0;
    u64 rest = 0;

    bool operator==(const State& other) const { return sets == other.sets && rest == other.rest; }
    bool is_empty() const { return rest == 0; }
    u64 hash() const { return mixed(sets ^ rest * 0x9e3779b97f4a7c15ULL); }
};

constexpr u64 USED = u64{1} << 63;
constexpr u64 TURN = 1;
constexpr u64 A_WINS = 1 << 1;
constexpr u64 B_WINS = 2 << 1;
constexpr u64 RESULT = 3 << 1;

constexpr int line_at(int line) { return 9 + 9 * line; }

inline u64 line_of(u64 sets, int line) { return sets >> line_at(line) & 511; }

struct Sums {
    bool is_low[512];
    bool is_exact[512];
    Sums() {
        for (int set = 0; set < 512; ++set) {
            int sum = 0, size = 0;
            for (int peg = 0; peg < 9; ++peg) {
                if (set >> peg & 1) sum += peg + 1, ++size;
            }
            is_low[set] = size == 3 && sum < 15;
            is_exact[set] = size == 3 && sum == 15;
        }
    }
};

inline const Sums sums;

inline State start() { return {0, USED | TURN}; }

inline bool is_over(const State& state) { return state.rest & RESULT; }

// Every state after one move, in no particular order; how many there are.
inline int successors(const State& state, State* into) {
    if (is_over(state)) return 0;
    const u64 occupied = state.sets & 511;
    u64 used = 0;
    for (int line = 0; line < 3; ++line) used |= line_of(state.sets, line);
    const bool turn = state.rest & TURN;
    int count = 0;
    for (u64 cells = ~occupied & 511; cells; cells &= cells - 1) {
        const int cell = __builtin_ctzll(cells);
        const int row = cell / 3, column = 3 + cell % 3;
        const u64 marked = state.sets | u64{1} << cell;
        for (u64 pegs = ~used & 511; pegs; pegs &= pegs - 1) {
            const u64 peg = pegs & -pegs;
            const u64 sets = marked | peg << line_at(row) | peg << line_at(column);
            u64 rest = USED;
            if (sums.is_low[line_of(sets, row)] || sums.is_low[line_of(sets, column)]) {
                rest |= turn ? TURN | B_WINS : A_WINS;
            } else if ((sets & 511) == 511) {
                // nothing is low, and the sums of the rows make 45: all lines come to 15
                rest |= turn ? TURN | A_WINS : B_WINS;
            } else {
                rest |= turn ? 0 : TURN;
            }
            into[count++] = {sets, rest};
        }
    }
    return count;
}

}  // namespace pegs
