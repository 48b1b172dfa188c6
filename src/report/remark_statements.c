/* SQL statements that return `#` lines of a result. */
#include "report/prepare.h"

#include <string.h>

#include "model/tally.h"

/* A remark for each trace with lost events that begins before the events of all CPUs are complete
 * (losses_complete_since() in import/losses.h). It gives the option --from that excludes this
 * beginning, with the time rounded up. */

/* SQL: first event of each CPU in traces whose ring buffers were overwritten. A CPU is busy if it
 * has at least a quarter of the busiest CPU's events; a late start of other CPUs means nothing. */
#define CPUS                                                                                       \
    "WITH cpus AS (SELECT s.place, s.trace, s.first_event, l.cpu, l.first,"                        \
    " l.events >= (max(l.events) OVER (PARTITION BY l.trace) + 3) / 4 AS is_busy"                  \
    " FROM temp.selection AS s CROSS JOIN main.loss AS l ON l.trace = s.trace AND l.cpu >= 0"      \
    " AND l.events > 0"                                                                            \
    " WHERE (SELECT max(overwritten) FROM main.loss WHERE trace = s.trace) > 0)"

/* SQL: the time from which on the log has the events of all busy CPUs, for each selection that
 * begins before that time. */
#define BEGINS                                                                                     \
    ", begins AS (SELECT place, trace, max(first) AS since,"                                       \
    " (SELECT clock_unit = 'ns' FROM main.trace WHERE id = cpus.trace) AS is_real"                 \
    " FROM cpus WHERE is_busy GROUP BY place"                                                      \
    " HAVING (SELECT time FROM main.event WHERE id = first_event) < max(first))"

/* SQL: the time as a value of --from, rounded up to ms if it is 0.1 s or more, else to µs. */
#define TYPED                                                                                      \
    ", typed AS (SELECT place, trace, is_real, CASE WHEN NOT is_real THEN CAST(since AS TEXT)"     \
    " WHEN since >= 100000000 THEN printf('%d.%03d', (since + 999999) / 1000000000,"               \
    " (since + 999999) / 1000000 % 1000)"                                                          \
    " ELSE printf('%d.%06d', (since + 999) / 1000000000, (since + 999) / 1000 % 1000000) END"      \
    " AS time, (SELECT iif(count(*) = 1, 'only CPU ' || min(cpu) || '''s events are there',"       \
    " 'the events of some CPUs are missing') FROM cpus WHERE cpus.place = begins.place"            \
    " AND cpus.first < since) AS what FROM begins)"

static const char overrun_remark[] =
    CPUS BEGINS TYPED " SELECT iif((SELECT count(*) FROM temp.selection) > 1, (SELECT name"
                      " FROM main.trace WHERE id = typed.trace) || ': ', '') || 'before ' || time"
                      " || iif(is_real, ' s ', ' ') || what || ': --from ' || time"
                      " || iif(is_real, 's', '') FROM typed ORDER BY place";

/* SQL of a remark: how surely the annotation `map` has found the file of each I/O's blocks. */
static const char map_remark[] =
    "SELECT printf('files by block, whole traces: %s certain, %d by the journal, %d likely,"
    " %d unmapped', counted(sum(m.proven), 'I/O{s}'), sum(m.journal), sum(m.likely), "
    "sum(m.unmapped))"
    " FROM temp.selection AS s CROSS JOIN main.map AS m ON m.trace = s.trace"
    " HAVING count(*) > 0";

/* SQL of a remark on counts by file, if some I/Os cover blocks of several files. */
static const char parts_remark[] =
    "SELECT printf('on several files: %d of these, each counted for the file with most of its"
    " blocks; bytes are divided', sum(m.several))"
    " FROM temp.selection AS s CROSS JOIN main.map AS m ON m.trace = s.trace"
    " HAVING sum(m.several) > 0";

/* SQL of a remark on reports by file that count all bytes of an I/O on several files for one of
 * them, such as reports over time or of sequences. */
static const char whole_remark[] =
    "SELECT 'on several files, whole traces: ' || counted(sum(m.several), 'I/O{s}, each counted "
    "for the"
    " file with most of its blocks, with all bytes and its time')"
    " FROM temp.selection AS s CROSS JOIN main.map AS m ON m.trace = s.trace"
    " HAVING sum(m.several) > 0";

