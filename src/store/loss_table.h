/* What a log tells of its losses: the table `loss`. */
#ifndef TRACETOOL_LOSS_TABLE_H
#define TRACETOOL_LOSS_TABLE_H

#include "store/database.h"

/* What stands in place of a CPU's number where the log names none. */
#define LOSS_NO_CPU (-1)

/* A row of the table. */
struct loss_row {
    int64_t cpu;         /* LOSS_NO_CPU: not known */
    int64_t lost;        /* events; 0: none */
    int64_t uncounted;   /* losses that were told without a number */
    int64_t overwritten; /* of those lost, the ones before the log's first event; of LOSS_NO_CPU */
    int64_t events;      /* that are in the log */
    int64_t first, last; /* times of these; EVENT_NONE: there are none */
};

/* Adds to what the table has for the trace. */
bool loss_table_add(struct database *database, int64_t trace, const struct loss_row *row,
                    struct error *error);

#endif
