/* What makes traces hard to compare: how their logs were written, and what of them is missing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "compare/comparison.h"
#include "base/memory.h"

/* Records that were rejected or lost, of all: from here on they are worth a line. */
#define LOSS_SHARE 0.001

static bool add_shared_file(struct comparison *comparison, const struct catalog_trace *a,
                            const struct catalog_trace *b, struct error *error) {
    struct database *database = comparison->workspace->database;
    sqlite3_stmt *select = database_prepare(database,
                                            "SELECT a.name FROM source AS a"
                                            " JOIN source AS b ON b.hash = a.hash"
                                            " WHERE a.trace = ?1 AND b.trace = ?2 AND a.size > 0"
                                            " ORDER BY a.id LIMIT 1",
                                            error);
    bool row = false, done = select != NULL;

    if (done) {
        sqlite3_bind_int64(select, 1, a->id);
        sqlite3_bind_int64(select, 2, b->id);
        done = database_step(database, select, &row, error) &&
               (!row || remarks_add(&comparison->mismatches, error, "a and b share the file %s",
                                    (const char *)sqlite3_column_text(select, 0)));
    }
    sqlite3_finalize(select);
    return done;
}

/* Whether a trace has a file that some trace of the side may have, too: of thousands of traces each
 * with each would take long. */
static bool may_share(const struct comparison *comparison, const struct catalog_trace *trace,
                      const struct compare_side *side, bool *may, struct error *error) {
    int64_t shared = 0;
    bool done = database_integer(comparison->workspace->database,
                                 "SELECT EXISTS (SELECT 1 FROM source AS a JOIN source AS b"
                                 " ON b.hash = a.hash AND b.trace <> a.trace"
                                 " WHERE a.trace = ?1 AND a.size > 0)",
                                 trace->id, 0, &shared, error);

    *may = shared != 0;
    for (size_t i = 0; i < side->trace_count && !*may; i++) {
        *may = side->traces[i] == trace;
    }
    return done;
}

static bool add_shared_files(struct comparison *comparison, struct error *error) {
    const struct compare_side *a = &comparison->sides[SIDE_A], *b = &comparison->sides[SIDE_B];
    bool may = false, done = true;

    for (size_t i = 0; done && i < a->trace_count; i++) {
        done = may_share(comparison, a->traces[i], b, &may, error);
        for (size_t j = 0; done && may && j < b->trace_count; j++) {
            done = add_shared_file(comparison, a->traces[i], b->traces[j], error);
        }
    }
    return done;
}

/* Of the records of a side's traces, those that became no events. */
static double loss(const struct compare_side *side) {
    double lost = 0, all = 0;

    for (size_t i = 0; i < side->trace_count; i++) {
        const struct catalog_trace *trace = side->traces[i];

        lost += (double)trace->rejected + (double)trace->lost;
        all += (double)catalog_records(trace) + (double)trace->lost;
    }
    return compare_share(lost, all);
}

/* The reason of most of the rejected records of a side, owned; NULL: there are none. */
static bool find_reason(const struct comparison *comparison, enum side side, char **reason,
                        struct error *error) {
    struct database *database = comparison->workspace->database;
    const struct compare_side *one = &comparison->sides[side];
    int64_t most = 0;
    bool done = true;

    *reason = NULL;
    for (size_t i = 0; done && i < one->trace_count; i++) {
        sqlite3_stmt *select = database_prepare(database,
                                                "SELECT reason, sum(count) FROM ledger"
                                                " WHERE trace = ?1 AND outcome = 'rejected'"
                                                " GROUP BY reason ORDER BY 2 DESC, 1 LIMIT 1",
                                                error);
        bool row = false;

        done = select != NULL;
        if (done) {
            sqlite3_bind_int64(select, 1, one->traces[i]->id);
            done = database_step(database, select, &row, error);
        }
        if (done && row && sqlite3_column_int64(select, 1) > most) {
            most = sqlite3_column_int64(select, 1);
            free(*reason);
            *reason = xstrdup((const char *)sqlite3_column_text(select, 0));
            done = *reason != NULL || error_no_memory(error);
        }
        sqlite3_finalize(select);
    }
    return done;
}

/* Many of one side, or twice as many as of the other; of some in ten thousand it does not matter.
 */
static bool add_loss(struct comparison *comparison, struct error *error) {
    double a = loss(&comparison->sides[SIDE_A]), b = loss(&comparison->sides[SIDE_B]);
    double more = fmax(a, b), less = fmin(a, b);
    char *reason = NULL;
    bool done;

    if (more <= LOSS_SHARE && (more <= LOSS_SHARE / 10 || more <= 2 * less)) {
        return true;
    }
    done = find_reason(comparison, a >= b ? SIDE_A : SIDE_B, &reason, error) &&
           remarks_add(&comparison->mismatches, error,
                       "records rejected or lost: %.3g %% in a, %.3g %% in b%s%s; tracetool show "
                       "says why",
                       100 * a, 100 * b,
                       reason == NULL ? "" : ", most of them: ", reason == NULL ? "" : reason);
    free(reason);
    return done;
}

