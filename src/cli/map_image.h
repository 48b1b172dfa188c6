/* The file-system image that --image names, with its options, and the mapping of a trace by it.
 * Used by the commands map and import. */
#ifndef TRACETOOL_MAP_IMAGE_H
#define TRACETOOL_MAP_IMAGE_H

#include "annotate/mapping.h"
#include "cli/command.h"
#include "filesystem/image.h"

/* An image: its map of blocks to files, and the request for mapping. Strings are borrowed. */
struct map_image {
    struct file_map map, before;    /* owned; maps of the image, and of the earlier image */
    struct mapping_request request; /* request.earlier (earlier image) is set only while mapping */
};

/* Reads the image that --image names. `device`: value of the option that names the device the image
 * was taken from; NULL: not given. map_image_free() must be called even on failure. Must be called
 * while the program has one thread. */
bool map_image_open(const struct session *session, const char *device, struct map_image *image,
                    struct error *error);

/* Maps the trace with this name in one transaction, and prints the result. With --dry-run, the
 * transaction is rolled back. On failure the trace is unchanged. */
bool map_image_apply(struct session *session, struct database *database, struct map_image *image,
                     const char *trace, struct error *error);

void map_image_free(struct map_image *image);

#endif
