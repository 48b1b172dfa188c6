/* The numbers an importer needs to continue a trace when files are appended later (import
 * --append): whole numbers with names, as the text "key 1 other -2". The text may come from
 * anybody's database, so each number has its bounds.
 *
 *     values[0] = (struct resume_value){"last", &format->last, 0, INT64_MAX};
 *
 * An importer fills in such a list, which begin() reads and end() writes.
 */
#ifndef TRACETOOL_RESUME_STATE_H
#define TRACETOOL_RESUME_STATE_H

#include "import/importer.h"

struct resume_value {
    const char *key; /* a word */
    int64_t *number; /* borrowed */
    int64_t least, most;
    bool is_unsigned; /* 64 bits without a sign, any of them: no bounds */
};

/* Reads the numbers when the trace continues (`*goes_on`); else they stay as they are. False with
 * `error` set when the text was not written by resume_state_write(), or is out of bounds. */
bool resume_state_read(const struct import *import, const struct resume_value *values, size_t count,
                       bool *goes_on, struct error *error);

/* Stores the numbers. */
bool resume_state_write(struct import *import, const struct resume_value *values, size_t count,
                        struct error *error);

/* The same on a text: for tests. */
bool resume_state_parse(const char *text, const struct resume_value *values, size_t count);
void resume_state_format(struct text *text, const struct resume_value *values, size_t count);

#endif
