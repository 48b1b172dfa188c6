#include "select/selection_spans.h"

#include <string.h>

#include "base/words.h"
#include "analysis/scan.h"
#include "scan/span_walk.h"

bool spans_open(struct database *database, struct error *error) {
    return database_run(
        database,
        /* Two threads of one name are told apart by their numbers. */
        "CREATE TEMP VIEW thread AS SELECT id, tid, CASE WHEN name IS NULL"
        " THEN ifnull(CAST(tid AS TEXT), '') WHEN same > 1 THEN name || ' (' || tid || ')'"
        " ELSE name END AS label FROM (SELECT a.id, a.tid, a.name,"
        " count(*) OVER (PARTITION BY a.trace, a.name) AS same FROM temp.selection AS s"
        " CROSS JOIN main.actor AS a ON a.trace = s.trace);"
        "CREATE TEMP VIEW span_remark AS"
        " SELECT 'still open at the end, counted without a duration: ' || sum(count)"
        " || ' calls' AS text FROM temp.tally_depth WHERE marks & 4 HAVING count(*)"
        " UNION ALL SELECT 'without an exit of their own, ended with their callers: '"
        " || sum(count) || ' calls' FROM temp.tally_depth WHERE marks & 8 HAVING count(*)"
        " UNION ALL SELECT 'without an entry, not counted as calls: ' || sum(count)"
        " || ' exits' FROM temp.tally_depth WHERE marks & 2 HAVING count(*)",
        error);
}

bool spans_check_clock(const struct catalog_trace *trace, const struct selection_filter *filter,
                       struct error *error) {
    return filter->clock == NULL || word_in(trace->clocks, filter->clock) ||
           error_set(error, "trace %s has no %s clock; it has: %s", trace->name, filter->clock,
                     trace->clocks[0] == '\0' ? "none" : trace->clocks);
}

bool spans_second_clock(const struct catalog_trace *trace, const struct selection_filter *filter) {
    return filter->clock != NULL && strcmp(trace->clocks, "wall cpu") == 0 &&
           strcmp(filter->clock, "cpu") == 0;
}

/* The rows of the selection's time window, and those that have to pass before it: what is open when
 * it begins is beneath a function that was called earlier. */
static bool walk_range(struct database *database, const struct catalog_trace *trace,
                       const struct selection_filter *filter, struct span_walk_range *range,
                       struct error *error) {
    *range = (struct span_walk_range){.trace = trace->id};
    if (!database_integer(database, "SELECT first_event FROM temp.selection WHERE trace = ?1",
                          trace->id, 0, &range->chosen_from, error) ||
        !database_integer(database, "SELECT last_event FROM temp.selection WHERE trace = ?1",
                          trace->id, -1, &range->last, error)) {
        return false;
    }
    range->first = filter->under != NULL ? trace->first_event : range->chosen_from;
    return true;
}

bool spans_select_ranges(struct database *database, const struct catalog_trace *const *traces,
                         size_t count, const struct selection_filter *filter, struct error *error) {
    struct span_walk_range range;

    for (size_t i = 0; filter->under != NULL && i < count; i++) {
        if (!walk_range(database, traces[i], filter, &range, error) ||
            !scan_span_ranges(database, filter, &range, error)) {
            return false;
        }
    }
    return true;
}

bool spans_scan(struct database *database, const struct catalog_trace *const *traces, size_t count,
                const struct selection_filter *filter, struct error *error) {
    struct span_walk_range range;

    if (!database_run(database,
                      "CREATE TEMP TABLE scanned_span (trace, operation, actor, calls, timed,"
                      " total, sum, self, least, most, cpu_timed, cpu_total, cpu_sum, cpu_self,"
                      " cpu_least, cpu_most)",
                      error)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!walk_range(database, traces[i], filter, &range, error) ||
            !scan_span_times(database, filter, &range, error)) {
            return false;
        }
    }
    return true;
}

static bool all_have_rollup(const struct catalog_trace *const *traces, size_t count,
                            struct remarks *remarks, bool *all, struct error *error) {
    *all = true;
    for (size_t i = 0; i < count; i++) {
        if (word_in(traces[i]->rollups, "span")) {
            continue;
        }
        *all = false;
        if (!remarks_add(remarks, error,
                         "trace %s: the rollup by function and thread grew beyond %d rows: events "
                         "were scanned",
                         traces[i]->name, TALLY_ROWS)) {
            return false;
        }
    }
    return true;
}

