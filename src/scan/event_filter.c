#include "scan/event_filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "model/partition.h"

/* Sets of row ids of the tables name, actor or object, for one trace at a time. */

/* A map from ids uses a table instead of a binary search if the range of its ids is less than this
 * many times the number of ids in it. */
enum { SPARSE = 64 };

/* Adds an id, larger than all before, to a set. */
static void add_id(struct id_set *set, size_t *capacity, uint32_t id) {
    size_t word;

    if (set->words == 0) {
        set->least = id;
    }
    word = (id - set->least) / 64;
    if (word + 1 >= *capacity) {
        size_t grown = 2 * word + 8;
        /* Memory of large xcalloc() blocks is only provided by the system when bits are set. */
        uint64_t *bits = xcalloc(grown, sizeof *bits);

        if (set->words > 0) {
            memcpy(bits, set->bits, set->words * sizeof *bits);
        }
        free(set->bits);
        set->bits = bits;
        *capacity = grown;
    }
    set->words = word + 1;
    set->bits[word] |= UINT64_C(1) << (id - set->least) % 64;
}

/* Two SELECTs: selected ids of trace ?1, by the index on trace; and whether id 0 is selected. */
#define OF_TRACE(rows, table)                                                                      \
    {                                                                                              \
        "SELECT s.id FROM main." rows " AS o CROSS JOIN temp." table                               \
        " AS s ON s.id = o.id WHERE o.trace = ?1 ORDER BY o.id",                                   \
            "SELECT 1 FROM temp." table " WHERE id = 0"                                            \
    }

static const struct {
    const char *ids, *has_none;
} selects[] = {
    [SELECTED_OPERATIONS] = OF_TRACE("name", "selected_operation"),
    [UNDER_OPERATIONS] = OF_TRACE("name", "under_operation"),
    [SELECTED_ACTORS] = OF_TRACE("actor", "selected_actor"),
    [SELECTED_OBJECTS] = OF_TRACE("object", "selected_object"),
};

bool id_set_query(struct id_set *set, struct database *database, const char *sql, int64_t trace,
                  struct error *error) {
    struct database_query query = database_query(database, error, sql, "i", trace);
    size_t capacity = 0;

    id_set_free(set);
    while (database_next(&query)) {
        int64_t id = sqlite3_column_int64(query.row, 0);

        if (id < 0 || id > UINT32_MAX) {
            query.failed =
                !error_set(error, "%s: the database is damaged (ids out of range)", database->path);
        } else if (id == 0) {
            set->has_none = true;
        } else {
            add_id(set, &capacity, (uint32_t)id);
        }
    }
    return database_end(&query);
}

bool id_set_read(struct id_set *set, const struct selection *selection, enum selected_ids which,
                 int64_t trace, struct error *error) {
    int64_t none = 0;

    if (!id_set_query(set, selection->database, selects[which].ids, trace, error) ||
        !database_query_integer(selection->database, selects[which].has_none, 0, 0, &none, error)) {
        return false;
    }
    set->has_none = none != 0;
    return true;
}

/* Returns whether the set has an id from `least` to `most`. */
static bool id_set_has_between(const struct id_set *set, int64_t least, int64_t most) {
    int64_t first = set->least, last = first + 64 * (int64_t)set->words - 1;

    least = least < first ? first : least;
    most = most > last ? last : most;
    for (int64_t id = least; id <= most; id++) {
        /* Skips a word of 64 ids if none is in the set. */
        if ((id - first) % 64 == 0 && set->bits[(id - first) / 64] == 0) {
            id += 63;
        } else if (id_set_has(set, (uint32_t)id)) {
            return true;
        }
    }
    return false;
}

void id_set_free(struct id_set *set) {
    free(set->bits);
    *set = (struct id_set){0};
}

/* Makes a table that finds numbers by id faster than a search, if the ids are close together. */
static void place_ids(struct id_values *values) {
    uint32_t range =
        values->count == 0 ? UINT32_MAX : values->values[values->count - 1].id - values->values->id;

    free(values->places);
    values->span = range < SPARSE * values->count ? range + 1 : 0;
    values->places = xcalloc(values->span, sizeof *values->places);
    for (size_t i = 0; i < values->count; i++) {
        uint32_t at = values->values[i].id - values->values->id;

        if (at < values->span) { /* false only if the database is damaged: ids not ascending */
            values->places[at] = (uint32_t)i + 1;
        }
    }
}

