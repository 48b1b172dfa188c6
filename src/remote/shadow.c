#include "remote/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "remote/shadow_events.h"
#include "remote/shadow_rows.h"
#include "remote/shadow_tables.h"
#include "base/memory.h"

/* --- what reports fetch --------------------------------------------------------------------------
 */

/* What was read is of one moment only if the chosen attempts still count. */
static bool check_unchanged(struct shadow *shadow, const int64_t *ids, size_t count,
                            struct error *error) {
    struct remote_commits now;
    bool done = remote_commits_load(&now, &shadow->remote, NULL, error);

    for (size_t i = 0; done && i < count; i++) {
        const struct shadow_trace *trace = &shadow->traces[ids[i] - 1];
        const struct remote_commit *commit = remote_commits_find(&now, &trace->pair);

        done = (commit != NULL && commit->counts) ||
               error_set(error, "%s: trace %s was taken out or replaced meanwhile; try again",
                         shadow->remote.address.shown, trace->label.name);
    }
    remote_commits_free(&now);
    return done;
}

/* Says that more events than may be are wanted. Always false. A time helps only where the server
 * chooses events of a trace. */
static bool refuse_events(const struct shadow *shadow, const struct shadow_trace *trace,
                          const struct event_part *parts, size_t count, struct error *error) {
    bool chosen = false;

    for (size_t i = 0; i < count; i++) {
        chosen |= parts[i].chosen;
    }
    return error_set_absent(error,
                            "this looks at events, and those of trace %s would be more than %lld "
                            "that are fetched: choose %s, or give --most-rows N",
                            trace->label.name, (long long)shadow->most_rows,
                            chosen ? "traces with -t, a time with --from and --to"
                                   : "fewer traces with -t (all events of each are fetched, "
                                     "whatever the time)");
}

/* Whether all events that are wanted are in the store, and no more than may be fetched. */
static bool check_events(const struct shadow *shadow, const struct database_wanted *wanted,
                         const struct event_part *parts, struct error *error) {
    int64_t rows = shadow->rows;

    for (size_t i = 0; i < wanted->count; i++) {
        const struct shadow_trace *trace = &shadow->traces[wanted->traces[i] - 1];

        if (trace->rows == 0 || (trace->fetched & shadow_events_bit()) != 0) {
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
        if (rows > shadow->most_rows) {
            return refuse_events(shadow, trace, parts, wanted->count, error);
        }
    }
    return true;
}

static bool fetch_events_of(struct shadow *shadow, const struct database_wanted *wanted,
                            const struct event_part *parts, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < wanted->count; i++) {
        struct shadow_trace *trace = &shadow->traces[wanted->traces[i] - 1];

        done = (trace->fetched & shadow_events_bit()) != 0 ||
               shadow_fetch_events(shadow, trace, &parts[i], error);
    }
    return done;
}

static bool fetch(void *context, const struct database_wanted *wanted, struct error *error) {
    struct shadow *shadow = context;
    struct remote_pair *pairs = xcalloc(wanted->count + 1, sizeof *pairs);
    struct event_part *parts = shadow_find_parts(shadow, wanted, error);
    const bool own = sqlite3_get_autocommit(shadow->database->handle) != 0;
    bool done = parts != NULL && (pairs != NULL || error_no_memory(error));

    /* Nothing is changed where that cannot be had: another report may be asked for. */
    done = done && (!wanted->events || check_events(shadow, wanted, parts, error)) &&
           (!own || database_run(shadow->database, "BEGIN", error)) &&
           shadow_fetch_tables(shadow, wanted, pairs, error) &&
           (!wanted->events || fetch_events_of(shadow, wanted, parts, error)) &&
           (!own || database_run(shadow->database, "COMMIT", error)) &&
           check_unchanged(shadow, wanted->traces, wanted->count, error);
    shadow_free_parts(parts, wanted->count);
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
                   others >= SHADOW_MOST_OF_TABLE
               ? -1
               : others + 1;
}

/* In the order of reports, but for the start, which the rows tell. */
static bool list_traces(struct shadow *shadow, struct error *error) {
    size_t count = 0;

    shadow->traces = xcalloc(shadow->commits.count + 1, sizeof *shadow->traces);
    shadow->sorted = xcalloc(shadow->commits.count + 1, sizeof(struct shadow_trace *));
    for (size_t i = 0; i < shadow->commits.count; i++) {
        const struct remote_commit *commit = &shadow->commits.rows[i];

        if (commit->counts) {
            shadow->traces[count++] = (struct shadow_trace){
                .pair = commit->pair,
                .label = remote_commit_label(commit),
                .sent_events = commit->sent_events,
                .rows = rows_of(commit),
            };
        }
    }
    shadow->count = count;
    return true;
}

