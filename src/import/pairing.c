#include "import/pairing.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"
#include "model/io_pairing.h"
#include "store/catalog.h"
#include "store/devices.h"
#include "store/column_reader.h"

void duration_updater_begin(struct duration_updater *updater, struct database *database,
                            const struct column_range *range, unsigned columns) {
    *updater = (struct duration_updater){
        .database = database,
        .columns = columns,
        .changer = column_changer_new(database, range, columns),
        .changes = xmalloc(DURATION_UPDATER_BATCH * sizeof *updater->changes),
    };
}

/* Writes pending changes first to `event`, then to event_column: if that is damaged, it is rebuilt
 * from the rows of `event`. */
static bool write_changes(struct duration_updater *updater, struct error *error) {
    bool both = (updater->columns & EVENT_RESPONSE) != 0;

    for (size_t i = 0; !updater->database->without_rows && i < updater->count; i++) {
        const struct event_change *change = &updater->changes[i];

        if (!database_run_bound(
                updater->database, error,
                both ? "UPDATE main.event SET duration = ?2, response = ?3 WHERE id = ?1"
                     : "UPDATE main.event SET duration = ?2 WHERE id = ?1",
                both ? "ioo" : "io", change->id, change->duration, change->response)) {
            return false;
        }
    }
    if (!column_changer_set(updater->changer, updater->changes, updater->count, error)) {
        return false;
    }
    updater->count = 0;
    return true;
}

bool duration_updater_set(struct duration_updater *updater, const struct event_change *change,
                          struct error *error) {
    if (updater->count == DURATION_UPDATER_BATCH && !write_changes(updater, error)) {
        return false;
    }
    updater->changes[updater->count++] = *change;
    return true;
}

bool duration_updater_end(struct duration_updater *updater, bool done, struct error *error) {
    done = done && write_changes(updater, error) && column_changer_finish(updater->changer, error);
    column_changer_free(updater->changer);
    free(updater->changes);
    return done;
}

/* --- state of pairing ------------------------------------------------------------------------- */

enum { SECTOR = 512, GAPS_TOGETHER = 256 };

enum step { STEP_Q, STEP_G, STEP_M, STEP_F, STEP_D, STEP_R, STEP_C, STEPS };
static const char *const letters[STEPS] = {"Q", "G", "M", "F", "D", "R", "C"};

struct pairing_device {
    int64_t device;
    bool paired; /* true: the device's requests are paired again here, after the import */
    bool proven; /* true: requests of this device prove the loss */
    bool asked;  /* true: the log has queue events (Q) of the device */
    /* Numbers of issues, completions and pairs of the device's requests. Commands other than I/Os
     * (IO_DIRECTION_OTHER) are not counted, nor requests that lack an issue or a completion even in
     * a complete log. */
    int64_t issues, completions, pairs;
    int64_t longest; /* longest time from issue to completion of a request, not counting requests
                        across a reported loss */
    bool directions[IO_DIRECTION_FLUSH + 1]; /* by enum io_direction: the log has completions */
};

/* Summary of GAPS_TOGETHER consecutive gaps. */
struct gap_block {
    int64_t longest, last;
};

struct pairing {
    struct database *database;
    struct io_pairing *requests; /* owned */
    struct devices objects;      /* owned */
    int64_t steps[STEPS]; /* by step of a request: id of its action in the table name; EVENT_NONE:
                             not in the trace */
    struct pairing_device devices[PAIRING_DEVICES];
    size_t device_count;
    const struct proven_losses *proven;
    bool reported;
    bool counts_only;         /* true: counts the stored pairs, and changes none */
    int64_t since;            /* issues before this time are ignored; INT64_MIN: none is */
    struct loss_gap *gaps;    /* owned; gaps with known begin and end, sorted by `from` */
    struct gap_block *blocks; /* owned; summaries of `gaps` */
    size_t gap_count;
};

/* --- devices ---------------------------------------------------------------------------------- */

static bool pairing_is_proven(const struct proven_losses *proven, int64_t device) {
    for (size_t i = 0; i < proven->count; i++) {
        if (proven->devices[i] == device) {
            return true;
        }
    }
    return false;
}

