#include "select/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "model/partition.h"
#include "select/counted_action.h"
#include "select/layer.h"

/* SQL: the names of the selected traces. CROSS JOIN fixes the order of joins, here and elsewhere:
 * SQLite cannot know that a selection has few traces, and might scan all names of the database. */
#define SELECTED_NAMES " FROM temp.selection AS s CROSS JOIN main.name AS n ON n.trace = s.trace"

/* Sets `*fits` to whether `sql` returns a row for a trace: ?1 is the pattern, ?2 the trace's id. */
static bool matches_any_pattern(struct database *database, const char *sql, const char *pattern,
                                const struct catalog_trace *const *traces, size_t count, bool *fits,
                                struct error *error) {
    bool done = true;

    *fits = false;
    for (size_t i = 0; done && !*fits && i < count; i++) {
        struct database_query query =
            database_query(database, error, sql, "si", pattern, traces[i]->id);

        *fits = database_next(&query);
        done = database_end(&query);
    }
    return done;
}

/* SQL: the number of the device called ?1 in the trace `trace`, from the import's remark on device
 * names (`usr is 2`, `ufs:0:0:0:0 is 4095:0`). If the remark lacks the name: `number`. */
#define DEVICE_CALLED(trace, number)                                                               \
    "ifnull((SELECT CAST(said AS INTEGER) << 20 | iif(ltrim(said, '0123456789') GLOB ':*',"        \
    " CAST(substr(ltrim(said, '0123456789'), 2) AS INTEGER), 0) FROM (SELECT substr(text,"         \
    " instr(text, ' ' || ?1 || ' is ') + length(?1) + 5) AS said FROM main.remark WHERE trace "    \
    "= " trace " AND text GLOB 'devices have names*' AND instr(text, ' ' || ?1 || ' is ') > 0"     \
    " LIMIT 1)), " number ")"

/* If no trace has the filter's device, appends a sentence that says so to `missing`. */
static bool match_find_device(struct database *database, const struct catalog_trace *const *traces,
                              size_t count, const struct filter *filter, const char *where,
                              struct text *missing, struct error *error) {
    struct text sql = {0};
    bool done, fits;

    text_append_format(&sql,
                       "SELECT 1 FROM main.object WHERE trace = ?2 AND device = " DEVICE_CALLED(
                           "?2", "%lld") " LIMIT 1",
                       (long long)filter->device);
    done = matches_any_pattern(database, text_string(&sql), filter->device_name, traces, count,
                               &fits, error);
    text_free(&sql);
    if (done && !fits && filter->device == EVENT_NONE) {
        text_append_format(
            missing, "no I/O of %s is on a device called %s (/sys/block/NAME/dev has its number)",
            where, filter->device_name);
    } else if (done && !fits) {
        text_append_format(missing, "no I/O of %s is on device %lld:%lld", where,
                           (long long)(filter->device >> 20),
                           (long long)(filter->device & 0xFFFFF));
    }
    return done;
}

enum { DEVICES_SAID = 8 };

/* Appends the numbers of the first DEVICES_SAID devices in the traces to the message `missing`. */
static bool append_devices(struct database *database, const struct catalog_trace *const *traces,
                           size_t count, struct text *missing, struct error *error) {
    int64_t said[DEVICES_SAID];
    size_t number = 0;
    bool done = true;

    for (size_t i = 0; done && i < count; i++) {
        struct database_query query =
            database_query(database, error,
                           "SELECT DISTINCT device FROM main.object WHERE trace = ?1"
                           " AND device IS NOT NULL ORDER BY 1",
                           "i", traces[i]->id);

        while (number < DEVICES_SAID && database_next(&query)) {
            const int64_t device = sqlite3_column_int64(query.row, 0);
            size_t before = 0;

            while (before < number && said[before] != device) {
                before++;
            }
            if (before == number) {
                said[number++] = device;
                text_append_format(missing, "%s%lld:%lld", number == 1 ? "; there are " : ", ",
                                   (long long)(device >> 20), (long long)(device & 0xFFFFF));
            }
        }
        done = database_end(&query);
    }
    return done;
}

/* Returns what messages call the traces; owned by the caller. */
static char *name_traces(const struct catalog_trace *const *traces, size_t count) {
    return xasprintf("%s%s", count == 1 ? "trace " : "the selected traces",
                     count == 1 ? traces[0]->name : "");
}

