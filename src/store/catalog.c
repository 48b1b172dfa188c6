#include "store/catalog.h"

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
    sqlite3_stmt *find = database_take(
        database, "SELECT id FROM name WHERE trace = ?1 AND kind = 'action' AND text = ?2", error);
    bool row, done;

    *action = EVENT_NONE;
    if (find == NULL) {
        return false;
    }
    sqlite3_bind_int64(find, 1, trace);
    sqlite3_bind_text(find, 2, letters, -1, SQLITE_STATIC);
    done = database_step(database, find, &row, error);
    if (done && row) {
        *action = sqlite3_column_int64(find, 0);
    }
    database_keep(database, find);
    return done;
}

/* --- the catalog ---------------------------------------------------------------------------------
 */

/* Digits of a hash that stand behind a name. */
enum { NAMED_DIGITS = 8 };

#undef catalog_unknown /* of catalog.h, for analyzers */

static char *column_copy(sqlite3_stmt *statement, int column) {
    const char *text = (const char *)sqlite3_column_text(statement, column);

    return xstrdup(text == NULL ? "" : text);
}

/* The name in the column, or that which it has already. */
static char *own_name(char *name, sqlite3_stmt *row, int column) {
    const char *own = (const char *)sqlite3_column_text(row, column);

    return name == NULL || own == NULL || strcmp(own, name) == 0 ? name : xstrdup(own);
}

static void add_trace(struct catalog *catalog, sqlite3_stmt *row) {
    struct catalog_trace *traces = xrealloc(catalog->traces, (catalog->count + 1) * sizeof *traces);
    struct catalog_trace *trace;

    catalog->traces = traces;
    trace = &traces[catalog->count++];
    *trace = (struct catalog_trace){
        .id = sqlite3_column_int64(row, 0),
        .name = column_copy(row, 1),
        .format = column_copy(row, 2),
        .rollups = column_copy(row, 3),
        .clock_unit = column_copy(row, 4),
        .clocks = column_copy(row, 17),
        .study = column_copy(row, 19),
        .log = column_copy(row, 21),
        .earlier = column_copy(row, 27),
        .hash = column_copy(row, 31),
        .user = column_copy(row, 22),
        .device = column_copy(row, 23),
        .call_overhead = database_column_optional(row, 24),
        .probes = sqlite3_column_int(row, 25) != 0,
        .round = database_column_optional(row, 20),
        .clock_hz = database_column_optional(row, 18),
        .start = database_column_optional(row, 6),
        .utc_offset = database_column_optional(row, 7),
        .sessions = sqlite3_column_int64(row, 8),
        .events = sqlite3_column_int64(row, 9),
        .merged = sqlite3_column_int64(row, 10),
        .ignored = sqlite3_column_int64(row, 11),
        .rejected = sqlite3_column_int64(row, 12),
        .paired = sqlite3_column_int64(row, 28),
        .split = sqlite3_column_int64(row, 29),
        .lines = sqlite3_column_int(row, 30) != 0,
        .lost = sqlite3_column_int64(row, 26),
        .first_event = sqlite3_column_int64(row, 13),
        .last_event = sqlite3_column_int64(row, 14),
        .first_time = sqlite3_column_int64(row, 15),
        .last_time = sqlite3_column_int64(row, 16),
    };
    trace->own_name = own_name(trace->name, row, 32);
    if (!trace_kind_find((const char *)sqlite3_column_text(row, 5), &trace->kind)) {
        trace->kind = TRACE_CALLS; /* a damaged row: it has to be something */
    }
}

/* They are in order of id. */
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

/* Whether the row is of no column but of the log: a fact that is not in it, or what a later version
 * knows. */
static bool is_of_log(struct catalog_trace *trace, sqlite3_stmt *row) {
    const char *column = (const char *)sqlite3_column_text(row, 1);
    const char *what = (const char *)sqlite3_column_text(row, 3);
    enum fact fact;

    if (column == NULL || column[0] != '\0') {
        return false;
    }
    if (what != NULL && strncmp(what, FACT_UNKNOWN, strlen(FACT_UNKNOWN)) == 0 &&
        fact_find(what + strlen(FACT_UNKNOWN), &fact)) {
        trace->unknown |= 1u << fact;
    }
    return true;
}