static struct pairing_device *pairing_find_device(struct pairing *pairing, int64_t device) {
    struct pairing_device *found;

    for (size_t i = 0; i < pairing->device_count; i++) {
        if (pairing->devices[i].device == device || i == PAIRING_DEVICES - 1) {
            return &pairing->devices[i];
        }
    }
    found = &pairing->devices[pairing->device_count++];
    *found = (struct pairing_device){.device = device,
                                     .proven = pairing_is_proven(pairing->proven, device)};
    found->paired = found->proven || pairing->reported;
    return found;
}

/* --- reported losses -------------------------------------------------------------------------- */

static void add_gaps_to_losses(struct pairing *pairing, const struct losses *losses) {
    size_t count = losses->gap_count;

    if (count == 0) {
        return;
    }
    pairing->gaps = xmalloc(count * sizeof *pairing->gaps);
    pairing->blocks = xcalloc(count / GAPS_TOGETHER + 1, sizeof *pairing->blocks);
    for (size_t i = 0; i < count; i++) {
        const struct loss_gap *gap = &losses->gaps[i];
        struct gap_block *block = &pairing->blocks[pairing->gap_count / GAPS_TOGETHER];

        if (gap->from != EVENT_NONE && gap->to != EVENT_NONE && gap->to >= gap->from) {
            bool first = pairing->gap_count % GAPS_TOGETHER == 0;
            int64_t length = gap->to - gap->from;

            block->longest = first || length > block->longest ? length : block->longest;
            block->last = first || gap->to > block->last ? gap->to : block->last;
            pairing->gaps[pairing->gap_count++] = *gap;
        }
    }
}

/* Returns the duration of the longest loss between two times; EVENT_NONE: there is none. */
static int64_t longest_between(const struct pairing *pairing, int64_t from, int64_t to) {
    int64_t longest = EVENT_NONE;
    size_t at = 0, high = pairing->gap_count;

    SEARCH(at, high, middle, pairing->gaps[middle].from < from);

    while (at < pairing->gap_count && pairing->gaps[at].from <= to) {
        const struct gap_block *block = &pairing->blocks[at / GAPS_TOGETHER];
        const struct loss_gap *gap = &pairing->gaps[at];

        if (at % GAPS_TOGETHER == 0 && block->last <= to) {
            longest = block->longest > longest ? block->longest : longest;
            at += GAPS_TOGETHER;
            continue;
        }
        if (gap->to <= to && gap->to - gap->from > longest) {
            longest = gap->to - gap->from;
        }
        at++;
    }
    return longest;
}

/* --- queue, issue and completion events ------------------------------------------------------- */

/* Returns a request's response time, from its queue event to its completion; EVENT_NONE: unknown.
 * The stored response is returned if it begins after the previous queue event of this key and not
 * after the request's own: it may begin at the queue event of an upper device. */
static int64_t stored_or_new_response(const struct pairing *pairing,
                                      const struct pairing_device *device,
                                      const struct io_pair *pair, int64_t duration) {
    const struct io_completion *completion = &pair->completion;
    int64_t asked;

    if (pair->whole) {
        return completion->response;
    }
    if (pair->asked == EVENT_NONE) {
        return device->asked || duration != completion->duration ? EVENT_NONE
                                                                 : completion->response;
    }
    if (completion->response != EVENT_NONE) {
        asked = completion->time - completion->response;
        if (asked >= pairing->since && asked > pair->asked_before && asked <= pair->asked) {
            return completion->response;
        }
    }
    return completion->time - pair->asked;
}

