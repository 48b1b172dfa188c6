/* Strips wrapping that other programs add to a text log, before an importer sees it: journal or
 * container prefixes, line numbers, quotation marks, colours, HTML, UTF-16, wrapped lines.
 *
 * A plan lists the layers from the outermost in. peel_guess() derives it from the beginning of a
 * file; a bare log has none. Lines without the prefix stay unchanged. Offsets refer to the original
 * file.
 */
#ifndef TRACETOOL_PEEL_H
#define TRACETOOL_PEEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/peel_plan.h"

/* Returns a layer's name in the ledger, a constant string. */
const char *peel_name(enum peel_kind kind);

/* Stripping state of one stream. */
struct peel;

/* Starts at the beginning of a file. Copies the plan. Owned by the caller. */
struct peel *peel_open(const struct peel_plan *plan);
void peel_close(struct peel *peel); /* NULL is allowed */

/* Feeds the next bytes of the file, any number; `end` marks the last ones. May hold back up to one
 * line. */
void peel_feed(struct peel *peel, const uint8_t *bytes, size_t length, bool end);

/* Takes up to `capacity` stripped bytes; 0 at the end or when more must be fed. */
size_t peel_read(struct peel *peel, uint8_t *bytes, size_t capacity);

/* Maps an offset in the stripped stream to the file. The first byte of a line maps to the start of
 * its prefix. Offsets must not decrease between calls. */
int64_t peel_offset(struct peel *peel, int64_t offset);

/* peel_layers(): number of layers. peel_count(): lines that a layer changed so far (PEEL_WRAPPED:
 * lines joined to the previous one), and the offset of the first. */
size_t peel_layers(const struct peel *peel);
int64_t peel_count(const struct peel *peel, size_t layer, enum peel_kind *kind,
                   int64_t *first_offset);

#endif