static void add_meaning(struct catalog *catalog, sqlite3_stmt *row) {
    struct catalog_trace *trace = catalog_find_id(catalog, sqlite3_column_int64(row, 0));
    struct catalog_meaning *meanings, *meaning;

    if (trace == NULL || is_of_log(trace, row)) {
        return;
    }
    meanings = xrealloc(trace->meanings, (trace->meaning_count + 1) * sizeof *meanings);
    trace->meanings = meanings;
    meaning = &meanings[trace->meaning_count++];
    *meaning = (struct catalog_meaning){
        .column = column_copy(row, 1),
        .kind = column_copy(row, 2),
        .what = column_copy(row, 3),
        .unit = column_copy(row, 4),
    };
}

static sqlite3_stmt *prepare_meanings(struct database *database, const char *schema,
                                      struct error *error) {
    struct text sql = {0};

    text_append_format(&sql,
                       "SELECT trace, \"column\", kind, what, unit FROM %s.meaning"
                       " ORDER BY trace, \"column\", kind, what",
                       schema);
    return database_prepare_text(database, &sql, error);
}

static bool load_meanings(struct catalog *catalog, struct database *database, const char *schema,
                          struct error *error) {
    sqlite3_stmt *query = prepare_meanings(database, schema, error);
    bool row = true, done = query != NULL;

    while (done && row) {
        done = database_step(database, query, &row, error);
        if (done && row) {
            add_meaning(catalog, query);
        }
    }
    sqlite3_finalize(query);
    return done;
}

/* Only the shadow of a store brings hashes along (DATABASE_SHADOW), and that is attached nowhere.
 */
static bool is_of_store(struct database *database, const char *schema, bool *is,
                        struct error *error) {
    int64_t count;

    if (!database_integer(database, "SELECT count(*) FROM sqlite_schema WHERE name = 'pushed'", 0,
                          0, &count, error)) {
        return false;
    }
    *is = count > 0 && strcmp(schema, "main") == 0;
    return true;
}

static sqlite3_stmt *prepare_traces(struct database *database, const char *schema, bool of_store,
                                    struct error *error) {
    struct text sql = {0};

    text_append_format(
        &sql,
        "SELECT id, name, format, rollups, clock_unit, ifnull(kind, ''), start, utc_offset,"
        " sessions, events, merged, ignored, rejected, ifnull(first_event, 0),"
        " ifnull(last_event, -1), ifnull(first_time, 0), ifnull(last_time, 0), clocks, clock_hz,"
        " study, round, log, user, device, call_overhead, EXISTS (SELECT 1 FROM %s.probe WHERE"
        " trace = t.id), (SELECT sum(count) FROM %s.ledger WHERE trace = t.id"
        " AND outcome = 'lost'),"
        " (SELECT sum(count) || iif(sum(count) = 1, ' record is ', ' records are ')"
        " || group_concat(DISTINCT reason) FROM %s.ledger WHERE trace = t.id"
        " AND outcome = 'earlier'),"
        " paired, (SELECT sum(count) FROM %s.ledger WHERE trace = t.id AND outcome = 'split'),"
        " variant = 'text', %s FROM %s.trace AS t ORDER BY id",
        schema, schema, schema, schema,
        of_store ? "(SELECT hash FROM pushed WHERE trace = t.id),"
                   " (SELECT name FROM pushed WHERE trace = t.id)"
                 : "NULL, NULL",
        schema);
    return database_prepare_text(database, &sql, error);
}

static void take_hash(void *context, int64_t id, const char *hash) {
    struct catalog_trace *trace = catalog_find_id(context, id);

    /* Else it came meanwhile. */
    if (trace != NULL) {
        free(trace->hash);
        trace->hash = xstrdup(hash);
    }
}

bool catalog_load_attached(struct catalog *catalog, struct database *database, const char *schema,
                           struct error *error) {
    sqlite3_stmt *query;
    bool row = true, done;

    *catalog = (struct catalog){0};
    query = is_of_store(database, schema, &catalog->of_store, error)
                ? prepare_traces(database, schema, catalog->of_store, error)
                : NULL;
    done = query != NULL;
    while (done && row) {
        done = database_step(database, query, &row, error);
        if (done && row) {
            add_trace(catalog, query);
        }
    }
    sqlite3_finalize(query);
    done = done &&
           (catalog->of_store || trace_hash_each(database, schema, take_hash, catalog, error)) &&
           load_meanings(catalog, database, schema, error);
    if (!done) {
        catalog_free(catalog);
    }
    return done;
}

bool catalog_load(struct catalog *catalog, struct database *database, struct error *error) {
    return catalog_load_attached(catalog, database, "main", error);
}

