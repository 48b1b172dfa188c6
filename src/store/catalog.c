#include "store/catalog.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/time_unit.h"
#include "base/words.h"
#include "model/meaning.h"
#include "model/tally.h"
#include "store/trace_label.h"

bool action_find(struct database *database, int64_t trace, const char *letters, int64_t *action,
                 struct error *error) {
    struct database_query query = database_query(
        database, error, "SELECT id FROM name WHERE trace = ?1 AND kind = 'action' AND text = ?2",
        "is", trace, letters);

    *action = database_next(&query) ? sqlite3_column_int64(query.row, 0) : EVENT_NONE;
    return database_end(&query);
}

/* --- reading the catalog of traces from the database ------------------------------------------ */

/* Number of digits of the hash in NAME [HASH], which distinguishes traces of equal names. */
enum { NAMED_DIGITS = 8 };

#undef catalog_set_unknown_error /* the macro of catalog.h is only for static analysers */

/* Members of struct catalog_trace and SQL that reads them; @ is replaced by the schema's name. */
static const struct trace_column {
    enum { TEXT, NUMBER, OPTIONAL, FLAG } form; /* OPTIONAL: a number; EVENT_NONE for NULL */
    size_t offset;                              /* offset of the member in struct catalog_trace */
    const char *sql;
} trace_columns[] = {
#define FIELD(FORM, field) FORM, offsetof(struct catalog_trace, field)
    {FIELD(NUMBER, id), "id"},
    {FIELD(TEXT, name), "name"},
    {FIELD(TEXT, format), "format"},
    {FIELD(TEXT, rollups), "rollups"},
    {FIELD(TEXT, clock_unit), "clock_unit"},
    {FIELD(TEXT, clocks), "clocks"},
    {FIELD(TEXT, study), "study"},
    {FIELD(TEXT, log), "log"},
    {FIELD(TEXT, user), "user"},
    {FIELD(TEXT, device), "device"},
    {FIELD(OPTIONAL, call_overhead), "call_overhead"},
    {FIELD(OPTIONAL, round), "round"},
    {FIELD(OPTIONAL, clock_hz), "clock_hz"},
    {FIELD(OPTIONAL, start), "start"},
    {FIELD(OPTIONAL, utc_offset), "utc_offset"},
    {FIELD(NUMBER, sessions), "sessions"},
    {FIELD(NUMBER, events), "events"},
    {FIELD(NUMBER, merged), "merged"},
    {FIELD(NUMBER, ignored), "ignored"},
    {FIELD(NUMBER, rejected), "rejected"},
    {FIELD(NUMBER, paired), "paired"},
    {FIELD(NUMBER, first_event), "first_event"},
    {FIELD(NUMBER, last_event), "ifnull(last_event, -1)"},
    {FIELD(NUMBER, first_time), "first_time"},
    {FIELD(NUMBER, last_time), "last_time"},
    {FIELD(FLAG, lines), "variant = 'text'"},
    {FIELD(FLAG, states_beside),
     "log IS NOT NULL AND EXISTS (SELECT 1 FROM @.trace AS s WHERE s.log = t.log"
     " AND s.kind = 'states')"},
    {FIELD(FLAG, probes), "EXISTS (SELECT 1 FROM @.probe WHERE trace = t.id)"},
    {FIELD(NUMBER, lost),
     "(SELECT sum(count) FROM @.ledger WHERE trace = t.id AND outcome = 'lost')"},
    {FIELD(NUMBER, split),
     "(SELECT sum(count) FROM @.ledger WHERE trace = t.id AND outcome = 'split')"},
    {FIELD(NUMBER, no_calls),
     "(SELECT sum(count) FROM @.ledger WHERE trace = t.id AND outcome = 'no call')"},
    {FIELD(TEXT, earlier),
     "(SELECT sum(count) || iif(sum(count) = 1, ' record is ', ' records are ')"
     " || group_concat(DISTINCT reason) FROM @.ledger WHERE trace = t.id"
     " AND outcome = 'earlier')"},
#undef FIELD
};
enum { TRACE_COLUMNS = sizeof trace_columns / sizeof trace_columns[0] };

