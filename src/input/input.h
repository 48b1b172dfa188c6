/* Byte stream of a file or stdin: decompressed and hashed while it is read. */
#ifndef TRACETOOL_INPUT_H
#define TRACETOOL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/unpack.h"

struct input;

#define INPUT_HASH_SIZE 33 /* bytes of a hash as text: 128 bits in hexadecimal, and a NUL */

/* Opens a file, a file of an archive (input/members.h), or stdin for "-". Returns an input that the
 * caller owns; NULL with `error` set, which names the file. */
struct input *input_open(const char *path, struct input_stop stop, struct error *error);

/* Returns an input that reads an open file from its current position, without decompression. The
 * input owns the descriptor from then on. `name` is for messages. */
struct input *input_open_descriptor(int descriptor, const char *name);

/* Whether `path` is a regular file, which can be read twice; a pipe and "-" cannot. */
bool input_is_file(const char *path);

void input_close(struct input *input);

/* Reads up to `capacity` decompressed bytes. Sets `*got` to their number, 0 at the end. Returns
 * false with `error` set on a read error, or if a compressed file is damaged or truncated. */
bool input_read(struct input *input, void *buffer, size_t capacity, size_t *got,
                struct error *error);

/* Returns the compression of the file: "gzip", "xz", "zstd", "zlib", or "" for none. */
const char *input_packing(const struct input *input);

/* Returns the number of bytes ignored so far after the end of the compressed data. */
int64_t input_trailing(const struct input *input);

/* Returns the number of decompressed bytes read so far. */
int64_t input_bytes_read(const struct input *input);

/* For showing progress. input_packed_read(): number of bytes of the file itself read so far; of a
 * trace.dat, of its text. input_packed_size(): size of the file; -1 for a pipe and a trace.dat. */
int64_t input_packed_read(const struct input *input);
int64_t input_packed_size(const struct input *input);

/* Returns the size of the decompressed stream if it is known in advance; otherwise -1. */
int64_t input_expected_size(const struct input *input);

/* Sets `hash` to the XXH3 (128 bits, canonical hex) of the decompressed bytes read so far. */
void input_hash(const struct input *input, char hash[INPUT_HASH_SIZE]);

#endif
