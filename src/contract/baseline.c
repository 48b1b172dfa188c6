#include "contract/baseline.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/words.h"
#include "model/linux.h"

static const char head[] = "# tracetool baseline 1";

/* First and last line of a baseline file. A file with the first but not the last is cut off. */
static const char ends[] = "# the last line is: # end", end_line[] = "# end";

/* Limits of lines for single calls, single files, and directories. Most logs get about 30 lines. */
#define CALLS_ALONE "8"
#define FILES_ALONE "5"
#define FOLDERS     "8"

static const char rule[] =
    "# each by itself: the " CALLS_ALONE " most frequent calls, all syncs, the " FILES_ALONE
    " files written or with most bytes (files only read: their folder)\n"
    "# together: other calls by eight, other files by top folder\n";

/* How many reads a pipe or socket takes depends on the scheduling of its writer and reader. */
static const char rule_of_streams[] =
    "# reads are counted on files alone: how many a pipe or socket takes varies from run to run\n";

/* Reads a line of a baseline file, without the newline. Returns false at the end of the file. */
static bool baseline_line(FILE *file, char *line, int size) {
    const bool done = fgets(line, size, file) != NULL;

    line[done ? strcspn(line, "\r\n") : 0] = '\0';
    return done;
}

bool is_baseline(const char *path) {
    FILE *file = file_is_special(path) ? NULL : file_open_stream(path);
    char line[sizeof head + 1];
    const bool is =
        file != NULL && baseline_line(file, line, sizeof line) && strcmp(line, head) == 0;

    if (file != NULL) {
        fclose(file);
    }
    return is;
}

/* Adds the conditions of a line: REPORT(ROW) COLUMN <= 3, COLUMN <= 4, or one condition. */
static bool baseline_add_line(struct contracts *contracts, char *line, size_t number,
                              struct error *error) {
    char *after = NULL;
    bool done = true;

    for (char *at = line; (at = strstr(at, ") ")) != NULL; at++) {
        after = at;
    }
    if (*line == '#' || *line == '\0') {
        return true;
    }
    if (after == NULL || strchr("<>=!", after[2]) != NULL) {
        return contracts_add(contracts, line, number, error);
    }
    *++after = '\0';
    for (char *next = after + 1, *end; done && next != NULL; next = end) {
        char *text;

        end = strstr(next, ", ");
        text = xasprintf("%s.%.*s", line, (int)(end == NULL ? strlen(next) : (size_t)(end - next)),
                         next);
        done = contracts_add(contracts, text, number, error);
        free(text);
        end = end == NULL ? NULL : end + 2;
    }
    return done;
}

bool baseline_read(struct contracts *contracts, const char *path, struct error *error) {
    FILE *file = file_open_stream(path);
    char line[16384]; /* for the longest path, whose characters may be doubled */
    const size_t before = contracts->count;
    bool done = true, is_cut = false;

    if (file == NULL) {
        return error_set(error, "%s: cannot open: %s", path, file_strerror(errno));
    }
    contracts->file = path;
    for (size_t number = 1; done && baseline_line(file, line, sizeof line); number++) {
        is_cut = strcmp(line, ends) == 0 || (is_cut && strcmp(line, end_line) != 0);
        done = baseline_add_line(contracts, line, number, error) ||
               error_context(error, "%s:%zu", path, number);
    }
    contracts->file = NULL;
    fclose(file);
    if (done && is_cut) {
        return error_usage(error, "%s: the baseline is cut off: its last line is not '%s'", path,
                           end_line);
    }
    return done && (contracts->count > before ||
                    error_usage(error, "%s: the baseline has no lines but comments", path));
}

/* --- making baselines ------------------------------------------------------------------------- */

/* System calls whose number varies between runs: waiting, receiving, memory management. PASSING:
 * errors of interruptions. The number of receiving calls depends on when bytes arrive. rt_sigreturn
 * returns the result of the call that a signal interrupted. */