static char **catalog_text_of(struct catalog_trace *trace, const struct trace_column *column) {
    return (void *)((char *)trace + column->offset);
}

static void catalog_add_trace(struct catalog *catalog, sqlite3_stmt *row) {
    struct catalog_trace *trace;

    catalog->traces = xreallocarray(catalog->traces, catalog->count + 1, sizeof *trace);
    trace = &catalog->traces[catalog->count++];
    *trace = (struct catalog_trace){0};
    for (int i = 0; i < TRACE_COLUMNS; i++) {
        const struct trace_column *column = &trace_columns[i];
        void *field = catalog_text_of(trace, column);

        if (column->form == TEXT) {
            *(char **)field = xstrdup(database_column_text(row, i));
        } else if (column->form == FLAG) {
            *(bool *)field = sqlite3_column_int(row, i) != 0;
        } else {
            *(int64_t *)field = column->form == OPTIONAL ? database_column_optional(row, i)
                                                         : sqlite3_column_int64(row, i);
        }
    }
    if (!trace_kind_find((const char *)sqlite3_column_text(row, TRACE_COLUMNS), &trace->kind)) {
        trace->kind = TRACE_CALLS; /* the row is damaged: any valid kind will do */
    }
    trace->hash = xstrdup(database_column_text(row, TRACE_COLUMNS + 1));
    trace->own_name = trace->name;
    if (catalog->of_store &&
        strcmp(database_column_text(row, TRACE_COLUMNS + 2), trace->name) != 0) {
        trace->own_name = xstrdup(database_column_text(row, TRACE_COLUMNS + 2));
    }
}

static struct database_query query_traces(struct database *database, const char *schema,
                                          bool of_store, struct error *error) {
    struct text sql = {0};

    text_append_string(&sql, "SELECT ");
    for (size_t i = 0; i < TRACE_COLUMNS; i++) {
        const char *at = trace_columns[i].sql, *place;

        for (; (place = strchr(at, '@')) != NULL; at = place + 1) {
            text_append_format(&sql, "%.*s%s", (int)(place - at), at, schema);
        }
        text_append_format(&sql, "%s, ", at);
    }
    text_append_format(&sql, "ifnull(kind, ''), %s FROM %s.trace AS t ORDER BY id",
                       of_store ? "(SELECT hash FROM pushed WHERE trace = t.id),"
                                  " (SELECT ifnull(name, t.name) FROM pushed WHERE trace = t.id)"
                                : "NULL, NULL",
                       schema);
    return database_query_text(database, error, &sql, "");
}

/* Binary search: traces are sorted by id. */
struct catalog_trace *catalog_find_id(const struct catalog *catalog, int64_t id) {
    size_t from = 0, to = catalog->count;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;

        if (catalog->traces[middle].id < id) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from < catalog->count && catalog->traces[from].id == id ? &catalog->traces[from] : NULL;
}

/* Returns whether a row of the table `meaning` is about the whole log, not about a column: a fact
 * that the log does not state, or a row that a later version of tracetool wrote. */
static bool is_of_log(struct catalog_trace *trace, sqlite3_stmt *row) {
    const char *what = database_column_text(row, 3);
    enum fact fact;

    if (database_column_text(row, 1)[0] != '\0') {
        return false;
    }
    if (strncmp(what, FACT_UNKNOWN, strlen(FACT_UNKNOWN)) == 0 &&
        fact_find(what + strlen(FACT_UNKNOWN), &fact)) {
        trace->unknown |= 1u << fact;
    }
    return true;
}