bool match_check_pattern(struct database *database, const struct catalog_trace *const *traces,
                         size_t count, const char *what, const char *sql, const char *pattern,
                         struct error *error) {
    bool fits = true;
    char *where = name_traces(traces, count);
    bool done = pattern == NULL ||
                (matches_any_pattern(database, sql, pattern, traces, count, &fits, error) &&
                 (fits || error_set(error, "no %s is called %s in %s", what, pattern, where)));

    free(where);
    return done;
}

#define FITS(what, table, trace, matches)                                                          \
    "SELECT " what " FROM main." table ", (SELECT ?1 AS text) AS p WHERE " trace                   \
    " = ?2 AND " matches
#define FITS_OPERATION(what, matches) FITS(what, "name AS n", "trace", matches)
#define FITS_LAYER(what, matches)     FITS_OPERATION(what, matches)
#define FITS_OBJECT(what, matches)    FITS(what, "object AS o", "trace", matches)
#define FITS_PLACE(what, matches)     FITS(what, "partition AS r", "trace", matches)
#define FITS_ACTOR(what, matches)                                                                  \
    FITS(what, "actor AS a JOIN main.trace AS t ON t.id = a.trace", "a.trace", matches)

/* By enum filter_by: SELECTs that return a row if the name ?1 occurs in trace ?2. */
static const char *const name_fits[FILTER_NAMES] = {
#define X(NAME, TABLE, missing, matches, text)                                                     \
    FITS_##TABLE("1", FILTER_PASSES(matches, text)) " LIMIT 1",
    FILTER_NAMES_OF(X)
#undef X
};

/* By enum filter_by: SELECTs of the names in trace ?2 that match ?1 (FILTER_PATTERN, pattern). */
static const char *const name_texts[FILTER_NAMES] = {
#define X(NAME, TABLE, missing, matches, text)                                                     \
    FITS_##TABLE("DISTINCT " text,                                                                 \
                 FILTER_PASSES(matches, text) " AND " text " IS NOT NULL") " ORDER BY 1",
    FILTER_NAMES_OF(X)
#undef X
};

/* The traces in which names are searched, and the message about missing names. */
struct lookup {
    struct database *database;
    const struct catalog_trace *const *traces;
    size_t count;
    const char *where;
    bool any;  /* true: one of the names given to an option must occur; false: each */
    bool near; /* true: the message suggests similar names */
    struct text *missing;
};

enum { NEAR_NAMES = 3, NEAR_LOOKED_AT = 100000 };

/* Returns the edit distance between a name and what the user typed; WORD_LONGEST: not similar.
 * Ignores a path's directories if none was typed. Names that contain the typed text are similar. */
static unsigned edit_distance(const char *name, const char *typed) {
    const char *slash = strrchr(name, '/'),
               *part = slash != NULL && strchr(typed, '/') == NULL ? slash + 1 : name;
    unsigned letters = word_edit_distance(part, typed);

    return 3 * letters <= strlen(part) + 1                   ? letters
           : typed[0] != '\0' && strstr(name, typed) != NULL ? WORD_LONGEST - 1
                                                             : WORD_LONGEST;
}

/* The names most similar to what the user typed, closest first. */
struct near_names {
    char *names[NEAR_NAMES]; /* owned */
    unsigned letters[NEAR_NAMES];
    size_t count;
};

static void add_near_name(struct near_names *near, const char *name, unsigned letters) {
    size_t place = near->count;

    if (string_index((const char *const *)near->names, near->count, name) < near->count) {
        return;
    }
    while (place > 0 && near->letters[place - 1] > letters) {
        place--;
    }
    if (letters == WORD_LONGEST || place == NEAR_NAMES) {
        return;
    }
    if (near->count == NEAR_NAMES) {
        free(near->names[--near->count]);
    }
    for (size_t i = near->count++; i > place; i--) {
        near->names[i] = near->names[i - 1];
        near->letters[i] = near->letters[i - 1];
    }
    near->names[place] = xstrdup(name);
    near->letters[place] = letters;
}

/* Appends names in the traces that are similar to what the user typed: ": did you mean …?". */
static bool append_near(const struct lookup *lookup, enum filter_by by, const char *typed,
                        struct error *error) {
    struct near_names near = {.count = 0};
    bool done = true;

    for (size_t i = 0; done && i < lookup->count; i++) {
        struct database_query query = database_query(lookup->database, error, name_texts[by], "si",
                                                     FILTER_PATTERN "*", lookup->traces[i]->id);

        for (int n = 0; n < NEAR_LOOKED_AT && database_next(&query); n++) {
            const char *name = (const char *)sqlite3_column_text(query.row, 0);

            add_near_name(&near, name, edit_distance(name, typed));
        }
        done = database_end(&query);
    }
    for (size_t i = 0; i < near.count; i++) {
        text_append_format(lookup->missing, "%s%s%s", i == 0 ? ": did you mean " : ", ",
                           near.names[i], i + 1 == near.count ? "?" : "");
        free(near.names[i]);
    }
    return done;
}

