#include "report/shares.h"

#include <stdlib.h>
#include <string.h>

#include "base/saturate.h"
#include "base/words.h"
#include "report/row_key.h"
#include "base/memory.h"

static const char *const names[] = {
    [SHARE_NONE] = "", [SHARE_ROW] = "row", [SHARE_COLUMN] = "column", [SHARE_ALL] = "all"};

const char *shares_name(const struct report_request *request) {
    const struct report_option *option = request_option(request, "share");

    return option == NULL ? NULL : option->value;
}

static enum share_of find(const char *name) {
    int of = SHARE_ALL;

    while (of != SHARE_NONE && strcmp(names[of], name) != 0) {
        of--;
    }
    return (enum share_of)of;
}

bool shares_check(const struct report_request *request, struct error *error) {
    const char *name = shares_name(request);

    return name == NULL || find(name) != SHARE_NONE ||
           error_set_status(error, EXIT_USAGE, "--share is row, column or all, not '%s'", name);
}

static bool say(const struct shares *shares, const struct query *query, struct notes *notes,
                struct error *error) {
    switch (shares->of) {
    case SHARE_ROW:
        return notes_add(notes, error, "counts are shares of the %s of their row", query->total);
    case SHARE_COLUMN:
        return shares->containers == 0
                   ? notes_add(notes, error, "counts are shares of the sum of their column")
                   : notes_add(notes, error,
                               "counts are shares of the sum of their column within the same %s",
                               query->columns[0].column.name);
    default:
        return notes_add(notes, error, "counts are shares of the %s of all rows", query->total);
    }
}

bool shares_begin(struct shares *shares, const struct query *query,
                  const struct report_request *request, struct column *columns, size_t count,
                  struct notes *notes, struct error *error) {
    size_t keys = 0;

    *shares = (struct shares){.columns = count};
    if (shares_name(request) == NULL || query->total == NULL) {
        return true;
    }
    shares->of = find(shares_name(request));
    for (size_t i = 0; i < count; i++) {
        bool is_key = word_in(query->key, columns[i].name);

        keys += is_key;
        shares->counted[i] = !is_key && columns[i].kind == COLUMN_INTEGER;
        if (shares->counted[i] && strcmp(columns[i].name, query->total) == 0) {
            shares->total = i;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (shares->counted[i]) {
            columns[i].kind = COLUMN_SHARE;
            columns[i].unit = "fraction";
        }
    }
    shares->containers = keys == 0 ? 0 : keys - 1;
    return say(shares, query, notes, error);
}

/* Goes to the group of the row, which is the last one or the next. */
static void enter_group(struct shares *shares, const struct value *values) {
    struct text container = {0};
    bool same;

    for (size_t i = 0; i < shares->containers; i++) {
        row_key_append(&container, &values[i]);
    }
    same = shares->group > 0 && container.length == shares->container.length &&
           memcmp(text_string(&container), text_string(&shares->container), container.length) == 0;
    shares->group += !same;
    text_free(&shares->container);
    shares->container = container;
}

static void add_group(struct shares *shares) {
    size_t size = shares->columns * sizeof *shares->sums;

    if (shares->groups == shares->capacity) {
        size_t capacity = 2 * shares->capacity + 8;

        shares->sums = xreallocarray(shares->sums, capacity, size);
        shares->capacity = capacity;
    }
    memset(shares->sums + shares->groups * shares->columns, 0, size);
    shares->groups++;
}

static int64_t *sums_of(const struct shares *shares) {
    return shares->sums + (shares->group - 1) * shares->columns;
}

void shares_add(struct shares *shares, const struct value *values) {
    enter_group(shares, values);
    if (shares->group > shares->groups) {
        add_group(shares);
    }
    for (size_t i = 0; i < shares->columns; i++) {
        if (shares->counted[i] && values[i].type == VALUE_INTEGER) {
            add_saturated(&sums_of(shares)[i], values[i].integer);
        }
    }
    if (values[shares->total].type == VALUE_INTEGER) {
        add_saturated(&shares->all, values[shares->total].integer);
    }
}

void shares_again(struct shares *shares) {
    shares->group = 0;
    text_clear(&shares->container);
}

void shares_of_columns(const struct shares *shares, const struct column *columns, size_t count,
                       enum share_of *of) {
    for (size_t i = 0; i < count; i++) {
        of[i] = shares->counted[i]                ? shares->of
                : columns[i].kind == COLUMN_SHARE ? SHARE_COLUMN
                                                  : SHARE_NONE;
    }
}

void shares_apply(struct shares *shares, struct value *values) {
    int64_t total;

    if (shares->of == SHARE_NONE) {
        return;
    }
    enter_group(shares, values);
    total = values[shares->total].integer;
    for (size_t i = 0; i < shares->columns; i++) {
        const int64_t whole = shares->of == SHARE_ROW      ? total
                              : shares->of == SHARE_COLUMN ? sums_of(shares)[i]
                                                           : shares->all;

        if (shares->counted[i] && values[i].type == VALUE_INTEGER) {
            values[i].type = VALUE_REAL;
            values[i].real = whole == 0 ? 0 : (double)values[i].integer / (double)whole;
        }
    }
}

void shares_free(struct shares *shares) {
    free(shares->sums);
    text_free(&shares->container);
    *shares = (struct shares){0};
}