static void add_meaning(struct catalog *catalog, sqlite3_stmt *row) {
    struct catalog_trace *trace = catalog_find_id(catalog, sqlite3_column_int64(row, 0));

    if (trace == NULL || is_of_log(trace, row)) {
        return;
    }
    trace->meanings =
        xreallocarray(trace->meanings, trace->meaning_count + 1, sizeof *trace->meanings);
    trace->meanings[trace->meaning_count++] = (struct catalog_meaning){
        .column = xstrdup(database_column_text(row, 1)),
        .kind = xstrdup(database_column_text(row, 2)),
        .what = xstrdup(database_column_text(row, 3)),
        .unit = xstrdup(database_column_text(row, 4)),
    };
}

static bool load_meanings(struct catalog *catalog, struct database *database, const char *schema,
                          struct error *error) {
    struct text sql = {0};
    struct database_query query;

    text_append_format(&sql,
                       "SELECT trace, \"column\", kind, what, unit FROM %s.meaning"
                       " ORDER BY trace, \"column\", kind, what",
                       schema);
    query = database_query_text(database, error, &sql, "");
    while (database_next(&query)) {
        add_meaning(catalog, query.row);
    }
    return database_end(&query);
}

/* Sets `*is` to whether `schema` is the snapshot of a store (DATABASE_SHADOW). Only a snapshot has
 * a table `pushed`, which holds the traces' hashes. An attached database is never a snapshot. */
static bool is_of_store(struct database *database, const char *schema, bool *is,
                        struct error *error) {
    int64_t count;

    if (!database_query_integer(database,
                                "SELECT count(*) FROM sqlite_schema WHERE name = 'pushed'", 0, 0,
                                &count, error)) {
        return false;
    }
    *is = count > 0 && strcmp(schema, "main") == 0;
    return true;
}

static void set_trace_hash(void *context, int64_t id, const char *hash) {
    struct catalog_trace *trace = catalog_find_id(context, id);

    /* `trace` is NULL if another program added the trace after the catalog was read. */
    if (trace != NULL) {
        free(trace->hash);
        trace->hash = xstrdup(hash);
    }
}

bool catalog_load_attached(struct catalog *catalog, struct database *database, const char *schema,
                           struct error *error) {
    struct database_query query;
    bool done;

    *catalog = (struct catalog){0};
    if (!is_of_store(database, schema, &catalog->of_store, error)) {
        return false;
    }
    query = query_traces(database, schema, catalog->of_store, error);
    while (database_next(&query)) {
        catalog_add_trace(catalog, query.row);
    }
    done =
        database_end(&query) &&
        (catalog->of_store || trace_hash_each(database, schema, set_trace_hash, catalog, error)) &&
        load_meanings(catalog, database, schema, error);
    if (!done) {
        catalog_free(catalog);
    }
    return done;
}

bool catalog_load(struct catalog *catalog, struct database *database, struct error *error) {
    return catalog_load_attached(catalog, database, "main", error);
}

static void catalog_free_trace(struct catalog_trace *trace) {
    if (trace->own_name != trace->name) {
        free(trace->own_name);
    }
    for (size_t i = 0; i < TRACE_COLUMNS; i++) {
        if (trace_columns[i].form == TEXT) {
            free(*catalog_text_of(trace, &trace_columns[i]));
        }
    }
    free(trace->hash);
    for (size_t i = 0; i < trace->meaning_count; i++) {
        free(trace->meanings[i].column);
        free(trace->meanings[i].kind);
        free(trace->meanings[i].what);
        free(trace->meanings[i].unit);
    }
    free(trace->meanings);
}

void catalog_free(struct catalog *catalog) {
    for (size_t i = 0; i < catalog->count; i++) {
        catalog_free_trace(&catalog->traces[i]);
    }
    free(catalog->traces);
    *catalog = (struct catalog){0};
}

const struct catalog_trace *catalog_find(const struct catalog *catalog, const char *name) {
    for (size_t i = 0; i < catalog->count; i++) {
        if (strcmp(catalog->traces[i].own_name, name) == 0) {
            return &catalog->traces[i];
        }
    }
    return NULL;
}

/* --- making names of traces unique, and finding traces by name -------------------------------- */

