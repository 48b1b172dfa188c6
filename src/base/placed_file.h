/* Writes a file atomically: to an unnamed file that replaces the target when it is complete.
 * Readers never see a partial file, and a failure keeps the old one. */
#ifndef TRACETOOL_PLACED_FILE_H
#define TRACETOOL_PLACED_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct placed_file {
    FILE *file;    /* to write to; owned */
    char *path;    /* owned */
    bool in_place; /* a device or a pipe, which is written directly */
};

/* Begins a file for `path`. A target that is not a regular file, such as /dev/null, is written
 * directly and never replaced. The new file has no name until placed_file_commit(), so a killed
 * program leaves nothing. False with `error` set if it cannot be created or belongs to an open
 * database. */
bool placed_file_open(struct placed_file *placed, const char *path, struct error *error);

/* Replaces the target by the new file in one step. */
bool placed_file_commit(struct placed_file *placed, struct error *error);

/* Releases it; without placed_file_commit(), discards the file. A zeroed struct is allowed. */
void placed_file_close(struct placed_file *placed);

#endif
