#include "remote/store_snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "base/words.h"
#include "remote/rowbinary.h"
#include "remote/snapshot_parts.h"
#include "remote/statements.h"

/* --- choosing a part of a trace's events ------------------------------------------------------ */

/* Selection of the events that a report needs (struct database_part), and detection of missing
 * rows.
 *
 * The ids of a trace's events in a store are 1, 2, 3, … in order of time. So a range of times is a
 * range of ids, which the store finds. One more event is fetched at each end: its time proves that
 * the range is right.
 *
 * Another statement counts the rows that pass the filter, and all rows. The number of all rows must
 * be the number sent; the number of fetched rows must be the number that pass. A lost row and a
 * repeated one would cancel out, so all rows are also checked for duplicates. */

/* A trace of the store, as needed to choose its events. */
struct event_part_trace {
    struct upload_key pair;
    int64_t rows;         /* number of the trace's events */
    const int64_t *shift; /* borrowed; by enum transfer_id: what to add to ids of the store */
    bool has_io_parts;    /* true: some I/Os belong to several files (table io_part) */
};

/* Limit of events that are fetched by one request. */
enum { EVENTS_AT_ONCE = 100000 };

static const struct remote_table *event_table(void) {
    return remote_table_find("event");
}

/* --- asking the store for numbers ------------------------------------------------------------- */

/* Queries numbers about an attempt (upload). All are 0 if it has no rows. */
static bool query_numbers(struct remote *remote, struct text *sql, const struct upload_key *pair,
                          int64_t *numbers, size_t count, struct error *error) {
    struct remote_answer answer = remote_query(remote, sql, REMOTE_SMALL_ANSWER, error);

    memset(numbers, 0, count * sizeof *numbers);
    if (remote_next(&answer)) {
        const struct upload_key got = rowbinary_read_upload_key(&answer.reader);

        for (size_t i = 0; i < count; i++) {
            numbers[i] = rowbinary_i64(&answer.reader);
        }
        answer.reader.failed |= remote_next(&answer) || upload_key_compare(&got, pair) != 0;
    }
    return remote_end(&answer);
}

/* Finds the ids of the events in the needed times, and one more at each end. */
static bool store_snapshot_find_time(struct event_part *part, struct remote *remote,
                                     const struct event_part_trace *trace, struct error *error) {
    const bool is_bounded = part->from != INT64_MIN || part->to != INT64_MAX;
    int64_t found[2] = {0, trace->rows}; /* numbers of events before `from` and before `to` */
    struct text sql = {0};
    bool done = true;

    if (is_bounded) {
        /* Some servers cannot parse INT64_MIN. No event is that early, so INT64_MIN + 1 has the
         * same result. */
        remote_append_count_before(&sql, remote->address.database, &trace->pair,
                                   part->from < -INT64_MAX ? -INT64_MAX : part->from, part->to);
        done = query_numbers(remote, &sql, &trace->pair, found, 2, error);
        found[1] = part->to == INT64_MAX ? trace->rows : found[1];
        for (int i = 0; done && i < 2; i++) {
            done = (found[i] >= 0 && found[i] <= trace->rows) ||
                   remote_set_answer_error(remote, error);
        }
    }
    part->first = found[0] + 1;
    part->last = found[1] < found[0] ? found[0] : found[1];
    part->low = part->first > 1 ? part->first - 1 : 1;
    part->high = part->last < trace->rows ? part->last + 1 : trace->rows;
    return done;
}

/* Sets the conditions that the store applies. If I/Os of the trace may belong to several files, the
 * store must not filter by file or class: each part of such an I/O has its own file and class,
 * which the row in table `event` does not show. */
static void find_condition(struct event_part *part, const struct event_part_trace *trace,
                           const struct database_part *wanted) {
    const struct database_ids action = {&wanted->action, 1};
    struct text *sql = &part->condition;

    if (wanted->action != INT64_MIN) {
        remote_append_ids(sql, "operation", &action, trace->shift[TRANSFER_NAME]);
    }
    if (wanted->operations.ids != NULL) {
        remote_append_ids(sql, "operation", &wanted->operations, trace->shift[TRANSFER_NAME]);
    }
    if (wanted->actors.ids != NULL) {
        remote_append_ids(sql, "actor", &wanted->actors, trace->shift[TRANSFER_ACTOR]);
    }
    if (wanted->objects.ids != NULL && !trace->has_io_parts) {
        remote_append_ids(sql, "object", &wanted->objects, trace->shift[TRANSFER_OBJECT]);
    }
    if (wanted->classes_out != 0 && !trace->has_io_parts) {
        remote_append_classes(sql, wanted->classes_out);
    }
    if (wanted->values != NULL) {
        text_append_string(sql, wanted->values);
    }
}

