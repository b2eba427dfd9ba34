// All reachable states of Reversi on 4 × 4, level by level, on one thread.
//
// Written plainly: a walk in each of the eight directions, and a player without a move passes.
#include "common.hpp"

struct State {
    u32 black, white;
    bool turn;  // Black is in turn
    u64 key() const { return 1 | u64(turn) << 1 | u64(black) << 2 | u64(white) << 18; }
};

struct Key {
    u64 value;
    u64 hash() const { return mixed(value); }
    bool operator==(const Key& other) const { return value == other.value; }
    bool is_empty() const { return value == 0; }
};

static u32 flips(int at, u32 own, u32 other) {
    u32 found = 0;
    for (int dx = -1; dx <= 1; ++dx) {
        for (int dy = -1; dy <= 1; ++dy) {
            if (dx == 0 && dy == 0) continue;
            int x = at / 4 + dx, y = at % 4 + dy;
            u32 line = 0;
            while (x >= 0 && x < 4 && y >= 0 && y < 4 && (other >> (x * 4 + y) & 1)) {
                line |= 1u << (x * 4 + y);
                x += dx, y += dy;
            }
            if (x >= 0 && x < 4 && y >= 0 && y < 4 && (own >> (x * 4 + y) & 1)) found |= line;
        }
    }
    return found;
}

static bool can_move(u32 own, u32 other) {
    for (int at = 0; at < 16; ++at) {
        if (!((own | other) >> at & 1) && flips(at, own, other)) return true;
    }
    return false;
}

static int successors(const State& state, State* after) {
    const u32 own = state.turn ? state.black : state.white;
    const u32 other = state.turn ? state.white : state.black;
    int count = 0;
    for (int at = 0; at < 16; ++at) {
        if ((own | other) >> at & 1) continue;
        const u32 turned = flips(at, own, other);
        if (!turned) continue;
        const u32 mine = own | 1u << at | turned, theirs = other & ~turned;
        after[count++] = state.turn ? State{mine, theirs, false} : State{theirs, mine, true};
    }
    if (count == 0) after[count++] = State{state.black, state.white, !state.turn};
    return count;
}

int main() {
    Clock clock;
    Table<Key> seen;
    Counted<State> frontier{State{1u << 6 | 1u << 9, 1u << 5 | 1u << 10, true}}, next;
    seen.insert(Key{frontier[0].key()});
    std::vector<u64> by_depth;
    u64 moves = 0, black = 0, white = 0, draws = 0;
    State after[16];
    while (!frontier.empty()) {
        by_depth.push_back(frontier.size());
        for (const State& state : frontier) {
            if (!can_move(state.black, state.white) && !can_move(state.white, state.black)) {
                const int a = __builtin_popcount(state.black), b = __builtin_popcount(state.white);
                (a > b ? black : a < b ? white : draws) += 1;
                continue;
            }
            const int count = successors(state, after);
            for (int i = 0; i < count; ++i) {
                if (seen.insert(Key{after[i].key()})) next.push_back(after[i]);
            }
            moves += count;
        }
        frontier.swap(next);
        next.clear();
    }
    std::printf(
        "{\"states\": %zu, \"by_depth\": %s, \"moves\": %llu, \"black\": %llu, \"white\": %llu, "
        "\"draws\": %llu, \"seconds\": %.4f, \"bytes\": %zu, \"resident\": %zu}\n",
        seen.count(), listed(by_depth).c_str(), (unsigned long long)moves,
        (unsigned long long)black, (unsigned long long)white, (unsigned long long)draws,
        clock.seconds(), peak, resident_at_peak());
}
