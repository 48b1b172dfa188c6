#include "analysis/recount.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/words.h"
#include "model/tally.h"
#include "select/functions.h"

bool recount_register(struct database *database, const struct config *config, struct error *error) {
    return select_functions_register(database, config, error) && passes_register(database, error);
}

static bool run(struct recount *recount, const struct config *config, const char *names,
                struct error *error) {
    const struct passes passes = {
        .selection = &recount->selection,
        .config = config,
        .never_rollups = true,
    };
    struct wanted_analysis *wanted;
    size_t all = 0, count = 0;
    bool done;

    while (analyses[all] != NULL) {
        all++;
    }
    wanted = calloc(all, sizeof *wanted);
    for (size_t i = 0; wanted != NULL && i < all; i++) {
        if (word_in(names, analyses[i]->name)) {
            wanted[count].analysis = analyses[i];
            wanted_defaults(&wanted[count++]);
        }
    }
    done = wanted != NULL ? passes_run(&passes, wanted, count, error) : error_no_memory(error);
    free(wanted);
    return done;
}

/* Of the rows alone, or of columns where there are some. */
static bool open_recount(struct recount *recount, struct database *database,
                         const struct config *config, const struct catalog_trace *const *traces,
                         size_t count, const char *names, bool rows_only, struct error *error) {
    const struct selection_request request = {
        .traces = traces,
        .count = count,
        .all_actions = true,
    };

    *recount = (struct recount){0};
    scratch_init(&recount->scratch, database, 0);
    if (!selection_open(&recount->selection, &recount->scratch, &request, error)) {
        return false;
    }
    recount->selection.rows_only = rows_only;
    return run(recount, config, names, error);
}

bool recount_open(struct recount *recount, struct database *database, const struct config *config,
                  const struct catalog_trace *const *traces, size_t count, const char *names,
                  struct error *error) {
    return open_recount(recount, database, config, traces, count, names, false, error);
}

void recount_close(struct recount *recount) {
    selection_close(&recount->selection);
    if (recount->scratch.database != NULL) {
        scratch_free(&recount->scratch);
    }
}

/* Counts the events anew and compares with the rollup, both ways: names the traces that differ. */
static bool compare_rollup(struct database *database, enum tally_kind kind,
                           const struct store_report *report, struct error *error) {
    const struct tally_definition *definition = &tally_definitions[kind];
    sqlite3_stmt *compare;
    char sql[1024], what[128];
    bool row = true, done;

    snprintf(sql, sizeof sql,
             "WITH scanned AS (SELECT trace, %s, sum(count) AS count, sum(bytes) AS bytes"
             " FROM temp.tally_%s GROUP BY trace, %s),"
             " kept AS (SELECT trace, %s, count, bytes FROM main.rollup_%s"
             " WHERE trace IN (SELECT trace FROM temp.selection))"
             " SELECT name FROM main.trace WHERE id IN"
             " (SELECT trace FROM (SELECT * FROM scanned EXCEPT SELECT * FROM kept)"
             " UNION SELECT trace FROM (SELECT * FROM kept EXCEPT SELECT * FROM scanned))"
             " ORDER BY id",
             definition->columns, definition->name, definition->columns, definition->columns,
             definition->name);
    snprintf(what, sizeof what, "the rollup by %s does not agree with the events",
             definition->name);
    compare = database_prepare(database, sql, error);
    done = compare != NULL;
    while (done && row) {
        done = database_step(database, compare, &row, error);
        if (done && row) {
            report->found(report->context, (const char *)sqlite3_column_text(compare, 0), what);
        }
    }
    sqlite3_finalize(compare);
    return done;
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
    done = tallies.failed ? error_no_memory(error)
                          /* Also where columns are damaged the rows may be sound. */
                          : open_recount(&recount, database, config, traces, count,
                                         text_string(&tallies), true, error);
    for (unsigned kind = 0; done && kind < TALLY_KINDS; kind++) {
        if (word_in(text_string(&tallies), tally_definitions[kind].name)) {
            done = compare_rollup(database, (enum tally_kind)kind, report, error);
        }
    }
    recount_close(&recount);
    text_free(&tallies);
    return done;
}