#define VARYING                                                                                    \
    "brk, clock_gettime, clock_nanosleep, epoll_pwait, epoll_wait, futex, gettimeofday, madvise, " \
    "mmap, mprotect, munmap, nanosleep, poll, ppoll, pselect6, recv, recvfrom, recvmmsg, "         \
    "recvmsg, restart_syscall, rt_sigreturn, sched_yield, select, wait4, waitid"
#define PASSING     "EAGAIN, EINTR, ERESTARTNOHAND, ERESTARTNOINTR, ERESTARTSYS, ERESTART_RESTARTBLOCK"
#define NOT_VARYING "instr(' " VARYING ",', ' ' || name || ',') = 0"
#define NOT_PASSING "instr(' " PASSING ",', ' ' || error || ',') = 0"

/* Limit of lines in a baseline, since each adds an OR to the query that finds new names. */
#define LINES 500

/* A section of a baseline: `sql` returns names of figures from the report's rows, to which bounds
 * are appended; the lines `always` are fixed. */
static const struct part {
    const char *report, *by, *columns, *sql, *always;
    bool is_time; /* true: the figures are times, written only with --allow-times */
} parts[] = {
    /* A line for each sync call, and for each of the most frequent calls. All others share lines,
       eight calls each. */
    {"popularity", NULL, "",
     "WITH ranked AS (SELECT name, row_number() OVER (ORDER BY count DESC, name) <= " CALLS_ALONE
     " OR does_sync(name) AS is_alone, only_files(name) AS filter FROM rows WHERE " NOT_VARYING "),"
     " parted AS (SELECT name, filter, iif(is_alone, name, (row_number() OVER (PARTITION BY"
     " is_alone, filter ORDER BY name) - 1) / 8) AS part FROM ranked ORDER BY name)"
     " SELECT 'calls(' || group_concat(quoted(name), ', ') || filter || ')' FROM parted"
     " GROUP BY part, filter ORDER BY 1",
     "calls(" VARYING ") >= 0\ncalls.new == 0\n", false},
    {"errors", "process", "",
     "WITH named AS (SELECT DISTINCT name, error FROM rows WHERE error IS NOT NULL"
     " AND name NOT IN ('futex', 'rt_sigreturn') AND " NOT_PASSING "),"
     " parted AS (SELECT name, error, (row_number() OVER (PARTITION BY error ORDER BY name) - 1)"
     " / 8 AS part FROM named ORDER BY name)"
     " SELECT 'errors(' || group_concat(quoted(name), ', ') || ', ' || quoted(error) || ')'"
     " FROM parted GROUP BY error, part ORDER BY error, part",
     "errors(" PASSING ") >= 0\nerrors(futex, rt_sigreturn) >= 0\nerrors.new == 0\n", false},
    /* Files that are only read are replaced by their directory. All but the first FILES_ALONE files
       are grouped by top directory, and if there are over FOLDERS of these, in one line. */
    {"files", NULL, "opens bytes_read bytes_written fsyncs",
     "WITH named AS (SELECT lasting(iif(bytes_written + fsyncs = 0 AND substr(file, 2) GLOB '*/*',"
     " rtrim(file, replace(file, '/', '')) || '*', file)) AS pattern, bytes,"
     " bytes_written + fsyncs > 0 AS writes FROM rows"
     " WHERE file IS NOT NULL),"
     " ranked AS (SELECT pattern, instr(substr(pattern, 2), '/') AS slash,"
     " row_number() OVER (ORDER BY max(writes) DESC, sum(bytes) DESC, pattern) AS rank FROM named"
     " GROUP BY pattern),"
     " parted AS (SELECT pattern, rank, iif(slash, substr(pattern, 1, slash + 1) || '*', pattern)"
     " AS folder FROM ranked)"
     " SELECT DISTINCT 'files(' || quoted(iif(rank <= " FILES_ALONE ", pattern,"
     " iif(dense_rank() OVER (ORDER BY folder) <= " FOLDERS
     ", folder, '*'))) || ')' FROM parted ORDER BY 1",
     "files.new == 0\n", false},
    {"percentiles", NULL, "",
     "WITH ranked AS (SELECT name, row_number() OVER (ORDER BY count DESC, name) <= " CALLS_ALONE
     " OR does_sync(name) AS is_alone FROM rows WHERE " NOT_VARYING ")"
     " SELECT 'p50(' || quoted(name) || ')' FROM ranked WHERE is_alone ORDER BY name",
     "", true},
};

