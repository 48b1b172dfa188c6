/* What other programs put around the lines of a text log, taken off again before an importer sees
 * them: the prefix of a journal or a container's log, line numbers, marks of a quotation, colours,
 * HTML, UTF-16, lines wrapped at a width.
 *
 * A plan says which layers there are, from the outermost on. It is made of the beginning of a file
 * (peel_guess()), and a log that nothing is around has none. Lines that lack what the others have
 * stay as they are. Offsets remain those of the file as it lies.
 */
#ifndef TRACETOOL_PEEL_H
#define TRACETOOL_PEEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/peel_plan.h"

/* What a layer is called in the ledger, a constant. */
const char *peel_name(enum peel_kind kind);

/* A stream that is being peeled. */
struct peel;

/* Begins at the beginning of a file. Owned by the caller; the plan is copied. */
struct peel *peel_open(const struct peel_plan *plan);
void peel_close(struct peel *peel); /* NULL is allowed */

/* The next bytes of the file, of any length; `end`: the last ones. Up to a line is held back. */
void peel_feed(struct peel *peel, const uint8_t *bytes, size_t length, bool end);

/* Takes up to `capacity` bytes of what there is; 0: more must be fed, or it was the end. */
size_t peel_take(struct peel *peel, uint8_t *bytes, size_t capacity);

/* Where in the file that byte of the peeled stream lies; of the first of a line, where the line
 * with its prefix begins. Offsets may not fall from call to call. */
int64_t peel_offset(struct peel *peel, int64_t offset);

/* How many layers there are; from how many lines a layer was taken off so far (of wrapped ones, how
 * many were joined to the one before), and where the first of these begins. */
size_t peel_layers(const struct peel *peel);
int64_t peel_count(const struct peel *peel, size_t layer, enum peel_kind *kind,
                   int64_t *first_offset);

#endif