/* The times of the chosen clock, out of the rollup or by scanning. */
static bool select_times(struct database *database, const struct catalog_trace *const *traces,
                         size_t count, const struct selection_filter *filter,
                         struct remarks *remarks, struct error *error) {
    bool rollup = !selection_narrows(filter);

    if (rollup && !all_have_rollup(traces, count, remarks, &rollup, error)) {
        return false;
    }
    if (!rollup) {
        return spans_scan(database, traces, count, filter, error) &&
               database_run(database,
                            "CREATE TEMP VIEW tally_span AS SELECT trace, operation, actor, calls,"
                            " timed, total, sum, self, least, most FROM temp.scanned_span",
                            error);
    }
    return database_run(
        database,
        filter->cpu_beside
            ? "CREATE TEMP VIEW tally_span AS SELECT r.trace, r.operation, r.actor, r.calls,"
              " r.cpu_timed AS timed, r.cpu_total AS total, r.cpu_sum AS sum, r.cpu_self AS self,"
              " r.cpu_least AS least, r.cpu_most AS most FROM temp.selection AS s"
              " CROSS JOIN main.rollup_span AS r WHERE r.trace = s.trace"
            : "CREATE TEMP VIEW tally_span AS SELECT r.trace, r.operation, r.actor, r.calls,"
              " r.timed, r.total, r.sum, r.self, r.least, r.most FROM temp.selection AS s"
              " CROSS JOIN main.rollup_span AS r WHERE r.trace = s.trace",
        error);
}

/* Over several traces, functions of one name are one. */
static bool merge_operations(struct database *database, struct error *error) {
    return database_run(database,
                        "INSERT INTO temp.merged_operation SELECT n.id,"
                        " min(n.id) OVER (PARTITION BY n.kind, n.text, n.code)"
                        " FROM temp.selection AS s CROSS JOIN main.name AS n"
                        " ON n.trace = s.trace",
                        error);
}

static bool select_tree(struct database *database, const struct catalog_trace *const *traces,
                        size_t count, const struct selection_filter *filter, struct error *error) {
    struct span_tree *tree = span_tree_new();
    struct span_walk_range range;
    bool done = tree != NULL || error_no_memory(error);

    for (size_t i = 0; done && i < count; i++) {
        done = walk_range(database, traces[i], filter, &range, error) &&
               span_tree_scan(tree, database, filter, &range, count > 1, error);
    }
    done = done && span_tree_write(tree, database, error);
    span_tree_free(tree);
    return done;
}

/* --min-time in units of the trace's clock. */
static bool least_duration(const struct catalog_trace *trace, const struct selection_filter *filter,
                           int64_t *least, struct error *error) {
    const struct time_bound *bound = &filter->min_time;

    *least = bound->kind == TIME_NOT_GIVEN ? 0
             : catalog_real_clock(trace)   ? bound->time
                                           : bound->plain;
    return *least >= 0 ||
           error_set(error, "trace %s counts in %s: give --min-time as a whole number of these",
                     trace->name, trace->clock_unit);
}

static bool select_hotspots(struct database *database, const struct config *config,
                            const struct catalog_trace *const *traces, size_t count,
                            const struct selection_filter *filter, struct error *error) {
    struct span_walk_range range;

    if (selection_by_operation(filter)) {
        return error_set_status(error, EXIT_USAGE,
                                "hotspots does not take --op and --component: --within, --root and "
                                "--resolution choose");
    }
    for (size_t i = 0; i < count; i++) {
        struct selection_filter chosen = *filter;

        if (!least_duration(traces[i], filter, &chosen.least_duration, error) ||
            !walk_range(database, traces[i], filter, &range, error) ||
            !scan_hotspots(database, config, &chosen, &range, error)) {
            return false;
        }
    }
    return true;
}

bool spans_select(struct database *database, const struct config *config,
                  const struct catalog_trace *const *traces, size_t count,
                  const struct selection_filter *filter, const struct query *query,
                  struct remarks *remarks, struct error *error) {
    return (count == 1 || traces[0]->kind != TRACE_SPANS || merge_operations(database, error)) &&
           (!query->reads_spans || select_times(database, traces, count, filter, remarks, error)) &&
           (!query->reads_tree || select_tree(database, traces, count, filter, error)) &&
           (!query->reads_hotspots ||
            select_hotspots(database, config, traces, count, filter, error));
}