static bool add_pair_to_batch(void *context, const struct io_pair *pair, struct error *error) {
    struct pairing *pairing = context;
    struct pairing_device *device = pairing_find_device(pairing, pair->key.device);
    const bool counts = pair->key.direction != IO_DIRECTION_OTHER && !pair->part && !pair->whole &&
                        pair->completion.time >= pairing->since;
    int64_t duration = EVENT_NONE, across = EVENT_NONE;

    device->completions += counts;
    device->directions[pair->key.direction] = true;
    if (pair->issued != EVENT_NONE) {
        duration = pair->completion.time - pair->issued;
        across = longest_between(pairing, pair->issued, pair->completion.time);
        if (across == EVENT_NONE && duration > device->longest) {
            device->longest = duration;
        }
    }
    return database_run_bound(
        pairing->database, error,
        "INSERT INTO temp.loss_pair (id, device, duration, response, across,"
        " old_duration, old_response, counts, direction)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        "iioooooii", pair->completion.id, (int64_t)(device - pairing->devices), duration,
        stored_or_new_response(pairing, device, pair, duration), across, pair->completion.duration,
        pair->completion.response, (int64_t)counts, (int64_t)pair->key.direction);
}

static enum step pairing_step_of_action(const struct pairing *pairing, uint32_t operation) {
    enum step step = STEP_Q;

    while (step < STEPS && pairing->steps[step] != operation) {
        step++;
    }
    return step;
}

/* Records when a request was queued (Q). If it includes a flush, also records the flush as queued.
 * If `queued` is false, the event is a G (get request) or a merge (M, F): it is used only if the
 * request is not queued yet. */
static bool pairing_queue(struct pairing *pairing, const struct io_key *key, uint32_t flags,
                          bool queued, int64_t time, int64_t blocks, struct error *error) {
    const struct io_key flush = {IO_DIRECTION_FLUSH, key->device, 0};

    if (!queued) {
        return key->direction == IO_DIRECTION_FLUSH ||
               io_pairing_is_queued(pairing->requests, key) ||
               io_pairing_queue(pairing->requests, key, time, blocks, error);
    }
    return io_pairing_queue(pairing->requests, key, time, blocks, error) &&
           ((flags & IO_FLAG_FLUSH) == 0 || key->direction == IO_DIRECTION_FLUSH ||
            io_pairing_queue(pairing->requests, &flush, time, 0, error));
}

static bool pairing_take_step(struct pairing *pairing, enum step step,
                              struct pairing_device *device, const struct io_key *key,
                              const struct io_completion *event, uint32_t flags, int64_t blocks,
                              struct error *error) {
    const bool counts = key->direction != IO_DIRECTION_OTHER;

    device->asked |= step == STEP_Q;
    if (step != STEP_C && event->time < pairing->since) {
        return true;
    }
    switch (step) {
    case STEP_Q:
    case STEP_G:
    case STEP_M:
    case STEP_F:
        return pairing_queue(pairing, key, flags, step == STEP_Q, event->time, blocks, error);
    case STEP_D:
        device->issues += counts;
        return io_pairing_issue(pairing->requests, key, event->time, blocks, error);
    case STEP_R:
        device->issues -= io_pairing_requeue(pairing->requests, key) && counts;
        return true;
    case STEP_C:
    case STEPS:
        break;
    }
    return io_pairing_complete(pairing->requests, key, event, blocks, error);
}

static bool pairing_visit(void *context, const struct event_columns *columns, size_t count,
                          struct error *error) {
    struct pairing *pairing = context;

    for (size_t i = 0; i < count; i++) {
        const enum step step = pairing_step_of_action(pairing, columns->operation[i]);
        const int64_t size = columns->size[i], blocks = size == EVENT_NONE ? 0 : size / SECTOR;
        const struct io_key key =
            io_key_make(columns->flags[i], devices_find(&pairing->objects, columns->object[i]),
                        columns->address[i], blocks);
        const struct io_completion event = {
            .id = columns->id[i],
            .time = columns->time[i],
            .duration = columns->duration[i],
            .response = columns->response[i],
        };
        struct pairing_device *device;

        if (step == STEPS || key.sector == EVENT_NONE) {
            continue;
        }
        device = pairing_find_device(pairing, key.device);
        if (device->paired && !pairing_take_step(pairing, step, device, &key, &event,
                                                 columns->flags[i], blocks, error)) {
            return false;
        }
    }
    return true;
}

