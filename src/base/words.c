#include "base/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/memory.h"

bool word_in(const char *words, const char *word) {
    size_t length = strlen(word);
    bool found = false;

    for (const char *at = words; !found && length > 0 && (at = strstr(at, word)) != NULL;
         at += length) {
        found = (at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0') &&
                strchr(word, ' ') == NULL;
    }
    return found;
}

size_t string_index(const char *const *strings, size_t count, const char *string) {
    size_t place = 0;

    while (place < count && strcmp(strings[place], string) != 0) {
        place++;
    }
    return place;
}

const void *find_named(const void *items, size_t count, size_t size, const char *name) {
    const char *item = items;

    for (; count > 0; count--, item += size) {
        if (strcmp(*(const char *const *)item, name) == 0) {
            return item;
        }
    }
    return NULL;
}

void word_list_add(struct word_list *list, const char *word) {
    list->words = xreallocarray(list->words, list->count + 1, sizeof *list->words);
    list->words[list->count++] = word;
}

void word_list_add_once(struct word_list *list, const char *word) {
    if (string_index(list->words, list->count, word) == list->count) {
        word_list_add(list, word);
    }
}

void word_list_free(struct word_list *list) {
    free(list->words);
    *list = (struct word_list){0};
}

static unsigned words_smaller_of(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Restricted Damerau-Levenshtein distance (optimal string alignment): letters that were swapped are
 * not edited again. */
unsigned word_edit_distance(const char *left, const char *right) {
    unsigned rows[3][WORD_LONGEST + 1];
    size_t lengths[2] = {strlen(left), strlen(right)};

    if (lengths[0] > WORD_LONGEST || lengths[1] > WORD_LONGEST) {
        return WORD_LONGEST;
    }
    for (size_t j = 0; j <= lengths[1]; j++) {
        rows[0][j] = (unsigned)j;
    }
    for (size_t i = 1; i <= lengths[0]; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];

        row[0] = (unsigned)i;
        for (size_t j = 1; j <= lengths[1]; j++) {
            row[j] = words_smaller_of(words_smaller_of(row[j - 1], above[j]) + 1,
                                      above[j - 1] + (left[i - 1] != right[j - 1]));
            if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
                row[j] = words_smaller_of(row[j], second[j - 2] + 1);
            }
        }
    }
    return rows[lengths[0] % 3][lengths[1]];
}

/* After a mismatch, tries only the last * again: time is at most the product of both lengths. */
bool bytes_match_pattern(const char *pattern, const char *bytes, size_t length, char one) {
    const char *star = NULL;
    size_t at = 0, after = 0;

    while (at < length) {
        if (*pattern == '*') {
            star = ++pattern;
            after = at;
        } else if (*pattern != '\0' && (*pattern == one || *pattern == bytes[at])) {
            pattern++;
            at++;
        } else if (star != NULL) { /* tries again, with the last * matching one more byte */
            pattern = star;
            at = ++after;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

bool word_matches_pattern(const char *pattern, const char *word) {
    return bytes_match_pattern(pattern, word, strlen(word), '\0');
}

const char *word_list_nearest(const struct word_list *list, const char *typed) {
    const char *best = NULL;
    unsigned least = 2 * WORD_LONGEST;

    for (size_t i = 0; i < list->count; i++) {
        const size_t length = strlen(list->words[i]);
        unsigned letters = word_edit_distance(list->words[i], typed);
        /* Prefers words of the same length: --tpo is --top, not --to. */
        unsigned cost = 2 * letters + (length != strlen(typed));

        if (cost < least && 3 * letters <= length + 1) {
            least = cost;
            best = list->words[i];
        }
    }
    return best;
}

static bool words_begins(const char *prefix, const char *word) {
    return strncmp(word, prefix, strlen(prefix)) == 0;
}

/* Appends the words that begin with `prefix`, at most 20 of them. */
static void words_append_words(const struct word_list *list, const char *prefix, struct text *out) {
    size_t count = 0;

    for (size_t i = 0; i < list->count; i++) {
        if (!words_begins(prefix, list->words[i])) {
            continue;
        }
        if (count++ == 20) {
            text_append_string(out, ", …");
            return;
        }
        text_append_format(out, "%s%s", count == 1 ? "" : ", ", list->words[i]);
    }
}

static const char *words_refuse(const struct word_list *list, size_t begun, const char *what,
                                const char *typed, const char *otherwise, struct error *error) {
    const char *near = begun > 0 ? NULL : word_list_nearest(list, typed);
    struct text rest = {0};

    if (begun > 0) {
        words_append_words(list, typed, &rest);
        error_usage(error, "%s '%s' is ambiguous: it could mean %s", what, typed,
                    text_string(&rest));
    } else {
        if (otherwise != NULL) {
            text_append_string(&rest, otherwise);
        } else if (list->count > 0) {
            text_append_format(&rest, "%shere %s ", near != NULL ? "T" : "t",
                               list->count == 1 ? "is" : "are");
            words_append_words(list, "", &rest);
        }
        error_usage(error, "there is no %s '%s'%s%s%s%s%s", what, typed,
                    near != NULL ? ": did you mean " : "", near != NULL ? near : "",
                    near != NULL ? "?" : "",
                    rest.length == 0 ? ""
                    : near == NULL   ? "; "
                                     : " ",
                    text_string(&rest));
    }
    text_free(&rest);
    return NULL;
}

const char *word_list_choose(const struct word_list *list, const char *what, const char *typed,
                             const char *otherwise, struct error *error) {
    const char *chosen = NULL;
    bool unclear = false;
    size_t begun = 0;

    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->words[i], typed) == 0) {
            return list->words[i];
        }
        if (*typed != '\0' && words_begins(typed, list->words[i])) {
            chosen =
                chosen == NULL || words_begins(list->words[i], chosen) ? list->words[i] : chosen;
            begun++;
        }
    }
    for (size_t i = 0; i < list->count; i++) {
        unclear |= begun > 0 && words_begins(typed, list->words[i]) &&
                   !words_begins(chosen, list->words[i]);
    }
    return begun > 0 && !unclear ? chosen
                                 : words_refuse(list, begun, what, typed, otherwise, error);
}