static int by_own_name(const void *left, const void *right) {
    const struct catalog_trace *a = *(const struct catalog_trace *const *)left;
    const struct catalog_trace *b = *(const struct catalog_trace *const *)right;
    const int names = strcmp(a->own_name, b->own_name);

    return names != 0 ? names : strcmp(a->hash, b->hash);
}

/* Renames a trace to NAME [HASH], with the first `digits` digits of its content's hash. */
static bool call_by_hash(struct catalog_trace *trace, struct database *database, size_t digits,
                         struct error *error) {
    struct text name = {0};
    bool done;

    text_append_format(&name, "%s [%.*s]", trace->own_name, (int)digits, trace->hash);
    done = database_run_bound(database, error, "UPDATE main.trace SET name = ?2 WHERE id = ?1",
                              "is", trace->id, text_string(&name));
    if (done) {
        trace->name = xstrdup(text_string(&name));
    }
    text_free(&name);
    return done;
}

/* Renames traces of the same name to NAME [HASH]. `traces`: all of them, sorted by hash. */
static bool call_by_hashes(struct catalog *catalog, struct database *database,
                           const struct catalog_trace *const *traces, size_t count,
                           struct error *error) {
    size_t digits = NAMED_DIGITS;
    bool done = true;

    for (size_t i = 1; i < count; i++) {
        if (strncmp(traces[i - 1]->hash, traces[i]->hash, NAMED_DIGITS) == 0) {
            digits = strlen(traces[i]->hash);
        }
    }
    for (size_t i = 0; done && i < count; i++) {
        struct catalog_trace *trace = catalog_find_id(catalog, traces[i]->id);

        done = trace->name != trace->own_name || call_by_hash(trace, database, digits, error);
    }
    return done;
}

bool catalog_make_names_unique(struct catalog *catalog, struct database *database,
                               const struct catalog_trace *const *traces, size_t count,
                               struct error *error) {
    const struct catalog_trace **sorted = xcalloc(count + 1, sizeof(const void *));
    bool done = true;

    for (size_t i = 0; i < count; i++) {
        sorted[i] = traces[i];
    }
    if (count > 0) {
        qsort(sorted, count, sizeof(const void *), by_own_name);
    }
    for (size_t first = 0, after; done && catalog->of_store && first < count; first = after) {
        for (after = first + 1;
             after < count && strcmp(sorted[after]->own_name, sorted[first]->own_name) == 0;
             after++) {
        }
        done = after == first + 1 ||
               call_by_hashes(catalog, database, &sorted[first], after - first, error);
    }
    free(sorted);
    return done;
}

void catalog_append_names(const struct catalog *catalog, struct text *out) {
    for (size_t i = 0; i < catalog->count; i++) {
        text_append_format(out, "%s%s", i == 0 ? "" : ", ", catalog->traces[i].own_name);
    }
}

static void list_names(const struct catalog *catalog, struct word_list *names) {
    *names = (struct word_list){0};
    for (size_t i = 0; i < catalog->count; i++) {
        word_list_add(names, catalog->traces[i].own_name);
    }
}

/* Lists the labels DEVICE/NAME of the traces with a device, if the traces are from a store: in a
 * store, names alone are not unique. `bytes`, owned by the caller, holds the labels. */
static void list_labels(const struct catalog *catalog, struct text *bytes,
                        struct word_list *labels) {
    *labels = (struct word_list){0};
    for (size_t i = 0; i < catalog->count; i++) {
        const struct catalog_trace *trace = &catalog->traces[i];

        if (catalog->of_store && trace->device[0] != '\0') {
            text_append_format(bytes, "%s/", trace->device);
        }
        text_append(bytes, trace->own_name, strlen(trace->own_name) + 1);
    }
    for (size_t at = 0; at < bytes->length; at += strlen(bytes->bytes + at) + 1) {
        word_list_add(labels, bytes->bytes + at);
    }
}

