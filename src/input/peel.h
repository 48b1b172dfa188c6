/* Strips what other programs add to the lines of a text log, before importers see them: journal or
 * container prefixes, line numbers, quotation marks, colours, HTML, UTF-16, wrapped lines.
 *
 * Each kind of addition is a layer. A plan lists the layers from the outermost in. peel_guess()
 * derives the plan from the beginning of a file; for a log without layers it is empty. Lines
 * without the prefix stay unchanged. Offsets refer to the original file.
 */
#ifndef TRACETOOL_PEEL_H
#define TRACETOOL_PEEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/peel_plan.h"

/* Returns the name of a layer as the ledger shows it, a constant string. */
const char *peel_name(enum peel_kind kind);

/* Stripping state of one stream. */
struct peel;

/* Starts stripping at the beginning of a file. Copies the plan. Owned by the caller. */
struct peel *peel_open(const struct peel_plan *plan);
void peel_close(struct peel *peel); /* NULL is allowed */

/* Feeds any number of bytes, the next ones of the file; `end` marks the last ones. The stripper may
 * hold back up to one line. */
void peel_feed(struct peel *peel, const uint8_t *bytes, size_t length, bool end);

/* Takes up to `capacity` stripped bytes; 0 at the end or when more must be fed. */
size_t peel_read(struct peel *peel, uint8_t *bytes, size_t capacity);

/* Converts an offset in the stripped stream to an offset in the file. The first byte of a line gets
 * the offset of its prefix. Offsets must not decrease between calls. */
int64_t peel_offset(struct peel *peel, int64_t offset);

/* peel_layers() returns the number of layers. peel_count() returns the number of lines that a layer
 * changed so far (PEEL_WRAPPED: lines joined to the line before), and the offset of the first. */
size_t peel_layers(const struct peel *peel);
int64_t peel_count(const struct peel *peel, size_t layer, enum peel_kind *kind,
                   int64_t *first_offset);

#endif