/* What importers say of a log whose records are not all of what happened. */
static bool add_gaps_of(struct comparison *comparison, enum side side,
                        const struct catalog_trace *trace, struct error *error) {
    struct database *database = comparison->workspace->database;
    sqlite3_stmt *select = database_prepare(
        database,
        "SELECT text FROM remark WHERE trace = ?1"
        " AND (text LIKE '%is lost%' OR text LIKE '%were lost%' OR text LIKE '%overwritten%'"
        " OR text LIKE '%maximum size%' OR text LIKE '%files of CPUs are missing%'"
        " OR text LIKE '%sampled%') ORDER BY number",
        error);
    bool row = true, done = select != NULL;

    if (done) {
        sqlite3_bind_int64(select, 1, trace->id);
    }
    while (done && row) {
        done = database_step(database, select, &row, error) &&
               (!row || remarks_add(&comparison->mismatches, error, "%s, trace %s: %s",
                                    side == SIDE_A ? "a" : "b", trace->name,
                                    (const char *)sqlite3_column_text(select, 0)));
    }
    sqlite3_finalize(select);
    return done;
}

static bool add_gaps(struct comparison *comparison, struct error *error) {
    for (enum side side = SIDE_A; side < SIDES; side++) {
        const struct compare_side *one = &comparison->sides[side];

        for (size_t i = 0; i < one->trace_count; i++) {
            if (!add_gaps_of(comparison, side, one->traces[i], error)) {
                return false;
            }
        }
    }
    return true;
}

/* A side's first trace, as a statement says it; owned. */
static char *describe(const struct comparison *comparison, enum side side, const char *sql,
                      struct error *error) {
    struct database *database = comparison->workspace->database;
    sqlite3_stmt *select = database_prepare(database, sql, error);
    char *text = NULL;
    bool row = false;

    if (select == NULL) {
        return NULL;
    }
    sqlite3_bind_int64(select, 1, comparison->sides[side].traces[0]->id);
    if (database_step(database, select, &row, error)) {
        const char *found = row ? (const char *)sqlite3_column_text(select, 0) : NULL;

        text = xstrdup(found == NULL ? "" : found);
    }
    sqlite3_finalize(select);
    return text;
}

/* Both sides were set up differently, by what a statement says of each. */
static bool add_difference(struct comparison *comparison, const char *what, const char *sql,
                           struct error *error) {
    char *a = describe(comparison, SIDE_A, sql, error);
    char *b = a == NULL ? NULL : describe(comparison, SIDE_B, sql, error);
    bool done = b != NULL;

    if (done && strcmp(a, b) != 0) {
        done = remarks_add(&comparison->mismatches, error, "%s: a %s; b %s", what,
                           a[0] == '\0' ? "has none" : a, b[0] == '\0' ? "has none" : b);
    }
    free(a);
    free(b);
    return done;
}

static bool add_formats(struct comparison *comparison, struct error *error) {
    const struct catalog_trace *a = comparison->sides[SIDE_A].traces[0];
    const struct catalog_trace *b = comparison->sides[SIDE_B].traces[0];

    return strcmp(a->format, b->format) == 0 ||
           remarks_add(&comparison->mismatches, error,
                       "the formats differ, %s and %s: what one of them does not log, or calls "
                       "otherwise, differs too",
                       a->format, b->format);
}

/* Of logs of one format; of two, all of it may differ. */
static bool add_variants(struct comparison *comparison, struct error *error) {
    const struct compare_side *sides = comparison->sides;

    return strcmp(sides[SIDE_A].traces[0]->format, sides[SIDE_B].traces[0]->format) != 0 ||
           add_difference(comparison, "the logs were written differently",
                          "SELECT variant FROM trace WHERE id = ?1", error);
}

/* Where rows are told apart by them, or a filter chooses by them. */
static bool add_partitions(struct comparison *comparison, struct error *error) {
    const struct compare_side *a = &comparison->sides[SIDE_A];

    return (!word_in(a->query->compare.key, "partition") &&
            !filter_has(&comparison->request->sides[SIDE_A].filter, FILTER_PARTITION)) ||
           add_difference(
               comparison, "partitions are configured differently",
               "SELECT group_concat(name || iif(device IS NULL, '', printf(' on %d:%d',"
               " device >> 20, device & 1048575)) || iif(first_sector IS NULL, '',"
               " printf(' from sector %d, %d sectors', first_sector, sectors)), ', ')"
               " FROM (SELECT * FROM partition WHERE trace = ?1 ORDER BY number LIMIT 20)",
               error);
}

bool compare_mismatches_of_logs(struct comparison *comparison, bool same, struct error *error) {
    return (same || add_shared_files(comparison, error)) && add_loss(comparison, error) &&
           add_gaps(comparison, error) && add_formats(comparison, error) &&
           add_variants(comparison, error) && add_partitions(comparison, error);
}