/* Sets `*fits` to whether a name occurs in a trace. The words for a missing name, file type or
 * partition, such as (none), are treated as names that every trace has. */
static bool name_fits_any(struct database *database, const struct catalog_trace *const *traces,
                          size_t count, enum filter_by by, const char *name, bool *fits,
                          struct error *error) {
    *fits = (by == FILTER_FILETYPE && name[0] == '\0') ||
            (by != FILTER_COMPONENT && by != FILTER_PARTITION && by != FILTER_LAYER &&
             by != FILTER_PATH && strcmp(name, FILTER_NONE) == 0) ||
            (by == FILTER_PARTITION && strcmp(name, PARTITION_UNMAPPED) == 0);
    return *fits || matches_any_pattern(database, name_fits[by], name, traces, count, fits, error);
}

/* If no trace has the name, appends a sentence that says so to lookup->missing. */
static bool match_find_name(const struct lookup *lookup, enum filter_by by, const char *missing,
                            const char *name, struct error *error) {
    bool fits;

    if (!name_fits_any(lookup->database, lookup->traces, lookup->count, by, name, &fits, error)) {
        return false;
    }
    if (!fits) {
        text_append_format(lookup->missing, "no %s %s in %s", missing, name, lookup->where);
    }
    return fits || !lookup->near || append_near(lookup, by, name, error);
}

static bool match_find_names(const struct lookup *lookup, const struct name_set *set,
                             enum filter_by by, struct error *error) {
    const char *missing = filter_names[by].missing;
    bool done = true, found = false;

    for (size_t i = 0; done && i < set->count && !found; i++) {
        if (lookup->any) {
            text_clear(lookup->missing);
        }
        done = match_find_name(lookup, by, missing, set->names[i], error);
        found = (lookup->missing->length == 0) == lookup->any;
    }
    for (size_t i = 0;
         done && !lookup->any && lookup->missing->length == 0 && i < set->excluded_count; i++) {
        done = match_find_name(lookup, by, missing, set->excluded[i], error);
    }
    return done;
}

/* Sets lookup->missing to a sentence about the first name in the filter that no trace has. */
static bool match_find_missing(const struct lookup *lookup, const struct filter *filter,
                               struct error *error) {
    for (enum filter_by by = 0; by < FILTER_NAMES; by++) {
        if (!match_find_names(lookup, &filter->names[by], by, error)) {
            return false;
        }
        if (lookup->missing->length > 0) {
            return true;
        }
    }
    return (filter->under == NULL || match_find_name(lookup, FILTER_OPERATION, "function is called",
                                                     filter->under, error)) &&
           (lookup->missing->length > 0 || !filter->has_device ||
            (match_find_device(lookup->database, lookup->traces, lookup->count, filter,
                               lookup->where, lookup->missing, error) &&
             (lookup->missing->length == 0 || !lookup->near ||
              append_devices(lookup->database, lookup->traces, lookup->count, lookup->missing,
                             error))));
}

bool match_check_names_exist(struct database *database, const struct catalog_trace *const *traces,
                             size_t count, const struct filter *filter, struct error *error) {
    struct text missing = {0};
    char *where = name_traces(traces, count);
    const struct lookup lookup = {database, traces, count, where, false, true, &missing};
    bool done = match_find_missing(&lookup, filter, error);

    if (done && missing.length > 0) {
        done = error_set(error, "%s", text_string(&missing));
    }
    text_free(&missing);
    free(where);
    return done;
}

bool match_append_missing(struct database *database, const struct catalog_trace *trace,
                          const struct filter *filter, struct text *missing, struct error *error) {
    char *where = name_traces(&trace, 1);
    const struct lookup lookup = {database, &trace, 1, where, true, false, missing};
    bool has = true, done = match_find_missing(&lookup, filter, error);

    if (done && missing->length == 0 && filter->action != NULL) {
        done = counted_action_has(database, trace, filter->action, &has, error);
        if (!has) {
            text_append_format(missing, "no I/O of %s has action %s", where, filter->action);
        }
    }
    free(where);
    return done;
}