bool id_values_query(struct id_values *values, struct database *database, const char *sql,
                     int64_t trace, struct error *error) {
    struct database_query query = database_query(database, error, sql, "i", trace);

    values->count = 0;
    while (database_next(&query)) {
        *ARRAY_NEW(values->values, values->count, values->capacity) = (struct id_value){
            (uint32_t)sqlite3_column_int64(query.row, 0), sqlite3_column_int64(query.row, 1)};
    }
    place_ids(values);
    return database_end(&query);
}

void id_values_free(struct id_values *values) {
    free(values->values);
    free(values->places);
    *values = (struct id_values){0};
}

bool id_values_find(const struct id_values *values, uint32_t id, int64_t *number) {
    const struct id_value *found;

    if (values->span > 0) {
        uint32_t at = id - values->values->id, place = at < values->span ? values->places[at] : 0;

        found = place == 0 ? NULL : &values->values[place - 1];
    } else {
        found = search_id(values->values, values->count, sizeof *found, id);
    }
    if (found != NULL) {
        *number = found->number;
    }
    return found != NULL;
}

bool open_times_read(struct open_times *times, struct database *database, int64_t first,
                     int64_t last, struct error *error) {
    struct database_query query =
        database_query(database, error,
                       "SELECT event, duration, self, cpu_duration, cpu_self FROM main.open_call"
                       " WHERE event BETWEEN ?1 AND ?2 ORDER BY event",
                       "ii", first, last);

    *times = (struct open_times){0};
    while (database_next(&query)) {
        *ARRAY_NEW(times->calls, times->count, times->capacity) = (struct open_time){
            .id = sqlite3_column_int64(query.row, 0),
            .duration = sqlite3_column_int64(query.row, 1),
            .self = database_column_optional(query.row, 2),
            .cpu_duration = database_column_optional(query.row, 3),
            .cpu_self = database_column_optional(query.row, 4),
        };
    }
    return database_end(&query);
}

void open_times_free(struct open_times *times) {
    free(times->calls);
    *times = (struct open_times){0};
}

const struct open_time *open_times_find(const struct open_times *times, int64_t id) {
    return times->count == 0
               ? NULL
               : bsearch(&id, times->calls, times->count, sizeof *times->calls, compare_int64);
}

static void open_times_store(int64_t *column, size_t at, int64_t value) {
    if (column != NULL) {
        column[at] = value;
    }
}

void open_times_fill(const struct open_times *times, struct event_columns *columns, size_t count) {
    for (size_t i = 0; times->count > 0 && i < count; i++) {
        const struct open_time *call =
            columns->flags[i] & SPAN_OPEN ? open_times_find(times, columns->id[i]) : NULL;

        if (call != NULL) {
            open_times_store(columns->duration, i, call->duration);
            open_times_store(columns->self, i, call->self);
            open_times_store(columns->cpu_duration, i, call->cpu_duration);
            open_times_store(columns->cpu_self, i, call->cpu_self);
        }
    }
}

/* --- making tests from the selection's filter ------------------------------------------------- */

static struct event_test *add_test(struct event_filter *filter, enum event_test_kind kind,
                                   enum event_place column) {
    struct event_test *test = &filter->tests[filter->count++];

    test->kind = kind;
    test->column = column;
    filter->fields |= 1u << column;
    return test;
}

static bool add_ids(struct event_filter *filter, const struct event_filter_scope *scope,
                    enum event_place column, enum selected_ids which, struct error *error) {
    struct event_test *test = add_test(filter, EVENT_TEST_IDS, column);

    return id_set_read(&test->ids, scope->selection, which, scope->trace, error);
}

