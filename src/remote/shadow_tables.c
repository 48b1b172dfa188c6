#include "remote/shadow_tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "remote/shadow_events.h"
#include "remote/shadow_rows.h"
#include "remote/statements.h"
#include "remote/sums.h"
#include "base/memory.h"

/* Tables that come for reports that read them; others with the first of a trace. */
static bool on_demand(const struct remote_table *table) {
    return word_in("object loggable", table->name) || strncmp(table->name, "rollup_", 7) == 0;
}

/* Tables whose ids reports keep close together, so that those of a trace go behind the last. */
static const enum transfer_id numbered[] = {TRANSFER_NAME, TRANSFER_ACTOR, TRANSFER_OBJECT};

enum { NUMBERED = sizeof numbered / sizeof numbered[0] };

static bool take_most(struct shadow_trace *trace, enum transfer_id which, int64_t number) {
    trace->most[which] = number;
    return number >= 0 && number < INT32_MAX;
}

/* The largest id that each of these traces has in a table; nothing of those without rows there. */
static bool find_most_ids(struct shadow *shadow, enum transfer_id which,
                          const struct remote_pair *pairs, size_t count, struct error *error) {
    const struct remote_table *table = remote_table_find(transfer_table(which));
    struct remote_pair *some = shadow_pairs_with_rows(shadow, table, pairs, &count, error);
    struct text sql = {0};
    bool done = some != NULL;

    for (size_t at = 0; done && at < count; at += REMOTE_MOST_CHOSEN) {
        text_clear(&sql);
        remote_append_most_ids(&sql, shadow->remote.address.database, table, some + at,
                               count - at < REMOTE_MOST_CHOSEN ? count - at : REMOTE_MOST_CHOSEN);
        done = shadow_take_numbers(shadow, &sql, take_most, which, error);
    }
    text_free(&sql);
    free(some);
    return done;
}

/* Ids in order of the traces, as if they had been imported one after another. */
static bool number_traces(struct shadow *shadow, const struct remote_pair *pairs, size_t count,
                          struct error *error) {
    for (size_t i = 0; i < NUMBERED; i++) {
        for (size_t at = 0; at < count; at++) {
            shadow_find_trace(shadow, &pairs[at])->most[numbered[i]] = 0;
        }
        if (!find_most_ids(shadow, numbered[i], pairs, count, error)) {
            return false;
        }
        for (size_t at = 0; at < count; at++) {
            struct shadow_trace *trace = shadow_find_trace(shadow, &pairs[at]);

            trace->shift[numbered[i]] = shadow->next[numbered[i]];
            shadow->next[numbered[i]] += trace->most[numbered[i]];
        }
    }
    return true;
}

/* Probes speak of names, which have their numbers only now. On the way no two have the same. */
static bool number_probes(struct shadow *shadow, const struct shadow_trace *trace,
                          struct error *error) {
    return database_change(shadow->database, error,
                           "UPDATE main.probe SET name = -name WHERE trace = ?1", "i", trace->id) &&
           database_change(shadow->database, error,
                           "UPDATE main.probe SET name = ?2 - name WHERE trace = ?1", "ii",
                           trace->id, trace->shift[TRANSFER_NAME]);
}

/* Which of the traces `missing` says something of; `pairs` has room for all. */
static size_t choose_pairs(const struct shadow *shadow, const struct database_wanted *wanted,
                           bool (*missing)(const struct shadow_trace *trace, uint64_t bit),
                           uint64_t bit, struct remote_pair *pairs) {
    size_t count = 0;

    for (size_t i = 0; i < wanted->count; i++) {
        const struct shadow_trace *trace = &shadow->traces[wanted->traces[i] - 1];

        if (missing(trace, bit)) {
            pairs[count++] = trace->pair;
        }
    }
    return count;
}

static bool is_not_numbered(const struct shadow_trace *trace, uint64_t bit) {
    (void)bit;
    return !trace->numbered;
}

static bool is_not_fetched(const struct shadow_trace *trace, uint64_t bit) {
    return (trace->fetched & bit) == 0;
}

