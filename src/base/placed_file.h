/* A file that is written beside its place and put there when it is whole, so that nobody ever sees
 * a part of it and a failure leaves what was there before. */
#ifndef TRACETOOL_PLACED_FILE_H
#define TRACETOOL_PLACED_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct placed_file {
    FILE *file;    /* to be written to; owned */
    char *path;    /* owned */
    bool in_place; /* it is a device or a pipe, and written as it comes */
};

/* Begins a file that will be at `path`. What is there and is no plain file, as /dev/null, is
 * written to instead: it is never replaced. It has no name until then: a program that is killed
 * leaves nothing. False with `error` set when it cannot be made there, or belongs to an open
 * database. */
bool placed_file_open(struct placed_file *placed, const char *path, struct error *error);

/* Gives the file its place, in one step, in place of what is there. */
bool placed_file_commit(struct placed_file *placed, struct error *error);

/* Forgets it, unless it has its place; zeroed is welcome. */
void placed_file_close(struct placed_file *placed);

#endif
