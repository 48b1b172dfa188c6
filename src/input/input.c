#include "input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/file.h"
#include "input/unpack.h"
#include "base/memory.h"

enum { RAW_BUFFER_SIZE = 256 * 1024 };

struct input {
    int descriptor;
    char *name;
    struct unpacking *unpacking; /* owned; NULL: not compressed */
    XXH3_state_t *hash;
    int64_t bytes_read;
    int64_t packed_read;
    int64_t packed_size;
    struct input_stop stop;
    /* First the bytes read for the magic number, then the compressed bytes. */
    uint8_t *raw;
    size_t raw_length, raw_taken;
};

static bool is_stopped(const struct input *input) {
    return input->stop.stop != NULL && input->stop.stop(input->stop.context);
}

/* Waits until a pipe has data or the input is cancelled. */
static bool wait_for_pipe(const struct input *input) {
    struct pollfd poll_descriptor = {.fd = input->descriptor, .events = POLLIN};
    int ready = 0;

    while (ready == 0 && !is_stopped(input)) {
        ready = poll(&poll_descriptor, 1, 100);
        if (ready < 0 && errno == EINTR) {
            ready = 0;
        }
    }
    if (ready == 0) {
        errno = EINTR;
    }
    return ready > 0;
}

/* Whether to read; false with errno EINTR if cancelled. Files ask too: a reader that skips a line
 * without an end calls nothing else. */
static bool may_read(const struct input *input) {
    if (input->packed_size < 0) {
        return wait_for_pipe(input);
    }
    errno = EINTR;
    return !is_stopped(input);
}

/* Calls read() again after a signal that does not cancel the import. A device may have no data
 * after all, or read() may block where poll() did not. */
static ssize_t read_descriptor(struct input *input, void *buffer, size_t capacity) {
    ssize_t got;

    do {
        if (!may_read(input)) {
            return -1;
        }
        got = read(input->descriptor, buffer, capacity);
    } while (got < 0 && (errno == EINTR || (errno == EAGAIN && input->packed_size < 0)));
    if (got > 0) {
        input->packed_read += got;
    }
    return got;
}

static bool read_failed(const struct input *input, struct error *error) {
    return error_set(error, "%s: cannot read at byte %lld: %s", input->name,
                     (long long)input->packed_read, strerror(errno));
}

/* Supplies compressed bytes to the decompressor: first the buffered ones, then the file's. -1 with
 * errno on failure. */
static int64_t packed_bytes(void *context, const uint8_t **bytes) {
    struct input *input = context;
    size_t rest = input->raw_length - input->raw_taken;

    if (rest > 0) {
        *bytes = input->raw + input->raw_taken;
        input->raw_taken = input->raw_length;
        return (int64_t)rest;
    }
    *bytes = input->raw;
    return read_descriptor(input, input->raw, RAW_BUFFER_SIZE);
}

static bool unpacking_failed(const struct input *input, struct error *error) {
    return error_set(error,
                     "%s: cannot unpack (%s) after %lld unpacked bytes: %s; to import what is "
                     "readable, unpack it by hand and pipe it into `tracetool import -`",
                     input->name, unpacking_format(input->unpacking), (long long)input->bytes_read,
                     unpacking_message(input->unpacking));
}

/* Fills `raw` with enough bytes for a magic number, unless the file is shorter. */
static bool read_magic(struct input *input, struct error *error) {
    while (input->raw_length < UNPACK_MAGIC_SIZE) {
        ssize_t got = read_descriptor(input, input->raw + input->raw_length,
                                      RAW_BUFFER_SIZE - input->raw_length);

        if (got < 0) {
            return read_failed(input, error);
        }
        if (got == 0) {
            break;
        }
        input->raw_length += (size_t)got;
    }
    return true;
}

static bool open_descriptor(struct input *input, const char *path, struct error *error) {
    struct stat status;

    /* O_NONBLOCK: a pipe without a writer must not block here, but in the read. */
    input->descriptor =
        strcmp(path, "-") == 0 ? STDIN_FILENO : file_open(path, O_RDONLY | O_NONBLOCK);
    if (input->descriptor < 0 || fstat(input->descriptor, &status) != 0) {
        return error_set(error, "%s: cannot open: %s", input->name, file_cause(errno));
    }
    if (input->descriptor == STDIN_FILENO && file_descriptor_is_guarded(STDIN_FILENO)) {
        return error_set(error, "%s: cannot read: %s", input->name, file_cause(FILE_OF_DATABASE));
    }
    if (S_ISDIR(status.st_mode)) {
        return error_set(error, "%s: is a directory", input->name);
    }
    input->packed_size = S_ISREG(status.st_mode) ? (int64_t)status.st_size : -1;
    return true;
}

