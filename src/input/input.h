/* One stream of bytes: a file or stdin, unpacked on the way, hashed while read. */
#ifndef TRACETOOL_INPUT_H
#define TRACETOOL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A packed file may unpack to so many bytes, and beyond that to so many times what was read of it:
 * a decompression bomb ends there. */
#define INPUT_UNPACKED_ALWAYS ((int64_t)4 << 30)
#define INPUT_UNPACKED_TIMES  500

struct input;

#define INPUT_HASH_SIZE 33 /* 128 bits in hex and a NUL */

/* Asked before each read, and now and then while one waits for a pipe: true when nobody wants its
 * bytes any more. */
struct input_stop {
    bool (*stop)(const void *context); /* NULL: waits as long as it takes */
    const void *context;
};

/* Opens `path`, or stdin for "-". Returns an owned input, NULL with `error` naming the file. */
struct input *input_open(const char *path, struct input_stop stop, struct error *error);

/* The bytes of an open file from its position on, as they are: nothing is unpacked. The input owns
 * the descriptor from then on. `name` is for messages. */
struct input *input_open_descriptor(int descriptor, const char *name);

/* Whether `path` is a regular file, which can be read twice: a pipe and "-" cannot. */
bool input_is_file(const char *path);

void input_close(struct input *input);

/* Reads up to `capacity` bytes of the unpacked stream; `*got` is 0 at its end. False with `error`
 * set on a read error or when a packed file is damaged or ends too early. */
bool input_read(struct input *input, void *buffer, size_t capacity, size_t *got,
                struct error *error);

/* "gzip", "xz", "zstd", "zlib", or "" for a file that is not packed. */
const char *input_packing(const struct input *input);

/* Bytes of the file that were passed over behind the end of what is packed, so far. */
int64_t input_trailing(const struct input *input);

/* Bytes of the unpacked stream read so far. */
int64_t input_bytes_read(const struct input *input);

/* Bytes taken from the file itself so far, and the file's size; -1 for a pipe. For progress. */
int64_t input_packed_read(const struct input *input);
int64_t input_packed_size(const struct input *input);

/* Size of the unpacked stream as far as it is known before its end; -1: not known. */
int64_t input_expected_size(const struct input *input);

/* Hash (XXH3, 128 bits, canonical hex) of the unpacked bytes read so far. */
void input_hash(const struct input *input, char hash[INPUT_HASH_SIZE]);

#endif
