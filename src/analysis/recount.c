#include "analysis/recount.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/words.h"
#include "model/tally.h"
#include "select/functions.h"
#include "store/rollup_tables.h"
#include "base/memory.h"

bool recount_register(struct database *database, const struct config *config, struct error *error) {
    return select_functions_register(database, config, error) && passes_register(database, error);
}

static bool recount_run(struct recount *recount, const struct config *config, const char *names,
                        struct error *error) {
    const struct passes passes = {
        .selection = &recount->selection,
        .config = config,
        .rollups = ROLLUPS_NEVER,
    };
    struct requested_analysis *wanted;
    size_t all = 0, count = 0;
    bool done;

    while (analyses[all] != NULL) {
        all++;
    }
    wanted = xcalloc(all, sizeof *wanted);
    for (size_t i = 0; i < all; i++) {
        if (word_in(names, analyses[i]->name)) {
            wanted[count].analysis = analyses[i];
            requested_analysis_set_defaults(&wanted[count++]);
        }
    }
    done = passes_run(&passes, wanted, count, error);
    free(wanted);
    return done;
}

bool recount_open(struct recount *recount, struct database *database, const struct config *config,
                  const struct catalog_trace *const *traces, size_t count, const char *names,
                  enum event_source events, struct error *error) {
    const struct selection_request request = {
        .traces = traces,
        .count = count,
        .all_actions = true,
        .events = events,
    };

    *recount = (struct recount){0};
    recount->temp.database = database;
    return selection_open(&recount->selection, &recount->temp, &request, error) &&
           recount_run(recount, config, names, error);
}

void recount_close(struct recount *recount) {
    selection_close(&recount->selection);
    temp_schema_free(&recount->temp);
}

/* Reports all traces that an SQL statement returns as damaged; `what` is the damaged part. */
static bool report_traces(struct database *database, const char *sql, const char *what,
                          const struct store_report *report, struct error *error) {
    struct database_query query = database_query(database, error, sql, "");

    while (database_next(&query)) {
        store_report_derived(report, (const char *)sqlite3_column_text(query.row, 0), what);
    }
    return database_end(&query);
}

#define DIFFERENT                                                                                  \
    " SELECT name FROM main.trace WHERE id IN"                                                     \
    " (SELECT trace FROM (SELECT * FROM scanned EXCEPT SELECT * FROM kept)"                        \
    " UNION SELECT trace FROM (SELECT * FROM kept EXCEPT SELECT * FROM scanned)) ORDER BY id"

/* SQL that returns whether the tables `scanned` and `kept` differ in any row. This takes a third of
 * the time of DIFFERENT, which names the traces, and usually there is no difference. */
#define UNLIKE                                                                                     \
    " SELECT EXISTS (SELECT 1 FROM (SELECT *, 1 AS times FROM scanned UNION ALL"                   \
    " SELECT *, -1 FROM kept) GROUP BY %s HAVING sum(times) <> 0)"

/* Reports the traces for which `scanned`, the counts of events, and `kept`, the rollup, differ. The
 * WITH clause `tables` defines both; both have the columns `columns`. */
static bool compare_tables(struct database *database, const char *tables, const char *columns,
                           const char *what, const struct store_report *report,
                           struct error *error) {
    struct text sql = {0};
    int64_t unlike = 0;
    bool done;

    text_append_format(&sql, "%s" UNLIKE, tables, columns);
    done = database_query_integer(database, text_string(&sql), 0, 0, &unlike, error);
    text_clear(&sql);
    if (done && unlike != 0) {
        text_append_format(&sql, "%s" DIFFERENT, tables);
        done = report_traces(database, text_string(&sql), what, report, error);
    }
    text_free(&sql);
    return done;
}

/* Compares temp.tally_NAME, counted from events, with its rollup, and reports differing traces. */
static bool compare_rollup(struct database *database, enum tally_kind kind,
                           const struct store_report *report, struct error *error) {
    const struct tally_definition *definition = &tally_definitions[kind];
    char tables[768], columns[256], what[128];

    snprintf(tables, sizeof tables,
             "WITH scanned AS (SELECT trace, %s, sum(count) AS count, sum(bytes) AS bytes"
             " FROM temp.tally_%s GROUP BY trace, %s),"
             " kept AS (SELECT trace, %s, count, bytes FROM main.rollup_%s"
             " WHERE trace IN (SELECT trace FROM temp.selection))",
             definition->columns, definition->name, definition->columns, definition->columns,
             definition->name);
    snprintf(columns, sizeof columns, "trace, %s, count, bytes", definition->columns);
    snprintf(what, sizeof what, "the rollup by %s does not agree with the events",
             definition->name);
    return compare_tables(database, tables, columns, what, report, error);
}

