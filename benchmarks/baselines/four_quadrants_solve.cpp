// Four quadrants solved by a program that knows its structure.
//
//   four_quadrants_solve [full|known]     the play ends with the full board (the document's own
//                                         reading), or as soon as a result is known
//
// Each quadrant has a centre and two arms of two cells; a line is the centre and an arm. Cells of
// an arm, arms of a quadrant and the four quadrants are interchangeable, and so are the 16 cells
// that lie on no line. A class of positions is therefore a multiset of four quadrant classes and
// the number of marks; how many crosses and noughts lie on the 16 cells follows.
#include <algorithm>
#include <array>

#include "common.hpp"

namespace {

constexpr int CELLS = 36, OUTSIDE = 16, KINDS = 63, MULTISETS = 720720;  // C(63 + 3, 4)

struct Kind {  // of a quadrant
    int crosses = 0, noughts = 0, size = 0;
    bool has_line[2] = {false, false};
    std::vector<int> after[2];  // the kinds that one more mark of either player leads to
};

std::array<Kind, KINDS> kinds;
int rank_of_kind[3][6][6];

// A class of arms: the marks of its two cells in order, 0 free, 1 cross, 2 nought.
constexpr int ARMS[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};

int arm_of(int a, int b) {
    if (a > b) std::swap(a, b);
    for (int i = 0; i < 6; ++i) {
        if (ARMS[i][0] == a && ARMS[i][1] == b) return i;
    }
    return -1;
}

void make_kinds() {
    int count = 0;
    for (int centre = 0; centre < 3; ++centre) {
        for (int i = 0; i < 6; ++i) {
            for (int j = i; j < 6; ++j) {
                rank_of_kind[centre][i][j] = rank_of_kind[centre][j][i] = count;
                Kind& kind = kinds[count++];
                const int cells[5] = {centre, ARMS[i][0], ARMS[i][1], ARMS[j][0], ARMS[j][1]};
                for (int cell : cells) {
                    kind.crosses += cell == 1;
                    kind.noughts += cell == 2;
                }
                for (int player = 0; player < 2; ++player) {
                    const int full = player ? 5 : 3;
                    kind.has_line[player] = centre == player + 1 && (i == full || j == full);
                }
                const auto ways = [](int arm) { return ARMS[arm][0] == ARMS[arm][1] ? 1 : 2; };
                kind.size = ways(i) * ways(j) * (i == j ? 1 : 2);
            }
        }
    }
    for (int centre = 0; centre < 3; ++centre) {
        for (int i = 0; i < 6; ++i) {
            for (int j = i; j < 6; ++j) {
                for (int player = 0; player < 2; ++player) {
                    std::vector<int>& after = kinds[rank_of_kind[centre][i][j]].after[player];
                    const auto mark = [&](int arm, int other) {
                        for (int cell = 0; cell < 2; ++cell) {
                            if (ARMS[arm][cell]) continue;
                            const int marked = arm_of(ARMS[arm][1 - cell], player + 1);
                            after.push_back(rank_of_kind[centre][marked][other]);
                        }
                    };
                    if (!centre) after.push_back(rank_of_kind[player + 1][i][j]);
                    mark(i, j);
                    mark(j, i);
                    std::sort(after.begin(), after.end());
                    after.erase(std::unique(after.begin(), after.end()), after.end());
                }
            }
        }
    }
}

using Quadrants = std::array<int, 4>;  // in order, the smallest kind first

u32 choose[5][KINDS + 4];

u32 rank_of(const Quadrants& q) {
    return choose[1][q[0]] + choose[2][q[1] + 1] + choose[3][q[2] + 2] + choose[4][q[3] + 3];
}

struct Family {  // a multiset of quadrant kinds
    Quadrants quadrants;
    u8 crosses, noughts;
    bool has_lines[2];
    u32 size;
};

std::vector<Family> families(MULTISETS);

void make_families() {
    for (int n = 0; n < KINDS + 4; ++n) {
        choose[0][n] = 1;
        for (int k = 1; k <= 4; ++k) choose[k][n] = n ? choose[k - 1][n - 1] + choose[k][n - 1] : 0;
    }
    Quadrants q;
    for (q[0] = 0; q[0] < KINDS; ++q[0]) {
        for (q[1] = q[0]; q[1] < KINDS; ++q[1]) {
            for (q[2] = q[1]; q[2] < KINDS; ++q[2]) {
                for (q[3] = q[2]; q[3] < KINDS; ++q[3]) {
                    Family family{q, 0, 0, {true, true}, 24};
                    int same = 1;
                    for (int i = 0; i < 4; ++i) {
                        const Kind& kind = kinds[q[i]];
                        family.crosses += kind.crosses;
                        family.noughts += kind.noughts;
                        family.has_lines[0] &= kind.has_line[0];
                        family.has_lines[1] &= kind.has_line[1];
                        family.size *= kind.size;
                        same = i && q[i] == q[i - 1] ? same + 1 : 1;
                        family.size /= same;
                    }
                    families[rank_of(q)] = family;
                }
            }
        }
    }
}

// How many crosses and noughts lie outside the lines after so many marks; whether that can be.
struct Outside {
    int crosses, noughts;
    Outside(const Family& family, int marks)
        : crosses((marks + 1) / 2 - family.crosses), noughts(marks / 2 - family.noughts) {}
    bool is_possible() const { return crosses >= 0 && noughts >= 0 && crosses + noughts <= OUTSIDE; }
    bool has_room() const { return crosses + noughts < OUTSIDE; }
    u64 ways() const { return binomial(OUTSIDE, crosses) * binomial(OUTSIDE - crosses, noughts); }
    static u64 binomial(int n, int k) {
        u64 value = 1;
        for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
        return value;
    }
};

// Calls `with` with the rank of each family after a mark of `player` on a line.
template <typename With>
void each_marked(const Family& family, int player, With with) {
    for (int i = 0; i < 4; ++i) {
        if (i && family.quadrants[i] == family.quadrants[i - 1]) continue;
        for (int kind : kinds[family.quadrants[i]].after[player]) {
            Quadrants q = family.quadrants;
            q[i] = kind;
            for (int j = i; j < 3 && q[j] > q[j + 1]; ++j) std::swap(q[j], q[j + 1]);
            for (int j = i; j > 0 && q[j] < q[j - 1]; --j) std::swap(q[j], q[j - 1]);
            with(rank_of(q));
        }
    }
}

// What a class is worth: who wins (0 cross, 1 nought, 2 nobody) and after how many more plies.
struct Value {
    u8 winner = 2, plies = 0;
};

bool is_over(const Family& family, int marks, bool until_full) {
    return marks == CELLS || (!until_full && (family.has_lines[0] || family.has_lines[1]));
}

Value at_the_end(const Family& family) {
    if (family.has_lines[0] == family.has_lines[1]) return {2, 0};
    return {static_cast<u8>(family.has_lines[0] ? 0 : 1), 0};
}

// The best for `player` of what its moves lead to: a win soon, a draw, a loss late.
void improve(Value& best, bool& is_first, Value child, int player) {
    ++child.plies;
    const auto worth = [player](const Value& value) {
        if (value.winner == 2) return 1000;
        return value.winner == player ? 2000 - value.plies : value.plies;
    };
    if (is_first || worth(child) > worth(best)) best = child;
    is_first = false;
}

}  // namespace

