/* What an importer keeps to go on with a trace when files are appended to it later (import
 * --append): whole numbers with names, as the text "key 1 other -2". What comes back may be
 * anybody's database, so each number has its bounds.
 *
 *     static void list_kept(struct format *format, struct kept kept[KEPT]) {
 *         kept[0] = (struct kept){"last", &format->last, 0, INT64_MAX};
 *     }
 *
 * is all that the importer says of it: begin() reads and end() writes that list.
 */
#ifndef TRACETOOL_KEPT_H
#define TRACETOOL_KEPT_H

#include "import/importer.h"

struct kept {
    const char *key; /* a word */
    int64_t *number; /* borrowed */
    int64_t least, most;
    bool is_unsigned; /* 64 bits without a sign, any of them: no bounds */
};

/* Reads what was kept when the trace goes on; `*goes_on` tells. A new trace leaves the numbers as
 * they are. False with `error` set when it is not what kept_write() wrote, or out of bounds. */
bool kept_read(const struct import *import, const struct kept *kept, size_t count, bool *goes_on,
               struct error *error);

/* Keeps the numbers. */
bool kept_write(struct import *import, const struct kept *kept, size_t count, struct error *error);

/* The same on a text: for tests. */
bool kept_parse(const char *text, const struct kept *kept, size_t count);
void kept_format(struct text *text, const struct kept *kept, size_t count);

#endif
