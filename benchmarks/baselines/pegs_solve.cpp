// The value and the distance of every reachable state of pegs, by recursion with a memory.
//
//   pegs_solve [SLOTS]     the table starts with SLOTS slots, a power of two
#include "pegs.hpp"

using pegs::State;

// A state with its value: who wins in bits 3–4 of the second word, in how many plies in bits 5–8.
struct Solved {
    State state;

    static constexpr u64 VALUE = u64{63} << 3;

    bool operator==(const Solved& other) const {
        return state.sets == other.state.sets && !((state.rest ^ other.state.rest) & ~VALUE);
    }
    bool is_empty() const { return state.is_empty(); }
    u64 hash() const { return State{state.sets, state.rest & ~VALUE}.hash(); }

    bool a_wins() const { return state.rest >> 3 & 1; }
    int plies() const { return static_cast<int>(state.rest >> 5 & 15); }
};

static Table<Solved>* known;

static Solved with_value(const State& state, bool a_wins, int plies) {
    return {{state.sets, state.rest | u64{a_wins ? 1u : 2u} << 3 | u64(plies) << 5}};
}

static Solved solve(const State& state) {
    if (const Solved* found = known->find({state})) return *found;
    State after[81];
    const int count = pegs::successors(state, after);
    Solved solved = with_value(state, (state.rest & pegs::RESULT) == pegs::A_WINS, 0);
    if (count) {
        for (int i = 0; i < count; ++i) known->prefetch({after[i]});
        const bool mover = state.rest & pegs::TURN;
        int fastest_win = 99, slowest_loss = -1;
        for (int i = 0; i < count; ++i) {
            const Solved child = solve(after[i]);
            if (child.a_wins() == mover) {
                if (child.plies() < fastest_win) fastest_win = child.plies();
            } else if (child.plies() > slowest_loss) {
                slowest_loss = child.plies();
            }
        }
        solved = fastest_win < 99 ? with_value(state, mover, fastest_win + 1)
                                  : with_value(state, !mover, slowest_loss + 1);
    }
    known->insert(solved);
    return solved;
}

int main(int argc, char** argv) {
    const std::size_t slots = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1 << 16;
    Clock clock;
    Table<Solved> table(slots);
    known = &table;
    const Solved root = solve(pegs::start());
    u64 a_wins = 0;
    for (std::size_t i = 0; i < table.slots(); ++i) {
        const Solved& each = table.slot(i);
        a_wins += !each.is_empty() && each.a_wins();
    }
    std::printf(
        "{\"states\": %zu, \"winner\": \"%s\", \"plies\": %d, \"by_winner\": {\"A\": %llu, "
        "\"B\": %llu}, \"seconds\": %.3f, \"bytes\": %zu, \"resident\": %zu}\n",
        table.count(), root.a_wins() ? "A" : "B", root.plies(), (unsigned long long)a_wins,
        (unsigned long long)(table.count() - a_wins), clock.seconds(), peak, resident_at_peak());
}