/* Adds a test by file. If the scan reads source files, a copy passes by either of its two files. */
static bool event_filter_add_files(struct event_filter *filter,
                                   const struct event_filter_scope *scope, struct error *error) {
    bool done = add_ids(filter, scope, EVENT_PLACE_OBJECT, SELECTED_OBJECTS, error);

    if ((scope->fields & EVENT_SOURCE) != 0 &&
        scope->selection->traces[0].trace->kind == TRACE_CALLS) {
        filter->tests[filter->count - 1].kind = EVENT_TEST_FILES;
        filter->fields |= EVENT_SOURCE;
    }
    return done;
}

/* Adds a test by partition, following the same rules as counts by partition. */
static bool event_filter_add_partitions(struct event_filter *filter,
                                        const struct event_filter_scope *scope,
                                        struct error *error) {
    const struct name_set *names = &scope->selection->filter.names[FILTER_PARTITION];
    struct partitions *partitions = &filter->partitions;

    add_test(filter, EVENT_TEST_PARTITION, EVENT_PLACE_ADDRESS);
    filter->fields |= EVENT_OBJECT;
    if (!partitions_read(scope->database, scope->trace, partitions, error) ||
        !devices_read(&filter->devices, scope->database, scope->trace, error)) {
        return false;
    }
    filter->partition_passes = xcalloc(partitions->count + 1, sizeof *filter->partition_passes);
    for (size_t i = 0; i < partitions->count; i++) {
        filter->partition_passes[i] = name_set_passes(names, partitions->entries[i].name);
    }
    filter->partition_passes[partitions->count] = name_set_passes(names, PARTITION_UNMAPPED);
    return true;
}

static const struct catalog_trace *event_filter_find_trace(const struct selection *selection,
                                                           int64_t id) {
    size_t i = 0;

    while (i + 1 < selection->count && selection->traces[i].trace->id != id) {
        i++;
    }
    return selection->traces[i].trace;
}

static void add_values(struct event_filter *filter, const struct filter *wanted,
                       const struct catalog_trace *trace) {
    int64_t least, most;

    for (enum filter_quantity i = 0; i < FILTER_QUANTITIES; i++) {
        if (filter_bounds(wanted, i, trace, &least, &most)) {
            struct event_test *test =
                add_test(filter, EVENT_TEST_RANGE, filter_quantities[i].column);

            test->least = least;
            test->most = most;
        }
    }
    if (wanted->failed) {
        filter->value_fails = filter_negative_means_error(trace);
        filter->fields |= filter->value_fails ? (unsigned)EVENT_VALUE : 0;
        add_test(filter, EVENT_TEST_FAILED, EVENT_PLACE_ERROR);
    }
}

/* Reads the times of calls that were open when the log ended. Not needed if the selection leaves
 * these calls without an end, or has corrected times, which include them. */
static bool read_open(struct event_filter *filter, const struct event_filter_scope *scope,
                      struct error *error) {
    const struct selection *selection = scope->selection;

    filter->puts_open = selection->times != CALL_TIMES_CORRECTED &&
                        (scope->fields & (EVENT_DURATION | EVENT_SELF | EVENT_CPU)) != 0;
    if (selection->leave_open || selection->traces[0].trace->kind != TRACE_SPANS ||
        (!filter->puts_open && (filter->fields & EVENT_DURATION) == 0)) {
        return true;
    }
    if (!open_times_read(&filter->open, scope->database, scope->first, scope->last, error)) {
        return false;
    }
    filter->fields |= filter->open.count > 0 ? (unsigned)EVENT_FLAGS : 0;
    return true;
}