static const char *nearest_name(const struct catalog *catalog, const char *typed) {
    struct word_list names;
    const char *near;

    list_names(catalog, &names);
    near = word_list_nearest(&names, typed);
    word_list_free(&names);
    return near;
}

bool catalog_set_unknown_error(const struct catalog *catalog, const char *name,
                               struct error *error) {
    struct text bytes = {0}, said = {0};
    struct word_list labels;
    const char *near = nearest_name(catalog, name);

    list_labels(catalog, &bytes, &labels);
    near = near != NULL ? near : word_list_nearest(&labels, name);
    if (near != NULL) {
        text_append_format(&said, "did you mean %s? There are: ", near);
    } else {
        text_append_string(&said, "there are: ");
    }
    for (size_t i = 0; i < labels.count; i++) {
        text_append_format(&said, "%s%s", i == 0 ? "" : ", ", labels.words[i]);
    }
    error_set(error, "there is no trace %s; %s%s", name, text_string(&said),
              catalog->count == 0 ? "none" : "");
    word_list_free(&labels);
    text_free(&bytes);
    text_free(&said);
    return false;
}

/* Returns whether `typed` is the beginning of a word in the list. */
static bool begins_any_word(const struct word_list *words, const char *typed) {
    size_t i = 0;

    while (i < words->count && strncmp(words->words[i], typed, strlen(typed)) != 0) {
        i++;
    }
    return i < words->count && *typed != '\0';
}

static struct trace_label catalog_label_of(const struct catalog_trace *trace) {
    return (struct trace_label){trace->own_name, trace->device, trace->hash, trace->start};
}

/* Finds a trace by its whole name, by DEVICE/NAME, or by the first digits of its hash, at least
 * `digits` of them (0: only by the whole hash). Sets `*meant` to NULL if no trace matches. */
static bool find_meant(const struct catalog *catalog, const char *typed, size_t digits,
                       const struct catalog_trace **meant, struct error *error) {
    struct trace_search search = {
        .typed = typed, .unique_names = !catalog->of_store, .digits = digits};
    const void *found;
    bool done;

    for (size_t i = 0; i < catalog->count; i++) {
        const struct trace_label label = catalog_label_of(&catalog->traces[i]);

        trace_search_match(&search, &label, &catalog->traces[i]);
    }
    done = trace_search_end(&search, &found, error);
    *meant = found;
    return done;
}

bool catalog_find_exact(const struct catalog *catalog, const char *typed,
                        const struct catalog_trace **meant, struct error *error) {
    return find_meant(catalog, typed, TRACE_LABEL_SURE_DIGITS, meant, error);
}

/* Returns the only trace that has a word in the list (a name or label) beginning with `typed`. If
 * several traces match, returns NULL and sets `error`. */
static const struct catalog_trace *choose_word(const struct catalog *catalog,
                                               const struct word_list *words, const char *typed,
                                               struct error *error) {
    const char *chosen = word_list_choose(words, "trace", typed, NULL, error);
    const struct catalog_trace *trace = NULL;

    if (chosen == NULL || !catalog->of_store) {
        return chosen == NULL ? NULL : catalog_find(catalog, chosen);
    }
    return find_meant(catalog, chosen, 0, &trace, error) ? trace : NULL;
}

/* Finds a trace if no name begins with `typed`: in a database file by the first digits of a hash,
 * in a store by the beginning of DEVICE/NAME. */
static const struct catalog_trace *choose_after_names(const struct catalog *catalog,
                                                      const char *typed, size_t digits,
                                                      struct error *error) {
    const struct catalog_trace *trace;
    struct word_list labels;
    struct text bytes = {0};

    if (!find_meant(catalog, typed, digits, &trace, error)) {
        return NULL;
    }
    if (trace != NULL) {
        return trace;
    }
    list_labels(catalog, &bytes, &labels);
    if (begins_any_word(&labels, typed)) {
        trace = choose_word(catalog, &labels, typed, error);
    } else {
        catalog_set_unknown_error(catalog, typed, error);
    }
    word_list_free(&labels);
    text_free(&bytes);
    return trace;
}