static void free_meanings(struct catalog_trace *trace) {
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
        if (catalog->traces[i].own_name != catalog->traces[i].name) {
            free(catalog->traces[i].own_name);
        }
        free(catalog->traces[i].name);
        free(catalog->traces[i].format);
        free(catalog->traces[i].rollups);
        free(catalog->traces[i].clock_unit);
        free(catalog->traces[i].clocks);
        free(catalog->traces[i].study);
        free(catalog->traces[i].log);
        free(catalog->traces[i].earlier);
        free(catalog->traces[i].hash);
        free(catalog->traces[i].user);
        free(catalog->traces[i].device);
        free_meanings(&catalog->traces[i]);
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

/* --- names of their own -------------------------------------------------------------------------
 */

static int by_own_name(const void *left, const void *right) {
    const struct catalog_trace *a = *(const struct catalog_trace *const *)left;
    const struct catalog_trace *b = *(const struct catalog_trace *const *)right;
    const int names = strcmp(a->own_name, b->own_name);

    return names != 0 ? names : strcmp(a->hash, b->hash);
}

/* Calls a trace NAME [HASH], by so many digits of the hash. */
static bool call_by_hash(struct catalog_trace *trace, struct database *database, size_t digits,
                         struct error *error) {
    struct text name = {0};
    bool done;

    text_append_format(&name, "%s [%.*s]", trace->own_name, (int)digits, trace->hash);
    done = database_change(database, error, "UPDATE main.trace SET name = ?2 WHERE id = ?1", "is",
                           trace->id, text_string(&name));
    if (done) {
        trace->name = xstrdup(text_string(&name));
    }
    text_free(&name);
    return done;
}

/* The same of several of one name, in order of their hashes. */
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

bool catalog_tell_apart(struct catalog *catalog, struct database *database,
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
    for (size_t first = 0, behind; done && catalog->of_store && first < count; first = behind) {
        for (behind = first + 1;
             behind < count && strcmp(sorted[behind]->own_name, sorted[first]->own_name) == 0;
             behind++) {
        }
        done = behind == first + 1 ||
               call_by_hashes(catalog, database, &sorted[first], behind - first, error);
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

/* What traces may be called: in a store, where names are not unique, DEVICE/NAME of those with a
 * device. The words are in `bytes`, the caller's. */
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

bool catalog_unknown(const struct catalog *catalog, const char *name, struct error *error) {
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

/* Whether one of the words begins so. */
static bool begins_any(const struct word_list *words, const char *typed) {
    size_t i = 0;

    while (i < words->count && strncmp(words->words[i], typed, strlen(typed)) != 0) {
        i++;
    }
    return i < words->count && *typed != '\0';
}

static struct trace_label label_of(const struct catalog_trace *trace) {
    return (struct trace_label){trace->own_name, trace->device, trace->hash, trace->start};
}

/* The trace that is meant by a whole name or DEVICE/NAME, or by a hash or its beginning of at least
 * so many digits (0: only all of it). `*meant` is NULL when there is none. */
static bool find_meant(const struct catalog *catalog, const char *typed, size_t digits,
                       const struct catalog_trace **meant, struct error *error) {
    struct trace_search search = {
        .typed = typed, .unique_names = !catalog->of_store, .digits = digits};
    const void *found;
    bool done;

    for (size_t i = 0; i < catalog->count; i++) {
        const struct trace_label label = label_of(&catalog->traces[i]);

        trace_search_look(&search, &label, &catalog->traces[i]);
    }
    done = trace_search_end(&search, &found, error);
    *meant = found;
    return done;
}

bool catalog_find_meant(const struct catalog *catalog, const char *typed,
                        const struct catalog_trace **meant, struct error *error) {
    return find_meant(catalog, typed, TRACE_LABEL_SURE_DIGITS, meant, error);
}

/* The trace that the one of the words that begins so means: several may be called that. */
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

/* In a file the trace whose hash begins so, in a store that whose DEVICE/NAME does. */
static const struct catalog_trace *choose_behind_names(const struct catalog *catalog,
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
    if (begins_any(&labels, typed)) {
        trace = choose_word(catalog, &labels, typed, error);
    } else {
        catalog_unknown(catalog, typed, error);
    }
    word_list_free(&labels);
    text_free(&bytes);
    return trace;
}

/* The trace whose name begins so, or what else may mean it. */
static const struct catalog_trace *choose_beginning(const struct catalog *catalog,
                                                    const char *typed, size_t digits,
                                                    struct error *error) {
    const struct catalog_trace *trace;
    struct word_list names;

    list_names(catalog, &names);
    trace = begins_any(&names, typed) ? choose_word(catalog, &names, typed, error)
                                      : choose_behind_names(catalog, typed, digits, error);
    word_list_free(&names);
    return trace;
}

/* Names are unique in a file, whose commands were taking what begins one before traces had hashes:
 * there beginnings of hashes come behind beginnings of names. */
static const struct catalog_trace *choose(const struct catalog *catalog, const char *typed,
                                          size_t digits, struct error *error) {
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
    return choose_beginning(catalog, typed, digits, error);
}

const struct catalog_trace *catalog_choose(const struct catalog *catalog, const char *typed,
                                           struct error *error) {
    return choose(catalog, typed, TRACE_LABEL_DIGITS, error);
}

/* The log of all traces whose names begin so; NULL where they are of several, or of none. */
static const char *log_of_beginning(const struct catalog *catalog, const char *typed) {
    const size_t count = catalog->traces == NULL ? 0 : catalog->count;
    const char *log = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct catalog_trace *trace = &catalog->traces[i];

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

size_t catalog_choose_kinds(const struct catalog *catalog, const char *typed, unsigned kinds,
                            const struct catalog_trace **chosen, struct error *error) {
    const struct catalog_trace *trace = catalog_choose(catalog, typed, error);
    const char *log = trace != NULL ? NULL : log_of_beginning(catalog, typed);
    size_t count = 0;

    if (trace != NULL) {
        chosen[count++] = trace;
    }
    for (size_t i = 0; log != NULL && i < catalog->count; i++) {
        trace = &catalog->traces[i];
        if (strncmp(trace->own_name, typed, strlen(typed)) == 0 && (kinds >> trace->kind & 1)) {
            chosen[count++] = trace;
        }
    }
    return count;
}

const struct catalog_trace *catalog_choose_kind(const struct catalog *catalog, const char *typed,
                                                unsigned kinds, struct error *error) {
    const struct catalog_trace **chosen = xcalloc(catalog->count + 1, sizeof(const void *));
    const struct catalog_trace *trace = NULL;
    size_t count;

    count = catalog_choose_kinds(catalog, typed, kinds, chosen, error);
    if (count == 0) { /* none fits: the first, so that the caller can say what does not */
        count = catalog_choose_kinds(catalog, typed, ~0u, chosen, error) > 0;
    }
    if (count == 1) {
        trace = chosen[0];
    }
    free(chosen);
    return trace;
}

const struct catalog_trace *catalog_choose_to_change(const struct catalog *catalog,
                                                     const char *typed, struct error *error) {
    return choose(catalog, typed, TRACE_LABEL_SURE_DIGITS, error);
}

static int compare_traces(const void *left, const void *right) {
    const struct catalog_trace *a = *(const struct catalog_trace *const *)left;
    const struct catalog_trace *b = *(const struct catalog_trace *const *)right;
    const struct trace_label left_label = label_of(a), right_label = label_of(b);
    const int order = trace_label_compare(&left_label, &right_label);

    return order != 0 ? order : a->id < b->id ? -1 : a->id > b->id;
}

const struct catalog_trace **catalog_sorted(const struct catalog *catalog) {
    const struct catalog_trace **sorted =
        xcalloc(catalog->count + 1, sizeof(const struct catalog_trace *));

    for (size_t i = 0; i < catalog->count; i++) {
        sorted[i] = &catalog->traces[i];
    }
    qsort(sorted, catalog->count, sizeof(const struct catalog_trace *), compare_traces);
    return sorted;
}

static bool is_chosen(const struct catalog_trace *const *chosen, size_t count,
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
        const struct catalog_trace *trace = catalog_choose(catalog, names[i], error);

        if (trace == NULL) {
            return false;
        }
        if (!is_chosen(chosen, *count, trace)) {
            chosen[(*count)++] = trace;
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

/* EVENT_NONE: not told, or told by a damaged row. */
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

bool catalog_hours_of_day(const struct catalog_trace *trace) {
    return trace->start != EVENT_NONE || time_of_day(trace) != EVENT_NONE;
}

bool catalog_both_clocks(const struct catalog_trace *trace) {
    return strcmp(trace->clocks, "wall cpu") == 0;
}

int64_t catalog_records(const struct catalog_trace *trace) {
    return trace->events - trace->split + trace->merged + trace->ignored + trace->rejected;
}

bool catalog_real_clock(const struct catalog_trace *trace) {
    return strcmp(trace->clock_unit, "ns") == 0;
}