int main(int argc, char** argv) {
    const bool until_full = argc < 2 || std::string(argv[1]) == "full";
    Clock clock;
    make_kinds();
    make_families();
    hold(families.size() * sizeof(Family));
    Block<u8> is_reached(std::size_t{CELLS + 1} * MULTISETS);
    const auto at = [](int marks, u32 family) { return std::size_t(marks) * MULTISETS + family; };
    is_reached[at(0, 0)] = 1;
    u64 classes = 0, positions = 0;
    for (int marks = 0; marks <= CELLS; ++marks) {
        for (u32 f = 0; f < MULTISETS; ++f) {
            if (!is_reached[at(marks, f)]) continue;
            const Family& family = families[f];
            const Outside outside(family, marks);
            ++classes;
            positions += family.size * outside.ways();
            if (is_over(family, marks, until_full)) continue;
            each_marked(family, marks % 2, [&](u32 g) { is_reached[at(marks + 1, g)] = 1; });
            if (outside.has_room()) is_reached[at(marks + 1, f)] = 1;
        }
    }
    const double explored = clock.seconds();
    Block<Value> values(std::size_t{CELLS + 1} * MULTISETS);
    u64 by_winner[3] = {0, 0, 0};
    for (int marks = CELLS; marks >= 0; --marks) {
        for (u32 f = 0; f < MULTISETS; ++f) {
            if (!is_reached[at(marks, f)]) continue;
            const Family& family = families[f];
            Value value = at_the_end(family);
            if (!is_over(family, marks, until_full)) {
                const int player = marks % 2;
                bool is_first = true;
                each_marked(family, player, [&](u32 g) {
                    improve(value, is_first, values[at(marks + 1, g)], player);
                });
                if (Outside(family, marks).has_room()) {
                    improve(value, is_first, values[at(marks + 1, f)], player);
                }
            }
            values[at(marks, f)] = value;
            by_winner[value.winner] += family.size * Outside(family, marks).ways();
        }
    }
    const char* const names[3] = {"ex", "oh", "draw"};
    std::printf(
        "{\"classes\": %llu, \"positions\": %llu, \"value\": \"%s\", \"by_winner\": {\"ex\": %llu, "
        "\"oh\": %llu}, \"explore_seconds\": %.3f, \"seconds\": %.3f, "
        "\"bytes\": %zu, \"resident\": %zu}\n",
        (unsigned long long)classes, (unsigned long long)positions,
        names[values[at(0, 0)].winner], (unsigned long long)by_winner[0],
        (unsigned long long)by_winner[1], explored, clock.seconds(), peak, resident_at_peak());
}