/* Returns the range of ids to fetch by one request from an event table, from id `first` on. Borrows
 * the condition of the part. */
static struct remote_range event_part_range(const struct event_part *part, bool is_event,
                                            int64_t first) {
    /* One request fetches all if the part is small. */
    const int64_t last = part->count.part <= EVENTS_AT_ONCE || part->high - first < EVENTS_AT_ONCE
                             ? part->high
                             : first + EVENTS_AT_ONCE - 1;

    return (struct remote_range){
        .column = is_event ? "id" : "event",
        .first = first,
        .last = last,
        .condition = is_event ? text_string(&part->condition) : "",
        .near_first = part->first + DATABASE_PART_ENDS,
        .near_last = part->last - DATABASE_PART_ENDS,
    };
}

/* Returns the sum of id + 2 id^3 over the ids 1 to `count`, as in remote_append_count_range(). Uses
 * the formula Σ id^3 = (Σ id)^2. */
static int64_t sum_of_events(int64_t count) {
    const uint64_t n = (uint64_t)count,
                   ids = n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n; /* modulo 2^64 */

    return (int64_t)(ids + 2 * ids * ids);
}

/* Counts the rows of an attempt in an event table: all rows, and the rows of the part to fetch. */
static bool event_part_count(struct remote *remote, const struct remote_table *table,
                             const struct upload_key *pair, const struct event_part *part,
                             struct event_count *count, struct error *error) {
    struct remote_range range = event_part_range(part, table == event_table(), part->low);
    struct text sql = {0};
    int64_t numbers[3];
    bool done;

    range.last = part->high;
    remote_append_count_range(&sql, remote->address.database, table, pair, &range);
    done = query_numbers(remote, &sql, pair, numbers, 3, error);
    if (!done || numbers[0] < 0 || numbers[1] < 0) {
        return done ? remote_set_answer_error(remote, error) : false;
    }
    *count = (struct event_count){
        .all = numbers[0],
        .part = numbers[1],
        .each_once =
            numbers[2] == (table == event_table() ? sum_of_events(numbers[0]) : numbers[0]),
    };
    return true;
}

/* Queries which part of a trace's events to fetch. Sets `part->some` to false if all events are
 * needed. The caller frees the part, also on failure. */
static bool event_part_find(struct event_part *part, struct remote *remote,
                            const struct event_part_trace *trace,
                            const struct database_part *wanted, struct error *error) {
    *part = (struct event_part){
        .from = wanted->from,
        .to = wanted->to,
        .chosen = wanted->some && trace->rows > DATABASE_FEW_EVENTS,
    };
    if (!part->chosen) {
        return true;
    }
    if (!store_snapshot_find_time(part, remote, trace, error)) {
        return false;
    }
    find_condition(part, trace, wanted);
    part->some = part->low > 1 || part->high < trace->rows || part->condition.length > 0;
    return !part->some ||
           event_part_count(remote, event_table(), &trace->pair, part, &part->count, error);
}

/* --- checking the fetched rows ---------------------------------------------------------------- */

/* Checks that the number of events is right, that none is missing at both ends, and that exactly
 * the events with times in [from, to) have the ids in the range. */
static const char proof[] =
    "SELECT count(*) = ?3 AND count(*) FILTER (WHERE id < ?6 + ?10 OR id > ?7 - ?10)"
    " = ?2 - ?1 + 1 - max(0, ?7 - ?6 + 1 - 2 * ?10)"
    " AND NOT total((id < ?6) <> (time < ?4) OR (id > ?7) <> (time >= ?5 AND ?5 < ?8))"
    " AND (?9 OR count(*) = ?2 - ?1 + 1)"
    " FROM main.event WHERE id BETWEEN ?1 AND ?2";

/* Checks the fetched events: their number, and ids and times of those at both ends. `shift`: id in
 * the snapshot minus id in the store. */
