/* Sanitizes a stream of untrusted bytes for a terminal: escape sequences are printed visibly, not
 * executed.
 *
 * Control characters other than newline and tab, invalid UTF-8, and bidirectional controls become
 * \xNN for each byte. Everything else is unchanged. */
#ifndef TRACETOOL_SANITIZE_H
#define TRACETOOL_SANITIZE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct sanitizer;

/* Opens a stream that writes to `target`, which is borrowed. */
struct sanitizer *sanitizer_open(FILE *target);

/* Returns the stream to write to. The sanitizer owns it, and sanitizer_close() closes it. */
FILE *sanitizer_stream(struct sanitizer *sanitizer);

/* Writes the rest and closes the stream. Returns false and sets `error` if any write failed. */
bool sanitizer_close(struct sanitizer *sanitizer, struct error *error);

#endif
