/* A stream to a terminal for bytes that come from a log: what would command the terminal is shown
 * instead of done.
 *
 * Control characters but newline and tab, bytes that are no UTF-8, and characters that change the
 * direction of the text around them become \xNN, a byte each; everything else stays as it is.
 */
#ifndef TRACETOOL_TAME_H
#define TRACETOOL_TAME_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct tame;

/* What is written to its stream goes to `target`, which is borrowed. NULL with `error` set on
 * failure. */
struct tame *tame_open(FILE *target, struct error *error);

/* Owned; tame_close() closes it. */
FILE *tame_stream(struct tame *tame);

/* Writes the rest. False with `error` set when something could not be written, then or before.
 * `tame` may be NULL. */
bool tame_close(struct tame *tame, struct error *error);

#endif
