/* Operations on 16 or 64 bytes at once. They are in C, because Swift compiles a comparison of vectors to a loop over
   the bytes. On every processor a function that is defined here becomes a few instructions, and Swift inlines it. A
   function that is only declared here processes many bytes per call.

   A result with the name `...16` or `...64` is a mask with one bit per byte; the first byte has the lowest bit. All
   bytes must be readable. */
#ifndef PUSHETL_VECTORS_H
#define PUSHETL_VECTORS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t vector_bytes16 __attribute__((ext_vector_type(16)));
typedef uint8_t vector_bytes64 __attribute__((ext_vector_type(64)));
/* The result of comparing two vectors: all bits of a byte are set for true. */
typedef char vector_comparison16 __attribute__((ext_vector_type(16)));
typedef _Bool vector_flags16 __attribute__((ext_vector_type(16)));
typedef _Bool vector_flags64 __attribute__((ext_vector_type(64)));

static inline vector_bytes16 vector_load16(const void *bytes) {
    vector_bytes16 vector;
    memcpy(&vector, bytes, sizeof vector);
    return vector;
}

static inline uint16_t vector_mask16(vector_comparison16 comparison) {
    vector_flags16 flags = __builtin_convertvector(comparison, vector_flags16);
    uint16_t bits;
    memcpy(&bits, &flags, sizeof bits);
    return bits;
}

/* The bytes that equal `byte`. */
static inline uint64_t vector_equal64(const void *bytes, uint8_t byte) {
    vector_bytes64 vector;
    memcpy(&vector, bytes, sizeof vector);
    vector_flags64 flags = __builtin_convertvector(vector == byte, vector_flags64);
    uint64_t bits;
    memcpy(&bits, &flags, sizeof bits);
    return bits;
}

/* The bytes up to 0x20: spaces and control characters. */
static inline uint16_t vector_blanks16(const void *bytes) {
    return vector_mask16(vector_load16(bytes) <= 0x20);
}

/* The bytes that are neither a digit nor a lower-case letter. */
static inline uint16_t vector_non_alphanumerics16(const void *bytes) {
    vector_bytes16 vector = vector_load16(bytes);
    return vector_mask16((vector - '0' >= 10) & (vector - 'a' >= 26));
}

/* The bytes that end a JSON string or need special handling: a quote, a backslash, bytes below 0x20 and bytes from
   0x80. */
static inline uint16_t vector_json_stops16(const void *bytes) {
    vector_bytes16 vector = vector_load16(bytes);
    return vector_mask16((vector == '"') | (vector == '\\') | (vector < 0x20) | (vector >= 0x80));
}

/* The bytes that are not digits. */
static inline uint16_t vector_non_digits16(const void *bytes) {
    return vector_mask16(vector_load16(bytes) - '0' >= 10);
}

/* 16 bytes with each `+` replaced by a space. */
static inline vector_bytes16 vector_form16(const void *bytes) {
    vector_bytes16 vector = vector_load16(bytes);
    return vector - ((vector_bytes16)(vector == '+') & ('+' - ' '));
}

/* Masks for a user agent in 64 bytes. One byte more is read.
   `ends`: a quote, which ends the user agent, or a backslash, which begins an escape.
   `android`: `oi` as in `Android`, or `v` as in `Dalvik/`.
   `ios`: `P` or `F` as in `iPhone`, `iPad`, `CPU OS ` and `CFNetwork/`. */
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

/* 16 bytes as hexadecimal digits of either case. `number` has the first digit highest; its digits are valid up to
   the first byte that is not a digit. `others` is the mask of the bytes that are not digits. */
typedef struct {
    uint64_t number;
    uint16_t others;
} vector_hex;

static inline vector_hex vector_hex16(vector_bytes16 vector) {
    typedef uint16_t pairs __attribute__((ext_vector_type(8)));
    typedef uint8_t halves __attribute__((ext_vector_type(8)));
    vector_comparison16 is_letter = (vector | 0x20) - 'a' < 6;
    vector_comparison16 is_digit = vector - '0' < 10;
    vector_bytes16 nibbles = (vector & 0x0F) + ((vector_bytes16)is_letter & 9);
    pairs both;
    memcpy(&both, &nibbles, sizeof both);
    halves packed = __builtin_convertvector((both << 4 | both >> 8) & 0xFF, halves);
    uint64_t word;
    memcpy(&word, &packed, sizeof word);
    return (vector_hex){__builtin_bswap64(word), vector_mask16(~(is_letter | is_digit))};
}

static inline vector_hex vector_hex_at(const void *bytes) {
    return vector_hex16(vector_load16(bytes));
}

/* The same for the 16 bytes of two words. The first byte is the lowest byte of `first`. */
static inline vector_hex vector_hex_of(uint64_t first, uint64_t second) {
    uint64_t words[2] = {first, second};
    return vector_hex16(vector_load16(words));
}

/* Finds the line feeds and the quotes in `blocks` blocks of 64 bytes, at most 1024 blocks. Writes the offsets of the
   line feeds to `ends` and returns their number. Writes the mask of the quotes of each block to `quotes`. `ends`
   must have room for 64 * `blocks` + 1 offsets. It is not inlined, because it chooses the widest registers of the
   processor. */
size_t vector_mark_lines(const uint8_t *bytes, size_t blocks, uint16_t *ends, uint64_t *quotes);

/* Whether this processor supports `vector_decode_form`: AVX-512 with VBMI2, in processors since 2019. */
int vector_decodes_forms(void);

/* Decodes a value of a form, such as `%7B+` for `{ `. Returns the length of the result, or -1 if an escape is invalid.
   `count` + 66 bytes must be readable, and `output` must have room for `count` + 64 bytes. */
ptrdiff_t vector_decode_form(const uint8_t *bytes, size_t count, uint8_t *output);

#endif