static int by_order(const void *left, const void *right) {
    return trace_label_compare(&((const struct shadow_trace *)left)->label,
                               &((const struct shadow_trace *)right)->label);
}

/* Gives them ids, and each its range of events. */
static bool number_all(struct shadow *shadow, struct error *error) {
    int64_t next = 0;

    if (shadow->count > 0) {
        qsort(shadow->traces, shadow->count, sizeof *shadow->traces, by_order);
    }
    for (size_t i = 0; i < shadow->count; i++) {
        struct shadow_trace *trace = &shadow->traces[i];

        if (trace->rows < 0) {
            return remote_misanswered(&shadow->remote, error);
        }
        trace->id = (int64_t)i + 1;
        trace->shift[TRANSFER_EVENT] = next;
        for (unsigned which = 0; which < TRANSFER_IDS; which++) {
            trace->most[which] = SHADOW_MOST_OF_TABLE;
        }
        trace->most[TRANSFER_EVENT] = trace->rows;
        /* Files are told apart by ids of any size. */
        trace->shift[TRANSFER_SOURCE] = (int64_t)i << 32;
        next += trace->rows;
        shadow->sorted[i] = trace;
    }
    if (shadow->count > 0) {
        qsort(shadow->sorted, shadow->count, sizeof(struct shadow_trace *), shadow_by_pair);
    }
    return true;
}

static bool fill_catalog(struct shadow *shadow, struct error *error) {
    struct remote_pair *pairs = xcalloc(shadow->count + 1, sizeof *pairs);
    bool done = pairs != NULL || error_no_memory(error);

    for (size_t i = 0; done && i < shadow->count; i++) {
        pairs[i] = shadow->traces[i].pair;
    }
    done = done && shadow_take_rows(shadow, &remote_tables[0], pairs, shadow->count, error);
    for (const struct remote_table *table = remote_tables + 1; done && table->name != NULL;
         table++) {
        done = !word_in(SHADOW_AT_ONCE, table->name) ||
               shadow_take_table(shadow, table, pairs, shadow->count, error);
    }
    for (size_t i = 0; done && i < shadow->count; i++) {
        done = database_change(shadow->database, error,
                               "INSERT INTO main.pushed (trace, hash, name) VALUES (?1, ?2, ?3)",
                               "iss", shadow->traces[i].id, shadow->traces[i].label.hash,
                               shadow->traces[i].label.name);
    }
    free(pairs);
    return done;
}

/* What messages on the database call it. */
static bool take_name(struct shadow *shadow, struct error *error) {
    free(shadow->database->path);
    shadow->database->path = xstrdup(shadow->remote.address.shown);
    return shadow->database->path != NULL || error_no_memory(error);
}

static bool fill(struct shadow *shadow, const struct remote_options *options, struct error *error) {
    return remote_open(&shadow->remote, options, error) &&
           remote_commits_load(&shadow->commits, &shadow->remote, NULL, error) &&
           list_traces(shadow, error) && number_all(shadow, error) &&
           database_open(shadow->database, DATABASE_SHADOW, DATABASE_CREATE, error) &&
           take_name(shadow, error) && database_run(shadow->database, "BEGIN", error) &&
           fill_catalog(shadow, error) && database_run(shadow->database, "COMMIT", error);
}

struct shadow *shadow_open(const struct remote_options *options, int64_t most_rows,
                           struct database *database, struct error *error) {
    struct shadow *shadow = xcalloc(1, sizeof *shadow);

    *database = (struct database){0};
    shadow->database = database;
    shadow->most_rows = most_rows;
    shadow->source = (struct database_source){fetch, shadow};
    if (!fill(shadow, options, error)) {
        if (database->handle != NULL) {
            database_close(database);
        }
        shadow_close(shadow);
        return NULL;
    }
    database->source = &shadow->source;
    return shadow;
}

void shadow_close(struct shadow *shadow) {
    if (shadow == NULL) {
        return;
    }
    remote_close(&shadow->remote);
    remote_commits_free(&shadow->commits);
    free(shadow->traces);
    free(shadow->sorted);
    free(shadow);
}
