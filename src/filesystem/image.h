/* Reads the image of a file system: which file owns each block.
 *
 * This code does not depend on traces or the database. The libraries may fail on malicious images,
 * so an image is parsed in a separate process, with limits of memory and time and without access to
 * other files. If that process fails, the program continues. */
#ifndef TRACETOOL_IMAGE_H
#define TRACETOOL_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "filesystem/file_map.h"

/* Maximum number of files with copies of a file system's journal. */
#define IMAGE_JOURNALS 256

/* Limits of the reader process: bytes of additional memory, and seconds of CPU time. */
#define IMAGE_MEMORY  ((size_t)3 << 30)
#define IMAGE_SECONDS 600

/* The file system to read, and what to read of it. Strings are borrowed. */
struct image_request {
    const char *path;      /* an image file or a block device; may be compressed */
    const char *partition; /* name or number of a partition in the image; NULL: not given */
    uint64_t offset;       /* byte at which the file system begins; PLACE_NOT_GIVEN: not given */
    bool of_device;        /* true: `offset` is that in the device, where the image may begin */
    bool without_journal;  /* true: do not read earlier states from the journal */
    const char *const *journals; /* copies of the file system's journal; may be compressed */
    size_t journal_count;        /* at most IMAGE_JOURNALS */
};

/* Reads the map of a file system; free it even after a failure. Messages name the image. As this
 * forks, the program must have only one thread. */
bool image_read(const struct image_request *request, struct file_map *map, struct error *error);

/* Returns whether two images, which may be compressed, have the same bytes. */
bool image_bytes_are_same(const char *path, const char *other, bool *same, struct error *error);

/* Reads the map in this process, without limits, from an open file that is not compressed: for
 * harmless images, and for fuzzing. Messages do not name the image. Copies of the journal are not
 * read. */
bool image_read_in_process(const struct image_request *request, int descriptor,
                           struct file_map *map, struct error *error);

/* Finding a file system in an image. */

#define PLACE_NOT_GIVEN UINT64_MAX

/* Finds the file system in an open file: at byte `given`; else in the partition with that name or
 * number; else at byte 0; else in the only partition that has a file system. `partition` NULL: not
 * given. Messages do not name the file. */
bool find_filesystem_offset(int descriptor, uint64_t given, const char *partition, uint64_t *offset,
                            struct error *error);

/* Opening an image, unpacked if necessary. */

/* Opens a file or block device. A compressed file (gzip, xz, zstd) and an Android sparse image,
 * also compressed, are unpacked into a temporary file, with holes for zeros. Returns a descriptor;
 * -1 on failure, with `error` set, which names the file. */
int unpack_image(const char *path, struct error *error);

#endif
