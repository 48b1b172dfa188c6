/* Of the events of a trace those that a report looks at (struct database_part): which ids the store
 * is asked for, and what proves that none of them is missing.
 *
 * Ids of a trace's events are 1, 2, 3, … in the order of time, so a time is a range of ids, which
 * the store finds, and the times of the events at its ends, which are fetched, show that it is
 * right. How many rows pass a filter the store counts by a statement of its own, beside how many it
 * has in all, which has to be what was pushed; as many have to come. Where one row is lost and
 * another there twice, the numbers are right all the same: so none may be there twice, of the rest
 * either.
 */
#ifndef TRACETOOL_REMOTE_EVENT_PART_H
#define TRACETOOL_REMOTE_EVENT_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "copy/transfer.h"
#include "remote/client.h"
#include "remote/pair.h"
#include "remote/statements.h"
#include "store/connection.h"

/* A trace of the store. */
struct event_part_trace {
    struct remote_pair pair;
    int64_t rows;         /* events */
    const int64_t *shift; /* by enum transfer_id: what is added to ids of the store; borrowed */
    bool has_io_parts;    /* some I/Os are on several files */
};

/* Rows that the store has of a trace in a table of events. */
struct event_count {
    int64_t all, part; /* and how many of them are of the part */
    bool each_once;    /* no two are of one event, or of one part of an I/O */
};

struct event_part {
    bool chosen;         /* the server chooses, so that less comes where less is wanted */
    bool some;           /* else all events are to be fetched, and nothing else counts */
    int64_t from, to;    /* as in struct database_part */
    int64_t first, last; /* ids in the store of what lies between; last < first: nothing does */
    int64_t low, high;   /* ids that are asked for: one more at either end, where there is one */
    struct event_count count; /* of events */
    struct text condition;    /* owned; of remote_append_ids() and remote_append_classes() */
};

/* Finds the part by asking the store. `part->some` is false where that would be all. The part is to
 * be freed in any case. */
bool event_part_find(struct event_part *part, struct remote *remote,
                     const struct event_part_trace *trace, const struct database_part *wanted,
                     struct error *error);
void event_part_free(struct event_part *part);

/* The range of ids from `first` on, which is not before `part->low`, as statements have it: of the
 * table `event`, else of one that belongs to it. Borrows from the part. */
struct remote_range event_part_range(const struct event_part *part, bool is_event, int64_t first);

/* Asks which rows the store has of the attempt in a table of events. */
bool event_part_count(struct remote *remote, const struct remote_table *table,
                      const struct remote_pair *pair, const struct event_part *part,
                      struct event_count *count, struct error *error);

/* Whether the events that came into the database, with `shift` added to their ids, are those that
 * were to come: so many of these ids, with those at the ends, whose times are as they should. */
bool event_part_check(struct database *database, const struct event_part *part, int64_t shift,
                      bool *right, struct error *error);

#endif
