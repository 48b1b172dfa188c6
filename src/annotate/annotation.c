#include "annotate/annotation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/recount.h"
#include "base/words.h"
#include "import/dictionary.h"
#include "model/tally.h"
#include "store/store.h"
#include "store/trace_tables.h"
#include "store/rollup_tables.h"
#include "base/memory.h"

/* Columns of events that can be changed. The index is the `number` in SQL function annotated(). */
static const struct {
    unsigned column; /* bit in enum event_column */
    const char *name;
} settable[] = {
    {EVENT_OPERATION, "operation"},
    {EVENT_ACTOR, "actor"},
    {EVENT_OBJECT, "object"},
    {EVENT_FLAGS, "flags"},
};

#define SETTABLE (sizeof settable / sizeof settable[0])

bool annotation_open(struct annotation *annotation, struct database *database,
                     const struct config *config, const char *name, struct error *error) {
    *annotation = (struct annotation){.config = config};
    if (!store_begin_change(&annotation->store, database, error)) {
        return false;
    }
    if (catalog_load(&annotation->catalog, database, error)) {
        annotation->trace = catalog_find(&annotation->catalog, name);
        if (annotation->trace != NULL) {
            annotation->store.trace = annotation->trace->id;
            annotation->last = annotation->trace->first_event - 1;
            return true;
        }
        catalog_set_unknown_error(&annotation->catalog, name, error);
    }
    annotation_close(annotation);
    return false;
}

/* --- finding and adding names, actors and objects --------------------------------------------- */

/* Adds an object to the dictionary. Renaming may have made objects equal: the first one is used. */
static bool add_object_key(void *context, uint32_t id, const struct object_entry *object) {
    struct annotation *annotation = context;
    struct text *key = &annotation->key;
    uint32_t number;

    text_clear(key);
    object_dictionary_key(key, object);
    return dictionary_find(annotation->objects, key->bytes, key->length, &number,
                           annotation->failure) &&
           (number != 0 ||
            dictionary_set(annotation->objects, key->bytes, key->length, id, annotation->failure));
}

static bool load_objects(struct annotation *annotation, struct error *error) {
    const struct store *store = &annotation->store;
    const struct trace_names names = {
        .context = annotation,
        .object = add_object_key,
    };

    if (annotation->objects != NULL) {
        return true;
    }
    annotation->failure = error;
    annotation->objects = dictionary_open(store->first_object);
    return annotation->objects != NULL &&
           trace_names_read(annotation->store.database, annotation->store.trace, &names, error);
}

uint32_t annotation_add_object(struct annotation *annotation, const struct object_entry *object,
                               struct error *error) {
    struct entry entry = {.table = ENTRY_OBJECT, .object = *object};
    struct text *key = &annotation->key;
    bool added;

    if (!load_objects(annotation, error)) {
        return 0;
    }
    text_clear(key);
    object_dictionary_key(key, object);
    entry.id = dictionary_number(annotation->objects, key->bytes, key->length, &added, error);
    if (entry.id != 0 && added && !store_write_entry(&annotation->store, &entry, error)) {
        return 0;
    }
    return entry.id;
}

/* --- changing events of a trace --------------------------------------------------------------- */

/* Returns the pending change of an event; NULL if there is none. SQLite usually asks in order of
 * ids, so the search continues from the last position. */
static const struct event_change *annotation_find_event(struct annotation *annotation, int64_t id) {
    const struct event_change *events = annotation->events;
    size_t at = annotation->position;

    if (at >= annotation->count || events[at].id > id) {
        at = 0;
    }
    while (at < annotation->count && events[at].id < id) {
        at++;
    }
    annotation->position = at;
    return at < annotation->count && events[at].id == id ? &events[at] : NULL;
}

/* SQL function is_annotated(id): whether the event has a pending change. */
static void is_annotated(sqlite3_context *context, int count, sqlite3_value **values) {
    sqlite3_result_int(context, annotation_find_event(sqlite3_user_data(context),
                                                      sqlite3_value_int64(values[0])) != NULL);
}

/* SQL function annotated(id, number): new value of the column settable[number]. */
static void sql_annotated(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct event_change *event =
        annotation_find_event(sqlite3_user_data(context), sqlite3_value_int64(values[0]));
    uint32_t fields[SETTABLE];
    size_t number = (size_t)sqlite3_value_int64(values[1]);

    if (event == NULL || number >= SETTABLE) {
        return;
    }
    fields[0] = event->operation;
    fields[1] = event->actor;
    fields[2] = event->object;
    fields[3] = event->flags;
    if (fields[number] != 0 || settable[number].column == EVENT_FLAGS) {
        sqlite3_result_int64(context, fields[number]);
    }
}

/* Prepares an UPDATE of a range of rows in one pass, which is more than twice as fast as one UPDATE
 * per event. */