static bool pairing_pass(struct pairing *pairing, const struct column_range *part,
                         struct error *error) {
    const struct event_pass pass = {
        .database = pairing->database,
        .range = *part,
        .fields = EVENT_DURATION | EVENT_OPERATION | EVENT_OBJECT | EVENT_FLAGS | EVENT_ADDRESS |
                  EVENT_SIZE | EVENT_RESPONSE,
        .visit = pairing_visit,
    };
    bool done = true;

    for (size_t i = 0; done && i < STEPS; i++) {
        done = action_find(pairing->database, part->trace, letters[i], &pairing->steps[i], error);
    }
    if (!done || pairing->steps[STEP_D] == EVENT_NONE || pairing->steps[STEP_C] == EVENT_NONE) {
        return done;
    }
    return devices_read(&pairing->objects, pairing->database, part->trace, error) &&
           event_pass_run(&pass, pairing, error) && io_pairing_end(pairing->requests, error);
}

/* --- plausible pairs -------------------------------------------------------------------------- */

/* Table of pairs of issue and completion. `verdict`: 0 accepted, 1 spans a loss, 2 too long. */
static const char make_table[] = "CREATE TEMP TABLE loss_pair (id INTEGER PRIMARY KEY,"
                                 " device INTEGER, duration INTEGER, response INTEGER,"
                                 " across INTEGER, old_duration INTEGER, old_response INTEGER,"
                                 " counts INTEGER, direction INTEGER, verdict INTEGER DEFAULT 0)";

/* Rejects pairs that span a loss longer than the device's longest pair without a loss. */
static bool part_by_losses(struct pairing *pairing, struct error *error) {
    for (size_t i = 0; i < pairing->device_count && pairing->gap_count > 0; i++) {
        if (pairing->devices[i].paired &&
            !database_run_bound(pairing->database, error,
                                "UPDATE temp.loss_pair SET duration = NULL, response = NULL,"
                                " verdict = 1 WHERE device = ?1 AND across > ?2",
                                "ii", (int64_t)i, pairing->devices[i].longest)) {
            return false;
        }
    }
    return true;
}

/* With several devices, an index lets each query read only its device's pairs. */
static bool pairing_make_index(struct pairing *pairing, struct error *error) {
    return pairing->device_count <= 1 ||
           database_run(pairing->database,
                        "CREATE INDEX temp.loss_pair_by_device ON loss_pair (device, direction)",
                        error);
}

/* The longest accepted time of a pair depends on the pairs of the same device and direction. */
#define JUDGED " FROM temp.loss_pair WHERE device = ?1 AND direction = ?2"
#define P99_OF(column)                                                                             \
    "SELECT " column JUDGED " AND " column " IS NOT NULL ORDER BY " column                         \
    " LIMIT 1 OFFSET (SELECT (count(" column ") * 99 + 99) / 100 - 1" JUDGED ")"

/* Computes the longest accepted time: PAIRING_BELIEVED times the 99th percentile (nearest rank),
 * which the SQL selects. */
static bool most_believed(struct pairing *pairing, const char *p99_sql, size_t device,
                          int64_t direction, int64_t *most, struct error *error) {
    struct database_query query =
        database_query(pairing->database, error, p99_sql, "ii", (int64_t)device, direction);

    *most = INT64_MAX;
    if (database_next(&query) &&
        sqlite3_column_int64(query.row, 0) <= INT64_MAX / PAIRING_BELIEVED) {
        *most = sqlite3_column_int64(query.row, 0) * PAIRING_BELIEVED;
    }
    return database_end(&query);
}

static bool judge_direction(struct pairing *pairing, size_t device, int64_t direction,
                            struct error *error) {
    int64_t most;

    return most_believed(pairing, P99_OF("duration"), device, direction, &most, error) &&
           database_run_bound(
               pairing->database, error,
               "UPDATE temp.loss_pair SET duration = NULL, response = NULL, verdict = 2"
               " WHERE device = ?1 AND direction = ?2 AND duration > ?3",
               "iii", (int64_t)device, direction, most) &&
           most_believed(pairing, P99_OF("response"), device, direction, &most, error) &&
           database_run_bound(pairing->database, error,
                              "UPDATE temp.loss_pair SET response = NULL"
                              " WHERE device = ?1 AND direction = ?2 AND response > ?3",
                              "iii", (int64_t)device, direction, most);
}

