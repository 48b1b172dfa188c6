/* Pairs issues and completions of block I/O again after an import, if events are missing from the
 * log.
 *
 * The importers pair first in, first out, which is correct for complete logs. A lost completion
 * would shift all later pairs of its key. If a loss is proven, for a device by its requests or for
 * all by the log, the durations of completions are set by the rule of model/io_pairing.h, and three
 * more:
 *
 * - After an overrun, issues count only from when all CPUs are complete.
 * - No pair extends across a reported loss that took longer than the device's longest pair across
 *   none.
 * - A latency of more than PAIRING_BELIEVED times the 99th percentile of the device and direction
 *   is rejected: it joins two requests.
 *
 * The table `pairing` has the number of requests of each such device with both ends.
 */
#ifndef TRACETOOL_PAIRING_H
#define TRACETOOL_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "import/losses.h"
#include "store/column_table.h"

/* --- changes of durations --------------------------------------------------------------------- */

/* Sets `duration` and `response` of stored events, in rows and columns, at the end of an import.
 * Rollups that depend on them are made afterwards. */

#define SET_DURATIONS_BATCH 16384 /* maximum pending changes */

struct set_durations {
    struct database *database;      /* borrowed */
    unsigned columns;               /* columns to set */
    struct column_changer *changer; /* owned */
    struct event_change *changes;   /* owned; pending */
    size_t count;
};

/* Begins changes of the trace of `range`, whose events are all stored, within the caller's
 * transaction. `columns`: EVENT_DURATION, with or without EVENT_RESPONSE. */
void set_durations_begin(struct set_durations *set, struct database *database,
                         const struct column_range *range, unsigned columns);

/* Sets the columns given to set_durations_begin() in an event; ids increase from call to call. */
bool set_durations_set(struct set_durations *set, const struct event_change *change,
                       struct error *error);

/* Writes pending changes if `done`, and frees. Returns whether everything succeeded. */
bool set_durations_end(struct set_durations *set, bool done, struct error *error);

/* --- pairs ---------------------------------------------------------------------------------------
 */

#define PAIRING_BELIEVED 100

/* Maximum devices distinguished; others share an entry. */
#define PAIRING_DEVICES 64

/* Devices whose requests lack an end. */
struct proven_losses {
    int64_t devices[PAIRING_DEVICES];
    size_t count;
};

/* Results over all devices. */
struct pairing_counts {
    int64_t completions;
    int64_t open;     /* issues without a completion */
    int64_t unissued; /* completions without an issue */
    int64_t unbelieved;
    bool changed; /* durations or responses of events were changed, in rows and columns */
};

/* Pairs all of the trace, or the events of `part`, its last ones. `losses`: those of the log. */
bool pairing_make(struct database *database, const struct column_range *trace,
                  const struct column_range *part, const struct losses *losses,
                  const struct proven_losses *proven, struct pairing_counts *counts,
                  struct error *error);

#endif