/* Creates an input without a file. */
static struct input *new_input(const char *name) {
    struct input *input = xcalloc(1, sizeof *input);

    input->descriptor = -1;
    input->packed_size = -1;
    input->name = xstrdup(name);
    input->raw = xmalloc(RAW_BUFFER_SIZE);
    input->hash = XXH3_createState();
    if (input->hash == NULL) {
        out_of_memory();
    }
    XXH3_128bits_reset(input->hash);
    return input;
}

struct input *input_open(const char *path, struct input_stop stop, struct error *error) {
    struct input *input = new_input(strcmp(path, "-") == 0 ? "stdin" : path);
    size_t skipped;

    input->stop = stop;
    if (!open_descriptor(input, path, error) || !read_magic(input, error)) {
        input_close(input);
        return NULL;
    }
    input->unpacking = unpacking_open(input->raw, input->raw_length, packed_bytes, input, &skipped);
    input->raw_taken = input->unpacking == NULL ? 0 : skipped;
    return input;
}

struct input *input_open_descriptor(int descriptor, const char *name) {
    struct input *input = new_input(name);

    input->descriptor = descriptor;
    return input;
}

bool input_is_file(const char *path) {
    struct stat status;

    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

void input_close(struct input *input) {
    if (input == NULL) {
        return;
    }
    unpacking_close(input->unpacking);
    if (input->descriptor > STDIN_FILENO) {
        close(input->descriptor);
    }
    XXH3_freeState(input->hash);
    free(input->raw);
    free(input->name);
    free(input);
}

static bool read_plain(struct input *input, void *buffer, size_t capacity, size_t *got,
                       struct error *error) {
    size_t rest = input->raw_length - input->raw_taken;
    ssize_t count;

    if (rest > 0) {
        *got = rest < capacity ? rest : capacity;
        memcpy(buffer, input->raw + input->raw_taken, *got);
        input->raw_taken += *got;
        return true;
    }
    count = read_descriptor(input, buffer, capacity);
    if (count < 0) {
        return read_failed(input, error);
    }
    *got = (size_t)count;
    return true;
}

/* No log compresses that well. */
static bool is_bomb(const struct input *input) {
    return input->bytes_read > INPUT_UNPACKED_ALWAYS &&
           input->bytes_read / INPUT_UNPACKED_TIMES > input->packed_read;
}

bool input_read(struct input *input, void *buffer, size_t capacity, size_t *got,
                struct error *error) {
    *got = 0;
    if (input->unpacking == NULL) {
        if (!read_plain(input, buffer, capacity, got, error)) {
            return false;
        }
    } else {
        int64_t count = unpacking_read(input->unpacking, buffer, capacity);

        if (count < 0) {
            return unpacking_failed(input, error);
        }
        *got = (size_t)count;
    }
    XXH3_128bits_update(input->hash, buffer, *got);
    input->bytes_read += (int64_t)*got;
    if (input->unpacking != NULL && is_bomb(input)) {
        return error_set(
            error,
            "%s: unpacks to more than %d times its size and more than 4 GiB, as no log "
            "does; to import it all the same, unpack it first",
            input->name, INPUT_UNPACKED_TIMES);
    }
    return true;
}

const char *input_packing(const struct input *input) {
    return input->unpacking == NULL ? "" : unpacking_format(input->unpacking);
}

int64_t input_trailing(const struct input *input) {
    return input->unpacking == NULL ? 0 : unpacking_trailing(input->unpacking);
}

int64_t input_bytes_read(const struct input *input) {
    return input->bytes_read;
}

int64_t input_packed_read(const struct input *input) {
    return input->packed_read;
}

int64_t input_packed_size(const struct input *input) {
    return input->packed_size;
}

int64_t input_expected_size(const struct input *input) {
    return input->unpacking == NULL ? input->packed_size : -1;
}

void input_hash(const struct input *input, char hash[INPUT_HASH_SIZE]) {
    XXH128_canonical_t canonical;

    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(input->hash));
    for (size_t i = 0; i < sizeof canonical.digest; i++) {
        snprintf(hash + 2 * i, 3, "%02x", canonical.digest[i]);
    }
}
