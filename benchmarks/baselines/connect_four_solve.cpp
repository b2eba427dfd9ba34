// Connect four on 4 rows and 5 columns: the value and the distance of every reachable position.
//
// A position is one word: the discs of the player to move, and all discs, in columns of five bits
// of which the highest stays free (the bit boards of J. Tromp and P. Pons).
#include "common.hpp"

namespace {

constexpr int ROWS = 4, COLUMNS = 5, HEIGHT = ROWS + 1;
constexpr u64 COLUMN = (1 << ROWS) - 1;

struct Position {
    u64 own = 0, all = 0;  // 25 bits each
};

u64 bottom() {
    u64 cells = 0;
    for (int column = 0; column < COLUMNS; ++column) cells |= u64{1} << column * HEIGHT;
    return cells;
}

const u64 BOTTOM = bottom(), BOARD = BOTTOM * COLUMN;

bool has_four(u64 discs) {
    for (int step : {1, HEIGHT, HEIGHT - 1, HEIGHT + 1}) {
        const u64 pairs = discs & discs >> step;
        if (pairs & pairs >> 2 * step) return true;
    }
    return false;
}

// A position and its value for the player to move: bits 50–51 (1 loss, 2 draw, 3 win), plies in
// bits 52–56. The value is never 0, so the empty slot is.
struct Entry {
    u64 word = 0;

    static constexpr u64 POSITION = (u64{1} << 50) - 1;

    bool operator==(const Entry& other) const { return !((word ^ other.word) & POSITION); }
    bool is_empty() const { return !word; }
    u64 hash() const { return mixed(word & POSITION); }
    int value() const { return static_cast<int>(word >> 50 & 3); }
    int plies() const { return static_cast<int>(word >> 52 & 31); }
};

enum { LOSS = 1, DRAW = 2, WIN = 3 };

Table<Entry>* known;

Entry entry(const Position& position, int value = DRAW, int plies = 0) {
    return {position.own | position.all << 25 | u64(value) << 50 | u64(plies) << 52};
}

int worth(int value, int plies) {
    return value == DRAW ? 100 : value == WIN ? 200 - plies : plies;
}

Entry solve(const Position& position) {
    if (const Entry* found = known->find(entry(position))) return *found;
    Entry solved = entry(position);
    if (has_four(position.own ^ position.all)) {
        solved = entry(position, LOSS);
    } else if (position.all != BOARD) {
        Position after[COLUMNS];
        int count = 0;
        for (u64 open = (position.all + BOTTOM) & BOARD; open; open &= open - 1) {
            // the other player is to move afterwards
            after[count] = {position.own ^ position.all, position.all | (open & -open)};
            known->prefetch(entry(after[count++]));
        }
        int best = -1;
        for (int i = 0; i < count; ++i) {
            const Entry child = solve(after[i]);
            const int value = 4 - child.value(), plies = child.plies() + 1;
            if (worth(value, plies) > best) {
                best = worth(value, plies);
                solved = entry(position, value, plies);
            }
        }
    }
    known->insert(solved);
    return solved;
}

}  // namespace

int main() {
    Clock clock;
    Table<Entry> table;
    known = &table;
    const Entry root = solve({});
    u64 by_value[4] = {0, 0, 0, 0};
    for (std::size_t i = 0; i < table.slots(); ++i) ++by_value[table.slot(i).value()];
    const char* const names[4] = {"", "loss", "draw", "win"};
    std::printf(
        "{\"states\": %zu, \"value\": \"%s\", \"plies\": %d, \"by_value\": {\"win\": %llu, \"draw\": "
        "%llu, \"loss\": %llu}, \"seconds\": %.3f, \"bytes\": %zu, \"resident\": %zu}\n",
        table.count(), names[root.value()], root.plies(), (unsigned long long)by_value[WIN],
        (unsigned long long)by_value[DRAW], (unsigned long long)by_value[LOSS], clock.seconds(),
        peak, resident_at_peak());
}