/* --- abbreviated operations ------------------------------------------------------------------- */

/* Where the full names of abbreviations are looked up (traces), and where they are stored. */
struct abbreviating {
    struct abbreviations *abbreviations;
    struct database *database;
    const struct catalog_trace *const *traces;
    size_t count;
};

/* Makes the abbreviations own `memory`, which is allocated; returns `memory`. */
static void *keep_string_for_filter(struct abbreviations *abbreviations, void *memory) {
    abbreviations->owned =
        xrealloc(abbreviations->owned, (abbreviations->count + 1) * sizeof *abbreviations->owned);
    abbreviations->owned[abbreviations->count++] = memory;
    return memory;
}

/* Finds the only operation whose name begins with `name`. Sets `*whole` to its full name, owned by
 * the caller; NULL: no operation begins so, or several do. */
static bool find_whole_name(const struct abbreviating *lookup, const char *name, char **whole,
                            struct error *error) {
    bool done = true, several = false;

    *whole = NULL;
    for (size_t i = 0; done && !several && i < lookup->count; i++) {
        struct database_query query = database_query(
            lookup->database, error,
            "SELECT min(text), max(text) FROM main.name WHERE trace = ?2"
            " AND kind NOT IN ('class', 'component', 'error') AND substr(text, 1, length(?1)) = ?1",
            "si", name, lookup->traces[i]->id);

        if (database_next(&query) && sqlite3_column_type(query.row, 0) != SQLITE_NULL) {
            const char *first = (const char *)sqlite3_column_text(query.row, 0);

            several = strcmp(first, (const char *)sqlite3_column_text(query.row, 1)) != 0 ||
                      (*whole != NULL && strcmp(*whole, first) != 0);
            *whole = *whole == NULL ? xstrdup(first) : *whole;
        }
        done = database_end(&query);
    }
    if (!done || several) {
        free(*whole);
        *whole = NULL;
    }
    return done;
}

/* If no trace has an operation called `name`, finds the only operation whose name begins with it.
 * Sets `*whole` to the full name, owned by the abbreviations; NULL: none found. */
static bool match_expand(const struct abbreviating *lookup, const char *name, char **whole,
                         struct error *error) {
    bool fits = name[0] == '\0';

    *whole = NULL;
    if ((!fits && !matches_any_pattern(lookup->database, name_fits[FILTER_OPERATION], name,
                                       lookup->traces, lookup->count, &fits, error)) ||
        (!fits && !find_whole_name(lookup, name, whole, error))) {
        return false;
    }
    if (*whole != NULL) {
        keep_string_for_filter(lookup->abbreviations, *whole);
    }
    return true;
}

static void note_prefix_match(const struct abbreviating *lookup, const char *option,
                              const char *name, const char *whole) {
    notes_append(&lookup->abbreviations->notes, "--%s %s is %s, the only name with that prefix",
                 option, name, whole);
}

/* --- expanding what users typed for names ----------------------------------------------------- */

enum { NAMES_SAID = 4 };

/* The names that the values of one option expand to. */
struct taken_names {
    const struct abbreviating *lookup;
    enum filter_by by;
    const char *option;
    const char **names; /* owned; the strings are borrowed, or owned by the abbreviations */
    size_t count, capacity;
    /* First names that the option's current value expands to, for a note. The abbreviations own
     * them. */
    const char *said[NAMES_SAID + 1];
    size_t said_count;
    bool begun; /* true: an operation was found by the beginning of its name */
};

static void add_taken_name(struct taken_names *taken, const char *name) {
    if (string_index(taken->names, taken->count, name) < taken->count) {
        return;
    }
    taken->names = array_grow(taken->names, taken->count, &taken->capacity, sizeof taken->names[0]);
    taken->names[taken->count++] = name;
}

/* Adds a name to the note, only once even if several traces have it. */
static void report_match(struct taken_names *taken, const char *name) {
    if (string_index(taken->said, taken->said_count, name) == taken->said_count &&
        taken->said_count <= NAMES_SAID) {
        taken->said[taken->said_count++] =
            keep_string_for_filter(taken->lookup->abbreviations, xstrdup(name));
    }
}

static void remember_typed(const struct taken_names *taken, const char *typed) {
    struct text said = {0};

    for (size_t i = 0; i < taken->said_count; i++) {
        text_append_format(&said, "%s%s", i == 0 ? "" : ", ",
                           i < NAMES_SAID ? taken->said[i] : "…");
    }
    notes_append(&taken->lookup->abbreviations->notes, "--%s %s: %s", taken->option, typed,
                 text_string(&said));
    text_free(&said);
}

