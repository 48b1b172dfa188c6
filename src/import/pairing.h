/* Pairs issues and completions of block I/O again after an import, if events are missing from the
 * log.
 *
 * The importers pair issues and completions first in, first out, which is correct for complete
 * logs. After a lost completion, all later pairs of the same key (device, sector, direction) would
 * be wrong. A loss is proven for one device by its unpaired requests, or for all devices by the
 * log's own report. For these devices the durations of completions are then set again by the rule
 * of model/io_pairing.h and three further rules:
 *
 * - After an overrun, issues count only from the time when the log has events of all CPUs.
 * - No pair extends across a reported loss that took longer than the device's longest pair across
 *   no loss.
 * - A latency of more than PAIRING_BELIEVED times the 99th percentile of the device and direction
 *   is rejected: such a pair joins two requests.
 *
 * For each of these devices, the table `pairing` has the number of requests with issue and
 * completion. After --append, it has those of the parts without losses, too. */
#ifndef TRACETOOL_PAIRING_H
#define TRACETOOL_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "import/losses.h"
#include "store/column_table.h"

/* --- changing durations of stored events ------------------------------------------------------ */

/* Sets `duration` and `response` of stored events at the end of an import, in the table `event` and
 * in event_column. Rollups that depend on them are made afterwards. */

#define DURATION_UPDATER_BATCH 16384 /* maximum pending changes */

struct duration_updater {
    struct database *database;      /* borrowed */
    unsigned columns;               /* bits of enum event_column: the columns to set */
    struct column_changer *changer; /* owned */
    struct event_change *changes;   /* owned; changes not yet written */
    size_t count;
};

/* Begins to change events of the trace in `range`, which are all stored already, in the caller's
 * transaction. `columns`: EVENT_DURATION, with or without EVENT_RESPONSE. */
void duration_updater_begin(struct duration_updater *updater, struct database *database,
                            const struct column_range *range, unsigned columns);

/* Sets columns of an event: those given to duration_updater_begin(). Ids must increase from call to
 * call. */
bool duration_updater_set(struct duration_updater *updater, const struct event_change *change,
                          struct error *error);

/* Writes pending changes if `done`, and frees memory. Returns whether all changes were written. */
bool duration_updater_end(struct duration_updater *updater, bool done, struct error *error);

/* --- pairs of issues and completions ---------------------------------------------------------- */

#define PAIRING_BELIEVED 100

/* Limit of devices with counts of their own; further devices share an entry. */
#define PAIRING_DEVICES 1024

/* Devices with requests that lack an issue or a completion. */
struct proven_losses {
    int64_t devices[PAIRING_DEVICES];
    size_t count;
};

/* Results of pairing, summed over all devices. */
struct pairing_counts {
    int64_t completions;
    int64_t open;     /* issues without a completion */
    int64_t unissued; /* completions without an issue */
    int64_t unbelieved;
    bool changed; /* true: durations or responses of events were changed in the database */
};

/* Pairs the requests in `part`: the whole trace, or the events appended last. `losses`: as reported
 * by the log. */
bool pairing_recompute(struct database *database, const struct column_range *trace,
                       const struct column_range *part, const struct losses *losses,
                       const struct proven_losses *proven, struct pairing_counts *counts,
                       struct error *error);

#endif