/* SQL function quoted(name): returns a name as it is written in a figure. Plain words stay; other
 * names are quoted, and so are words that begin with E, unless they are known errors. If a name has
 * bytes that must be escaped, such as control characters and text directions, each byte that is not
 * printable ASCII becomes `*`. */
static void sql_quoted_name(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *name = (const char *)sqlite3_value_text(values[0]);
    const bool is_word = name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789_")] == '\0' &&
                         (*name != 'E' || linux_error_number(word_of(name)) != EVENT_NONE);
    struct text safe = {0}, text = {0};
    bool is_safe;

    text_append_escaped(&safe, name, strlen(name));
    text_escape_bidi(&safe);
    is_safe = strcmp(text_string(&safe), name) == 0;
    text_append_string(&text, is_word ? "" : "\"");
    for (const char *at = name; *at != '\0'; at++) {
        text_append_char(&text, is_safe || (*at >= ' ' && *at <= '~') ? *at : '*');
        text_append_string(&text, *at == '"' ? "\"" : "");
    }
    text_append_string(&text, is_word ? "" : "\"");
    sqlite3_result_text(context, text_string(&text), (int)text.length, SQLITE_TRANSIENT);
    text_free(&safe);
    text_free(&text);
}

static void does_sync(sqlite3_context *context, int count, sqlite3_value **values) {
    sqlite3_result_int(context,
                       call_does((const char *)sqlite3_value_text(values[0])) == CALL_SYNCS);
}

struct baseline {
    struct measures measures;
    struct contracts *contracts; /* borrowed; receives all contracts made from the bounds */
    size_t trace, line_count;
    int64_t slack;
    bool has_streams; /* true: the log has both files, and pipes or sockets */
    struct text *out;
};

/* SQL function only_files(call): returns the filter for a figure on a call. Of calls that read,
 * only reads of files are counted if the log also has pipes or sockets. */
static void only_files(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct baseline *baseline = sqlite3_user_data(context);
    const char *name = (const char *)sqlite3_value_text(values[0]);
    const enum call_does does = call_does(name);
    const bool reads = (does == CALL_READS && *name != 'p') || /* pread reads no pipes or sockets */
                       does == CALL_COPIES;

    sqlite3_result_text(context, reads && baseline->has_streams ? ", path=\"/*\"" : "", -1,
                        SQLITE_STATIC);
}

/* Sets has_streams from the rows of report `files`. */
static bool find_streams(struct baseline *baseline, struct error *error) {
    const struct figure figure = {.key = ""};
    const struct figure_source source = {.report = "files"};
    sqlite3_stmt *row = measure_prepare(
        &baseline->measures, &figure, &source, baseline->trace,
        "SELECT max(file GLOB '/*') AND max(file IN ('pipe', 'socket') OR file GLOB '*:[[]*]')"
        " FROM rows",
        error);

    baseline->has_streams =
        row != NULL && sqlite3_step(row) == SQLITE_ROW && sqlite3_column_int(row, 0) != 0;
    return row != NULL && sqlite3_finalize(row) == SQLITE_OK;
}

/* Returns a bound above the measured number. It adds the slack (in per cent), but at least 1; to
 * times it adds at least the number itself. */
static double bound_with_slack(const struct baseline *baseline, double number, bool is_time) {
    const double slack = floor(number * (double)baseline->slack / 100);

    return number + (number > 0) * fmax(is_time ? number : 1, slack);
}

/* Appends ROW <= 3, or ROW COLUMN <= 3, COLUMN <= 4. The numbers are those that `assert` computes,
 * plus slack. */