bool event_filter_init(struct event_filter *filter, const struct event_filter_scope *scope,
                       struct error *error) {
    const struct selection *selection = scope->selection;
    const struct filter *wanted;
    const struct catalog_trace *trace;

    *filter = (struct event_filter){0};
    if (scope->action != EVENT_NONE) {
        add_test(filter, EVENT_TEST_ACTION, EVENT_PLACE_OPERATION)->least = scope->action;
    }
    if (selection == NULL || selection->count == 0) {
        return true;
    }
    wanted = &selection->filter;
    trace = event_filter_find_trace(selection, scope->trace);
    if ((filter_by_operation(wanted) &&
         !add_ids(filter, scope, EVENT_PLACE_OPERATION, SELECTED_OPERATIONS, error)) ||
        (filter_by_actor(wanted) &&
         !add_ids(filter, scope, EVENT_PLACE_ACTOR, SELECTED_ACTORS, error)) ||
        (filter_by_object(wanted) && !event_filter_add_files(filter, scope, error))) {
        return false;
    }
    filter->classes_out = wanted->words_out[FILTER_CLASSES];
    filter->block_types_out = wanted->words_out[FILTER_BLOCK_TYPES];
    filter->evidence_out = wanted->evidence_out;
    if (catalog_meaning(trace, "flags", filter_lower_devices(wanted)) != NULL) {
        filter->flags_out = IO_FLAG_BELOW;
    }
    if ((filter->classes_out | filter->block_types_out | filter->evidence_out |
         filter->flags_out) != 0) {
        add_test(filter, EVENT_TEST_FLAGS, EVENT_PLACE_FLAGS);
    }
    add_values(filter, wanted, trace);
    return (!filter_has(wanted, FILTER_PARTITION) ||
            event_filter_add_partitions(filter, scope, error)) &&
           read_open(filter, scope, error);
}

void event_filter_free(struct event_filter *filter) {
    for (size_t i = 0; i < filter->count; i++) {
        id_set_free(&filter->tests[i].ids);
    }
    partitions_free(&filter->partitions);
    devices_free(&filter->devices);
    open_times_free(&filter->open);
    free(filter->partition_passes);
}

/* --- testing events --------------------------------------------------------------------------- */

/* Body of a function: writes the positions of the events that pass to `kept`, which may be the
 * array `places`; returns their number. The loop has no branches. */
#define KEEP(passes)                                                                               \
    size_t left = 0;                                                                               \
                                                                                                   \
    for (size_t i = 0; i < count; i++) {                                                           \
        uint32_t at = places[i];                                                                   \
                                                                                                   \
        kept[left] = at;                                                                           \
        left += (passes);                                                                          \
    }                                                                                              \
    return left

/* Selects events by action (operation). Id 0 means that the event has none. */
static size_t select_action(int64_t action, const uint32_t *operations, const uint32_t *places,
                            uint32_t *kept, size_t count) {
    KEEP(operations[at] != 0 && operations[at] == action);
}

static size_t select_ids(const struct id_set *set, const uint32_t *ids, const uint32_t *places,
                         uint32_t *kept, size_t count) {
    KEEP(id_set_has(set, ids[at]));
}

/* Selects events by file. A copy passes if either of its two files is in the set; code that reads
 * both files tests each of them again. */
static size_t select_files(const struct id_set *set, const struct event_columns *columns,
                           const uint32_t *places, uint32_t *kept, size_t count) {
    const uint32_t *objects = columns->object, *sources = columns->source;

    KEEP((unsigned)id_set_has(set, objects[at]) |
         ((unsigned)(sources[at] != 0) & (unsigned)id_set_has(set, sources[at])));
}

/* Selects events by a range of values. EVENT_NONE, no value, is below any range. */
static size_t event_filter_select_range(const struct event_test *test, const int64_t *values,
                                        const uint32_t *places, uint32_t *kept, size_t count) {
    const int64_t least = test->least, most = test->most;

    KEEP((unsigned)(values[at] >= least) & (unsigned)(values[at] <= most));
}

static int64_t event_filter_duration_of(const struct event_filter *filter,
                                        const struct event_columns *columns, size_t at) {
    const struct open_time *open =
        columns->flags[at] & SPAN_OPEN ? open_times_find(&filter->open, columns->id[at]) : NULL;

    return open == NULL ? columns->duration[at] : open->duration;
}

/* Selects events by duration. A call that was open when the log ended lasts until then. */
static size_t select_durations(const struct event_filter *filter, const struct event_test *test,
                               const struct event_columns *columns, const uint32_t *places,
                               uint32_t *kept, size_t count) {
    KEEP(event_filter_duration_of(filter, columns, at) >= test->least &&
         event_filter_duration_of(filter, columns, at) <= test->most);
}

static size_t select_flags(const struct event_filter *filter, const uint32_t *flags,
                           const uint32_t *places, uint32_t *kept, size_t count) {
    KEEP((filter->classes_out >> io_class_of(flags[at]) & 1) == 0 &&
         (filter->block_types_out >> io_block_type_of(flags[at]) & 1) == 0 &&
         (filter->evidence_out >> io_evidence_of(flags[at]) & 1) == 0 &&
         (filter->flags_out & flags[at]) == 0);
}

