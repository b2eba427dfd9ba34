// What all baselines share: a clock, memory counted as it is held, an exact table, random numbers.
#pragma once

#include <sys/mman.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

class Clock {
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();

  public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }
};

// Bytes that are held now, and the most that ever were: what the program asked for, not what the
// system gave. The table and the frontier are counted here and nothing else is of any size.
inline std::size_t held = 0;
inline std::size_t peak = 0;

inline void hold(std::size_t bytes) {
    held += bytes;
    if (held > peak) peak = held;
}

inline void release(std::size_t bytes) { held -= bytes; }

inline std::size_t resident_at_peak() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

// Zeroed memory of a fixed size, in large pages where the system has them.
template <typename T>
class Block {
    T* data_ = nullptr;
    std::size_t size_ = 0;

  public:
    explicit Block(std::size_t size) : size_(size) {
        void* at = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) {
            std::fprintf(stderr, "no memory for %zu bytes\n", bytes());
            std::exit(1);
        }
        madvise(at, bytes(), MADV_HUGEPAGE);
        data_ = static_cast<T*>(at);
        hold(bytes());
    }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    ~Block() {
        munmap(data_, bytes());
        release(bytes());
    }
    void swap(Block& other) {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }
    std::size_t bytes() const { return size_ * sizeof(T); }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    T* data() { return data_; }
};

inline u64 mixed(u64 x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ULL;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ULL;
    return x ^ (x >> 32);
}

// An exact set of keys with linear probing, keys in the slots. It doubles when `Fill` eighths are
// full. A key has `hash()`, `operator==` and `is_empty()`; the zeroed key is the empty one.
template <typename Key, unsigned Fill = 6>
class Table {
    Block<Key> slots_;
    std::size_t count_ = 0;

    void grow() {
        Block<Key> larger(slots_.size() * 2);
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            const Key& key = slots_[i];
            if (key.is_empty()) continue;
            std::size_t at = key.hash() & (larger.size() - 1);
            while (!larger[at].is_empty()) at = (at + 1) & (larger.size() - 1);
            larger[at] = key;
        }
        slots_.swap(larger);
    }

  public:
    explicit Table(std::size_t slots = 1 << 16) : slots_(slots) {}

    std::size_t count() const { return count_; }
    std::size_t slots() const { return slots_.size(); }
    const Key& slot(std::size_t i) const { return slots_[i]; }

    void prefetch(const Key& key) const {
        __builtin_prefetch(&slots_[key.hash() & (slots_.size() - 1)]);
    }

    const Key* find(const Key& key) const {
        std::size_t at = key.hash() & (slots_.size() - 1);
        while (!slots_[at].is_empty()) {
            if (slots_[at] == key) return &slots_[at];
            at = (at + 1) & (slots_.size() - 1);
        }
        return nullptr;
    }

    // Whether the key was new.
    bool insert(const Key& key) {
        std::size_t at = key.hash() & (slots_.size() - 1);
        while (!slots_[at].is_empty()) {
            if (slots_[at] == key) return false;
            at = (at + 1) & (slots_.size() - 1);
        }
        slots_[at] = key;
        if (++count_ * 8 > slots_.size() * Fill) grow();
        return true;
    }
};

// A vector whose memory is counted.
template <typename T>
struct Counting {
    using value_type = T;
    Counting() = default;
    template <typename U>
    Counting(const Counting<U>&) {}
    T* allocate(std::size_t n) {
        hold(n * sizeof(T));
        return static_cast<T*>(std::malloc(n * sizeof(T)));
    }
    void deallocate(T* at, std::size_t n) {
        release(n * sizeof(T));
        std::free(at);
    }
    bool operator==(const Counting&) const { return true; }
    bool operator!=(const Counting&) const { return false; }
};

template <typename T>
using Counted = std::vector<T, Counting<T>>;

// xorshift64*: Marsaglia's generator with Vigna's multiplier.
class Random {
    u64 state_;

  public:
    explicit Random(u64 seed) : state_(mixed(seed + 0x9e3779b97f4a7c15ULL) | 1) {}
    u64 next() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 0x2545f4914f6cdd1dULL;
    }
    // A number below n, without division.
    u32 below(u32 n) { return static_cast<u32>(((next() >> 32) * n) >> 32); }
};

inline std::string listed(const std::vector<u64>& numbers) {
    std::string text = "[";
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        text += (i ? ", " : "") + std::to_string(numbers[i]);
    }
    return text + "]";
}