static bool match_fits(const struct taken_names *taken, const char *name, bool *fit,
                       struct error *error) {
    const struct abbreviating *lookup = taken->lookup;

    return name_fits_any(lookup->database, lookup->traces, lookup->count, taken->by, name, fit,
                         error);
}

/* Adds a pattern that matches names to the filter's names. The abbreviations own the pattern. If
 * only one operation matches, adds its name instead, since a query may need the name. */
static bool add_matching(struct taken_names *taken, const char *pattern, struct error *error) {
    const struct abbreviating *lookup = taken->lookup;
    /* Partitions and layers are compared by C code, so names are added, not the pattern. */
    const bool each = taken->by == FILTER_PARTITION || taken->by == FILTER_LAYER;
    const size_t said = taken->said_count;
    bool done = true;

    for (size_t i = 0; done && i < lookup->count; i++) {
        struct database_query query = database_query(lookup->database, error, name_texts[taken->by],
                                                     "si", pattern, lookup->traces[i]->id);

        while ((each || taken->said_count <= NAMES_SAID) && database_next(&query)) {
            const char *name = (const char *)sqlite3_column_text(query.row, 0);

            if (each) {
                add_taken_name(taken, keep_string_for_filter(lookup->abbreviations, xstrdup(name)));
            }
            report_match(taken, name);
        }
        done = database_end(&query);
    }
    if (done && !each) {
        add_taken_name(taken, taken->by == FILTER_OPERATION && said == 0 && taken->said_count == 1
                                  ? taken->said[0]
                                  : pattern);
    }
    return done;
}

/* Returns FILTER_PATTERN and the GLOB pattern of `before` and `name`, in which only * is special.
 */
static char *pattern_of(const char *before, const char *name) {
    struct text pattern = {0};

    text_append_format(&pattern, FILTER_PATTERN "%s", before);
    for (; *name != '\0'; name++) {
        if (*name == '?' || *name == '[') {
            text_append_format(&pattern, "[%c]", *name);
        } else {
            text_append_char(&pattern, *name);
        }
    }
    return pattern.bytes;
}

/* Adds the operation whose name begins with `name`, if it is the only one. */
static bool add_by_prefix(struct taken_names *taken, const char *name, bool *found,
                          struct error *error) {
    char *whole;

    if (!match_expand(taken->lookup, name, &whole, error)) {
        return false;
    }
    *found = whole != NULL;
    if (*found) {
        add_taken_name(taken, whole);
        report_match(taken, whole);
        taken->begun = true;
    }
    return true;
}

/* Adds a name that occurs in the traces. Otherwise tries it as a pattern, then as the end of a file
 * path, then as the beginning of an operation's name. */
static bool add_name(struct taken_names *taken, const char *name, bool *found,
                     struct error *error) {
    const bool is_pattern = strchr(name, '*') != NULL && taken->by != FILTER_PATH;

    if (!match_fits(taken, name, found, error)) {
        return false;
    }
    if (*found) {
        add_taken_name(taken, name);
        report_match(taken, name);
        return true;
    }
    for (int tail = is_pattern ? 0 : 1; tail < 2; tail++) {
        char *pattern;

        if (tail == 1 && (taken->by != FILTER_FILE || name[0] == '\0')) {
            continue;
        }
        pattern = keep_string_for_filter(taken->lookup->abbreviations,
                                         pattern_of(tail == 1 ? "*/" : "", name));
        if (!match_fits(taken, pattern, found, error)) {
            return false;
        }
        if (*found) {
            return add_matching(taken, pattern, error);
        }
    }
    return taken->by != FILTER_OPERATION || add_by_prefix(taken, name, found, error);
}

/* Adds the items of a comma-separated list if the traces have all of them. `*missing` is the first
 * item that no trace has, or NULL. */
static bool add_name_parts(struct taken_names *taken, const char *name, bool *found,
                           const char **missing, struct error *error) {
    const size_t before = taken->count;
    bool done = true, has;

    *missing = NULL;
    for (size_t length; done && *name != '\0'; name += length + (name[length] == ',')) {
        length = strcspn(name, ",");
        if (length > 0 && *missing == NULL) {
            const char *part =
                keep_string_for_filter(taken->lookup->abbreviations, xstrndup(name, length));

            done = add_name(taken, part, &has, error);
            *missing = done && !has ? part : NULL;
        }
    }
    *found = *missing == NULL && taken->said_count > 0;
    if (!*found) {
        taken->count = before;
        taken->said_count = 0;
    }
    return done;
}