static bool judge_pairing(struct pairing *pairing, struct error *error) {
    for (size_t i = 0; i < pairing->device_count; i++) {
        for (int64_t direction = 0; direction <= IO_DIRECTION_FLUSH; direction++) {
            if (pairing->devices[i].directions[direction] &&
                !judge_direction(pairing, i, direction, error)) {
                return false;
            }
        }
    }
    return true;
}

/* --- results ---------------------------------------------------------------------------------- */

static bool pairing_write_events(struct pairing *pairing, const struct column_range *trace,
                                 bool *changed, struct error *error) {
    struct database_query query = database_query(
        pairing->database, error,
        "SELECT id, duration, response FROM temp.loss_pair WHERE duration IS NOT old_duration"
        " OR response IS NOT old_response ORDER BY id",
        "");
    struct duration_updater set;

    duration_updater_begin(&set, pairing->database, trace, EVENT_DURATION | EVENT_RESPONSE);
    while (database_next(&query)) {
        const struct event_change change = {
            .id = sqlite3_column_int64(query.row, 0),
            .duration = database_column_optional(query.row, 1),
            .response = database_column_optional(query.row, 2),
        };

        *changed = true;
        query.failed = !duration_updater_set(&set, &change, error);
    }
    return duration_updater_end(&set, database_end(&query), error);
}

/* Writes a device's counts. Counts no completions as unissued if the device has no issues in the
 * log (as a stacked device), and no issues as open if it has no completions. */
static bool write_device(struct pairing *pairing, int64_t trace, size_t number,
                         struct pairing_counts *counts, struct error *error) {
    const struct pairing_device *device = &pairing->devices[number];
    struct database_query query = database_query(
        pairing->database, error,
        "SELECT count(iif(?2, old_duration, duration)), count(*) FILTER (WHERE verdict = 2)"
        " FROM temp.loss_pair WHERE device = ?1 AND counts",
        "ii", (int64_t)number, (int64_t)pairing->counts_only);
    int64_t pairs = 0, unbelieved = 0, open, unissued;

    if (database_next(&query)) {
        pairs = sqlite3_column_int64(query.row, 0);
        unbelieved = sqlite3_column_int64(query.row, 1);
    }
    open = device->completions > 0 ? device->issues - pairs : 0;
    unissued = device->issues > 0 ? device->completions - pairs : 0;
    counts->completions += device->issues > 0 ? device->completions : 0;
    counts->open += open;
    counts->unissued += unissued;
    counts->unbelieved += unbelieved;
    return database_end(&query) &&
           database_run_bound(pairing->database, error,
                              "INSERT INTO main.pairing VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
                              " ?10)",
                              "ioiiiiiiii", trace, device->device, device->issues,
                              device->completions, pairs, open, unissued, unbelieved,
                              (int64_t)(device->proven && !pairing->counts_only),
                              (int64_t)pairing->reported);
}

static bool write_devices(struct pairing *pairing, int64_t trace, struct pairing_counts *counts,
                          struct error *error) {
    for (size_t i = 0; i < pairing->device_count; i++) {
        if (pairing->devices[i].paired && !write_device(pairing, trace, i, counts, error)) {
            return false;
        }
    }
    return true;
}

static bool pairing_begin(struct pairing *pairing, const struct losses *losses,
                          struct error *error) {
    const int64_t since = losses_complete_since(losses);

    pairing->reported = losses->reported;
    pairing->since = since == EVENT_NONE ? INT64_MIN : since;
    pairing->requests = io_pairing_new(add_pair_to_batch, pairing);
    add_gaps_to_losses(pairing, losses);
    return database_run(pairing->database, make_table, error);
}

static bool pairing_end(struct pairing *pairing, struct error *error) {
    io_pairing_free(pairing->requests);
    devices_free(&pairing->objects);
    free(pairing->gaps);
    free(pairing->blocks);
    return database_run(pairing->database, "DROP TABLE IF EXISTS temp.loss_pair", error);
}