/* --- call times by function and thread -------------------------------------------------------- */

/* SQL for the sums of durations that the import stores. `of`: alias of table event, or of the table
 * with the events' times by the second clock (CPU time). NULL if no event has a duration. */
#define ROW_TIMES(of)                                                                              \
    "count(" of ".duration), sum_time(" of ".duration * NOT ifnull(span_flag(e.flags,"             \
    " 'recursive'), 0)), sum_time(" of ".duration), sum_time(ifnull(" of ".self, " of              \
    ".duration)), min(" of ".duration), max(" of ".duration)"
#define WALL_TIMES ROW_TIMES("e")
#define CPU_TIMES  ROW_TIMES("c")

/* SQL for sums by function and thread. NULL is replaced by 0, as the two count as equal. */
#define SUMS(timed, total, sum, self, least, most)                                                 \
    "ifnull(sum(" timed "), 0), ifnull(sum_time(" total "), 0), ifnull(sum_time(" sum "), 0),"     \
    " ifnull(sum_time(" self "), 0), ifnull(min(" least "), 0), ifnull(max(" most "), 0)"

/* SQL that compares the call times in the rollup with those counted again. First clock: by a walk
 * over all calls, including calls that are open at the end of the log. Second clock (CPU time): by
 * summing the times of events. */
static const char *const span_differences[] = {
    "WITH kept AS (SELECT trace, operation, actor, sum(calls),"
    " " SUMS("timed", "total", "sum", "self", "least",
             "most") " FROM (%s UNION ALL %s)"
                     " GROUP BY 1, 2, 3), scanned AS (SELECT trace, operation, actor, sum(calls),"
                     " " SUMS("timed", "total", "sum", "self", "least",
                              "most") " FROM temp.tally_span"
                                      " GROUP BY 1, 2, 3)" DIFFERENT,
    "WITH kept AS (SELECT r.trace, r.operation, r.actor, r.cpu_timed, r.cpu_total, r.cpu_sum,"
    " r.cpu_self, r.cpu_least, r.cpu_most FROM temp.selection AS s CROSS JOIN main.rollup_span AS r"
    " ON r.trace = s.trace WHERE r.cpu_timed <> 0), scanned AS (SELECT s.trace, e.operation,"
    " e.actor, " CPU_TIMES " FROM temp.selection AS s CROSS JOIN main.cpu_time AS c"
    " ON c.event BETWEEN s.first_event AND s.last_event"
    " CROSS JOIN main.event AS e ON e.id = c.event"
    " GROUP BY 1, 2, 3)" DIFFERENT,
};

static bool compare_spans(struct database *database, const struct store_report *report,
                          struct error *error) {
    static const char *const what[] = {
        "the rollup by function and thread does not agree with the events",
        "the rollup by function and thread does not agree with the CPU times",
    };
    const struct analysis *analysis = analysis_find(SPAN_ROLLUP);

    for (size_t i = 0; i < sizeof what / sizeof what[0]; i++) {
        struct text sql = {0};
        bool done;

        if (i == 0) {
            text_append_format(&sql, span_differences[i], analysis->rollup_rows,
                               analysis->rollup_open);
        } else {
            text_append_string(&sql, span_differences[i]);
        }
        done = report_traces(database, text_string(&sql), what[i], report, error);
        text_free(&sql);
        if (!done) {
            return false;
        }
    }
    return true;
}

