#include "remote/shadow_events.h"

#include <stdlib.h>
#include <string.h>

#include "remote/shadow_rows.h"
#include "remote/statements.h"
#include "base/memory.h"

static bool is_event(const struct remote_table *table) {
    return strcmp(table->name, "event") == 0;
}

/* The rows of a table of events that belong to the part, by ranges of ids, so that no answer is
 * large; `*rows`: how many came. */
static bool take_event_rows(struct shadow *shadow, const struct remote_table *table,
                            const struct shadow_trace *trace, const struct event_part *part,
                            int64_t *rows, struct error *error) {
    struct shadow_rows in = {.shadow = shadow, .table = table};
    struct remote_range range;
    struct text sql = {0};
    bool done = shadow_rows_open(&in, error);

    for (int64_t first = part->low; done && first <= part->high; first = range.last + 1) {
        range = event_part_range(part, is_event(table), first);
        text_clear(&sql);
        remote_append_select_range(&sql, shadow->remote.address.database, table, &trace->pair,
                                   &range);
        done = shadow_rows_take(&in, &sql, error);
    }
    *rows = in.rows;
    text_free(&sql);
    sqlite3_finalize(in.insert);
    return done;
}

/* All rows of such a table. */
static bool take_event_table(struct shadow *shadow, const struct remote_table *table,
                             const struct shadow_trace *trace, struct error *error) {
    const struct event_part all = {
        .low = 1, .high = trace->rows, .count = {trace->rows, trace->rows, true}};
    int64_t rows;

    return take_event_rows(shadow, table, trace, &all, &rows, error) &&
           shadow_check_rows(shadow, table, trace, error) &&
           (!is_event(table) || rows == trace->rows || remote_misanswered(&shadow->remote, error));
}

/* Whether the store has of the table what was pushed, as far as numbers tell. */
static bool check_part(const struct shadow *shadow, const struct remote_table *table,
                       const struct shadow_trace *trace, const struct event_count *count,
                       struct error *error) {
    return shadow_check_count(shadow, table, trace, count->all, error) &&
           (!is_event(table) || count->all == trace->rows ||
            remote_misanswered(&shadow->remote, error)) &&
           (count->each_once ||
            error_set(error,
                      "%s: of trace %s some rows of %s are missing, and others there twice; "
                      "tracetool store check says more",
                      shadow->remote.address.shown, trace->label.name, table->name));
}

/* Those of the part; of the rest the store says how many there are. */
static bool take_event_part(struct shadow *shadow, const struct remote_table *table,
                            struct shadow_trace *trace, const struct event_part *part,
                            struct error *error) {
    int64_t *left = &trace->left[table - remote_tables], pushed = *left, rows;
    struct event_count count = part->count;
    bool done =
        (is_event(table) ||
         event_part_count(&shadow->remote, table, &trace->pair, part, &count, error)) &&
        check_part(shadow, table, trace, &count, error) &&
        take_event_rows(shadow, table, trace, part, &rows, error) &&
        (rows == count.part || shadow_miscounted(shadow, table, trace, rows < count.part, error));

    /* All of them may be asked for yet. */
    *left = pushed;
    return done;
}

bool shadow_put_bounds(struct shadow *shadow, const struct shadow_trace *trace,
                       struct error *error) {
    return trace->rows == 0 ||
           database_change(shadow->database, error,
                           "INSERT OR IGNORE INTO main.event (id, time) SELECT e.id, e.time FROM"
                           " (SELECT first_event AS id, first_time AS time FROM main.trace"
                           "  WHERE id = ?1 UNION SELECT last_event, last_time FROM main.trace"
                           "  WHERE id = ?1 AND last_event > first_event) AS e",
                           "i", trace->id);
}

/* Takes away what is there of the events: the first and the last, or a part. */
static bool clear_events(struct shadow *shadow, struct shadow_trace *trace, struct error *error) {
    bool done = true;

    for (const struct remote_table *table = remote_tables; done && table->name != NULL; table++) {
        struct text sql = {0};

        if (!table->of_events) {
            continue;
        }
        text_append_format(&sql, "DELETE FROM main.\"%s\" WHERE %s BETWEEN ?1 AND ?2", table->name,
                           is_event(table) ? "id" : "event");
        done = sql.failed ? error_no_memory(error)
                          : database_change(shadow->database, error, text_string(&sql), "ii",
                                            trace->shift[TRANSFER_EVENT] + 1,
                                            trace->shift[TRANSFER_EVENT] + trace->rows);
        text_free(&sql);
    }
    shadow->rows -= trace->part_rows;
    trace->part_rows = 0;
    return done;
}

bool shadow_fetch_events(struct shadow *shadow, struct shadow_trace *trace,
                         const struct event_part *part, struct error *error) {
    const bool some = part->some;
    bool done = clear_events(shadow, trace, error), right = true;

    for (const struct remote_table *table = remote_tables; done && table->name != NULL; table++) {
        if (table->of_events && (is_event(table) || shadow_has_left(trace, table))) {
            done = some ? take_event_part(shadow, table, trace, part, error)
                        : take_event_table(shadow, table, trace, error);
        }
    }
    if (done && some) {
        trace->part_rows = part->count.part;
        done =
            event_part_check(shadow->database, part, trace->shift[TRANSFER_EVENT], &right, error) &&
            (right || remote_misanswered(&shadow->remote, error)) &&
            shadow_put_bounds(shadow, trace, error);
    } else if (done) {
        trace->fetched |= shadow_events_bit();
    }
    shadow->rows += !done ? 0 : some ? part->count.part : trace->rows;
    return done;
}

void shadow_free_parts(struct event_part *parts, size_t count) {
    for (size_t i = 0; parts != NULL && i < count; i++) {
        event_part_free(&parts[i]);
    }
    free(parts);
}

struct event_part *shadow_find_parts(struct shadow *shadow, const struct database_wanted *wanted,
                                     struct error *error) {
    struct event_part *parts = xcalloc(wanted->count + 1, sizeof *parts);
    bool done = parts != NULL || error_no_memory(error);

    for (size_t i = 0; done && wanted->parts != NULL && i < wanted->count; i++) {
        const struct shadow_trace *trace = &shadow->traces[wanted->traces[i] - 1];
        const struct event_part_trace there = {
            .pair = trace->pair,
            .rows = trace->rows,
            .shift = trace->shift,
            .has_io_parts = shadow_has_left(trace, remote_table_find("io_part")),
        };

        done = !trace->numbered || !trace->sent_events ||
               (trace->fetched & shadow_events_bit()) != 0 ||
               event_part_find(&parts[i], &shadow->remote, &there, &wanted->parts[i], error);
    }
    if (!done) {
        shadow_free_parts(parts, wanted->count);
    }
    return done ? parts : NULL;
}
