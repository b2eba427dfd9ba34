// All reachable states of pegs, level by level, on one thread.
//
//   pegs_explore [SLOTS [DEPTH]]     the table starts with SLOTS slots, a power of two
#include "pegs.hpp"

using pegs::State;

int main(int argc, char** argv) {
    const std::size_t slots = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1 << 16;
    const std::size_t depth = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 9;
    Clock clock;
    Table<State> seen(slots);
    Counted<State> frontier{pegs::start()}, next;
    seen.insert(frontier[0]);
    std::vector<u64> by_depth;
    u64 moves = 0, a_wins = 0, b_wins = 0, stuck = 0;
    State after[81];
    while (!frontier.empty()) {
        by_depth.push_back(frontier.size());
        if (by_depth.size() == depth + 1 && depth < 9) break;
        for (const State& state : frontier) {
            const int count = pegs::successors(state, after);
            for (int i = 0; i < count; ++i) seen.prefetch(after[i]);
            for (int i = 0; i < count; ++i) {
                if (seen.insert(after[i])) next.push_back(after[i]);
            }
            moves += count;
            a_wins += (state.rest & pegs::RESULT) == pegs::A_WINS;
            b_wins += (state.rest & pegs::RESULT) == pegs::B_WINS;
            stuck += count == 0 && !pegs::is_over(state);
        }
        frontier.swap(next);
        next.clear();
    }
    std::printf(
        "{\"states\": %zu, \"by_depth\": %s, \"moves\": %llu, \"a_wins\": %llu, \"b_wins\": %llu, "
        "\"stuck\": %llu, \"seconds\": %.3f, \"bytes\": %zu, \"resident\": %zu}\n",
        seen.count(), listed(by_depth).c_str(), (unsigned long long)moves,
        (unsigned long long)a_wins, (unsigned long long)b_wins, (unsigned long long)stuck,
        clock.seconds(), peak, resident_at_peak());
}