/* Adds what the user typed: as one name, as a list, or expanded by add_name(). A name that no trace
 * has is added as it is, and refused later by match_check_names_exist(). */
static bool add_typed(struct taken_names *taken, const char *typed, struct error *error) {
    const bool is_list = strchr(typed, ',') != NULL;
    const char *missing = NULL;
    bool found, as_typed, done;

    taken->said_count = 0;
    taken->begun = false;
    done = match_fits(taken, typed, &as_typed, error);
    found = as_typed;
    if (done && !found && is_list && taken->by == FILTER_OPERATION) {
        done = add_by_prefix(taken, typed, &found, error);
    }
    if (done && !found && is_list) {
        done = add_name_parts(taken, typed, &found, &missing, error);
    }
    if (done && !found) {
        done = add_name(taken, typed, &found, error);
    }
    if (as_typed || !found) {
        add_taken_name(taken, missing != NULL ? missing : typed);
    } else if (taken->begun && taken->said_count == 1) {
        note_prefix_match(taken->lookup, taken->option, typed, taken->said[0]);
    } else {
        remember_typed(taken, typed);
    }
    return done;
}

static bool resolve_names(const struct abbreviating *lookup, enum filter_by by, bool excludes,
                          const char *const **names, size_t *count, struct error *error) {
    struct taken_names taken = {
        .lookup = lookup, .by = by, .option = filter_option_name(by, excludes)};
    bool done = true;

    if (*count == 0) {
        return true;
    }
    for (size_t i = 0; done && i < *count; i++) {
        done = add_typed(&taken, (*names)[i], error);
    }
    *names = keep_string_for_filter(lookup->abbreviations, taken.names);
    *count = taken.count;
    return done;
}

bool abbreviations_make(struct abbreviations *abbreviations, struct database *database,
                        const struct catalog_trace *const *traces, size_t count,
                        const struct filter *filter, struct error *error) {
    const struct abbreviating lookup = {abbreviations, database, traces, count};
    bool done = true;
    char *under = NULL;

    *abbreviations = (struct abbreviations){.filter = *filter};
    for (enum filter_by by = 0; done && by < FILTER_NAMES; by++) {
        struct name_set *set = &abbreviations->filter.names[by];

        done = resolve_names(&lookup, by, false, &set->names, &set->count, error) &&
               resolve_names(&lookup, by, true, &set->excluded, &set->excluded_count, error);
    }
    done = done && layers_check_no_overlap(&abbreviations->filter.names[FILTER_LAYER], error) &&
           (filter->under == NULL || match_expand(&lookup, filter->under, &under, error));
    if (under != NULL) {
        note_prefix_match(&lookup, "under", filter->under, under);
        abbreviations->filter.under = under;
    }
    return done;
}

void abbreviations_free(struct abbreviations *abbreviations) {
    free_each(abbreviations->owned, abbreviations->count);
    notes_free(&abbreviations->notes);
    *abbreviations = (struct abbreviations){0};
}

/* --- ids of what names match ------------------------------------------------------------------ */

#define IDS "(id INTEGER PRIMARY KEY)"

static void match_add_names(struct temp_rows *rows, int by, bool excluded, const char *const *names,
                            size_t count) {
    for (size_t i = 0; i < count; i++) {
        temp_rows_text(rows, 3, names[i], strlen(names[i]));
        TEMP_ROW(rows, by, excluded);
    }
}

/* Writes all names in the filter to temp.filter_name, for statements and temp.selected_event. */
static bool match_write_names(struct temp_schema *temp, const struct filter *filter,
                              struct error *error) {
    struct temp_rows rows = {temp, "filter_name", error, .columns = 3};

    if (!temp_schema_table(temp, "filter_name", "(by INTEGER, excluded INTEGER, text TEXT)",
                           error)) {
        return false;
    }
    for (int by = 0; by < FILTER_NAMES; by++) {
        const struct name_set *set = &filter->names[by];

        match_add_names(&rows, by, false, set->names, set->count);
        match_add_names(&rows, by, true, set->excluded, set->excluded_count);
    }
    return temp_rows_end(&rows);
}

