#include "contract/places.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/words.h"
#include "scan/event_filter.h"

enum { OF_NAME, OF_FILE, OF_ERROR, PICK_SETS };

/* Calls that are looked for: with a name, a file and an error in these sets. */
struct pick {
    size_t outcome, line;                /* line: of a row */
    bool is_row, is_longest, has_failed; /* is_longest: the longest calls, not the first */
    int64_t time;                        /* EVENT_NONE: any */
    struct text where[PICK_SETS];        /* owned: SQL conditions after AND; empty: any */
    struct id_set sets[PICK_SETS];       /* owned */
    const struct contract *contract;     /* borrowed; NULL: a figure, or a row */
    const struct calls_found *found;     /* borrowed: what was found of the contract */
    size_t count, most;
    int64_t calls[CONTRACT_PLACES], times[CONTRACT_PLACES], durations[CONTRACT_PLACES];
};

struct place_group {
    char *key;                         /* owned: trace and filter */
    const struct catalog_trace *trace; /* borrowed, as is the next */
    const struct filter *filter;
    struct pick *picks; /* owned */
    size_t count, capacity;
    size_t waiting; /* picks that further calls may go to */
    UT_hash_handle hh;
};

/* --- what is wanted --------------------------------------------------------------------------- */

static struct pick *new_pick(struct places *places, const struct figure *figure,
                             const struct catalog_trace *trace) {
    char *key = xasprintf("%lld\n%s", (long long)trace->id, figure->key);
    struct place_group *group;
    struct pick *pick;

    HASH_FIND_STR(places->groups, key, group);
    if (group == NULL) {
        group = xcalloc(1, sizeof *group);
        *group = (struct place_group){.key = key, .trace = trace, .filter = &figure->filter};
        HASH_ADD_KEYPTR(hh, places->groups, group->key, strlen(group->key), group);
    } else {
        free(key);
    }
    pick = ARRAY_NEW(group->picks, group->count, group->capacity);
    *pick = (struct pick){.outcome = places->outcome, .time = EVENT_NONE, .most = CONTRACT_PLACES};
    return pick;
}

void places_add_figure(struct places *places, const struct figure *figure,
                       const struct catalog_trace *trace, const char *keys) {
    static const char *const columns[PICK_SETS] = {"name", "file", "error"},
                             *const names[PICK_SETS] = {"op", "file", "error"};
    const struct figure_source *source = &figure->sources[0];
    const bool is_cell = source->keys == NULL;
    struct pick *pick;

    keys = is_cell ? keys : source->keys;
    if (figure->new || trace->kind != TRACE_CALLS || strcmp(source->report, "findings") == 0 ||
        (is_cell ? !word_in("name file", keys) ||
                       !word_in("files syscalls popularity latency percentiles", source->report)
                 : strncmp(keys, "name", 4) != 0 && strcmp(keys, "file") != 0)) {
        return;
    }
    pick = new_pick(places, figure, trace);
    pick->is_longest = figure->kind == COLUMN_DURATION;
    pick->has_failed =
        strcmp(source->report, "errors") == 0 || strcmp(source->column, "errors") == 0;
    for (int i = 0; i < PICK_SETS; i++) {
        measure_append_names(&pick->where[i], figure, keys, "name file error", "op", columns[i]);
        if (figure->path != NULL && strcmp(keys, columns[i]) == 0) {
            text_append_format(&pick->where[i], " AND replace(%s, '_', ' ') = replace(", names[i]);
            measure_append_quoted(&pick->where[i], figure->path, strlen(figure->path), false);
            text_append_string(&pick->where[i], ", '_', ' ')");
        }
    }
    measure_append_does(&pick->where[OF_NAME], source->column);
}

/* Adds the condition of a column of a row. */
static void add_column(struct pick *pick, const char *column, sqlite3_stmt *row, int at) {
    static const char *const columns[PICK_SETS] = {"name what", "file", "error"},
                             *const names[PICK_SETS] = {"op", "file", "error"};
    const char *value = database_column_text(row, at);

    for (int i = 0; i < PICK_SETS; i++) {
        if (word_in(columns[i], column) && *value != '\0') {
            text_append_format(&pick->where[i], " AND %s = ", names[i]);
            measure_append_quoted(&pick->where[i], value, strlen(value), false);
        }
    }
    if (strcmp(column, "time") == 0 && sqlite3_column_type(row, at) == SQLITE_INTEGER) {
        pick->time = sqlite3_column_int64(row, at);
    }
}

void places_add_row(struct places *places, const struct figure *figure,
                    const struct catalog_trace *trace, const char *keys, sqlite3_stmt *row,
                    size_t line) {
    struct pick pick = {.time = EVENT_NONE}, *added;
    char key[64];
    bool names = trace->kind == TRACE_CALLS;

    for (const char *at = keys; *at != '\0'; at += strspn(at, " ")) {
        const int length = (int)strcspn(at, " ");

        snprintf(key, sizeof key, "%.*s", length, at);
        names = names && word_in("name what file error", key);
        at += length;
    }
    for (int i = 0; names && i < sqlite3_column_count(row); i++) {
        const char *column = sqlite3_column_name(row, i);

        if (*keys == '\0' || word_in(keys, column)) {
            add_column(&pick, column, row, i);
        }
    }
    if (!names || (*keys == '\0' && (pick.time == EVENT_NONE || pick.where[OF_NAME].length == 0)) ||
        pick.where[OF_NAME].length + pick.where[OF_FILE].length == 0) {
        for (int i = 0; i < PICK_SETS; i++) {
            text_free(&pick.where[i]);
        }
        return;
    }
    added = new_pick(places, figure, trace);
    pick.outcome = places->outcome;
    pick.line = line;
    pick.is_row = true;
    pick.most = 1;
    *added = pick;
}