static bool prepare_update(struct annotation *annotation, struct error *error) {
    struct database *database = annotation->store.database;
    struct text sql = {0};

    if (sqlite3_create_function(database->handle, "is_annotated", 1, SQLITE_UTF8, annotation,
                                is_annotated, NULL, NULL) != SQLITE_OK ||
        sqlite3_create_function(database->handle, "annotated", 2, SQLITE_UTF8, annotation,
                                sql_annotated, NULL, NULL) != SQLITE_OK) {
        return database_set_error(database, error);
    }
    for (size_t i = 0; i < SETTABLE; i++) {
        if (annotation->columns & settable[i].column) {
            text_append_format(&sql, "%s %s = annotated(id, %zu)",
                               sql.length == 0 ? "UPDATE main.event SET" : ",", settable[i].name,
                               i);
        }
    }
    text_append_string(&sql, " WHERE id BETWEEN ?1 AND ?2 AND (?3 OR is_annotated(id))");
    annotation->update = database_prepare(database, text_string(&sql), error);
    text_free(&sql);
    return annotation->update != NULL;
}

static struct column_range annotation_range_of(const struct annotation *annotation) {
    const struct catalog_trace *trace = annotation->trace;

    return (struct column_range){trace->id, trace->first_event, trace->last_event};
}

/* Marks the rollups (tables of counts) that depend on these columns, to be counted again. */
static void annotation_touch_rollups(struct annotation *annotation, unsigned columns,
                                     uint32_t flags) {
    unsigned others = columns & ~(unsigned)EVENT_FLAGS;
    bool calls = annotation->trace->kind == TRACE_CALLS;

    for (size_t i = 0; analyses[i] != NULL; i++) {
        enum tally_kind kind =
            analyses[i]->rollup == NULL ? TALLY_KINDS : tally_find(analyses[i]->rollup);

        if (kind != TALLY_KINDS && ((analyses[i]->fields & others) != 0 ||
                                    ((columns & EVENT_FLAGS) != 0 &&
                                     (tally_flags(&tally_definitions[kind]) & flags) != 0))) {
            annotation_mark_rollup(annotation, analyses[i]->rollup);
        }
    }
    annotation->touched_latencies |=
        word_in(annotation->trace->rollups, calls ? CALL_ROLLUP : LATENCY_ROLLUP) &&
        (((calls ? CALL_COUNT_FIELDS : LATENCY_FIELDS) & others) != 0 ||
         (!calls && (columns & EVENT_FLAGS) != 0 && (LATENCY_ROLLUP_FLAGS & flags) != 0));
}

bool annotation_declare(struct annotation *annotation, unsigned columns, uint32_t flags,
                        struct error *error) {
    const struct column_range range = annotation_range_of(annotation);
    enum column_state state = COLUMNS_NONE;

    if (annotation->trace->kind == TRACE_SPANS) {
        return error_set(error, "trace %s has function calls, which cannot be changed",
                         annotation->trace->name);
    }
    if (!column_table_state(annotation->store.database, &range, &state, error)) {
        return false;
    }
    /* If the event columns (column_table.h) are missing, another program has changed rows, so all
     * rollups may be wrong. */
    annotation_touch_rollups(annotation, columns, state == COLUMNS_WHOLE ? flags : UINT32_MAX);
    annotation->columns = columns;
    annotation->events = xmalloc(ANNOTATION_EVENTS * sizeof *annotation->events);
    return prepare_update(annotation, error);
}

/* Writes the pending changes to the rows. All these events must exist. */
static bool annotation_write_events(struct annotation *annotation, struct error *error) {
    struct database *database = annotation->store.database;
    const struct column_range range = annotation_range_of(annotation);
    size_t count = annotation->count;

    if (count == 0) {
        return true;
    }
    annotation->position = 0;
    sqlite3_bind_int64(annotation->update, 1, annotation->events[0].id);
    sqlite3_bind_int64(annotation->update, 2, annotation->events[count - 1].id);
    /* ?3: true if ids are consecutive: the statement can then skip is_annotated(). */
    sqlite3_bind_int64(annotation->update, 3,
                       annotation->events[count - 1].id - annotation->events[0].id + 1 ==
                           (int64_t)count);
    if (!database_execute(database, annotation->update, error)) {
        return false;
    }
    annotation->count = 0;
    if ((size_t)sqlite3_changes(database->handle) != count) {
        return error_set(error,
                         "trace %s lacks events of its range of ids: the database is damaged",
                         annotation->trace->name);
    }
    if (annotation->changer == NULL) {
        annotation->changer = column_changer_new(database, &range, annotation->columns);
    }
    return annotation->changer != NULL &&
           column_changer_set(annotation->changer, annotation->events, count, error);
}

bool annotation_flush(struct annotation *annotation, struct error *error) {
    return annotation_write_events(annotation, error) &&
           (annotation->changer == NULL || column_changer_finish(annotation->changer, error));
}

bool annotation_set(struct annotation *annotation, const struct event_change *event,
                    struct error *error) {
    if (event->id <= annotation->last || event->id > annotation->trace->last_event) {
        return error_set(error, "event %lld is out of order or not of trace %s",
                         (long long)event->id, annotation->trace->name);
    }
    annotation->last = event->id;
    annotation->events[annotation->count++] = *event;
    return annotation->count < ANNOTATION_EVENTS || annotation_write_events(annotation, error);
}

/* --- recounting rollups and committing the changes -------------------------------------------- */