/* Reads the devices of a trace that have counts. Further devices share one entry. */
static bool counted_devices(struct database *database, int64_t trace, struct proven_losses *counted,
                            struct error *error) {
    struct database_query query = database_query(
        database, error, "SELECT DISTINCT device FROM main.pairing WHERE trace = ?1", "i", trace);

    counted->count = 0;
    while (database_next(&query) && counted->count < PAIRING_DEVICES) {
        counted->devices[counted->count++] = database_column_optional(query.row, 0);
    }
    return database_end(&query);
}

/* Counts the requests of `devices` that are not in `others`, in a part without losses: so the
 * counts of a device are those of the whole trace. */
static bool count_complete_part(struct database *database, const struct column_range *part,
                                const struct proven_losses *devices,
                                const struct proven_losses *others, struct error *error) {
    const struct losses none = {0};
    struct proven_losses left = {0};
    struct pairing pairing = {.database = database, .proven = &left, .counts_only = true};
    struct pairing_counts ignored_counts = {0};
    struct error ignored = {0};
    bool done;

    for (size_t i = 0; i < devices->count; i++) {
        if (!pairing_is_proven(others, devices->devices[i])) {
            left.devices[left.count++] = devices->devices[i];
        }
    }
    if (left.count == 0 || part->first > part->last) {
        return true;
    }
    done = pairing_begin(&pairing, &none, error) && pairing_pass(&pairing, part, error) &&
           write_devices(&pairing, part->trace, &ignored_counts, error) &&
           database_run_bound(
               database, error,
               "UPDATE main.pairing SET (proven, told) = (SELECT max(o.proven), max(o.told)"
               " FROM main.pairing AS o WHERE o.trace = ?1 AND o.device IS pairing.device)"
               " WHERE trace = ?1 AND proven + told = 0",
               "i", part->trace);
    return pairing_end(&pairing, done ? error : &ignored) && done;
}

static bool pairing_recompute_part(struct database *database, const struct column_range *trace,
                                   const struct column_range *part, const struct losses *losses,
                                   const struct proven_losses *proven, struct proven_losses *paired,
                                   struct pairing_counts *counts, struct error *error) {
    struct pairing pairing = {.database = database, .proven = proven};
    struct error ignored = {0};
    bool done;

    if (!losses->reported && proven->count == 0) {
        return true;
    }
    /* If the whole trace is paired, deletes its earlier counts from the table pairing. */
    done = (part->first > trace->first ||
            database_run_bound(database, error, "DELETE FROM main.pairing WHERE trace = ?1", "i",
                               trace->trace)) &&
           pairing_begin(&pairing, losses, error) && pairing_pass(&pairing, part, error) &&
           pairing_make_index(&pairing, error) && part_by_losses(&pairing, error) &&
           judge_pairing(&pairing, error) &&
           pairing_write_events(&pairing, trace, &counts->changed, error) &&
           write_devices(&pairing, trace->trace, counts, error);
    for (size_t i = 0; i < pairing.device_count; i++) {
        if (pairing.devices[i].paired) {
            paired->devices[paired->count++] = pairing.devices[i].device;
        }
    }
    return pairing_end(&pairing, done ? error : &ignored) && done;
}

bool pairing_recompute(struct database *database, const struct column_range *trace,
                       const struct column_range *part, const struct losses *losses,
                       const struct proven_losses *proven, struct pairing_counts *counts,
                       struct error *error) {
    const struct column_range before = {trace->trace, trace->first, part->first - 1};
    const bool appended = part->first > trace->first;
    struct proven_losses earlier = {0}, paired = {0};

    *counts = (struct pairing_counts){0};
    return (!appended || counted_devices(database, trace->trace, &earlier, error)) &&
           pairing_recompute_part(database, trace, part, losses, proven, &paired, counts, error) &&
           (!appended || (count_complete_part(database, part, &earlier, &paired, error) &&
                          count_complete_part(database, &before, &paired, &earlier, error)));
}
