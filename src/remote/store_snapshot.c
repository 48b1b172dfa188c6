#include "remote/store_snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "remote/snapshot_parts.h"

/* --- what reports fetch --------------------------------------------------------------------------
 */

/* What was read is of one moment only if the chosen attempts still count. */
static bool check_unchanged(struct store_snapshot *snapshot, const int64_t *ids, size_t count,
                            struct error *error) {
    struct remote_commits now;
    bool done = remote_commits_load(&now, &snapshot->remote, NULL, error);

    for (size_t i = 0; done && i < count; i++) {
        const struct snapshot_trace *trace = &snapshot->traces[ids[i] - 1];
        const struct remote_commit *commit = remote_commits_find(&now, &trace->pair);

        done = (commit != NULL && commit->counts) ||
               error_set(error, "%s: trace %s was taken out or replaced meanwhile; try again",
                         snapshot->remote.address.shown, trace->label.name);
    }
    remote_commits_free(&now);
    return done;
}

/* Says that more events than may be are wanted. Always false. A time helps only where the server
 * chooses events of a trace. */
static bool refuse_events(const struct store_snapshot *snapshot, const struct snapshot_trace *trace,
                          const struct event_part *parts, size_t count, struct error *error) {
    bool chosen = false;

    for (size_t i = 0; i < count; i++) {
        chosen |= parts[i].chosen;
    }
    return error_set_absent(error,
                            "this looks at events, and those of trace %s would be more than %lld "
                            "that are fetched: choose %s, or give --most-rows N",
                            trace->label.name, (long long)snapshot->most_rows,
                            chosen ? "traces with -t, a time with --from and --to"
                                   : "fewer traces with -t (all events of each are fetched, "
                                     "whatever the time)");
}

/* Whether all events that are wanted are in the store, and no more than may be fetched. */
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
                                    "trace %s was pushed without its events, which this looks at; "
                                    "`tracetool push --events` sends them",
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
               snapshot_fetch_events(snapshot, trace, &parts[i], error);
    }
    return done;
}

static bool fetch(void *context, const struct database_wanted *wanted, struct error *error) {
    struct store_snapshot *snapshot = context;
    struct remote_pair *pairs = xcalloc(wanted->count + 1, sizeof *pairs);
    struct event_part *parts = snapshot_find_parts(snapshot, wanted, error);
    const bool own = sqlite3_get_autocommit(snapshot->database->handle) != 0;
    bool done = parts != NULL;

    /* Nothing is changed where that cannot be had: another report may be asked for. */
    done = done && (!wanted->events || check_events(snapshot, wanted, parts, error)) &&
           (!own || database_run(snapshot->database, "BEGIN", error)) &&
           snapshot_fetch_tables(snapshot, wanted, pairs, error) &&
           (!wanted->events || fetch_events_of(snapshot, wanted, parts, error)) &&
           (!own || database_run(snapshot->database, "COMMIT", error)) &&
           check_unchanged(snapshot, wanted->traces, wanted->count, error);
    snapshot_free_parts(parts, wanted->count);
    free(pairs);
    return done;
}

/* --- opening -------------------------------------------------------------------------------------
 */

/* How many events it has; negative where there cannot be so many. */
static int64_t rows_of(const struct remote_commit *commit) {
    int64_t others;

    if (commit->last_event < commit->first_event) {
        return 0;
    }
    return __builtin_sub_overflow(commit->last_event, commit->first_event, &others) ||
                   others >= SNAPSHOT_MOST_OF_TABLE
               ? -1
               : others + 1;
}

/* In the order of reports, but for the start, which the rows tell. */
static void list_traces(struct store_snapshot *snapshot) {
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
                .rows = rows_of(commit),
            };
        }
    }
    snapshot->count = count;
}

static int by_order(const void *left, const void *right) {
    return trace_label_compare(&((const struct snapshot_trace *)left)->label,
                               &((const struct snapshot_trace *)right)->label);
}

/* Gives them ids, and each its range of events. */
static bool number_all(struct store_snapshot *snapshot, struct error *error) {
    int64_t next = 0;

    if (snapshot->count > 0) {
        qsort(snapshot->traces, snapshot->count, sizeof *snapshot->traces, by_order);
    }
    for (size_t i = 0; i < snapshot->count; i++) {
        struct snapshot_trace *trace = &snapshot->traces[i];

        if (trace->rows < 0) {
            return remote_misanswered(&snapshot->remote, error);
        }
        trace->id = (int64_t)i + 1;
        trace->shift[TRANSFER_EVENT] = next;
        for (unsigned which = 0; which < TRANSFER_IDS; which++) {
            trace->most[which] = SNAPSHOT_MOST_OF_TABLE;
        }
        trace->most[TRANSFER_EVENT] = trace->rows;
        /* Files are told apart by ids of any size. */
        trace->shift[TRANSFER_SOURCE] = (int64_t)i << 32;
        next += trace->rows;
        snapshot->sorted[i] = trace;
    }
    if (snapshot->count > 0) {
        qsort(snapshot->sorted, snapshot->count, sizeof(struct snapshot_trace *), snapshot_by_pair);
    }
    return true;
}

static bool fill_catalog(struct store_snapshot *snapshot, struct error *error) {
    struct remote_pair *pairs = xcalloc(snapshot->count + 1, sizeof *pairs);
    bool done;

    for (size_t i = 0; i < snapshot->count; i++) {
        pairs[i] = snapshot->traces[i].pair;
    }
    done = snapshot_take_rows(snapshot, &remote_tables[0], pairs, snapshot->count, error);
    for (const struct remote_table *table = remote_tables + 1; done && table->name != NULL;
         table++) {
        done = !word_in(SNAPSHOT_AT_ONCE, table->name) ||
               snapshot_take_table(snapshot, table, pairs, snapshot->count, error);
    }
    for (size_t i = 0; done && i < snapshot->count; i++) {
        done = database_change(snapshot->database, error,
                               "INSERT INTO main.pushed (trace, hash, name) VALUES (?1, ?2, ?3)",
                               "iss", snapshot->traces[i].id, snapshot->traces[i].label.hash,
                               snapshot->traces[i].label.name);
    }
    free(pairs);
    return done;
}

static bool fill(struct store_snapshot *snapshot, const struct remote_options *options,
                 struct error *error) {
    if (!remote_open(&snapshot->remote, options, error) ||
        !remote_commits_load(&snapshot->commits, &snapshot->remote, NULL, error)) {
        return false;
    }
    list_traces(snapshot);
    if (!number_all(snapshot, error) ||
        !database_open(snapshot->database, DATABASE_SHADOW, DATABASE_CREATE, error)) {
        return false;
    }
    free(snapshot->database->path); /* messages name the store */
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
    snapshot->source = (struct database_source){fetch, snapshot};
    if (!fill(snapshot, options, error)) {
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