static bool event_part_check(struct database *database, const struct event_part *part,
                             int64_t shift, bool *right, struct error *error) {
    struct database_query query = database_query(
        database, error, proof, "iiiiiiiiii", part->low + shift, part->high + shift,
        part->count.part, part->from, part->to, part->first + shift, part->last + shift, INT64_MAX,
        (int64_t)(part->condition.length > 0), (int64_t)DATABASE_PART_ENDS);

    *right = database_next(&query) && sqlite3_column_int(query.row, 0) == 1;
    return database_end(&query);
}

/* Fetches the rows of an event table for a part of a trace's events, one range of ids per request,
 * so that answers stay small. `*rows`: number of fetched rows. */
static bool fetch_event_rows(struct store_snapshot *snapshot, const struct remote_table *table,
                             const struct snapshot_trace *trace, const struct event_part *part,
                             int64_t *rows, struct error *error) {
    struct snapshot_rows in = {.snapshot = snapshot, .table = table};
    struct remote_range range;
    struct text sql = {0};
    bool done = snapshot_rows_open(&in, error);

    for (int64_t first = part->low; done && first <= part->high; first = range.last + 1) {
        range = event_part_range(part, table == event_table(), first);
        remote_append_select_range(&sql, snapshot->remote.address.database, table, &trace->pair,
                                   &range);
        done = snapshot_rows_fetch(&in, &sql, error);
    }
    *rows = in.rows;
    sqlite3_finalize(in.insert);
    return done;
}

/* Fetches all rows of a trace from an event table. */
static bool fetch_event_table(struct store_snapshot *snapshot, const struct remote_table *table,
                              const struct snapshot_trace *trace, struct error *error) {
    const struct event_part all = {
        .low = 1, .high = trace->rows, .count = {trace->rows, trace->rows, true}};
    int64_t rows;

    return fetch_event_rows(snapshot, table, trace, &all, &rows, error) &&
           snapshot_check_rows(snapshot, table, trace, error) &&
           (table != event_table() || rows == trace->rows ||
            remote_set_answer_error(&snapshot->remote, error));
}

/* Checks that the store has exactly those rows of a trace in this table that were sent. */
static bool check_part(const struct store_snapshot *snapshot, const struct remote_table *table,
                       const struct snapshot_trace *trace, const struct event_count *count,
                       struct error *error) {
    return snapshot_check_count(snapshot, table, trace, count->all, error) &&
           (table != event_table() || count->all == trace->rows ||
            remote_set_answer_error(&snapshot->remote, error)) &&
           (count->each_once ||
            error_set(error,
                      "%s: of trace %s some rows of %s are missing, and others are there twice; "
                      "tracetool store check shows details",
                      snapshot->remote.address.shown, trace->label.name, table->name));
}

/* Fetches the rows of one part of a trace's events, after checking how many rows the store has. */
static bool fetch_event_part(struct store_snapshot *snapshot, const struct remote_table *table,
                             struct snapshot_trace *trace, const struct event_part *part,
                             struct error *error) {
    int64_t *left = &trace->left[table - remote_tables], pushed = *left, rows;
    struct event_count count = part->count;
    bool done = (table == event_table() ||
                 event_part_count(&snapshot->remote, table, &trace->pair, part, &count, error)) &&
                check_part(snapshot, table, trace, &count, error) &&
                fetch_event_rows(snapshot, table, trace, part, &rows, error) &&
                (rows == count.part ||
                 snapshot_count_error(snapshot, table, trace, rows < count.part, error));

    /* `left` (rows not fetched yet) stays unchanged, since a later report may need all rows. */
    *left = pushed;
    return done;
}

bool insert_time_bounds(struct store_snapshot *snapshot, const struct snapshot_trace *trace,
                        struct error *error) {
    return trace->rows == 0 ||
           database_run_bound(snapshot->database, error,
                              "INSERT OR IGNORE INTO main.event (id, time) SELECT e.id, e.time FROM"
                              " (SELECT first_event AS id, first_time AS time FROM main.trace"
                              "  WHERE id = ?1 UNION SELECT last_event, last_time FROM main.trace"
                              "  WHERE id = ?1 AND last_event > first_event) AS e",
                              "i", trace->id);
}

