/* Maps blocks to files by reading the image of a file system.
 *
 * This code is independent of traces and the database. The image is parsed in a separate process,
 * with limits on memory and time and without access to other files: the libraries are not hardened
 * against malicious images. If that process fails, this program continues. */
#ifndef TRACETOOL_IMAGE_H
#define TRACETOOL_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "filesystem/file_map.h"

/* Limit of copies of a journal. */
#define IMAGE_JOURNALS 256

/* Limits of the process: additional memory, and processor time. */
#define IMAGE_MEMORY  ((size_t)3 << 30)
#define IMAGE_SECONDS 600

/* The file system, and the parts to read. Strings are borrowed. */
struct image_request {
    const char *path;      /* a file or a block device; may be compressed */
    const char *partition; /* name or number; NULL: not given */
    uint64_t offset;       /* bytes; PLACE_NOT_GIVEN: not given */
    bool of_device;        /* `offset` is a position on the device; the image may begin there */
    bool without_journal;  /* ignore the journal's history */
    const char *const *journals; /* copies of the file system's journal; may be compressed */
    size_t journal_count;        /* at most IMAGE_JOURNALS */
};

/* Makes the map; free it in any case. Messages name the image. Call it while the program has one
 * thread. */
bool image_read(const struct image_request *request, struct file_map *map, struct error *error);

/* Returns whether two images, which may be compressed, have the same bytes. */
bool image_same(const char *path, const char *other, bool *same, struct error *error);

/* Makes the map in this process, without limits, from an open uncompressed file. For images known
 * to be harmless, and for fuzzers. Messages do not name the image. Copies of its journal are not
 * read. */
bool image_read_in_process(const struct image_request *request, int descriptor,
                           struct file_map *map, struct error *error);

/* Position of a file system in an image. */

#define PLACE_NOT_GIVEN UINT64_MAX

/* Finds the file system in the open file: at byte `given`, in the partition of that name or
 * number, else at byte 0, else in the only partition that has one. `partition` is NULL if not
 * given. Messages do not name the file. */
bool place_find(int descriptor, uint64_t given, const char *partition, uint64_t *offset,
                struct error *error);

/* Opens an image for random access, decompressed into a temporary file if necessary. */

/* Opens a file or block device. A compressed file (gzip, xz, zstd), an Android sparse image, or
 * both combined, is unpacked into an unnamed file with holes for zeros. Returns a descriptor; -1
 * with `error` set, which names the file. */
int unpack_image(const char *path, struct error *error);

#endif