void annotation_mark_rollup(struct annotation *annotation, const char *rollup) {
    enum tally_kind kind = tally_find(rollup);

    if (kind != TALLY_KINDS) {
        annotation->touched |= 1u << kind;
    } else if (strcmp(rollup, SPAN_ROLLUP) == 0) {
        annotation->touched_spans = true;
    } else {
        annotation->touched_latencies = true;
    }
}

/* Counts the rows of a rollup again and replaces them. */
static bool replace_rollup(struct annotation *annotation, enum tally_kind kind,
                           struct error *error) {
    const struct tally_definition *definition = &tally_definitions[kind];
    struct database *database = annotation->store.database;
    int64_t trace = annotation->trace->id, rows = 0;
    char erase[96], fill[512], count[96];

    snprintf(erase, sizeof erase, "DELETE FROM main.rollup_%s WHERE trace = ?1", definition->name);
    snprintf(fill, sizeof fill,
             "INSERT INTO main.rollup_%s SELECT trace, %s, sum(count), sum(bytes)"
             " FROM temp.tally_%s GROUP BY trace, %s",
             definition->name, definition->columns, definition->name, definition->columns);
    snprintf(count, sizeof count, "SELECT count(*) FROM main.rollup_%s WHERE trace = ?1",
             definition->name);
    if (!database_run_bound(database, error, erase, "i", trace) ||
        !database_run(database, fill, error) ||
        !database_query_integer(database, count, trace, 0, &rows, error)) {
        return false;
    }
    return (rows <= TALLY_ROWS || database_run_bound(database, error, erase, "i", trace)) &&
           rollup_set_complete(database, trace, definition->name, rows <= TALLY_ROWS, error);
}

/* Returns whether the rollup exists or should exist. `kinds`: kinds of traces that can have it. */
static bool annotation_is_wanted(const struct annotation *annotation, unsigned kinds,
                                 const char *name) {
    return word_in(annotation->trace->rollups, name) ||
           (annotation->missing && (kinds >> annotation->trace->kind & 1) != 0);
}

static bool annotation_is_touched(const struct annotation *annotation, unsigned kind) {
    const struct tally_definition *definition = &tally_definitions[kind];

    return (annotation->touched >> kind & 1) != 0 &&
           annotation_is_wanted(annotation, definition->rollup_kinds, definition->name);
}

static bool annotation_recount_calls(struct annotation *annotation, struct error *error) {
    if (!annotation->touched_spans ||
        !annotation_is_wanted(annotation, 1u << TRACE_SPANS, SPAN_ROLLUP)) {
        return true;
    }
    return recount_spans(annotation->store.database, annotation->trace, error) &&
           rollup_set_complete(annotation->store.database, annotation->trace->id, SPAN_ROLLUP, true,
                               error);
}

static bool recount_tallies(struct annotation *annotation, struct error *error) {
    struct recount recount = {0};
    struct text names = {0};
    bool done = true;

    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        if (annotation_is_touched(annotation, kind)) {
            text_append_format(&names, "%s ", tally_definitions[kind].name);
        }
    }
    if (names.length > 0) {
        done = recount_open(&recount, annotation->store.database, annotation->config,
                            &annotation->trace, 1, text_string(&names), EVENTS_FROM_ANY, error);
    }
    for (unsigned kind = 0; done && kind < TALLY_KINDS; kind++) {
        if (annotation_is_touched(annotation, kind)) {
            done = replace_rollup(annotation, (enum tally_kind)kind, error);
        }
    }
    recount_close(&recount);
    text_free(&names);
    return done && annotation_recount_calls(annotation, error);
}

/* Counts the tables rollup_latency and rollup_call again. */
static bool annotation_recount_latencies(struct annotation *annotation, struct error *error) {
    const struct column_range range = annotation_range_of(annotation);
    struct database *database = annotation->store.database;
    bool calls = annotation->trace->kind == TRACE_CALLS;

    return !annotation->touched_latencies || (annotation->trace->kind != TRACE_IO && !calls) ||
           (latency_rollup_make(database, &range, calls, NULL, error) &&
            (!calls || call_rollup_make(database, &range, NULL, error)));
}

bool annotation_commit(struct annotation *annotation, struct error *error) {
    return annotation_flush(annotation, error) && recount_tallies(annotation, error) &&
           annotation_recount_latencies(annotation, error) &&
           store_commit(&annotation->store, error);
}

void annotation_close(struct annotation *annotation) {
    struct database *database = annotation->store.database;

    sqlite3_finalize(annotation->update);
    column_changer_free(annotation->changer);
    if (annotation->columns != 0) {
        sqlite3_create_function(database->handle, "is_annotated", 1, SQLITE_UTF8, NULL, NULL, NULL,
                                NULL);
        sqlite3_create_function(database->handle, "annotated", 2, SQLITE_UTF8, NULL, NULL, NULL,
                                NULL);
    }
    free(annotation->events);
    dictionary_close(annotation->objects);
    text_free(&annotation->key);
    catalog_free(&annotation->catalog);
    store_end(&annotation->store);
    *annotation = (struct annotation){0};
}