void places_add_found(struct places *places, const struct contract *contract,
                      const struct catalog_trace *trace, const struct calls_found *found) {
    struct pick *pick = new_pick(places, &contract->condition.figure, trace);

    pick->contract = contract;
    pick->found = found;
    pick->most = 0;
}

/* --- finding ---------------------------------------------------------------------------------- */

static bool read_sets(struct pick *pick, struct database *database, int64_t trace,
                      struct error *error) {
    static const char *const rows[PICK_SETS] = {"text AS op FROM main.name",
                                                "name AS file FROM main.object",
                                                "text AS error FROM main.name"};
    bool done = true;

    for (int i = 0; done && i < PICK_SETS; i++) {
        if (pick->where[i].length > 0) {
            char *sql =
                xasprintf("SELECT id FROM (SELECT id, %s WHERE trace = ?1) WHERE 1%s ORDER BY id",
                          rows[i], text_string(&pick->where[i]));

            done = id_set_query(&pick->sets[i], database, sql, trace, error);
            free(sql);
        }
    }
    return done;
}

/* Inserts a call: behind those that are as long. */
static void keep_call(struct pick *pick, const struct event_columns *columns, size_t i) {
    size_t at = pick->count < pick->most ? pick->count++ : pick->most - 1;

    for (; at > 0 && pick->is_longest && pick->durations[at - 1] < columns->duration[i]; at--) {
        pick->calls[at] = pick->calls[at - 1];
        pick->times[at] = pick->times[at - 1];
        pick->durations[at] = pick->durations[at - 1];
    }
    pick->calls[at] = columns->id[i];
    pick->times[at] = columns->time[i];
    pick->durations[at] = columns->duration[i];
}

static bool places_visit(void *context, const struct event_columns *columns, size_t count,
                         struct error *error) {
    struct place_group *group = context;

    for (size_t k = 0; k < group->count; k++) {
        struct pick *pick = &group->picks[k];
        const uint32_t *const ids[PICK_SETS] = {columns->operation, columns->object,
                                                columns->error};

        for (size_t i = 0; i < count && (pick->count < pick->most || pick->is_longest); i++) {
            bool fits = (pick->count < pick->most ||
                         columns->duration[i] > pick->durations[pick->most - 1]) &&
                        (pick->time == EVENT_NONE || pick->time == columns->time[i]) &&
                        (!pick->has_failed || columns->error[i] != 0);

            for (int s = 0; fits && s < PICK_SETS; s++) {
                fits = pick->where[s].length == 0 || id_set_has(&pick->sets[s], ids[s][i]);
            }
            if (fits) {
                keep_call(pick, columns, i);
                group->waiting -= pick->count == pick->most && !pick->is_longest;
            }
        }
    }
    return group->waiting > 0;
}

/* Adds what was found to the outcomes. */
static bool add_places(const struct place_group *group, struct outcomes *outcomes,
                       struct database *database, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < group->count; i++) {
        const struct pick *pick = &group->picks[i];
        struct outcome *outcome = &outcomes->outcomes[pick->outcome];

        if (pick->found != NULL) {
            done = contract_list_found(pick->contract, pick->found, database, outcome, error);
        } else if (!pick->is_row) {
            done = pick->count == 0 ||
                   contract_list_calls(pick->calls, pick->count, database, outcome, error);
        } else if (pick->count > 0) {
            for (; outcome->call_count <= pick->line; outcome->call_count++) {
                outcome->calls[outcome->call_count].event = EVENT_NONE;
            }
            outcome->calls[pick->line].event = pick->calls[0];
            outcome->calls[pick->line].time = pick->times[0];
        }
    }
    return done;
}

bool places_find(struct places *places, struct outcomes *outcomes, struct workspace *workspace,
                 struct error *error) {
    bool done = true;

    for (struct place_group *group = places->groups; done && group != NULL;
         group = group->hh.next) {
        struct selected_calls calls = {.temp = {.database = workspace->database}};

        for (size_t i = 0; done && i < group->count; i++) {
            group->waiting += group->picks[i].found == NULL;
            done = read_sets(&group->picks[i], workspace->database, group->trace->id, error);
        }
        done = done && selected_calls_open(&calls, workspace, group->trace, group->filter, error) &&
               (group->waiting == 0 || selected_calls_scan(&calls, places_visit, group, error) ||
                group->waiting == 0) &&
               add_places(group, outcomes, workspace->database, error);
        selected_calls_close(&calls);
    }
    return done;
}

void places_free(struct places *places) {
    for (struct place_group *group = places->groups; group != NULL; group = group->hh.next) {
        for (size_t i = 0; i < group->count; i++) {
            for (int s = 0; s < PICK_SETS; s++) {
                text_free(&group->picks[i].where[s]);
                id_set_free(&group->picks[i].sets[s]);
            }
        }
        free(group->picks);
        free(group->key);
    }
    HASH_FREE(places->groups);
}