static size_t select_failed(const struct event_filter *filter, const struct event_columns *columns,
                            const uint32_t *places, uint32_t *kept, size_t count) {
    if (!filter->value_fails) {
        KEEP(columns->error[at] != 0);
    }
    KEEP(columns->error[at] != 0 || (columns->value[at] < 0 && columns->value[at] != EVENT_NONE));
}

static size_t select_partitions(const struct event_filter *filter,
                                const struct event_columns *columns, const uint32_t *places,
                                uint32_t *kept, size_t count) {
    KEEP(filter->partition_passes[partition_index(
        filter->partitions.entries, filter->partitions.count,
        devices_find(&filter->devices, columns->object[at]), columns->address[at])]);
}

static size_t event_filter_select(const struct event_filter *filter, const struct event_test *test,
                                  const struct event_columns *columns, const uint32_t *places,
                                  uint32_t *kept, size_t count) {
    struct event_columns arrays = *columns;
    const void *values = *event_columns_array(&arrays, 1u << test->column);

    switch (test->kind) {
    case EVENT_TEST_ACTION:
        return select_action(test->least, values, places, kept, count);
    case EVENT_TEST_IDS:
        return select_ids(&test->ids, values, places, kept, count);
    case EVENT_TEST_FILES:
        return select_files(&test->ids, columns, places, kept, count);
    case EVENT_TEST_RANGE:
        return test->column == EVENT_PLACE_DURATION && filter->open.count > 0
                   ? select_durations(filter, test, columns, places, kept, count)
                   : event_filter_select_range(test, values, places, kept, count);
    case EVENT_TEST_FLAGS:
        return select_flags(filter, values, places, kept, count);
    case EVENT_TEST_FAILED:
        return select_failed(filter, columns, places, kept, count);
    case EVENT_TEST_PARTITION:
        return select_partitions(filter, columns, places, kept, count);
    }
    return count;
}

size_t event_filter_events(const struct event_filter *filter, const struct event_columns *columns,
                           const uint32_t **places, uint32_t *kept, size_t count) {
    for (size_t i = 0; i < filter->count; i++) {
        count = event_filter_select(filter, &filter->tests[i], columns, *places, kept, count);
        *places = kept;
    }
    return count;
}

bool event_filter_passes(const struct event_filter *filter, const struct event_columns *columns,
                         size_t at) {
    const uint32_t place = (uint32_t)at, *places = &place;
    uint32_t kept;

    return event_filter_events(filter, columns, &places, &kept, 1) == 1;
}

/* --- testing chunks of events ----------------------------------------------------------------- */

/* Returns whether a chunk may have an id of the set, by its minimum and maximum. If the set has 0,
 * any chunk may, as it may have events without an id. */
static bool may_have(const struct id_set *set, const struct event_chunk_part *part) {
    return set->has_none || (part->size > 0 && id_set_has_between(set, part->least, part->most));
}

static bool may_pass(const struct event_filter *filter, const struct event_test *test,
                     const struct event_chunk_part *parts) {
    const struct event_chunk_part *part = &parts[event_field_of(test->column)];

    switch (test->kind) {
    case EVENT_TEST_ACTION:
        return part->size > 0 && part->least <= test->least && part->most >= test->least;
    case EVENT_TEST_IDS:
        return may_have(&test->ids, part);
    case EVENT_TEST_FILES:
        return may_have(&test->ids, part) || parts[EVENT_FIELD_SOURCE].size > 0;
    case EVENT_TEST_RANGE:
        return (test->column == EVENT_PLACE_DURATION && filter->open.count > 0) ||
               (part->size > 0 && part->least <= test->most && part->most >= test->least);
    default:
        return true;
    }
}

bool event_filter_may_pass(const struct event_filter *filter,
                           const struct event_chunk_part *parts) {
    size_t i = 0;

    while (i < filter->count && may_pass(filter, &filter->tests[i], parts)) {
        i++;
    }
    return i == filter->count;
}
