#include "report/query_compare.h"

#include <string.h>

#include "base/words.h"

static const struct {
    const char *name;
    const char *takes; /* beside the key */
    const char *needs;
} methods[] = {
    [COMPARE_NOT] = {"", "", ""},
    [COMPARE_COUNTS] = {"counts", "value", "value"},
    [COMPARE_SIZES] = {"sizes", "value", "value"},
    [COMPARE_TIMES] = {"times", "calls time", "time"},
    [COMPARE_CLOCK] = {"clock", "value seconds", "value"},
    [COMPARE_VALUES] = {"values", "group", "group"},
    [COMPARE_ROWS] = {"rows", "value signed", ""},
    [COMPARE_TREE] = {"tree", "", ""},
};

#define METHODS (sizeof methods / sizeof methods[0])

const char *query_compare_method(enum compare_method method) {
    return methods[method].name;
}

static bool find_method(struct query_compare *compare, const char *name) {
    for (size_t i = 1; name != NULL && i < METHODS; i++) {
        if (strcmp(methods[i].name, name) == 0) {
            compare->method = (enum compare_method)i;
            return true;
        }
    }
    return false;
}

/* Where the columns that are called `word` in the line go. */
static const char **place_of(struct query_compare *compare, const char *word) {
    return strcmp(word, "key") == 0       ? &compare->key
           : strcmp(word, "value") == 0   ? &compare->value
           : strcmp(word, "calls") == 0   ? &compare->calls
           : strcmp(word, "time") == 0    ? &compare->time
           : strcmp(word, "group") == 0   ? &compare->group
           : strcmp(word, "signed") == 0  ? &compare->has_sign
           : strcmp(word, "seconds") == 0 ? &compare->seconds
                                          : NULL;
}

/* WORD=COLUMN,…; several columns are parted by blanks afterwards. */
static bool take(struct query_compare *compare, char *word, struct error *error) {
    char *columns = strchr(word, '=');
    const char **place;

    if (columns == NULL || columns[1] == '\0') {
        return error_set(error, "compare: '%s' is no WORD=COLUMN", word);
    }
    *columns++ = '\0';
    place = place_of(compare, word);
    if (place == NULL || compare->method == COMPARE_TREE ||
        (place != &compare->key && !word_in(methods[compare->method].takes, word))) {
        return error_set(error, "compare: %s takes no '%s'", methods[compare->method].name, word);
    }
    for (char *comma = columns; (comma = strchr(comma, ',')) != NULL;) {
        *comma = ' ';
    }
    *place = columns;
    return true;
}

/* The columns of a tree are called so by all that takes one (printer_folded.c, flame_graph.h). */
static const struct query_compare tree = {
    .method = COMPARE_TREE,
    .key = "depth name",
    .calls = "calls",
    .time = "self",
    .total = "total",
};

bool query_compare_parse(struct query_compare *compare, char *line, struct error *error) {
    char *rest, *word = strtok_r(line, " ", &rest);
    const char *needs;

    *compare = (struct query_compare){.method = COMPARE_NOT};
    if (!find_method(compare, word)) {
        return error_set(error,
                         "compare: there is no '%s'; there are counts, sizes, times, clock, "
                         "values, rows and tree",
                         word == NULL ? "" : word);
    }
    while ((word = strtok_r(NULL, " ", &rest)) != NULL) {
        if (strcmp(word, "alone") == 0) {
            compare->alone = true;
        } else if (!take(compare, word, error)) {
            return false;
        }
    }
    if (compare->method == COMPARE_TREE) {
        *compare = tree;
    }
    needs = methods[compare->method].needs;
    return needs[0] == '\0' || *place_of(compare, needs) != NULL ||
           error_set(error, "compare: %s needs %s=COLUMN", methods[compare->method].name, needs);
}
