#include "vectors.h"

/* One source for all processors. Each caller below compiles it for other registers. */
static inline __attribute__((always_inline)) size_t mark_lines(
    const uint8_t *bytes, size_t blocks, uint16_t *ends, uint64_t *quotes) {
    size_t count = 0;
    for (size_t block = 0; block < blocks; block++) {
        quotes[block] = vector_equal64(bytes + 64 * block, '"');
        uint64_t feeds = vector_equal64(bytes + 64 * block, '\n');
        /* Whether a block has a line feed is unpredictable, hence branch-free: an offset is always written, and
           counted if there is a line feed. A second line feed is rare. */
        ends[count] = (uint16_t)(64 * block + (size_t)__builtin_ctzll(feeds | (uint64_t)1 << 63));
        count += feeds != 0;
        for (feeds &= feeds - 1; feeds != 0; feeds &= feeds - 1)
            ends[count++] = (uint16_t)(64 * block + (size_t)__builtin_ctzll(feeds));
    }
    return count;
}

#if defined(__x86_64__)
__attribute__((target("avx512bw"))) static size_t mark_lines_512(
    const uint8_t *bytes, size_t blocks, uint16_t *ends, uint64_t *quotes) {
    return mark_lines(bytes, blocks, ends, quotes);
}

__attribute__((target("avx2"))) static size_t mark_lines_256(
    const uint8_t *bytes, size_t blocks, uint16_t *ends, uint64_t *quotes) {
    return mark_lines(bytes, blocks, ends, quotes);
}
#endif

size_t vector_mark_lines(const uint8_t *bytes, size_t blocks, uint16_t *ends, uint64_t *quotes) {
#if defined(__x86_64__)
    /* The choice is made here, and not by the loader (ifunc), which would run before a sanitizer is ready. */
    if (__builtin_cpu_supports("avx512bw")) return mark_lines_512(bytes, blocks, ends, quotes);
    if (__builtin_cpu_supports("avx2")) return mark_lines_256(bytes, blocks, ends, quotes);
#endif
    return mark_lines(bytes, blocks, ends, quotes);
}
