// Pawns on a board of R rows and C columns: value and distance of every reachable position, for
// both ways to score a player who cannot move.
//
//     pawns_solve R C
//
// Positions have dense numbers made by hand: how many pieces each side has, who is in turn, the
// set of Alpha's cells by the combinatorial number system, and that of Beta's among the rest.
#include "common.hpp"

namespace {

constexpr int MOST = 5;  // pieces of a side

int rows, columns, cells;
u32 yard_alpha, yard_beta, dark;  // where each side begins, and where pieces are taken
u32 down[40], up[40];              // where a piece of Alpha, and one of Beta, can step
u64 choose[40][MOST + 2];
u64 first[MOST + 1][MOST + 1];
int most_alpha, most_beta;

struct Position {
    u32 alpha, beta;
    bool is_alpha;
};

u64 subset(u32 set) {
    u64 number = 0;
    for (int k = 1; set; set &= set - 1, ++k) number += choose[__builtin_ctz(set)][k];
    return number;
}

u64 number_of(const Position& p) {
    const int a = __builtin_popcount(p.alpha), b = __builtin_popcount(p.beta);
    u64 rest = 0;
    int k = 1;
    for (u32 set = p.beta; set; set &= set - 1, ++k) {
        const int cell = __builtin_ctz(set);
        rest += choose[cell - __builtin_popcount(p.alpha & ((1u << cell) - 1))][k];
    }
    return first[a][b] + (subset(p.alpha) * choose[cells - a][b] + rest) * 2 + p.is_alpha;
}

// A value for the player in turn: 0 not known, else its class in bits 6–7 and the plies below.
enum { LOSS = 1, DRAW = 2, WIN = 3 };

u8 code(int value, int plies) { return static_cast<u8>(value << 6 | plies); }

int worth(u8 found) {
    const int plies = found & 63;
    return found >> 6 == DRAW ? 100 + (63 - plies) : found >> 6 == WIN ? 300 - plies : plies;
}

u8 before(u8 found) { return code(4 - (found >> 6), (found & 63) + 1); }

struct Values {
    u8 stuck_loses, stuck_draws;
};

Values* known;
u64 states, stuck, by_value[2][4];

Values solve(const Position& p) {
    Values& place = known[number_of(p)];
    if (place.stuck_loses) return place;
    Values found{};
    const bool beta_wins = !p.alpha || (p.beta && !(p.beta & ~yard_alpha));
    const bool alpha_wins = !p.beta || (p.alpha && !(p.alpha & ~yard_beta));
    if (beta_wins || alpha_wins) {
        const bool is_mine = beta_wins ? !p.is_alpha : p.is_alpha;
        found.stuck_loses = found.stuck_draws = code(is_mine ? WIN : LOSS, 0);
    } else {
        const u32 own = p.is_alpha ? p.alpha : p.beta, other = p.is_alpha ? p.beta : p.alpha;
        int best[2] = {-1, -1};
        for (u32 left = own; left; left &= left - 1) {
            const int from = __builtin_ctz(left);
            u32 targets = (p.is_alpha ? down : up)[from] & ~own;
            targets &= ~other | dark;
            for (; targets; targets &= targets - 1) {
                const u32 to = targets & -targets, mine = (own & ~(u32{1} << from)) | to;
                const u32 theirs = other & ~to;
                const Values after = solve(p.is_alpha ? Position{mine, theirs, false}
                                                      : Position{theirs, mine, true});
                const u8 turned[2] = {before(after.stuck_loses), before(after.stuck_draws)};
                if (worth(turned[0]) > best[0]) best[0] = worth(found.stuck_loses = turned[0]);
                if (worth(turned[1]) > best[1]) best[1] = worth(found.stuck_draws = turned[1]);
            }
        }
        if (best[0] < 0) {
            ++stuck;
            found = {code(LOSS, 0), code(DRAW, 0)};
        }
    }
    ++states;
    ++by_value[0][found.stuck_loses >> 6];
    ++by_value[1][found.stuck_draws >> 6];
    return place = found;
}

void set_up() {
    cells = rows * columns;
    for (int n = 0; n < 40; ++n)
        for (int k = 0; k <= MOST + 1; ++k)
            choose[n][k] = k == 0 ? 1 : n == 0 ? 0 : choose[n - 1][k - 1] + choose[n - 1][k];
    for (int cell = 0; cell < cells; ++cell) {
        const int row = cell / columns, column = cell % columns;
        if (row % 2 == column % 2) {
            dark |= u32{1} << cell;
            if (row < 2) yard_beta |= u32{1} << cell;
            if (row >= rows - 2) yard_alpha |= u32{1} << cell;
        }
        for (int to = column - 1; to <= column + 1; ++to) {
            if (to < 0 || to >= columns) continue;
            if (row > 0) down[cell] |= u32{1} << ((row - 1) * columns + to);
            if (row < rows - 1) up[cell] |= u32{1} << ((row + 1) * columns + to);
        }
    }
}

}  // namespace

int main(int count, char** arguments) {
    rows = count > 1 ? std::atoi(arguments[1]) : 6;
    columns = count > 2 ? std::atoi(arguments[2]) : 4;
    if (rows < 3 || columns < 1 || rows * columns > 30) {
        std::fprintf(stderr, "the board must have at least 3 rows and at most 30 cells\n");
        return 2;
    }
    Clock clock;
    set_up();
    most_alpha = __builtin_popcount(yard_alpha);
    most_beta = __builtin_popcount(yard_beta);
    u64 numbers = 0;
    for (int a = 0; a <= most_alpha; ++a)
        for (int b = 0; b <= most_beta; ++b) {
            first[a][b] = numbers;
            numbers += choose[cells][a] * choose[cells - a][b] * 2;
        }
    Block<Values> memory(numbers);
    known = memory.data();
    const Values root = solve({yard_alpha, yard_beta, true});
    const char* const names[4] = {"", "loss", "draw", "win"};
    std::printf(
        "{\"states\": %llu, \"numbers\": %llu, \"stuck\": %llu, \"value\": \"%s\", \"plies\": %d, "
        "\"loses\": {\"win\": %llu, \"draw\": %llu, \"loss\": %llu}, "
        "\"draws\": {\"win\": %llu, \"draw\": %llu, \"loss\": %llu}, "
        "\"seconds\": %.3f, \"bytes\": %zu, \"resident\": %zu}\n",
        (unsigned long long)states, (unsigned long long)numbers, (unsigned long long)stuck,
        names[root.stuck_loses >> 6], root.stuck_loses & 63, (unsigned long long)by_value[0][WIN],
        (unsigned long long)by_value[0][DRAW], (unsigned long long)by_value[0][LOSS],
        (unsigned long long)by_value[1][WIN], (unsigned long long)by_value[1][DRAW],
        (unsigned long long)by_value[1][LOSS], clock.seconds(), peak, resident_at_peak());
}
