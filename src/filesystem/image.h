/* Reads the image of a file system: which blocks belong to which file.
 *
 * Nothing here knows of traces or of the database. What takes the image apart runs in a process of
 * its own, with bounds on its memory and time and without any other file, for the libraries were
 * not written for images that are out to break them. Whatever becomes of it, this program goes on.
 */
#ifndef TRACETOOL_IMAGE_H
#define TRACETOOL_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "filesystem/file_map.h"

/* Most copies of a journal. */
#define IMAGE_JOURNALS 256

/* Bounds of the process: memory beyond what the program has, and processor time. */
#define IMAGE_MEMORY  ((size_t)3 << 30)
#define IMAGE_SECONDS 600

/* Which file system, and what of it. Strings are borrowed. */
struct image_request {
    const char *path;            /* a file or a block device; may be packed */
    const char *partition;       /* name or number; NULL: not given */
    uint64_t offset;             /* bytes; PLACE_NOT_GIVEN: not given */
    bool of_device;              /* the offset is that on the device: the image may begin there */
    bool without_journal;        /* what its journal tells of the past is left out */
    const char *const *journals; /* copies of its journal, which may be packed */
    size_t journal_count;        /* at most IMAGE_JOURNALS */
};

/* Makes the map, to be freed whether it succeeds or not. Messages name the image. Called while the
 * program has one thread. */
bool image_read(const struct image_request *request, struct file_map *map, struct error *error);

/* Whether two images, which may be packed, have the same bytes. */
bool image_same(const char *path, const char *other, bool *same, struct error *error);

/* What that process does: makes the map out of an open file that is not packed, in this process and
 * without bounds, for images that are known to be harmless, and for fuzzers. Messages do not name
 * the image. Copies of its journal are not read. */
bool image_read_here(const struct image_request *request, int descriptor, struct file_map *map,
                     struct error *error);

/* Where in an image its file system lies. */

#define PLACE_NOT_GIVEN UINT64_MAX

/* Finds the file system in the open file: at byte `given`, in the partition of that name or number,
 * else at byte 0, else in the only partition that has one. `partition` is NULL where none is
 * named. Messages do not name the file. */
bool place_find(int descriptor, uint64_t given, const char *partition, uint64_t *offset,
                struct error *error);

/* Opens an image for reading at any place: as it is, or unpacked into a temporary file. */

/* Opens a file or block device; what is packed (gzip, xz, zstd), or is an Android sparse image, or
 * both, is unpacked into a file without a name, which has holes where there are zeros. Returns a
 * descriptor, -1 with `error` set, which names the file. */
int unpack_image(const char *path, struct error *error);

#endif