void match_append_name_conditions(const struct filter *filter, enum filter_by by,
                                  const char *matches, struct text *sql) {
    const struct name_set *set = &filter->names[by];

    for (int excluded = 0; excluded < 2; excluded++) {
        if ((excluded ? set->excluded_count : set->count) > 0) {
            text_append_format(sql,
                               " AND %s (SELECT 1 FROM temp.filter_name AS p"
                               " WHERE p.by = %d AND p.excluded = %d AND ",
                               excluded ? "NOT EXISTS" : "EXISTS", (int)by, excluded);
            text_append_string(sql, "(");
            text_append_string(sql, matches);
            text_append_string(sql, "))");
        }
    }
}

/* SQL for a table of ids: its name, the id, the rows of the selected traces, and a row of NULLs
 * that represents events without such a row. */
static const struct id_table {
    const char *name, *id, *rows, *nothing;
} id_tables[] = {
    [FILTER_BY_OPERATION] = {"selected_operation", "n.id", SELECTED_NAMES,
                             " FROM (SELECT NULL AS trace, NULL AS kind, NULL AS text, NULL AS"
                             " code, NULL AS component) AS n"},
    [FILTER_BY_ACTOR] =
        {"selected_actor", "a.id",
         " FROM temp.selection AS t CROSS JOIN main.actor AS a ON a.trace = t.trace",
         " FROM (SELECT NULL AS trace, NULL AS name, NULL AS pid, NULL AS tid, NULL AS code,"
         " NULL AS session) AS a, (SELECT NULL AS sessions) AS t"},
    [FILTER_BY_OBJECT] =
        {"selected_object", "o.id",
         " FROM temp.selection AS s CROSS JOIN main.object AS o"
         " ON o.trace = s.trace",
         " FROM (SELECT NULL AS trace, NULL AS name, NULL AS type, NULL AS device) AS o"},
};

/* SQL: whether `a` is a thread of calls or states whose process is called p.text. Reports call a
 * process by its first thread; its other threads may have names of their own. The SELECT does not
 * depend on the thread, so it runs once. %d is FILTER_PROCESS. */
static const char process_is_called[] =
    "(a.trace, a.pid, p.rowid) IN (SELECT l.trace, l.pid, p.rowid"
    " FROM (SELECT DISTINCT a.trace, a.pid, first_value(a.name)"
    "  OVER (PARTITION BY a.trace, a.pid " MATCH_BY_LEADER ") AS name FROM temp.selection AS s"
    "  CROSS JOIN main.trace AS t ON t.id = s.trace AND t.kind IN ('calls', 'states')"
    "  CROSS JOIN main.actor AS a ON a.trace = s.trace WHERE a.pid IS NOT NULL) AS l"
    " JOIN temp.filter_name AS p ON p.by = %d AND (l.name = p.text OR " FILTER_FITS("l.name") "))";

static void append_conditions(const struct filter *filter, enum filter_by by, struct text *sql) {
    struct text matches = {0};

    if (by == FILTER_PROCESS) {
        text_append_format(&matches, process_is_called, (int)by);
        text_append_string(&matches, " OR ");
    }
    text_append_string(&matches, filter_names[by].matches);
    match_append_name_conditions(filter, by, text_string(&matches), sql);
    text_free(&matches);
}

/* Fills a table with the ids of the rows that meet all conditions on their names, and with 0 if
 * events without such a row pass, too. */
