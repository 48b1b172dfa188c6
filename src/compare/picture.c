#include "compare/picture.h"

#include <stdlib.h>
#include <string.h>

/* Instead of a plot: the program draws itself. */
static const char FLAME_GRAPH[] = "flame graph";

/* The plot of each method; by the methods' names in query files. */
static const struct {
    enum compare_method method;
    enum compare_drawing drawing;
    const char *plot;
} plots[] = {
    {COMPARE_COUNTS, DRAWING_USUAL, "compare-shares"},
    {COMPARE_TIMES, DRAWING_USUAL, "compare-shares"},
    {COMPARE_SIZES, DRAWING_USUAL, "compare-sizes"},
    {COMPARE_SIZES, DRAWING_BYTES, "compare-sizes-bytes"},
    {COMPARE_VALUES, DRAWING_USUAL, "compare-values"},
    {COMPARE_VALUES, DRAWING_SHIFT, "compare-shift"},
    {COMPARE_CLOCK, DRAWING_USUAL, "compare-hours"},
    {COMPARE_TREE, DRAWING_USUAL, FLAME_GRAPH},
};

/* The option that asks for it. */
static const char *const options[COMPARE_DRAWINGS] = {
    [DRAWING_SHIFT] = "shift",
    [DRAWING_BYTES] = "weight",
};

static enum compare_method method_of(const struct comparison *comparison) {
    return comparison->sides[SIDE_A].query->compare.method;
}

static const char *plot_of(enum compare_method method, enum compare_drawing drawing) {
    for (size_t i = 0; i < sizeof plots / sizeof plots[0]; i++) {
        if (plots[i].method == method && plots[i].drawing == drawing) {
            return plots[i].plot;
        }
    }
    return NULL;
}

/* The reports that have such a picture, each once. */
static void append_reports(struct text *out, const struct query_set *queries,
                           enum compare_drawing drawing) {
    const char *separator = "";

    for (size_t i = 0; i < queries->count; i += query_set_files(queries, i)) {
        bool has = false;

        for (size_t j = 0; j < query_set_files(queries, i); j++) {
            has = has || plot_of(queries->queries[i + j].compare.method, drawing) != NULL;
        }
        if (has) {
            text_append_format(out, "%s%s", separator, queries->queries[i].report);
            separator = ", ";
        }
    }
}

bool compare_picture_exists(const struct query *query) {
    return plot_of(query->compare.method, DRAWING_USUAL) != NULL;
}

bool compare_picture_check(const struct comparison *comparison, struct error *error) {
    enum compare_drawing drawing = comparison->request->drawing;
    const char *report = comparison->sides[SIDE_A].query->report;
    struct text others = {0};

    if (compare_picture_is_tree(comparison) && !comparison->request->own_svg) {
        return error_set_status(error, EXIT_USAGE,
                                "the picture of %s of two traces is an SVG: tracetool plot compare "
                                "A B %s -o FILE.svg",
                                report, report);
    }
    if (compare_picture_is_tree(comparison) && comparison->request->top > 0) {
        return error_set_status(error, EXIT_USAGE,
                                "--top is of rows: a flame graph has all paths; leave it out");
    }
    if (comparison->request->widths != WIDTHS_MAX && !compare_picture_is_tree(comparison)) {
        return error_set_status(error, EXIT_USAGE, "--widths is of flame graphs, not of report %s",
                                report);
    }
    if (compare_picture_plot(comparison) != NULL) {
        return true;
    }
    if (!compare_picture_exists(comparison->sides[SIDE_A].query)) {
        append_reports(&others, comparison->workspace->queries, DRAWING_USUAL);
        error_set_status(error, EXIT_USAGE,
                         "a comparison by report %s has no picture; there are those by %s, and "
                         "without a report one of what changed most",
                         report, text_string(&others));
    } else {
        append_reports(&others, comparison->workspace->queries, drawing);
        error_set_status(error, EXIT_USAGE, "--%s is no picture of report %s, but of %s",
                         options[drawing], report, text_string(&others));
    }
    text_free(&others);
    return false;
}

const char *compare_picture_plot(const struct comparison *comparison) {
    return plot_of(method_of(comparison), comparison->request->drawing);
}

bool compare_picture_is_tree(const struct comparison *comparison) {
    return compare_picture_plot(comparison) == FLAME_GRAPH;
}

bool compare_picture_is_of_trees(const struct query_set *queries, const char *report) {
    for (size_t i = 0; i < queries->count; i++) {
        if (strcmp(queries->queries[i].report, report) == 0 &&
            queries->queries[i].compare.method == COMPARE_TREE) {
            return true;
        }
    }
    return false;
}

int64_t compare_picture_rows(const struct comparison *comparison) {
    const struct compare_request *request = comparison->request;
    enum compare_method method = method_of(comparison);

    return request->top > 0                                      ? request->top
           : method == COMPARE_COUNTS || method == COMPARE_TIMES ? COMPARE_PICTURE_ROWS
                                                                 : 0;
}

/* --- what the sides are called ---------------------------------------------------------------- */

static void name_side(const struct comparison *comparison, enum side which, struct text *name) {
    const struct compare_side *side = &comparison->sides[which];
    const char *study = comparison->request->sides[which].study;

    text_append_string(name, study != NULL ? study : compare_side_name(side));
    if (study == NULL && side->trace_count > 1) {
        text_append_format(name, " and %zu more", side->trace_count - 1);
    }
}

bool compare_picture_begin(struct compare_picture *picture, const struct comparison *comparison,
                           const char *name, struct result *result, struct error *error) {
    const char *directory = comparison->workspace->queries->directory;

    if (name != FLAME_GRAPH) {
        picture->plot = query_plot_read(name, directory, error);
        if (picture->plot == NULL) {
            return false;
        }
    }
    for (enum side side = SIDE_A; side < SIDES; side++) {
        name_side(comparison, side, &picture->names[side]);
        picture->compared[side] = text_string(&picture->names[side]);
    }
    result->plot = picture->plot;
    result->compared = picture->compared;
    return (!picture->names[SIDE_A].failed && !picture->names[SIDE_B].failed) ||
           error_no_memory(error);
}

void compare_picture_free(struct compare_picture *picture) {
    free(picture->plot);
    text_free(&picture->names[SIDE_A]);
    text_free(&picture->names[SIDE_B]);
    *picture = (struct compare_picture){.plot = NULL};
}