/* Finds a trace by the beginning of its name; if none matches, by its hash or DEVICE/NAME. */
static const struct catalog_trace *choose_beginning(const struct catalog *catalog,
                                                    const char *typed, size_t digits,
                                                    struct error *error) {
    const struct catalog_trace *trace;
    struct word_list names;

    list_names(catalog, &names);
    trace = begins_any_word(&names, typed) ? choose_word(catalog, &names, typed, error)
                                           : choose_after_names(catalog, typed, digits, error);
    word_list_free(&names);
    return trace;
}

/* Returns the only trace whose name is `typed` and one suffix: `hm_0` finds hm_0.csv, not
 * hm_01.csv. Ignores traces of thread states and of samples if their log has a main trace. */
static const struct catalog_trace *find_without_ending(const struct catalog *catalog,
                                                       const char *typed) {
    const size_t length = strlen(typed);
    const struct catalog_trace *found = NULL;
    size_t count = 0;

    for (size_t i = 0; i < catalog->count; i++) {
        const char *name = catalog->traces[i].own_name;
        enum trace_kind kind = catalog->traces[i].kind;
        bool beside =
            (kind == TRACE_STATES || kind == TRACE_SAMPLES) && catalog->traces[i].log[0] != '\0';

        if (!beside && strncmp(name, typed, length) == 0 && name[length] == '.' &&
            strchr(name + length + 1, '.') == NULL) {
            found = &catalog->traces[i];
            count++;
        }
    }
    return count == 1 ? found : NULL;
}

/* Chooses a trace by what the user typed. In a database file, names are unique, so the beginning of
 * a name takes precedence over the first digits of a hash. */
static const struct catalog_trace *choose_trace_by_prefix(const struct catalog *catalog,
                                                          const char *typed, size_t digits,
                                                          struct error *error) {
    const struct catalog_trace *trace;

    if (!find_meant(catalog, typed, catalog->of_store ? digits : 0, &trace, error)) {
        return NULL;
    }
    if (trace != NULL) {
        return trace;
    }
    if (strcmp(typed, "@last") == 0 && catalog->count > 0) {
        return &catalog->traces[catalog->count - 1];
    }
    trace = find_without_ending(catalog, typed);
    return trace != NULL ? trace : choose_beginning(catalog, typed, digits, error);
}

bool catalog_name_matches(const struct catalog_trace *trace, const char *typed) {
    return strchr(typed, '*') != NULL && word_matches_pattern(typed, trace->own_name);
}

bool catalog_is_pattern(const struct catalog *catalog, const char *typed) {
    return strchr(typed, '*') != NULL && catalog_find(catalog, typed) == NULL;
}

const struct catalog_trace *catalog_choose(const struct catalog *catalog, const char *typed,
                                           struct error *error) {
    return choose_trace_by_prefix(catalog, typed, TRACE_LABEL_DIGITS, error);
}

/* Returns the log called `typed`; else the log of all traces whose names begin with `typed`.
 * Returns NULL if no name matches, or the traces are of several logs. */
static const char *log_of_beginning(const struct catalog *catalog, const char *typed) {
    const char *log = NULL;

    for (size_t i = 0; *typed != '\0' && i < catalog->count; i++) {
        if (strcmp(catalog->traces[i].log, typed) == 0) {
            return catalog->traces[i].log;
        }
    }
    for (const struct catalog_trace *trace = catalog->traces,
                                    *end = catalog->traces + catalog->count;
         trace < end; trace++) {
        if (strncmp(trace->own_name, typed, strlen(typed)) != 0) {
            continue;
        }
        if (trace->log[0] == '\0' || (log != NULL && strcmp(trace->log, log) != 0)) {
            return NULL;
        }
        log = trace->log;
    }
    return log;
}

/* Returns true if `typed` may mean other traces of the log that this trace is from: `typed` is not
 * the whole name of this trace, and this trace is not of the wanted `kinds` (bits of enum
 * trace_kind). */