/* Deletes a trace's events from the snapshot: its first and last event, or a fetched part. */
static bool clear_events(struct store_snapshot *snapshot, struct snapshot_trace *trace,
                         struct error *error) {
    bool done = true;

    for (const struct remote_table *table = remote_tables; done && table->name != NULL; table++) {
        struct text sql = {0};

        if (!table->of_events) {
            continue;
        }
        text_append_format(&sql, "DELETE FROM main.\"%s\" WHERE %s BETWEEN ?1 AND ?2", table->name,
                           (table == event_table()) ? "id" : "event");
        done = database_run_bound(snapshot->database, error, text_string(&sql), "ii",
                                  trace->shift[TRANSFER_EVENT] + 1,
                                  trace->shift[TRANSFER_EVENT] + trace->rows);
        text_free(&sql);
    }
    snapshot->rows -= trace->part_rows;
    trace->part_rows = 0;
    return done;
}

/* Replaces a trace's events in the snapshot by all its events, or by a part of them. */
static bool fetch_trace_events(struct store_snapshot *snapshot, struct snapshot_trace *trace,
                               const struct event_part *part, struct error *error) {
    const bool some = part->some;
    bool done = clear_events(snapshot, trace, error), right = true;

    for (const struct remote_table *table = remote_tables; done && table->name != NULL; table++) {
        if (table->of_events && (table == event_table() || snapshot_needs_fetch(trace, table))) {
            done = some ? fetch_event_part(snapshot, table, trace, part, error)
                        : fetch_event_table(snapshot, table, trace, error);
        }
    }
    if (done && some) {
        trace->part_rows = part->count.part;
        done = event_part_check(snapshot->database, part, trace->shift[TRANSFER_EVENT], &right,
                                error) &&
               (right || remote_set_answer_error(&snapshot->remote, error)) &&
               insert_time_bounds(snapshot, trace, error);
    } else if (done) {
        trace->fetched |= snapshot_events_bit();
    }
    snapshot->rows += !done ? 0 : some ? part->count.part : trace->rows;
    return done;
}

static void free_parts(struct event_part *parts, size_t count) {
    for (size_t i = 0; parts != NULL && i < count; i++) {
        text_free(&parts[i].condition);
    }
    free(parts);
}

/* Returns the events to fetch of each trace. The element is empty for a trace that needs all
 * events, or whose events need no fetching. Returns NULL with `error` set on failure. */
static struct event_part *store_snapshot_find_parts(struct store_snapshot *snapshot,
                                                    const struct database_wanted *wanted,
                                                    struct error *error) {
    struct event_part *parts = xcalloc(wanted->count + 1, sizeof *parts);
    bool done = true;

    for (size_t i = 0; done && wanted->parts != NULL && i < wanted->count; i++) {
        const struct snapshot_trace *trace = &snapshot->traces[wanted->traces[i] - 1];
        const struct event_part_trace there = {
            .pair = trace->pair,
            .rows = trace->rows,
            .shift = trace->shift,
            .has_io_parts = snapshot_needs_fetch(trace, remote_table_find("io_part")),
        };

        done = !trace->numbered || !trace->sent_events ||
               (trace->fetched & snapshot_events_bit()) != 0 ||
               event_part_find(&parts[i], &snapshot->remote, &there, &wanted->parts[i], error);
    }
    if (!done) {
        free_parts(parts, wanted->count);
    }
    return done ? parts : NULL;
}

/* --- fetching what a report needs ------------------------------------------------------------- */

/* Checks that the fetched uploads are still valid: only then are all rows consistent. */
static bool check_unchanged(struct store_snapshot *snapshot, const int64_t *ids, size_t count,
                            struct error *error) {
    struct remote_commits now;
    bool done = remote_commits_load(&now, &snapshot->remote, NULL, error);

    for (size_t i = 0; done && i < count; i++) {
        const struct snapshot_trace *trace = &snapshot->traces[ids[i] - 1];
        const struct remote_commit *commit = remote_commits_find(&now, &trace->pair);

        done = (commit != NULL && commit->counts) ||
               error_set(error, "%s: trace %s was removed or replaced meanwhile; try again",
                         snapshot->remote.address.shown, trace->label.name);
    }
    remote_commits_free(&now);
    return done;
}

/* Sets an error: too many events to fetch. Suggests a range of times if that reduces the number.
 * Always returns false. */
