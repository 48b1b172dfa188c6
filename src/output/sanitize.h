/* A stream to a terminal for bytes that come from a log: what would command the terminal is shown
 * instead of done.
 *
 * Control characters but newline and tab, bytes that are no UTF-8, and characters that change the
 * direction of the text around them become \xNN, a byte each; everything else stays as it is.
 */
#ifndef TRACETOOL_SANITIZE_H
#define TRACETOOL_SANITIZE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct sanitizer;

/* What is written to its stream goes to `target`, which is borrowed. */
struct sanitizer *sanitizer_open(FILE *target);

/* Owned; sanitizer_close() closes it. */
FILE *sanitizer_stream(struct sanitizer *sanitizer);

/* Writes the rest. False with `error` set when something could not be written, then or before. */
bool sanitizer_close(struct sanitizer *sanitizer, struct error *error);

#endif