static bool select_ids(struct temp_schema *temp, const struct filter *filter,
                       enum filter_table which, struct error *error) {
    const struct id_table *table = &id_tables[which];
    struct text passes = {0}, sql = {0};
    sqlite3_stmt *insert;
    bool done;

    for (enum filter_by by = 0; by < FILTER_NAMES; by++) {
        if (filter_names[by].table == which) {
            append_conditions(filter, by, &passes);
        }
    }
    if (which == FILTER_BY_OPERATION && filter_by_layer(filter)) {
        text_append_string(&passes, " AND EXISTS (SELECT 1 FROM temp.layer AS l"
                                    " WHERE l.taken AND l.trace = n.trace AND l.kind = n.kind)");
    }
    if (which == FILTER_BY_OBJECT && filter->has_device) {
        text_append_format(&passes,
                           " AND (o.trace, o.device) IN (SELECT s.trace, " DEVICE_CALLED(
                               "s.trace", "%lld") " FROM temp.selection AS s)",
                           (long long)filter->device);
    }
    if (which == FILTER_BY_OBJECT && filter->devices == DEVICES_ISSUING) {
        text_append_string(&passes,
                           " AND NOT EXISTS (SELECT 1 FROM main.remap AS r, main.meaning AS m"
                           " WHERE r.trace = o.trace AND r.\"from\" = o.device"
                           " AND m.trace = o.trace AND m.\"column\" = 'flags'"
                           " AND m.what = 'below' AND NOT EXISTS (SELECT 1 FROM main.meaning AS i"
                           " WHERE i.trace = o.trace AND i.\"column\" = 'flags'"
                           " AND i.what = 'below issued'))");
    }
    text_append_format(&sql, "INSERT INTO temp.%s SELECT %s", table->name, table->id);
    text_append_string(&sql, table->rows);
    text_append_string(&sql, " WHERE 1");
    text_append_string(&sql, text_string(&passes));
    text_append_string(&sql, " UNION ALL SELECT 0");
    text_append_string(&sql, table->nothing);
    text_append_string(&sql, " WHERE 1");
    text_append_string(&sql, text_string(&passes));
    done = temp_schema_table(temp, table->name, IDS, error);
    insert = done ? database_prepare(temp->database, text_string(&sql), error) : NULL;
    if (insert != NULL && sqlite3_bind_parameter_count(insert) > 0) {
        sqlite3_bind_text(insert, 1, filter->device_name, -1, SQLITE_STATIC);
    }
    done = insert != NULL && database_execute(temp->database, insert, error);
    sqlite3_finalize(insert);
    text_free(&sql);
    text_free(&passes);
    return done;
}

static bool select_under(struct temp_schema *temp, const struct filter *filter,
                         struct error *error) {
    sqlite3_stmt *insert;
    bool done;

    if (!temp_schema_table(temp, "under_operation", IDS, error)) {
        return false;
    }
    insert = database_prepare(temp->database,
                              "INSERT INTO temp.under_operation SELECT n.id" SELECTED_NAMES
                              ", (SELECT ?1 AS text) AS p WHERE " FILTER_OPERATION_MATCHES,
                              error);
    done = insert != NULL;
    if (done) {
        sqlite3_bind_text(insert, 1, filter->under, -1, SQLITE_STATIC);
        done = database_execute(temp->database, insert, error);
    }
    sqlite3_finalize(insert);
    return done;
}

bool match_make_tables(struct temp_schema *temp, const struct filter *filter, struct error *error) {
    return !filter_has_conditions_besides_time(filter) ||
           (match_write_names(temp, filter, error) &&
            (!filter_by_layer(filter) || layers_write(temp, filter, error)) &&
            (!filter_by_operation(filter) ||
             select_ids(temp, filter, FILTER_BY_OPERATION, error)) &&
            (!filter_by_actor(filter) || select_ids(temp, filter, FILTER_BY_ACTOR, error)) &&
            (!filter_by_object(filter) || select_ids(temp, filter, FILTER_BY_OBJECT, error)) &&
            (filter->under == NULL || select_under(temp, filter, error)));
}

/* --- a note if no event passes ---------------------------------------------------------------- */

bool match_note_no_events(struct database *database, const struct filter *filter,
                          struct notes *notes, struct error *error) {
    struct database_query query;
    const unsigned char *types = NULL;

    if (filter->words_out[FILTER_BLOCK_TYPES] == 0) {
        notes_append(notes, NOTE_NO_EVENTS);
        return true;
    }
    query = database_query(
        database, error,
        "WITH had(number) AS (SELECT DISTINCT r.block_type FROM temp.selection AS s"
        " CROSS JOIN main.rollup_block AS r ON r.trace = s.trace"
        " WHERE s.action IS NULL OR r.action = s.action),"
        " seen(number) AS (SELECT DISTINCT ifnull(e.flags, 0) >> ?1 & ?2 FROM temp.selection AS s"
        " CROSS JOIN main.event AS e ON e.id BETWEEN s.first_event AND s.last_event"
        " WHERE (s.action IS NULL OR e.operation = s.action) AND NOT EXISTS (SELECT 1 FROM had))"
        " SELECT group_concat(io_block_type_name(number), ', ')"
        " FROM (SELECT * FROM had UNION SELECT * FROM seen ORDER BY 1)",
        "ii", (int64_t)IO_BLOCK_SHIFT, (int64_t)IO_BLOCK_MASK);
    if (database_next(&query)) {
        types = sqlite3_column_text(query.row, 0);
    }
    notes_append(notes, NOTE_NO_EVENTS "%s%s", types == NULL ? "" : "; block types of the traces: ",
                 types == NULL ? "" : (const char *)types);
    return database_end(&query);
}
