#include "vectors.h"

#if defined(__x86_64__) && defined(__linux__)
/* One for each size of registers; the loader takes the one that the processor has. */
#define FOR_ALL_PROCESSORS __attribute__((target_clones("avx512bw", "avx2", "default")))
#else
#define FOR_ALL_PROCESSORS
#endif

FOR_ALL_PROCESSORS
size_t vector_mark_lines(const uint8_t *bytes, size_t blocks, uint16_t *ends, uint64_t *quotes) {
    size_t count = 0;
    for (size_t block = 0; block < blocks; block++) {
        quotes[block] = vector_places64(bytes + 64 * block, '"');
        uint64_t feeds = vector_places64(bytes + 64 * block, '\n');
        /* Whether there is one is a coin's toss: so its place is always written, and counted where it is one. A second
           one is rare. */
        ends[count] = (uint16_t)(64 * block + (size_t)__builtin_ctzll(feeds | (uint64_t)1 << 63));
        count += feeds != 0;
        for (feeds &= feeds - 1; feeds != 0; feeds &= feeds - 1)
            ends[count++] = (uint16_t)(64 * block + (size_t)__builtin_ctzll(feeds));
    }
    return count;
}
