#include "report/sum.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    NAMED = 3,         /* more are counted */
    LONGEST_NAME = 40, /* bytes; of longer ones the beginning */
};

/* The traces that have their result in common with others. */
struct sum {
    const struct catalog_trace **traces; /* owned */
    size_t count, results;
};

/* Whether the request says which traces it is about, or keeps them apart. */
static bool is_chosen(const struct report_request *request) {
    return request->trace_count > 0 || request->study != NULL || request->users.count > 0 ||
           request->users.excluded_count > 0 || request->by_trace || request->group != GROUP_NONE;
}

/* Whether the result has rows of each trace: then nothing is added up. */
static bool names_traces(const struct query *query) {
    for (size_t i = 0; i < query->column_count; i++) {
        const struct query_column *column = &query->columns[i];

        if (strcmp(column->column.name, "trace") == 0 &&
            (column->condition == NULL || strcmp(column->condition, "several") == 0)) {
            return true;
        }
    }
    return false;
}

/* Takes the traces that share a result with the first of those that are left. */
static void take_result(struct sum *sum, const struct report_request *request,
                        const struct choice *choices, size_t count, bool *is_taken, size_t first) {
    size_t before = sum->count;

    for (size_t i = first; i < count; i++) {
        if (!is_taken[i] && choices_of_one_result(request, &choices[first], &choices[i])) {
            is_taken[i] = true;
            sum->traces[sum->count++] = choices[i].trace;
        }
    }
    if (sum->count - before < 2 || names_traces(choices[first].query)) {
        sum->count = before;
    } else {
        sum->results++;
    }
}

static bool is_one_study(const struct sum *sum) {
    for (size_t i = 0; i < sum->count; i++) {
        if (strcmp(sum->traces[i]->study, sum->traces[0]->study) != 0) {
            return false;
        }
    }
    return sum->traces[0]->study[0] != '\0';
}

/* --- words -------------------------------------------------------------------------------------
 */

static int compare(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Puts the labels in order, each once and none that is empty; returns how many there are. */
static size_t sort_once(const char **labels, size_t count) {
    size_t kept = 0;

    qsort(labels, count, sizeof labels[0], compare);
    for (size_t i = 0; i < count; i++) {
        if (labels[i][0] != '\0' && (kept == 0 || strcmp(labels[kept - 1], labels[i]) != 0)) {
            labels[kept++] = labels[i];
        }
    }
    return kept;
}

/* Not in the middle of a character. */
static void append_beginning(struct text *line, const char *name) {
    size_t length = strlen(name);

    if (length > LONGEST_NAME) {
        length = LONGEST_NAME;
        while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80) {
            length--;
        }
    }
    text_append(line, name, length);
    text_append_string(line, name[length] != '\0' ? "…" : "");
}

static void append_names(struct text *line, const char *const *names, size_t count) {
    text_append_string(line, " (");
    for (size_t i = 0; i < count && i < NAMED; i++) {
        text_append_string(line, i > 0 ? ", " : "");
        append_beginning(line, names[i]);
    }
    if (count > NAMED) {
        text_append_format(line, " and %zu more", count - NAMED);
    }
    text_append_char(line, ')');
}

/* Says of how many devices or users they are, if of several. */
static bool append_labels(struct text *line, const char *before, const char **labels, size_t count,
                          const char *what) {
    size_t different = sort_once(labels, count);

    if (different < 2) {
        return false;
    }
    text_append_format(line, "%s %zu %s", before, different, what);
    append_names(line, labels, different);
    return true;
}

static void describe(const struct sum *sum, const char **labels, struct text *line) {
    bool devices, users, studies = false;

    text_append_format(line, "adds up %zu traces", sum->count);
    if (sum->results > 1) {
        text_append_format(line, " in %zu results", sum->results);
    }
    for (size_t i = 0; i < sum->count; i++) {
        labels[i] = sum->traces[i]->device;
        studies = studies || sum->traces[i]->study[0] != '\0';
    }
    devices = append_labels(line, " of", labels, sum->count, "devices");
    for (size_t i = 0; i < sum->count; i++) {
        labels[i] = sum->traces[i]->user;
    }
    users = append_labels(line, devices ? " and" : " of", labels, sum->count, "users");
    if (!devices && !users) {
        for (size_t i = 0; i < sum->count; i++) {
            labels[i] = sum->traces[i]->name;
        }
        append_names(line, labels, sum->count);
    }
    text_append_format(line, "; -t TRACE%s%s%s or --by-trace choose",
                       studies ? ", --study NAME" : "", devices ? ", --by device" : "",
                       users ? ", --by user" : "");
}

void sum_describe(const struct report_request *request, const struct choice *choices, size_t count,
                  struct text *line) {
    struct sum sum = {.traces = xcalloc(count + 1, sizeof(const struct catalog_trace *))};
    const char **labels = xcalloc(count + 1, sizeof *labels);
    bool *is_taken = xcalloc(count + 1, sizeof *is_taken);

    if (!is_chosen(request)) {
        for (size_t i = 0; i < count; i++) {
            if (!is_taken[i]) {
                take_result(&sum, request, choices, count, is_taken, i);
            }
        }
        if (sum.count > 0 && !is_one_study(&sum)) {
            describe(&sum, labels, line);
        }
    }
    free(sum.traces);
    free(labels);
    free(is_taken);
}