/* SQL of a remark that repeats those import remarks that affect what the numbers mean: an
 * implausibly long log (importers/strace.c), logs of a directory as one trace (import/finish.c),
 * and I/Os without completion (importers/declared.c). */
static const char imported_remark[] =
    "SELECT iif((SELECT count(*) FROM temp.selection) > 1, t.name || ': ', '') || r.text"
    " || iif(r.text LIKE '% request% ha% no response time',"
    " '; not completed, not counted', '')"
    " FROM temp.selection AS s CROSS JOIN main.remark AS r ON r.trace = s.trace"
    " CROSS JOIN main.trace AS t ON t.id = s.trace"
    " WHERE r.text LIKE 'the log lasts % days, which is long for %'"
    " OR r.text LIKE '% files of the folder are one trace; %'"
    " OR (r.text LIKE '% request% ha% no response time'"
    " AND (SELECT n.text FROM main.name AS n WHERE n.id = s.action) = 'C')"
    " ORDER BY s.place, r.number";

/* Returns true if a column has bytes (by its kind or name), or may have values of any kind. */
static bool shows_bytes(const struct query *query) {
    bool some = false;

    for (size_t i = 0; i < query->column_count; i++) {
        const struct column *column = &query->columns[i].column;

        some |= column->kind == COLUMN_BYTES || column->kind == COLUMN_ANY ||
                strncmp(column->name, "bytes", strlen("bytes")) == 0;
    }
    return some;
}

/* Returns whether the bytes of an I/O on several files are divided among them, because rows are
 * files or files are filtered. A report's bytes come from its first analysis. */
static bool divides_io_bytes(const struct query *query, const struct selection *selection) {
    enum tally_kind kind =
        query->wanted_count == 0 ? TALLY_KINDS : tally_find(query->wanted[0].analysis->name);

    return kind != TALLY_KINDS && shows_bytes(query) &&
           (tally_by_file(&tally_definitions[kind]) || filter_applies_per_file(&selection->filter));
}

/* Returns whether the report is about files, but counts all bytes of an I/O for one file. */
static bool takes_whole(const struct query *query, const struct report_request *request,
                        const struct selection *selection) {
    const struct report_option *by = request_option(request, "by");

    return shows_bytes(query) && !divides_io_bytes(query, selection) &&
           (filter_applies_per_file(&selection->filter) ||
            (by != NULL && strcmp(by->value, "file") == 0));
}

size_t remark_find_statements(const struct query *query, const struct report_request *request,
                              const struct selection *selection,
                              struct query_remark statements[REMARK_STATEMENTS]) {
    size_t count = 0;

    statements[count++] = (struct query_remark){overrun_remark, REMARK_LOSS};
    for (size_t i = 0; i < query->remark_count; i++) {
        statements[count++] = query->remarks[i];
    }
    statements[count++] = (struct query_remark){imported_remark, REMARK_PLAIN};
    if (selection->traces[0].trace->kind != TRACE_IO) {
        return count;
    }
    if (takes_whole(query, request, selection)) {
        statements[count++] = (struct query_remark){whole_remark, REMARK_EXCLUDED};
    }
    statements[count++] = (struct query_remark){map_remark, REMARK_PLAIN};
    if (divides_io_bytes(query, selection)) {
        statements[count++] = (struct query_remark){parts_remark, REMARK_EXCLUDED};
    }
    return count;
}

void remark_append_row_check(const struct query *query, struct text *sql) {
    for (size_t i = 0; i < query->wanted_count; i++) {
        const struct analysis *analysis = query->wanted[i].analysis;

        if (analysis->pass != PASS_NONE && !analysis->leaves_out) {
            text_append_format(sql, "%s SELECT 1 FROM temp.%s",
                               sql->length == 0 ? "" : " UNION ALL", analysis->tables[0].name);
        }
    }
    if (query->reads_events) {
        text_append_format(sql, "%s SELECT 1 FROM temp.selected_event",
                           sql->length == 0 ? "" : " UNION ALL");
    }
    if (sql->length > 0) {
        text_append_string(sql, " LIMIT 1");
    }
}
