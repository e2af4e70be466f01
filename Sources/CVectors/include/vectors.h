/* Questions about sixteen or 64 bytes at once, which Swift cannot ask yet: it compiles comparisons of vectors to a loop
   over their bytes. The compiler makes a few instructions of each function that stands here, on every processor, and Swift
   inlines them; those that are only declared take many bytes a call. An answer is a bit a byte, the first one lowest.
   All of the bytes must be readable. */
#ifndef PUSHETL_VECTORS_H
#define PUSHETL_VECTORS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t vector_bytes16 __attribute__((ext_vector_type(16)));
typedef uint8_t vector_bytes64 __attribute__((ext_vector_type(64)));
/* What comparing two vectors gives: all bits set for yes. */
typedef char vector_answer16 __attribute__((ext_vector_type(16)));
typedef _Bool vector_flags16 __attribute__((ext_vector_type(16)));
typedef _Bool vector_flags64 __attribute__((ext_vector_type(64)));

static inline vector_bytes16 vector_load16(const void *bytes) {
    vector_bytes16 vector;
    memcpy(&vector, bytes, sizeof vector);
    return vector;
}

static inline uint16_t vector_bits16(vector_answer16 answer) {
    vector_flags16 flags = __builtin_convertvector(answer, vector_flags16);
    uint16_t bits;
    memcpy(&bits, &flags, sizeof bits);
    return bits;
}

/* Which of 64 bytes are this one. */
static inline uint64_t vector_places64(const void *bytes, uint8_t byte) {
    vector_bytes64 vector;
    memcpy(&vector, bytes, sizeof vector);
    vector_flags64 flags = __builtin_convertvector(vector == byte, vector_flags64);
    uint64_t bits;
    memcpy(&bits, &flags, sizeof bits);
    return bits;
}

/* Which of sixteen bytes are 0x20 or below. */
static inline uint16_t vector_spaces16(const void *bytes) {
    return vector_bits16(vector_load16(bytes) <= 0x20);
}

/* Which of sixteen bytes are neither a digit nor a small letter. */
static inline uint16_t vector_unplain16(const void *bytes) {
    vector_bytes16 vector = vector_load16(bytes);
    return vector_bits16((vector - '0' >= 10) & (vector - 'a' >= 26));
}

/* Which of sixteen bytes end a JSON string or need a look of their own: a quote, a backslash, bytes below 0x20 and from
   0x80 on. */
static inline uint16_t vector_json_stops16(const void *bytes) {
    vector_bytes16 vector = vector_load16(bytes);
    return vector_bits16((vector == '"') | (vector == '\\') | (vector < 0x20) | (vector >= 0x80));
}

/* Which of sixteen bytes are no digit. */
static inline uint16_t vector_undigits16(const void *bytes) {
    return vector_bits16(vector_load16(bytes) - '0' >= 10);
}

/* Sixteen bytes of a form, a space for each plus. */
static inline vector_bytes16 vector_form16(const void *bytes) {
    vector_bytes16 vector = vector_load16(bytes);
    return vector - ((vector_bytes16)(vector == '+') & ('+' - ' '));
}

/* Which of 64 bytes end a user agent or begin an escape, a quote or a backslash, and which may be part of a platform's
   marker: `oi` as in `Android` or `v` as in `Dalvik/`; `P` or `F` as in `iPhone`, `iPad`, `CPU OS ` and `CFNetwork/`. One
   byte more is read. */
typedef struct {
    uint64_t ends, android, ios;
} vector_agent;

static inline vector_agent vector_agent64(const uint8_t *bytes) {
    vector_bytes64 vector, next;
    memcpy(&vector, bytes, sizeof vector);
    memcpy(&next, bytes + 1, sizeof next);
    vector_flags64 ends = __builtin_convertvector((vector == '"') | (vector == '\\'), vector_flags64);
    vector_flags64 android =
        __builtin_convertvector(((vector == 'o') & (next == 'i')) | (vector == 'v'), vector_flags64);
    vector_flags64 ios = __builtin_convertvector((vector == 'P') | (vector == 'F'), vector_flags64);
    vector_agent agent;
    memcpy(&agent.ends, &ends, sizeof agent.ends);
    memcpy(&agent.android, &android, sizeof agent.android);
    memcpy(&agent.ios, &ios, sizeof agent.ios);
    return agent;
}

/* Sixteen bytes as hexadecimal digits of either case: the number that they write, the first digit highest, and which of
   them are none, so that the number holds for the digits in front of the first such. */
typedef struct {
    uint64_t number;
    uint16_t others;
} vector_hex;

static inline vector_hex vector_hex16(vector_bytes16 vector) {
    typedef uint16_t pairs __attribute__((ext_vector_type(8)));
    typedef uint8_t halves __attribute__((ext_vector_type(8)));
    vector_answer16 is_letter = (vector | 0x20) - 'a' < 6;
    vector_answer16 is_digit = vector - '0' < 10;
    vector_bytes16 nibbles = (vector & 0x0F) + ((vector_bytes16)is_letter & 9);
    pairs both;
    memcpy(&both, &nibbles, sizeof both);
    halves packed = __builtin_convertvector((both << 4 | both >> 8) & 0xFF, halves);
    uint64_t word;
    memcpy(&word, &packed, sizeof word);
    return (vector_hex){__builtin_bswap64(word), vector_bits16(~(is_letter | is_digit))};
}

static inline vector_hex vector_hex_at(const void *bytes) {
    return vector_hex16(vector_load16(bytes));
}

/* The same for the sixteen bytes of two words, the lowest byte of the first one first. */
static inline vector_hex vector_hex_of(uint64_t first, uint64_t second) {
    uint64_t words[2] = {first, second};
    return vector_hex16(vector_load16(words));
}

/* Where the line feeds of `blocks` times 64 bytes are, at most 1024 blocks: writes their offsets to `ends`, which has room
   for 64 times `blocks` and one more, and answers how many they are. Of each 64 bytes a word of `quotes` tells which are
   a `"`. Not inlined, since it asks for the widest registers that the processor has. */
size_t vector_mark_lines(const uint8_t *bytes, size_t blocks, uint16_t *ends, uint64_t *quotes);

/* Whether this processor can do what follows: AVX-512 with VBMI2, of 2019 and later. */
int vector_decodes_forms(void);

/* Decodes a value of a form, `%7B+` for `{ `; answers the length, -1 if an escape is broken. 66 bytes more than `count` can
   be read; `output` has room for 64 more. */
ptrdiff_t vector_decode_form(const uint8_t *bytes, size_t count, uint8_t *output);

#endif