/* Gives names their ids, in the same order whatever tables are fetched when. */
static bool begin_traces(struct shadow *shadow, const struct database_wanted *wanted,
                         struct remote_pair *pairs, struct error *error) {
    const size_t count = choose_pairs(shadow, wanted, is_not_numbered, 0, pairs);
    bool done = count == 0 || number_traces(shadow, pairs, count, error);

    for (size_t i = 0; done && i < count; i++) {
        struct shadow_trace *trace = shadow_find_trace(shadow, &pairs[i]);

        done = number_probes(shadow, trace, error) && shadow_put_bounds(shadow, trace, error);
        trace->numbered = true;
    }
    return done;
}

/* Whether the store has as many rows of a table as were pushed, of traces none of whose rows came:
 * it made sums of them, which do not tell. */
static bool check_there(struct shadow *shadow, const struct remote_table *table,
                        const struct sums_trace *traces, size_t count, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < count; i++) {
        const struct shadow_trace *trace = &shadow->traces[traces[i].trace - 1];

        done =
            traces[i].rows < 0 || shadow_check_count(shadow, table, trace, traces[i].rows, error);
    }
    return done;
}

/* Takes the sums of a table away, so that they are not counted beside the rows. */
static bool drop_sums(struct shadow *shadow, const struct remote_table *table,
                      struct error *error) {
    const uint64_t bit = shadow_table_bit(table);
    struct text sql = {0};
    bool done;

    text_append_format(&sql, "DELETE FROM main.\"%s\" WHERE trace = ?1", table->name);
    done = !sql.failed || error_no_memory(error);
    for (size_t i = 0; done && i < shadow->count; i++) {
        if ((shadow->traces[i].summed & bit) != 0) {
            shadow->traces[i].summed &= ~bit;
            done = database_change(shadow->database, error, text_string(&sql), "i",
                                   shadow->traces[i].id);
        }
    }
    text_free(&sql);
    return done;
}

/* Has a table added up by the store; `*fits`: sums are there. */
static bool fetch_sums(struct shadow *shadow, const struct remote_table *table,
                       const struct database_wanted *wanted, bool *fits, struct error *error) {
    struct sums_trace *traces = xcalloc(wanted->count + 1, sizeof *traces);
    bool done = traces != NULL || error_no_memory(error);

    for (size_t i = 0; done && i < wanted->count; i++) {
        struct shadow_trace *trace = &shadow->traces[wanted->traces[i] - 1];

        traces[i] = (struct sums_trace){
            .pair = trace->pair, .trace = trace->id, .action = wanted->actions[i]};
        trace->summed |= shadow_table_bit(table);
    }
    done =
        done &&
        sums_take(&shadow->remote, shadow->database, table, traces, wanted->count, fits, error) &&
        (!*fits || check_there(shadow, table, traces, wanted->count, error));
    free(traces);
    return done && (*fits || drop_sums(shadow, table, error));
}

static bool fetch_table(struct shadow *shadow, const struct remote_table *table,
                        const struct database_wanted *wanted, struct remote_pair *pairs,
                        struct error *error) {
    const uint64_t bit = shadow_table_bit(table);
    const size_t count = choose_pairs(shadow, wanted, is_not_fetched, bit, pairs);
    bool summed = false, done = drop_sums(shadow, table, error);

    if (done && wanted->actions != NULL && count == wanted->count && sums_of_table(table)) {
        done = fetch_sums(shadow, table, wanted, &summed, error);
    }
    if (!done || summed || count == 0) {
        return done;
    }
    done = shadow_take_table(shadow, table, pairs, count, error);
    for (size_t i = 0; done && i < count; i++) {
        shadow_find_trace(shadow, &pairs[i])->fetched |= bit;
    }
    return done;
}

bool shadow_fetch_tables(struct shadow *shadow, const struct database_wanted *wanted,
                         struct remote_pair *pairs, struct error *error) {
    bool done = begin_traces(shadow, wanted, pairs, error);

    for (const struct remote_table *table = remote_tables + 1; done && table->name != NULL;
         table++) {
        done =
            table->of_events || word_in(SHADOW_AT_ONCE, table->name) ||
            (on_demand(table) && wanted->tables != NULL && !word_in(wanted->tables, table->name)) ||
            fetch_table(shadow, table, wanted, pairs, error);
    }
    return done;
}