static bool refuse_events(const struct store_snapshot *snapshot, const struct snapshot_trace *trace,
                          const struct event_part *parts, size_t count, struct error *error) {
    bool chosen = false;

    for (size_t i = 0; i < count; i++) {
        chosen |= parts[i].chosen;
    }
    return error_set_absent(error,
                            "this command reads events, and trace %s has more than the limit of "
                            "%lld: choose %s, or raise the limit with --most-rows N",
                            trace->label.name, (long long)snapshot->most_rows,
                            chosen ? "traces with -t, a time with --from and --to"
                                   : "fewer traces with -t (all events of each are fetched, "
                                     "whatever the time)");
}

/* Checks that the store has all needed events, and that they do not exceed the limit. */
static bool check_events(const struct store_snapshot *snapshot,
                         const struct database_wanted *wanted, const struct event_part *parts,
                         struct error *error) {
    int64_t rows = snapshot->rows;

    for (size_t i = 0; i < wanted->count; i++) {
        const struct snapshot_trace *trace = &snapshot->traces[wanted->traces[i] - 1];

        if (trace->rows == 0 || (trace->fetched & snapshot_events_bit()) != 0) {
            continue;
        }
        if (!trace->sent_events) {
            return error_set_absent(error,
                                    "trace %s was pushed without its events, which this command "
                                    "reads; `tracetool push --events` sends them",
                                    trace->label.name);
        }
        rows += parts[i].some ? parts[i].count.part : trace->rows;
        rows -= trace->part_rows;
        if (rows > snapshot->most_rows) {
            return refuse_events(snapshot, trace, parts, wanted->count, error);
        }
    }
    return true;
}

static bool fetch_events_of(struct store_snapshot *snapshot, const struct database_wanted *wanted,
                            const struct event_part *parts, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < wanted->count; i++) {
        struct snapshot_trace *trace = &snapshot->traces[wanted->traces[i] - 1];

        done = (trace->fetched & snapshot_events_bit()) != 0 ||
               fetch_trace_events(snapshot, trace, &parts[i], error);
    }
    return done;
}

static bool store_snapshot_fetch(void *context, const struct database_wanted *wanted,
                                 struct error *error) {
    struct store_snapshot *snapshot = context;
    struct upload_key *pairs = xcalloc(wanted->count + 1, sizeof *pairs);
    struct event_part *parts = store_snapshot_find_parts(snapshot, wanted, error);
    const bool own = sqlite3_get_autocommit(snapshot->database->handle) != 0;
    bool done = parts != NULL;

    /* Checks everything before data are changed, so other reports still work after a failure. */
    done = done && (!wanted->events || check_events(snapshot, wanted, parts, error)) &&
           (!own || database_run(snapshot->database, "BEGIN", error)) &&
           snapshot_fetch_tables(snapshot, wanted, pairs, error) &&
           (!wanted->events || fetch_events_of(snapshot, wanted, parts, error)) &&
           (!own || database_run(snapshot->database, "COMMIT", error)) &&
           check_unchanged(snapshot, wanted->traces, wanted->count, error);
    free_parts(parts, wanted->count);
    free(pairs);
    return done;
}

/* --- opening a snapshot ----------------------------------------------------------------------- */

/* Returns the number of a trace's events; -1 if the numbers in table `trace` are impossible. */
static int64_t rows_of_table_part(const struct remote_commit *commit) {
    int64_t others;

    if (commit->last_event < commit->first_event) {
        return 0;
    }
    return __builtin_sub_overflow(commit->last_event, commit->first_event, &others) ||
                   others >= SNAPSHOT_MOST_OF_TABLE
               ? -1
               : others + 1;
}

/* Lists the valid uploads as traces. */
static void store_snapshot_list_traces(struct store_snapshot *snapshot) {
    size_t count = 0;

    snapshot->traces = xcalloc(snapshot->commits.count + 1, sizeof *snapshot->traces);
    snapshot->sorted = xcalloc(snapshot->commits.count + 1, sizeof(struct snapshot_trace *));
    for (size_t i = 0; i < snapshot->commits.count; i++) {
        const struct remote_commit *commit = &snapshot->commits.rows[i];

        if (commit->counts) {
            snapshot->traces[count++] = (struct snapshot_trace){
                .pair = commit->pair,
                .label = remote_commit_label(commit),
                .sent_events = commit->sent_events,
                .rows = rows_of_table_part(commit),
            };
        }
    }
    snapshot->count = count;
}

