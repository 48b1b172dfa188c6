#include "select/abbreviations.h"

#include <stdlib.h>
#include <string.h>

#include "select/match.h"
#include "base/memory.h"

/* What names are looked up in. */
struct lookup {
    struct abbreviations *abbreviations;
    struct database *database;
    const struct catalog_trace *const *traces;
    size_t count;
};

/* Takes ownership of `memory`. */
static void *own(struct abbreviations *abbreviations, void *memory) {
    abbreviations->owned =
        xrealloc(abbreviations->owned, (abbreviations->count + 1) * sizeof *abbreviations->owned);
    abbreviations->owned[abbreviations->count++] = memory;
    return memory;
}

/* The only operation of the traces that begins so; NULL in `whole` when there is none, or several.
 * Owned by the caller. */
static bool find_whole(const struct lookup *lookup, const char *name, char **whole,
                       struct error *error) {
    sqlite3_stmt *select = database_prepare(
        lookup->database,
        "SELECT min(text), max(text) FROM main.name WHERE trace = ?2"
        " AND kind NOT IN ('class', 'component', 'error') AND substr(text, 1, length(?1)) = ?1",
        error);
    bool done = select != NULL, several = false, row;

    *whole = NULL;
    for (size_t i = 0; done && !several && i < lookup->count; i++) {
        const char *first, *last;

        sqlite3_bind_text(select, 1, name, -1, SQLITE_STATIC);
        sqlite3_bind_int64(select, 2, lookup->traces[i]->id);
        done = database_step(lookup->database, select, &row, error);
        first = done && row ? (const char *)sqlite3_column_text(select, 0) : NULL;
        last = first != NULL ? (const char *)sqlite3_column_text(select, 1) : NULL;
        if (first != NULL && last != NULL) {
            several = strcmp(first, last) != 0 || (*whole != NULL && strcmp(*whole, first) != 0);
            *whole = *whole == NULL ? xstrdup(first) : *whole;
        }
        sqlite3_reset(select);
    }
    sqlite3_finalize(select);
    if (!done || several) {
        free(*whole);
        *whole = NULL;
    }
    return done;
}

/* Puts the whole name in the place of one that is short for it. */
static bool expand(const struct lookup *lookup, const char *option, const char **name,
                   struct error *error) {
    char *whole = NULL;
    bool fits = false;

    if (!match_operation(lookup->database, lookup->traces, lookup->count, *name, &fits, error) ||
        (!fits && **name != '\0' && !find_whole(lookup, *name, &whole, error))) {
        return false;
    }
    if (whole != NULL) {
        notes_append(&lookup->abbreviations->notes, "--%s %s is %s, which alone begins so", option,
                     *name, whole);
        *name = own(lookup->abbreviations, whole);
    }
    return true;
}

static bool expand_list(const struct lookup *lookup, const char *option, const char *const **names,
                        size_t count, struct error *error) {
    const char **copies;
    bool done = true;

    if (count == 0) {
        return true;
    }
    copies = own(lookup->abbreviations, xmalloc(count * sizeof *copies));
    memcpy(copies, *names, count * sizeof *copies);
    *names = copies;
    for (size_t i = 0; done && i < count; i++) {
        done = expand(lookup, option, &copies[i], error);
    }
    return done;
}

bool abbreviations_make(struct abbreviations *abbreviations, struct database *database,
                        const struct catalog_trace *const *traces, size_t count,
                        const struct filter *filter, struct error *error) {
    const struct lookup lookup = {abbreviations, database, traces, count};
    struct name_set *operations = &abbreviations->filter.names[FILTER_OPERATION];

    *abbreviations = (struct abbreviations){.filter = *filter};
    return expand_list(&lookup, "op", &operations->names, operations->count, error) &&
           expand_list(&lookup, "not-op", &operations->excluded, operations->excluded_count,
                       error) &&
           (filter->under == NULL || expand(&lookup, "under", &abbreviations->filter.under, error));
}

void abbreviations_free(struct abbreviations *abbreviations) {
    for (size_t i = 0; i < abbreviations->count; i++) {
        free(abbreviations->owned[i]);
    }
    free(abbreviations->owned);
    notes_free(&abbreviations->notes);
    *abbreviations = (struct abbreviations){0};
}