static bool stands_for_others(const struct catalog_trace *trace, const char *typed,
                              unsigned kinds) {
    return (kinds >> trace->kind & 1) == 0 && trace->log[0] != '\0' &&
           strcmp(trace->own_name, typed) != 0;
}

size_t catalog_choose_all_of_kinds(const struct catalog *catalog, const char *typed, unsigned kinds,
                                   const struct catalog_trace **chosen, struct error *error) {
    struct error unknown = {0};
    const struct catalog_trace *trace = catalog_choose(catalog, typed, &unknown);
    const char *log = trace != NULL ? NULL : log_of_beginning(catalog, typed);
    size_t count = 0;

    if (trace != NULL && stands_for_others(trace, typed, kinds)) {
        log = log_of_beginning(catalog, typed);
        for (size_t i = 0; log != NULL && i < catalog->count; i++) {
            const struct catalog_trace *other = &catalog->traces[i];

            if (strcmp(other->log, log) == 0 && (kinds >> other->kind & 1) != 0) {
                trace = other;
            }
        }
        log = NULL;
    }
    if (trace != NULL) {
        chosen[count++] = trace;
    }
    for (size_t i = 0; trace == NULL && i < catalog->count; i++) {
        if (catalog_name_matches(&catalog->traces[i], typed) &&
            (kinds >> catalog->traces[i].kind & 1) != 0) {
            chosen[count++] = &catalog->traces[i];
        }
    }
    for (size_t i = 0; log != NULL && i < catalog->count; i++) {
        trace = &catalog->traces[i];
        if (strcmp(trace->log, log) == 0 && (kinds >> trace->kind & 1) &&
            (strcmp(log, typed) == 0 || strncmp(trace->own_name, typed, strlen(typed)) == 0)) {
            chosen[count++] = trace;
        }
    }
    if (count == 0) {
        *error = unknown;
    }
    return count;
}

const struct catalog_trace *catalog_choose_kind(const struct catalog *catalog, const char *typed,
                                                unsigned kinds, struct error *error) {
    const struct catalog_trace **chosen = xcalloc(catalog->count + 1, sizeof(const void *));
    const struct catalog_trace *trace = NULL;
    size_t count;

    count = catalog_choose_all_of_kinds(catalog, typed, kinds, chosen, error);
    if (count == 0) { /* no trace of these kinds matches: finds a match of any kind, for the
                         caller's error to name */
        count = catalog_choose_all_of_kinds(catalog, typed, ~0u, chosen, error) > 0;
    }
    if (count == 1) {
        trace = chosen[0];
    } else if (count > 1) {
        catalog_choose(catalog, typed, error); /* called for its error, which lists all matches */
    }
    free(chosen);
    return trace;
}

const struct catalog_trace *catalog_choose_to_change(const struct catalog *catalog,
                                                     const char *typed, struct error *error) {
    return choose_trace_by_prefix(catalog, typed, TRACE_LABEL_SURE_DIGITS, error);
}

static int catalog_compare_traces(const void *left, const void *right) {
    const struct catalog_trace *a = *(const struct catalog_trace *const *)left;
    const struct catalog_trace *b = *(const struct catalog_trace *const *)right;
    const struct trace_label left_label = catalog_label_of(a), right_label = catalog_label_of(b);
    const int order = trace_label_compare(&left_label, &right_label);

    return order != 0 ? order : a->id < b->id ? -1 : a->id > b->id;
}

const struct catalog_trace **catalog_sorted(const struct catalog *catalog) {
    const struct catalog_trace **sorted =
        xcalloc(catalog->count + 1, sizeof(const struct catalog_trace *));

    for (size_t i = 0; i < catalog->count; i++) {
        sorted[i] = &catalog->traces[i];
    }
    qsort(sorted, catalog->count, sizeof(const struct catalog_trace *), catalog_compare_traces);
    return sorted;
}

