// All reachable markings of a net, level by level, on one thread. The nets are written out here.
//
//   net_explore kanban N [SLOTS]           four machines with N cards each
//   net_explore philosophers N [SLOTS]     N of them, at most 21, who take their forks one by one
#include "common.hpp"

struct Marking {
    u64 bits;  // with the highest bit set, so that the empty slot of a table is none
    u64 hash() const { return mixed(bits); }
    bool operator==(const Marking& other) const { return bits == other.bits; }
    bool is_empty() const { return bits == 0; }
};

constexpr u64 PRESENT = 1ULL << 63;

// Kanban: for machine i the cards that are free, being worked on, sent back, and done, as four
// counters of three bits each.
struct Kanban {
    static constexpr int WIDTH = 3;
    int cards;
    static u64 one(int machine, int place) { return 1ULL << ((machine * 4 + place) * WIDTH); }
    static bool has(u64 s, int machine, int place) {
        return (s >> ((machine * 4 + place) * WIDTH)) & ((1 << WIDTH) - 1);
    }
    u64 start() const {
        u64 s = PRESENT;
        for (int machine = 0; machine < 4; ++machine) s += u64(cards) * one(machine, 0);
        return s;
    }
    // Gives the number of successors.
    int successors(u64 s, u64* out) const {
        enum { FREE, WORK, BACK, DONE };
        int n = 0;
        for (int m = 0; m < 4; ++m) {
            if (has(s, m, BACK)) out[n++] = s - one(m, BACK) + one(m, WORK);
            if (has(s, m, WORK)) {
                out[n++] = s - one(m, WORK) + one(m, BACK);
                out[n++] = s - one(m, WORK) + one(m, DONE);
            }
        }
        // The fourth machine takes parts in, the second and third work on them side by side, the
        // first one finishes them.
        if (has(s, 3, FREE)) out[n++] = s - one(3, FREE) + one(3, WORK);
        if (has(s, 3, DONE) && has(s, 1, FREE) && has(s, 2, FREE)) {
            out[n++] = s - one(3, DONE) - one(1, FREE) - one(2, FREE) + one(3, FREE) +
                       one(1, WORK) + one(2, WORK);
        }
        if (has(s, 1, DONE) && has(s, 2, DONE) && has(s, 0, FREE)) {
            out[n++] = s - one(1, DONE) - one(2, DONE) - one(0, FREE) + one(1, FREE) +
                       one(2, FREE) + one(0, WORK);
        }
        if (has(s, 0, DONE)) out[n++] = s - one(0, DONE) + one(0, FREE);
        return n;
    }
};

// Philosophers: two bits for what each of them does, one for the fork at their left.
struct Philosophers {
    int count;
    enum { THINKS, HAS_LEFT, HAS_RIGHT, EATS };
    static int does(u64 s, int p) { return (s >> (3 * p)) & 3; }
    static u64 doing(u64 s, int p, int what) { return (s & ~(3ULL << (3 * p))) | (u64(what) << (3 * p)); }
    static u64 fork(int p) { return 4ULL << (3 * p); }
    u64 start() const {
        u64 s = PRESENT;
        for (int p = 0; p < count; ++p) s |= fork(p);
        return s;
    }
    int successors(u64 s, u64* out) const {
        int n = 0;
        for (int p = 0; p < count; ++p) {
            const u64 left = fork(p), right = fork((p + 1) % count);
            switch (does(s, p)) {
                case THINKS:
                    if (s & left) out[n++] = doing(s & ~left, p, HAS_LEFT);
                    if (s & right) out[n++] = doing(s & ~right, p, HAS_RIGHT);
                    break;
                case HAS_LEFT:
                    if (s & right) out[n++] = doing(s & ~right, p, EATS);
                    break;
                case HAS_RIGHT:
                    if (s & left) out[n++] = doing(s & ~left, p, EATS);
                    break;
                default:
                    out[n++] = doing(s | left | right, p, THINKS);
            }
        }
        return n;
    }
};

template <typename Net>
void explore(const Net& net, std::size_t slots) {
    Clock clock;
    Table<Marking> seen(slots);
    Counted<Marking> frontier{Marking{net.start()}}, next;
    seen.insert(frontier[0]);
    u64 arcs = 0, terminal = 0, after[64];
    while (!frontier.empty()) {
        for (const Marking& marking : frontier) {
            const int count = net.successors(marking.bits, after);
            for (int i = 0; i < count; ++i) seen.prefetch(Marking{after[i]});
            for (int i = 0; i < count; ++i) {
                if (seen.insert(Marking{after[i]})) next.push_back(Marking{after[i]});
            }
            arcs += count;
            terminal += count == 0;
        }
        frontier.swap(next);
        next.clear();
    }
    std::printf(
        "{\"states\": %zu, \"arcs\": %llu, \"terminal_nodes\": %llu, \"seconds\": %.3f, "
        "\"bytes\": %zu, \"resident\": %zu}\n",
        seen.count(), (unsigned long long)arcs, (unsigned long long)terminal, clock.seconds(), peak,
        resident_at_peak());
}

int main(int argc, char** argv) {
    const std::string name = argc > 1 ? argv[1] : "";
    const int size = argc > 2 ? std::atoi(argv[2]) : 0;
    const std::size_t slots = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1 << 16;
    if (name == "kanban" && size >= 1 && size <= 7) {
        explore(Kanban{size}, slots);
    } else if (name == "philosophers" && size >= 2 && size <= 21) {
        explore(Philosophers{size}, slots);
    } else {
        std::fprintf(stderr, "usage: net_explore kanban|philosophers N [SLOTS]\n");
        return 2;
    }
}
