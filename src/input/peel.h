/* Strips what other programs add to the lines of a text log, before importers see them: journal or
 * container prefixes, line numbers, quotation marks, colours, HTML, UTF-16, wrapped lines.
 *
 * Each kind of addition is a layer. A plan lists the layers, the outermost first. peel_guess()
 * derives the plan from the beginning of a file; for a log without layers it is empty. Lines
 * without a layer's prefix stay unchanged. Reported offsets are those in the original file. */
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

/* Returns a stripper, owned by the caller, for a file from its beginning on. Copies the plan. */
struct peel *peel_open(const struct peel_plan *plan);
void peel_close(struct peel *peel); /* NULL is allowed */

/* Feeds the next bytes of the file, any number; `end` marks the last ones. The stripper may hold
 * back up to one line. */
void peel_feed(struct peel *peel, const uint8_t *bytes, size_t length, bool end);

/* Reads up to `capacity` stripped bytes; returns 0 at the end, or if more must be fed. */
size_t peel_take(struct peel *peel, uint8_t *bytes, size_t capacity);

/* Converts a byte offset in the stripped text to an offset in the file. The first byte of a line
 * gets the offset of its prefix. Offsets must not decrease from call to call. */
int64_t peel_offset(struct peel *peel, int64_t offset);

/* peel_layers() returns the number of layers. peel_count() returns the number of lines that a layer
 * changed so far (PEEL_WRAPPED: lines joined to the line before), and the offset of the first. */
size_t peel_layers(const struct peel *peel);
int64_t peel_count(const struct peel *peel, size_t layer, enum peel_kind *kind,
                   int64_t *first_offset);

#endif
