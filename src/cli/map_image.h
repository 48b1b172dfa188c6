/* The image that --image names, with the options beside it, and the mapping of a trace by it: what
 * the commands map and import have in common. */
#ifndef TRACETOOL_MAP_IMAGE_H
#define TRACETOOL_MAP_IMAGE_H

#include "annotate/mapping.h"
#include "cli/command.h"
#include "filesystem/image.h"

/* What an image says, and of what. Strings are borrowed. */
struct map_image {
    struct file_map map, before;    /* owned */
    struct mapping_request request; /* `earlier` is set while it is used */
};

/* Reads what --image and the options beside it name; `device` is the value of the option for the
 * device that it is of, NULL: not given. To be freed whether it succeeds or not. Called while the
 * program has one thread. */
bool map_image_open(const struct session *session, const char *device, struct map_image *image,
                    struct error *error);

/* Maps the trace of that name, in a transaction of its own, which is given up with --dry-run, and
 * says what came of it. On failure the trace is as it was. */
bool map_image_apply(struct session *session, struct database *database, struct map_image *image,
                     const char *trace, struct error *error);

void map_image_free(struct map_image *image);

#endif