static bool catalog_is_chosen(const struct catalog_trace *const *chosen, size_t count,
                              const struct catalog_trace *trace) {
    for (size_t i = 0; i < count; i++) {
        if (chosen[i] == trace) {
            return true;
        }
    }
    return false;
}

bool catalog_choose_all(const struct catalog *catalog, const char *const *names, size_t name_count,
                        const struct catalog_trace **chosen, size_t *count, struct error *error) {
    *count = 0;
    for (size_t i = 0; i < name_count; i++) {
        const bool several = catalog_is_pattern(catalog, names[i]);
        const struct catalog_trace *trace =
            several ? NULL : catalog_choose(catalog, names[i], error);
        bool fits = trace != NULL;

        for (size_t j = 0; j < catalog->count; j++) {
            const struct catalog_trace *each = &catalog->traces[j];
            const bool is_meant = several ? catalog_name_matches(each, names[i]) : each == trace;

            fits |= is_meant;
            if (is_meant && !catalog_is_chosen(chosen, *count, each)) {
                chosen[(*count)++] = each;
            }
        }
        if (!fits) {
            return several ? catalog_set_unknown_error(catalog, names[i], error) : false;
        }
    }
    for (size_t i = 0; name_count == 0 && i < catalog->count; i++) {
        chosen[(*count)++] = &catalog->traces[i];
    }
    return true;
}

const struct catalog_meaning *catalog_meaning(const struct catalog_trace *trace, const char *column,
                                              const char *what) {
    for (size_t i = 0; i < trace->meaning_count; i++) {
        const struct catalog_meaning *meaning = &trace->meanings[i];

        if (strcmp(meaning->column, column) == 0 &&
            (what == NULL || strcmp(meaning->what, what) == 0)) {
            return meaning;
        }
    }
    return NULL;
}

bool catalog_has_times_in_seconds(const struct catalog_trace *trace) {
    return strcmp(trace->clock_unit, "ns") == 0 && (trace->unknown & FACT(TIMES)) == 0;
}

/* Returns the time of day at which the trace starts, ns since midnight; EVENT_NONE if it is unknown
 * or the row is damaged. */
static int64_t time_of_day(const struct catalog_trace *trace) {
    const struct catalog_meaning *meaning = catalog_meaning(trace, "time", MEANING_TIME_OF_DAY);
    long long nanoseconds;

    return meaning != NULL && sscanf(meaning->unit, "ns from %18lld", &nanoseconds) == 1 &&
                   nanoseconds >= 0 && nanoseconds < DAY
               ? nanoseconds
               : EVENT_NONE;
}

int64_t catalog_hour_origin(const struct catalog_trace *trace) {
    int64_t time = trace->start == EVENT_NONE ? time_of_day(trace) : EVENT_NONE;

    return time != EVENT_NONE ? time : tally_hour_origin(trace->start, trace->utc_offset);
}

bool catalog_has_hours_of_day(const struct catalog_trace *trace) {
    return trace->start != EVENT_NONE || time_of_day(trace) != EVENT_NONE;
}

bool catalog_both_clocks(const struct catalog_trace *trace) {
    return strcmp(trace->clocks, "wall cpu") == 0;
}

int64_t catalog_count_records(const struct catalog_trace *trace) {
    return trace->events - trace->split + trace->merged + trace->ignored + trace->rejected;
}

bool catalog_has_real_clock(const struct catalog_trace *trace) {
    return strcmp(trace->clock_unit, "ns") == 0;
}

int64_t catalog_count_whole_second_files(struct database *database,
                                         const struct catalog_trace *trace, struct error *error) {
    int64_t files = 0;

    database_query_integer(
        database,
        "SELECT iif(EXISTS (SELECT 1 FROM main.trace AS t CROSS JOIN main.event AS e"
        " ON e.id BETWEEN t.first_event AND t.last_event"
        " WHERE t.id = ?1 AND e.time % 1000000000 <> 0),"
        " 0, (SELECT count(*) FROM main.source WHERE trace = ?1))",
        trace->id, 0, &files, error);
    return files;
}
