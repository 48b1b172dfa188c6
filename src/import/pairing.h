/* Pairs the issues and completions of a trace of block I/O anew, where events are missing from its
 * log, behind the end of an import.
 *
 * The importers pair first in first out, which is right where nothing is missing. A lost completion
 * shifts all later pairs of its key by one. So where a loss is proven, of a device by its own
 * requests or of all by the log itself, the durations of completions are set anew by the rule of
 * model/io_pairing.h, and three more:
 *
 * - After an overrun no issue counts before all CPUs are there.
 * - No pair reaches across a loss that the log tells, if that loss took longer than the longest
 * pair of the device that reaches across none.
 * - A latency of more than PAIRING_BELIEVED times the 99th percentile of the device and
 *   direction is not believed: it joins two requests.
 *
 * The table `pairing` tells how many requests of each such device have both ends.
 */
#ifndef TRACETOOL_PAIRING_H
#define TRACETOOL_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "import/losses.h"
#include "store/column_table.h"

/* --- changed durations ---------------------------------------------------------------------------
 */

/* Sets `duration`, and `response`, of events that are stored already, in rows and columns: what an
 * import finds out at its end. Rollups that depend on them are made after that. */

#define SET_DURATIONS_BATCH 16384 /* changes that wait, at most */

struct set_durations {
    struct database *database;      /* borrowed */
    unsigned columns;               /* that are set */
    struct column_changer *changer; /* owned */
    struct event_change *changes;   /* owned; that wait */
    size_t count;
};

/* Begins to change the trace of `range`, of which all events are stored, within the caller's
 * transaction. `columns`: EVENT_DURATION, with or without EVENT_RESPONSE. */
void set_durations_begin(struct set_durations *set, struct database *database,
                         const struct column_range *range, unsigned columns);

/* Sets these columns of an event; ids ascend from call to call. */
bool set_durations_set(struct set_durations *set, const struct event_change *change,
                       struct error *error);

/* Writes what waits when all is `done`, and frees it. Returns whether all is done. */
bool set_durations_end(struct set_durations *set, bool done, struct error *error);

/* --- pairs ---------------------------------------------------------------------------------------
 */

#define PAIRING_BELIEVED 100

/* Devices that are distinguished; further ones share a place. */
#define PAIRING_DEVICES 64

/* Devices that lack ends of requests. */
struct proven_losses {
    int64_t devices[PAIRING_DEVICES];
    size_t count;
};

/* What came of it, over all devices. */
struct pairing_counts {
    int64_t completions;
    int64_t open;     /* issues without a completion */
    int64_t unissued; /* completions without an issue */
    int64_t unbelieved;
    bool changed; /* durations or responses of events are others, in the rows and in the columns */
};

/* Pairs the trace, all of it, or the events of `part`, which are its last ones. `losses`: of the
 * log. */
bool pairing_make(struct database *database, const struct column_range *trace,
                  const struct column_range *part, const struct losses *losses,
                  const struct proven_losses *proven, struct pairing_counts *counts,
                  struct error *error);

#endif