static int order_traces_by_label(const void *left, const void *right) {
    return trace_label_compare(&((const struct snapshot_trace *)left)->label,
                               &((const struct snapshot_trace *)right)->label);
}

/* Assigns an id to each trace, in the order in which reports list traces, and a range of ids to its
 * events. */
static bool store_snapshot_number_all(struct store_snapshot *snapshot, struct error *error) {
    int64_t next = 0;

    sort_items(snapshot->traces, snapshot->count, sizeof *snapshot->traces, order_traces_by_label);
    for (size_t i = 0; i < snapshot->count; i++) {
        struct snapshot_trace *trace = &snapshot->traces[i];

        if (trace->rows < 0) {
            return remote_set_answer_error(&snapshot->remote, error);
        }
        trace->id = (int64_t)i + 1;
        trace->shift[TRANSFER_EVENT] = next;
        for (unsigned which = 0; which < TRANSFER_IDS; which++) {
            trace->most[which] = SNAPSHOT_MOST_OF_TABLE;
        }
        trace->most[TRANSFER_EVENT] = trace->rows;
        /* Ids of log files may have large gaps, so each trace gets a range of 2^32 ids. */
        trace->shift[TRANSFER_SOURCE] = (int64_t)i << 32;
        next += trace->rows;
        snapshot->sorted[i] = trace;
    }
    sort_items(snapshot->sorted, snapshot->count, sizeof(struct snapshot_trace *),
               snapshot_compare_keys);
    return true;
}

static bool fill_catalog(struct store_snapshot *snapshot, struct error *error) {
    struct upload_key *pairs = xcalloc(snapshot->count + 1, sizeof *pairs);
    bool done;

    for (size_t i = 0; i < snapshot->count; i++) {
        pairs[i] = snapshot->traces[i].pair;
    }
    done = snapshot_fetch_rows(snapshot, &remote_tables[0], pairs, snapshot->count, error);
    for (const struct remote_table *table = remote_tables + 1; done && table->name != NULL;
         table++) {
        done = !word_in(SNAPSHOT_AT_ONCE, table->name) ||
               snapshot_fetch_table(snapshot, table, pairs, snapshot->count, error);
    }
    for (size_t i = 0; done && i < snapshot->count; i++) {
        done = database_run_bound(snapshot->database, error,
                                  "INSERT INTO main.pushed (trace, hash, name) VALUES (?1, ?2, ?3)",
                                  "iss", snapshot->traces[i].id, snapshot->traces[i].label.hash,
                                  snapshot->traces[i].label.name);
    }
    free(pairs);
    return done;
}

static bool store_snapshot_fill(struct store_snapshot *snapshot,
                                const struct remote_options *options, struct error *error) {
    if (!remote_open(&snapshot->remote, options, error) ||
        !remote_commits_load(&snapshot->commits, &snapshot->remote, NULL, error)) {
        return false;
    }
    store_snapshot_list_traces(snapshot);
    if (!store_snapshot_number_all(snapshot, error) ||
        !database_open(snapshot->database, DATABASE_SHADOW, DATABASE_CREATE, error)) {
        return false;
    }
    free(snapshot->database->path); /* messages show the store's address as path */
    snapshot->database->path = xstrdup(snapshot->remote.address.shown);
    return database_run(snapshot->database, "BEGIN", error) && fill_catalog(snapshot, error) &&
           database_run(snapshot->database, "COMMIT", error);
}

struct store_snapshot *store_snapshot_open(const struct remote_options *options, int64_t most_rows,
                                           struct database *database, struct error *error) {
    struct store_snapshot *snapshot = xcalloc(1, sizeof *snapshot);

    *database = (struct database){0};
    snapshot->database = database;
    snapshot->most_rows = most_rows;
    snapshot->source = (struct database_source){store_snapshot_fetch, snapshot};
    if (!store_snapshot_fill(snapshot, options, error)) {
        if (database->handle != NULL) {
            database_close(database);
        }
        store_snapshot_close(snapshot);
        return NULL;
    }
    database->source = &snapshot->source;
    return snapshot;
}

void store_snapshot_close(struct store_snapshot *snapshot) {
    if (snapshot == NULL) {
        return;
    }
    remote_close(&snapshot->remote);
    remote_commits_free(&snapshot->commits);
    free(snapshot->traces);
    free(snapshot->sorted);
    free(snapshot);
}