bool recount_spans(struct database *database, const struct catalog_trace *trace,
                   struct error *error) {
    return database_run_bound(database, error, "DELETE FROM main.rollup_span WHERE trace = ?1", "i",
                              trace->id) &&
           database_run_bound(database, error,
                              "INSERT INTO main.rollup_span SELECT ?1, ifnull(e.operation, 0),"
                              " ifnull(e.actor, 0), count(*), " WALL_TIMES ", " CPU_TIMES
                              " FROM main.event AS e LEFT JOIN main.cpu_time AS c ON c.event = e.id"
                              " WHERE e.id BETWEEN ?2 AND ?3"
                              " AND NOT ifnull(span_flag(e.flags, 'data'), 0)"
                              " AND NOT ifnull(span_flag(e.flags, 'stray exit'), 0)"
                              " GROUP BY 2, 3",
                              "iii", trace->id, trace->first_event, trace->last_event);
}

/* --- rollups of calls and of latencies -------------------------------------------------------- */

static bool recount_latencies(struct database *database, const struct catalog_trace *trace,
                              struct error *error) {
    const struct column_range range = {trace->id, trace->first_event, trace->last_event};

    return latency_rollup_recount(database, &range, trace->kind == TRACE_CALLS, error);
}

static bool recount_calls(struct database *database, const struct catalog_trace *trace,
                          struct error *error) {
    const struct column_range range = {trace->id, trace->first_event, trace->last_event};

    return call_rollup_recount(database, &range, error);
}

static const struct {
    const char *name, *columns;
    bool (*count)(struct database *database, const struct catalog_trace *trace,
                  struct error *error); /* counts a trace's events again, into temp.recount_NAME */
} made_of_events[] = {
    {LATENCY_ROLLUP, LATENCY_ROLLUP_COLUMNS, recount_latencies},
    {CALL_ROLLUP, CALL_ROLLUP_COLUMNS, recount_calls},
};

/* Compares a rollup with a recount of the events, for all traces that have the rollup. */
static bool compare_made(struct recount *recount, size_t number, const struct store_report *report,
                         struct error *error) {
    const struct selection *selection = &recount->selection;
    const char *name = made_of_events[number].name, *columns = made_of_events[number].columns;
    char table[64], tables[512], all[256], what[128];
    bool done;

    snprintf(table, sizeof table, "recount_%s", name);
    snprintf(all, sizeof all, "trace, %s", columns);
    snprintf(tables, sizeof tables, "(%s)", all);
    done = temp_schema_table(&recount->temp, table, tables, error);
    for (size_t i = 0; done && i < selection->count; i++) {
        done = made_of_events[number].count(selection->database, selection->traces[i].trace, error);
    }
    snprintf(tables, sizeof tables,
             "WITH scanned AS (SELECT * FROM temp.%s), kept AS (SELECT %s FROM main.rollup_%s"
             " WHERE trace IN (SELECT trace FROM temp.selection))",
             table, all, name);
    snprintf(what, sizeof what, "the rollup by %s does not agree with the events", name);
    return done && compare_tables(selection->database, tables, all, what, report, error);
}

bool recount_compare(struct database *database, const struct config *config,
                     const struct catalog_trace *const *traces, size_t count,
                     const struct store_report *report, struct error *error) {
    struct text tallies = {0};
    struct recount recount = {0};
    bool done;

    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        if (word_in(traces[0]->rollups, tally_definitions[kind].name)) {
            text_append_format(&tallies, "%s ", tally_definitions[kind].name);
        }
    }
    if (word_in(traces[0]->rollups, SPAN_ROLLUP)) {
        text_append_string(&tallies, SPAN_ROLLUP);
    }
    /* Reads the rows of table event; they may be valid even if their copy by columns is damaged. */
    done = recount_open(&recount, database, config, traces, count, text_string(&tallies),
                        EVENTS_FROM_ROWS, error);
    for (unsigned kind = 0; done && kind < TALLY_KINDS; kind++) {
        if (word_in(text_string(&tallies), tally_definitions[kind].name)) {
            done = compare_rollup(database, (enum tally_kind)kind, report, error);
        }
    }
    done = done &&
           (!word_in(text_string(&tallies), SPAN_ROLLUP) || compare_spans(database, report, error));
    for (size_t i = 0; done && i < sizeof made_of_events / sizeof made_of_events[0]; i++) {
        done = !word_in(traces[0]->rollups, made_of_events[i].name) ||
               compare_made(&recount, i, report, error);
    }
    recount_close(&recount);
    text_free(&tallies);
    return done;
}
