/* The two keys in front of every row of a store: which trace, and which attempt to send it. */
#ifndef TRACETOOL_REMOTE_PAIR_H
#define TRACETOOL_REMOTE_PAIR_H

#include <stdint.h>

#include "remote/rowbinary.h"

/* One attempt to send a trace. */
struct remote_pair {
    uint64_t trace, attempt;
};

/* Below, at or above 0, as of strcmp(): by trace, then by attempt. */
int remote_pair_compare(const struct remote_pair *a, const struct remote_pair *b);

/* Takes the keys of a row. */
struct remote_pair remote_pair_take(struct rowbinary_reader *reader);

#endif
