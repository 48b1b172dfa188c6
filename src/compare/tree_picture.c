/* Pictures of call trees: what the flame graph of both is drawn of (output/flame_graph.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/picture.h"

/* Of widths that are not whole, because they are per something, all together are so much. */
#define WHOLE 1e15

/* How wide the row's path is by its self time alone. */
static double width_of(const struct comparison *comparison, const struct compare_row *row) {
    const int64_t *own = comparison->tree.nodes[row->number].own;
    double a = (double)own[SIDE_A] * comparison->scale[SIDE_A];
    double b = (double)own[SIDE_B] * comparison->scale[SIDE_B];

    /* Of what is not wanted only the way to what is. */
    if (!comparison_wants(comparison, row)) {
        return 0;
    }
    switch (comparison->request->widths) {
    case WIDTHS_A:
        return a;
    case WIDTHS_B:
        return b;
    default:
        return fmax(a, b);
    }
}

/* What widths are multiplied by. */
static double find_factor(const struct comparison *comparison) {
    double all = 0;

    for (size_t i = 0; comparison->scaled && i < comparison->table.count; i++) {
        all += width_of(comparison, comparison->table.rows[i]);
    }
    return all > 0 ? WHOLE / all : 1;
}

static bool print_rows(const struct comparison *comparison, size_t keys, size_t columns,
                       struct printer *printer, struct error *error) {
    const struct compare_table *table = &comparison->table;
    double factor = find_factor(comparison);
    bool done = true;

    for (size_t i = 0; done && i < table->count; i++) {
        struct value values[QUERY_COLUMNS + COMPARE_COLUMNS + 1] = {{0}};

        for (size_t j = 0; j < keys; j++) {
            values[j] = table->rows[i]->keys[j];
        }
        comparison->method->fill(comparison, table->rows[i], values + keys);
        compare_put_integer(&values[columns],
                            (int64_t)fmin(width_of(comparison, table->rows[i]) * factor, 9e18));
        done = printer_row(printer, values, error);
    }
    return done;
}

bool compare_picture_tree(const struct comparison *comparison, struct result *result,
                          struct printer *printer, struct error *error) {
    struct column columns[QUERY_COLUMNS + COMPARE_COLUMNS + 1];
    size_t count = result->column_count;

    memcpy(columns, result->columns, count * sizeof *columns);
    columns[count] = (struct column){"self", "", COLUMN_INTEGER};
    result->columns = columns;
    result->column_count = count + 1;
    return printer_begin(printer, result, error) &&
           print_rows(comparison, comparison->table.key_count, count, printer, error) &&
           printer_end(printer, error);
}

bool compare_picture_say_tree(const struct comparison *comparison, struct remarks *remarks,
                              struct error *error) {
    static const char *const widths[] = {
        [WIDTHS_MAX] = "the larger self time of a and b",
        [WIDTHS_A] = "the self time of a",
        [WIDTHS_B] = "the self time of b",
    };

    return remarks_add(remarks, error, "widths: %s, with all that is called on the way",
                       widths[comparison->request->widths]) &&
           remarks_add(remarks, error,
                       "colours: b / a of totals, white within %g %%, + and red up to 4, − and "
                       "blue down to 1/4; striped: only in a (blue) or in b (red)",
                       100 * comparison->request->noise);
}
