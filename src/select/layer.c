#include "select/layer.h"

#include <string.h>

#define LAYERS_PAIR_SQL(ABOVE, BELOW) " UNION ALL SELECT '" ABOVE "', '" BELOW "'"

/* SQL that returns a row if layer KIND of TRACE is not a topmost one, because the trace also has a
 * layer above it. Here `syscall` is above `jbd2`, too, although no system call includes the
 * journal's commits. TABLE has the columns trace and kind. */
#define LAYERS_ABOVE(TABLE, TRACE, KIND)                                                           \
    "SELECT 1 FROM " TABLE                                                                         \
    " AS above JOIN (SELECT 'syscall' AS above, 'jbd2' AS below" LAYERS_OVERLAPPING(               \
        LAYERS_PAIR_SQL) ") AS pair ON pair.above = above.kind"                                    \
                         " WHERE above.trace = " TRACE " AND pair.below = " KIND

static const struct {
    const char *above, *below;
} overlapping[] = {
#define X(ABOVE, BELOW) {ABOVE, BELOW},
    LAYERS_OVERLAPPING(X)
#undef X
};

static bool layer_has(const struct name_set *layers, const char *name) {
    size_t i = 0;

    while (i < layers->count && strcmp(layers->names[i], name) != 0) {
        i++;
    }
    return i < layers->count;
}

bool layers_check_no_overlap(const struct name_set *layers, struct error *error) {
    for (size_t i = 0; i < sizeof overlapping / sizeof overlapping[0]; i++) {
        if (layer_has(layers, overlapping[i].above) && layer_has(layers, overlapping[i].below)) {
            return error_usage(error,
                               "--layer %s and --layer %s log the same reads and writes, which "
                               "would count twice: choose one",
                               overlapping[i].above, overlapping[i].below);
        }
    }
    return true;
}

bool layers_are_ambiguous(const struct catalog_trace *trace) {
    return trace->kind == TRACE_CALLS;
}

bool layers_choose(struct database *database, const struct catalog_trace *const *traces,
                   size_t count, struct filter *filter, struct error *error) {
    static const char sql[] =
        "WITH layer AS MATERIALIZED (SELECT DISTINCT trace, kind FROM main.name WHERE trace = ?1)"
        " SELECT count(*) FROM layer WHERE EXISTS (" LAYERS_ABOVE("layer", "layer.trace",
                                                                  "layer.kind") ")";
    int64_t left_out = 0;
    bool done = true;

    for (size_t i = 0; done && left_out == 0 && filter->names[FILTER_LAYER].count == 0 && i < count;
         i++) {
        done = !layers_are_ambiguous(traces[i]) ||
               database_query_integer(database, sql, traces[i]->id, 0, &left_out, error);
    }
    filter->top_layer = left_out > 0;
    return done;
}

bool layers_write(struct temp_schema *temp, const struct filter *filter, struct error *error) {
    struct text sql = {0};
    bool done;

    text_append_string(&sql, "WITH layer AS MATERIALIZED (SELECT DISTINCT n.trace, n.kind"
                             " FROM temp.selection AS s CROSS JOIN main.name AS n"
                             " ON n.trace = s.trace WHERE n.kind <> 'error')"
                             " INSERT INTO temp.layer SELECT trace, kind, ");
    if (filter->top_layer) {
        text_append_string(&sql,
                           "NOT EXISTS (" LAYERS_ABOVE("layer", "layer.trace", "layer.kind") ")");
    } else {
        text_append_format(&sql, "kind IN (SELECT text FROM temp.filter_name WHERE by = %d)",
                           (int)FILTER_LAYER);
    }
    text_append_string(&sql, " FROM layer");
    done = temp_schema_table(temp, "layer", "(trace INTEGER, kind TEXT, taken INTEGER)", error) &&
           database_run(temp->database, text_string(&sql), error);
    text_free(&sql);
    return done;
}
