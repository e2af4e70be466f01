/* Decodes values of a form with AVX-512 VBMI2. FORMFIGURE */
#include "vectors.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define WIDE __attribute__((target("avx512vbmi2,avx512bw")))

/* The values of hexadecimal digits; undefined for other bytes. */
WIDE static inline __m512i nibbles(__m512i bytes) {
    __m512i low = _mm512_and_si512(bytes, _mm512_set1_epi8(0x0F));
    __mmask64 letters = _mm512_test_epi8_mask(bytes, _mm512_set1_epi8(0x40));
    return _mm512_mask_add_epi8(low, letters, low, _mm512_set1_epi8(9));
}

/* The mask of the bytes that are hexadecimal digits. */
WIDE static inline uint64_t digits(__m512i bytes) {
    __m512i number = _mm512_sub_epi8(bytes, _mm512_set1_epi8('0'));
    __m512i letter = _mm512_sub_epi8(_mm512_or_si512(bytes, _mm512_set1_epi8(0x20)), _mm512_set1_epi8('a'));
    return _mm512_cmplt_epu8_mask(number, _mm512_set1_epi8(10)) | _mm512_cmplt_epu8_mask(letter, _mm512_set1_epi8(6));
}

/* The mask of the first `bytes` bytes. */
WIDE static inline uint64_t first(size_t bytes) {
    return bytes < 64 ? ((uint64_t)1 << bytes) - 1 : ~(uint64_t)0;
}

/* Decodes 62 bytes per step, because the two digits of an escape may follow them. The value of an escape replaces
   its `%`, and then the bytes of its digits are removed. `begun` marks digits at the start of a step. */
WIDE ptrdiff_t vector_decode_form(const uint8_t *bytes, size_t count, uint8_t *output) {
    ptrdiff_t length = 0;
    uint64_t begun = 0;
    for (size_t next = 0; next < count; next += 62) {
        uint64_t text = first(count - next), own = text & first(62);
        __m512i here = _mm512_loadu_si512(bytes + next);
        uint64_t escapes = _mm512_cmpeq_epi8_mask(here, _mm512_set1_epi8('%')) & own;
        uint64_t escaped = begun | escapes << 1 | escapes << 2;
        if ((escaped & ~(digits(here) & text)) != 0) return -1;
        begun = escaped >> 62;
        __m512i high = nibbles(_mm512_loadu_si512(bytes + next + 1));
        __m512i low = nibbles(_mm512_loadu_si512(bytes + next + 2));
        __m512i values = _mm512_or_si512(_mm512_slli_epi16(high, 4), low);
        __mmask64 spaces = _mm512_cmpeq_epi8_mask(here, _mm512_set1_epi8('+'));
        __m512i plain = _mm512_mask_mov_epi8(here, spaces, _mm512_set1_epi8(' '));
        __m512i all = _mm512_mask_mov_epi8(plain, escapes, values);
        uint64_t kept = own & ~escaped;
        _mm512_storeu_si512(output + length, _mm512_maskz_compress_epi8(kept, all));
        length += __builtin_popcountll(kept);
    }
    return length;
}

int vector_decodes_forms(void) {
    return __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bw");
}
#else
int vector_decodes_forms(void) { return 0; }

ptrdiff_t vector_decode_form(const uint8_t *bytes, size_t count, uint8_t *output) { return -1; }
#endif
