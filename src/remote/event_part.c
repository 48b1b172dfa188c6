#include "remote/event_part.h"

#include <stddef.h>
#include <string.h>

#include "remote/rowbinary.h"

/* Events that are asked for at once. */
enum { EVENTS_AT_ONCE = 100000 };

static const struct remote_table *event_table(void) {
    return remote_table_find("event");
}

/* --- asking -------------------------------------------------------------------------------------
 */

/* Asks for numbers of an attempt, which are 0 where it has no rows. */
static bool ask(struct remote *remote, const struct text *sql, const struct remote_pair *pair,
                int64_t *numbers, size_t count, struct error *error) {
    struct text answer = {0};
    struct rowbinary_reader reader;
    bool done = remote_ask(remote, sql, REMOTE_SMALL_ANSWER, &answer, error);

    memset(numbers, 0, count * sizeof *numbers);
    reader = rowbinary_reader(&answer);
    if (done && rowbinary_more(&reader)) {
        const struct remote_pair got = remote_pair_take(&reader);

        for (size_t i = 0; i < count; i++) {
            numbers[i] = rowbinary_i64(&reader);
        }
        done =
            (!reader.failed && !rowbinary_more(&reader) && remote_pair_compare(&got, pair) == 0) ||
            remote_misanswered(remote, error);
    }
    text_free(&answer);
    return done;
}

/* The ids between the times, and those at the ends. */
static bool find_time(struct event_part *part, struct remote *remote,
                      const struct event_part_trace *trace, struct error *error) {
    const bool is_bounded = part->from != INT64_MIN || part->to != INT64_MAX;
    int64_t found[2] = {0, trace->rows}; /* before the time, and not behind it */
    struct text sql = {0};
    bool done = true;

    if (is_bounded) {
        /* Nothing is as early as the least number, which not all servers read. */
        remote_append_count_before(&sql, remote->address.database, &trace->pair,
                                   part->from < -INT64_MAX ? -INT64_MAX : part->from, part->to);
        done = ask(remote, &sql, &trace->pair, found, 2, error);
        found[1] = part->to == INT64_MAX ? trace->rows : found[1];
        for (int i = 0; done && i < 2; i++) {
            done = (found[i] >= 0 && found[i] <= trace->rows) || remote_misanswered(remote, error);
        }
    }
    part->first = found[0] + 1;
    part->last = found[1] < found[0] ? found[0] : found[1];
    part->low = part->first > 1 ? part->first - 1 : 1;
    part->high = part->last < trace->rows ? part->last + 1 : trace->rows;
    text_free(&sql);
    return done;
}

/* What of the filter the store applies. Of I/Os on several files each part passes by itself, by its
 * file and its class, so that these say nothing of the event. */
static bool find_condition(struct event_part *part, const struct event_part_trace *trace,
                           const struct database_part *wanted, struct error *error) {
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
    return !sql->failed || error_no_memory(error);
}

bool event_part_find(struct event_part *part, struct remote *remote,
                     const struct event_part_trace *trace, const struct database_part *wanted,
                     struct error *error) {
    *part = (struct event_part){
        .from = wanted->from,
        .to = wanted->to,
        .chosen = wanted->some && trace->rows > DATABASE_FEW_EVENTS,
    };
    if (!part->chosen) {
        return true;
    }
    if (!find_time(part, remote, trace, error) || !find_condition(part, trace, wanted, error)) {
        return false;
    }
    part->some = part->low > 1 || part->high < trace->rows || part->condition.length > 0;
    return !part->some ||
           event_part_count(remote, event_table(), &trace->pair, part, &part->count, error);
}

void event_part_free(struct event_part *part) {
    text_free(&part->condition);
}

struct remote_range event_part_range(const struct event_part *part, bool is_event, int64_t first) {
    /* Where few events are between, all come at once. */
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

/* What remote_append_count_range() gives of so many events, each once: the sum of id + 2 id^3, by
 * that of ids. */
static int64_t sum_of_events(int64_t count) {
    const uint64_t n = (uint64_t)count,
                   ids = n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n; /* modulo 2^64 */

    return (int64_t)(ids + 2 * ids * ids);
}

bool event_part_count(struct remote *remote, const struct remote_table *table,
                      const struct remote_pair *pair, const struct event_part *part,
                      struct event_count *count, struct error *error) {
    struct remote_range range = event_part_range(part, table == event_table(), part->low);
    struct text sql = {0};
    int64_t numbers[3];
    bool done;

    range.last = part->high;
    remote_append_count_range(&sql, remote->address.database, table, pair, &range);
    done = !sql.failed ? ask(remote, &sql, pair, numbers, 3, error) : error_no_memory(error);
    text_free(&sql);
    if (!done || numbers[0] < 0 || numbers[1] < 0) {
        return done ? remote_misanswered(remote, error) : false;
    }
    *count = (struct event_count){
        .all = numbers[0],
        .part = numbers[1],
        .each_once =
            numbers[2] == (table == event_table() ? sum_of_events(numbers[0]) : numbers[0]),
    };
    return true;
}

/* --- what came ----------------------------------------------------------------------------------
 */

/* So many events; those at the ends; and none whose time belies its place. */
static const char proof[] =
    "SELECT count(*) = ?3 AND count(*) FILTER (WHERE id < ?6 + ?10 OR id > ?7 - ?10)"
    " = ?2 - ?1 + 1 - max(0, ?7 - ?6 + 1 - 2 * ?10)"
    " AND NOT total((id < ?6) <> (time < ?4) OR (id > ?7) <> (time >= ?5 AND ?5 < ?8))"
    " AND (?9 OR count(*) = ?2 - ?1 + 1)"
    " FROM main.event WHERE id BETWEEN ?1 AND ?2";

bool event_part_check(struct database *database, const struct event_part *part, int64_t shift,
                      bool *right, struct error *error) {
    sqlite3_stmt *select = database_prepare(database, proof, error);
    const int64_t values[] = {
        part->low + shift,  part->high + shift, part->count.part,
        part->from,         part->to,           part->first + shift,
        part->last + shift, INT64_MAX,          part->condition.length > 0,
        DATABASE_PART_ENDS,
    };
    bool row = false, done = select != NULL;

    for (int i = 0; done && i < (int)(sizeof values / sizeof values[0]); i++) {
        sqlite3_bind_int64(select, i + 1, values[i]);
    }
    done = done && database_step(database, select, &row, error);
    *right = done && row && sqlite3_column_int(select, 0) == 1;
    sqlite3_finalize(select);
    return done;
}