static bool append_line(struct baseline *baseline, const struct part *part, const char *row,
                        struct error *error) {
    const char *between = row, *columns = part->columns;
    bool done = ++baseline->line_count <= LINES ||
                error_set(error, "the baseline would have more than %d lines", LINES);

    do {
        const int length = (int)strcspn(columns, " ");
        char *text = xasprintf("%s%s%.*s <= 0%s", row, length > 0 ? "." : "", length, columns,
                               part->is_time ? " ns" : "");
        struct contracts *contracts = baseline->contracts;
        struct measured measured;

        done = done && contracts_add(contracts, text, 0, error) &&
               measure_figure_in_trace(&baseline->measures,
                                       &contracts->contracts[contracts->count - 1].condition.figure,
                                       NULL, baseline->trace, &measured, error);
        free(text);
        if (done && measured.is_known) {
            text_append_format(baseline->out, "%s%s%.*s <= ", between, length > 0 ? " " : "",
                               length, columns);
            condition_append_number(baseline->out,
                                    bound_with_slack(baseline, measured.number, part->is_time),
                                    part->is_time ? COLUMN_DURATION : COLUMN_INTEGER, false);
            between = ",";
        }
        columns += length + (columns[length] == ' ');
    } while (done && *columns != '\0');
    text_append_string(baseline->out, between == row ? "" : "\n");
    return done;
}

static bool baseline_append_part(struct baseline *baseline, const struct part *part,
                                 struct error *error) {
    const struct figure figure = {.key = ""};
    const struct figure_source source = {.report = part->report, .by = part->by};
    sqlite3_stmt *statement =
        measure_prepare(&baseline->measures, &figure, &source, baseline->trace, part->sql, error);
    bool done = statement != NULL;

    while (done && sqlite3_step(statement) == SQLITE_ROW) {
        done = append_line(baseline, part, (const char *)sqlite3_column_text(statement, 0), error);
    }
    if (sqlite3_finalize(statement) != SQLITE_OK && done) {
        done = error_set(error, "%s", sqlite3_errmsg(baseline->measures.memory));
    }
    text_append_string(baseline->out, part->always);
    return done;
}

bool baseline_make(struct workspace *workspace, struct contracts *contracts,
                   const struct report_request *request, int64_t slack, bool allow_times,
                   struct text *out, struct error *error) {
    struct baseline baseline = {.measures = {.workspace = workspace, .request = request},
                                .contracts = contracts,
                                .slack = slack,
                                .out = out};
    size_t count = 0;
    bool done = measures_open(&baseline.measures, error);

    for (size_t i = 0; done && i < baseline.measures.trace_count; i++) {
        if (baseline.measures.traces[i]->kind == TRACE_CALLS) {
            baseline.trace = i;
            count++;
        }
    }
    if (done && count != 1) {
        done = error_usage(error, "a baseline is of one log of system calls");
    }
    done = done && find_streams(&baseline, error);
    for (size_t i = 0; done && i < 3; i++) {
        static const struct {
            const char *name;
            void (*function)(sqlite3_context *, int, sqlite3_value **);
        } functions[] = {
            {"quoted", sql_quoted_name}, {"does_sync", does_sync}, {"only_files", only_files}};

        sqlite3_create_function(baseline.measures.memory, functions[i].name, 1, SQLITE_UTF8,
                                &baseline, functions[i].function, NULL, NULL);
    }
    text_append_format(out, "%s\n%s\n%s%s", head, ends, rule,
                       baseline.has_streams ? rule_of_streams : "");
    for (size_t i = 0; done && i < sizeof parts / sizeof parts[0]; i++) {
        const struct part *part = &parts[i];
        const bool left_out = (part->is_time && !allow_times) ||
                              (strcmp(part->report, "files") == 0 &&
                               !measure_log_names_files(baseline.measures.traces[baseline.trace]));

        done = left_out || baseline_append_part(&baseline, part, error);
    }
    text_append_format(out, "%s\n", end_line);
    measures_close(&baseline.measures);
    return done;
}
