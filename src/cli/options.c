#include "cli/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/words.h"

/* An option that chooses by name, and may be repeated. */
#define CHOICE(NAME, ARGUMENT, HELP)                                                               \
    { .name = (NAME), .argument = (ARGUMENT), .help = (HELP), .repeatable = true }

static const struct option_row fixed_rows[OPTION_COUNT] = {
    [OPTION_DB] = {.name = "db",
                   .letter = 'd',
                   .argument = "FILE",
                   .help = "the database (default $TRACETOOL_DB, else traces.db)",
                   .everywhere = true},
    [OPTION_CONFIG] = {.name = "config",
                       .letter = 'c',
                       .argument = "FILE",
                       .help = "YAML configuration (default tracetool.yaml here, else in "
                               "$XDG_CONFIG_HOME/tracetool/config.yaml)",
                       .everywhere = true},
    [OPTION_QUIET] = {.name = "quiet",
                      .letter = 'q',
                      .argument = NULL,
                      .help = "say nothing but errors",
                      .everywhere = true},
    [OPTION_VERBOSE] = {.name = "verbose",
                        .letter = 'v',
                        .argument = NULL,
                        .help = "say more on stderr",
                        .everywhere = true},
    [OPTION_COLOR] = {.name = "color",
                      .letter = 0,
                      .argument = "WHEN",
                      .help = "auto (only on a terminal), always or never",
                      .choices = "auto always never",
                      .everywhere = true},
    [OPTION_PROGRESS] = {.name = "progress",
                         .letter = 0,
                         .argument = "WHEN",
                         .help = "auto (only on a terminal), always or never",
                         .choices = "auto always never",
                         .everywhere = true},
    [OPTION_NO_PAGER] = {.name = "no-pager",
                         .letter = 0,
                         .argument = NULL,
                         .help = "never show long output page by page",
                         .everywhere = true},
    [OPTION_HELP] = {.name = "help",
                     .letter = 'h',
                     .argument = NULL,
                     .help = "explain on stdout",
                     .everywhere = true},
    [OPTION_VERSION] = {.name = "version",
                        .letter = 0,
                        .argument = NULL,
                        .help = "print the version on stdout",
                        .everywhere = true},
    [OPTION_CA] = {.name = "ca",
                   .letter = 0,
                   .argument = "FILE",
                   .help = "certificates to trust for https, in place of the system's",
                   .everywhere = true},
    [OPTION_INSECURE] = {.name = "insecure",
                         .letter = 0,
                         .argument = NULL,
                         .help = "allow http to a store on another machine",
                         .everywhere = true},
    [OPTION_INPUT_FORMAT] = {.name = "input-format",
                             .letter = 'f',
                             .argument = "FORMAT",
                             .help = "of the files (default: by content)"},
    [OPTION_NAME] = {.name = "name",
                     .letter = 'n',
                     .argument = "NAME",
                     .help = "of the trace (default: after the file)"},
    [OPTION_JOIN] = {.name = "join",
                     .letter = 0,
                     .argument = NULL,
                     .help = "the files are one trace in pieces"},
    [OPTION_START] = {.name = "start",
                      .letter = 0,
                      .argument = "TIME",
                      .help = "wall clock at the start of a trace that has none"},
    [OPTION_UTC_OFFSET] = {.name = "utc-offset",
                           .letter = 0,
                           .argument = "±HHMM",
                           .help = "of the device's clock"},
    [OPTION_STRICT] = {.name = "strict",
                       .letter = 0,
                       .argument = NULL,
                       .help = "no trace with rejected records"},
    [OPTION_DEVICE] = {.name = "device",
                       .letter = 0,
                       .argument = "D",
                       .help = "only block device MAJOR:MINOR"},
    [OPTION_USER] = CHOICE("user", "U", "only traces of this user"),
    [OPTION_STUDY] = {.name = "study",
                      .letter = 0,
                      .argument = "NAME",
                      .help = "only traces of this study"},
    [OPTION_REPLACE] = {.name = "replace",
                        .letter = 0,
                        .argument = NULL,
                        .help = "replace what an earlier map said"},
    [OPTION_AGAIN] = {.name = "again",
                      .letter = 0,
                      .argument = NULL,
                      .help = "import content that is there already once more"},
    [OPTION_APPEND] = {.name = "append",
                       .letter = 0,
                       .argument = NULL,
                       .help = "add the files to the trace of that name"},
    [OPTION_RECORD_SIZE] = {.name = "record-size",
                            .letter = 0,
                            .argument = "BYTES",
                            .help = "of padded Palmist records",
                            .number = true},
    [OPTION_ONLY_DEVICE] = CHOICE("only-device", "D", "read only this block device of a log"),
    [OPTION_SYMBOLS] = {.name = "symbols",
                        .letter = 0,
                        .argument = "FILE",
                        .help = "YAML file with names"},
    [OPTION_IMAGE] = {.name = "image",
                      .letter = 0,
                      .argument = "FILE",
                      .help = "of the file system, or of the disk, that was traced",
                      .repeatable = true},
    [OPTION_WHEN] = {.name = "when",
                     .letter = 0,
                     .argument = "WHEN",
                     .help = "the image in front of it was taken: after the trace, or before",
                     .choices = "after before",
                     .repeatable = true},
    [OPTION_JOURNAL] = {.name = "journal",
                        .letter = 0,
                        .argument = "FILE",
                        .help = "earlier copy of the file system's journal; may be repeated",
                        .repeatable = true},
    [OPTION_IMAGE_DEVICE] = {.name = "image-device",
                             .letter = 0,
                             .argument = "MAJOR:MINOR",
                             .help = "that --image is of, where a log has I/Os of several"},
    [OPTION_NO_JOURNAL] = {.name = "no-journal",
                           .letter = 0,
                           .argument = NULL,
                           .help = "by the image alone, whatever its journal says of the past"},
    [OPTION_DRY_RUN] = {.name = "dry-run",
                        .letter = 0,
                        .argument = NULL,
                        .help = "say what would come of it, and change nothing"},
    [OPTION_LIST] = {.name = "list",
                     .letter = 0,
                     .argument = "IMAGE",
                     .help = "of this image of a file system: whose its blocks are"},
    [OPTION_OFFSET] = {.name = "offset",
                       .letter = 0,
                       .argument = "BYTES",
                       .help = "where the file system begins, in the image or on the device"},
    [OPTION_SQL_FILE] = {.name = "sql-file",
                         .letter = 'f',
                         .argument = "FILE",
                         .help = "with the query; - stdin"},
    [OPTION_OUTPUT] =
        {.name = "output",
         .letter = 'o',
         .argument = "FILE",
         .help = "file to write; a picture: .png, .svg, .pdf, - the terminal; else - stdout"},
    [OPTION_AS] = {.name = "as",
                   .letter = 0,
                   .argument = "FORMAT",
                   .help = "to export as; `tracetool exports` lists all"},
    [OPTION_REAL_PATHS] = {.name = "real-paths",
                           .letter = 0,
                           .argument = NULL,
                           .help = "a replay works on the files of the log, and destroys them"},
    [OPTION_CSS] = {.name = "css",
                    .letter = 0,
                    .argument = "FILE",
                    .help = "style sheet of the page, instead of its own"},
    [OPTION_DATE] = {.name = "date",
                     .letter = 0,
                     .argument = NULL,
                     .help = "say in the page when it was made"},
    [OPTION_LICENCE] = {.name = "licence",
                        .letter = 0,
                        .argument = "TEXT",
                        .help = "what the page says of who may use its data, and how"},
    [OPTION_NO_PLOTS] = {.name = "no-plots", .letter = 0, .argument = NULL, .help = "no pictures"},
    [OPTION_COMPARE] = {.name = "compare",
                        .letter = 0,
                        .argument = NULL,
                        .help = "the first two words are traces: what changed from A to B"},
    [OPTION_PSEUDONYMISE] = {.name = "pseudonymise",
                             .letter = 0,
                             .argument = NULL,
                             .help = "other names for files, processes and applications"},
    [OPTION_KEY] = {.name = "key",
                    .letter = 0,
                    .argument = "FILE",
                    .help = "of the pseudonyms: the same give the same; made when it is not there"},
    [OPTION_TITLE] = {.name = "title",
                      .letter = 0,
                      .argument = "TEXT",
                      .help = "of the picture, or the page, instead of its own"},
    [OPTION_SIZE] = {.name = "size",
                     .letter = 0,
                     .argument = "WIDTHxHEIGHT",
                     .help = "of the picture in pixels, in the terminal in characters"},
    [OPTION_FONT] = {.name = "font",
                     .letter = 0,
                     .argument = "NAME,SIZE",
                     .help = "of the picture; NAME or ,SIZE alone will do"},
    [OPTION_CDF] = {.name = "cdf",
                    .letter = 0,
                    .argument = NULL,
                    .help = "short for the report popularity; gaps: their distribution"},
    [OPTION_ARGSIZE] = {.name = "argsize",
                        .letter = 0,
                        .argument = NULL,
                        .help = "short for the report argsize"},
    [OPTION_HOURLY] = {.name = "hourly",
                       .letter = 0,
                       .argument = NULL,
                       .help = "short for the report hourly"},
    [OPTION_RW] = {.name = "rw", .letter = 0, .argument = NULL, .help = "short for the report rw"},
    [OPTION_TRACE] = {.name = "trace",
                      .letter = 't',
                      .argument = "NAME",
                      .help = "of this trace; may be repeated (default: all)",
                      .repeatable = true},
    [OPTION_EVENTS] = {.name = "events", .letter = 0, .argument = NULL, .help = "the events, too"},
    [OPTION_ROLLUPS_ONLY] = {.name = "rollups-only",
                             .letter = 0,
                             .argument = NULL,
                             .help = "all but the events (default)"},
    [OPTION_CLUSTER] = {.name = "cluster",
                        .letter = 0,
                        .argument = "NAME",
                        .help = "the server is one of this cluster; each of them is to be told"},
    [OPTION_OLDER] = {.name = "older",
                      .letter = 0,
                      .argument = "SPAN",
                      .help = "what began so long ago: 90m, 12h, 1d (default 1d)"},
    [OPTION_REPAIR] = {.name = "repair",
                       .letter = 0,
                       .argument = NULL,
                       .help = "make columns and rollups anew that are not what the events say"},
    [OPTION_BY_TRACE] = {.name = "by-trace",
                         .letter = 0,
                         .argument = NULL,
                         .help = "one result for each trace"},
    [OPTION_BY] = {.name = "by",
                   .letter = 0,
                   .argument = "WHAT",
                   .help = "one result for each user, device, study or trace; may be repeated for "
                           "what a report has of its own",
                   .choices = "user device study trace",
                   .repeatable = true},
    [OPTION_FROM] = {.name = "from",
                     .letter = 0,
                     .argument = "TIME",
                     .help = "only events from then on: 90, 90.5s, 10m, or wall clock"},
    [OPTION_TO] = {.name = "to",
                   .letter = 0,
                   .argument = "TIME",
                   .help = "only events before then"},
    [OPTION_PROCESS] = CHOICE("process", "P", "only of this process or application"),
    [OPTION_NOT_PROCESS] = CHOICE("not-process", "P", "not of this process or application"),
    [OPTION_OP] = CHOICE("op", "NAME", "only this operation"),
    [OPTION_NOT_OP] = CHOICE("not-op", "NAME", "not this operation"),
    [OPTION_UNDER] = {.name = "under",
                      .letter = 0,
                      .argument = "F",
                      .help = "only calls of function F and what they call"},
    [OPTION_COMPONENT] = CHOICE("component", "C", "only functions of this component or class"),
    [OPTION_NOT_COMPONENT] =
        CHOICE("not-component", "C", "no functions of this component or class"),
    [OPTION_FILE] = CHOICE("file", "NAME", "only what was done to this file"),
    [OPTION_NOT_FILE] = CHOICE("not-file", "NAME", "not what was done to this file"),
    [OPTION_FILETYPE] = CHOICE("filetype", "TYPE", "block I/O: only on files of this type"),
    [OPTION_NOT_FILETYPE] = CHOICE("not-filetype", "TYPE", "block I/O: not on files of this type"),
    [OPTION_PARTITION] = CHOICE("partition", "NAME", "block I/O: only on this partition"),
    [OPTION_NOT_PARTITION] = CHOICE("not-partition", "NAME", "block I/O: not on this partition"),
    [OPTION_CLASS] = CHOICE("class", "CLASS",
                            "block I/O: only read, readsync, write, writesync, flush or other"),
    [OPTION_NOT_CLASS] = CHOICE("not-class", "CLASS", "block I/O: not of this class"),
    [OPTION_EVIDENCE] = {.name = "evidence",
                         .letter = 0,
                         .argument = "WHAT",
                         .help = "block I/O: only what `map` has found a file for that is proven "
                                 "or likely, or none",
                         .choices = "proven likely none"},
    [OPTION_NOT_USER] = CHOICE("not-user", "U", "not of traces of this user"),
    [OPTION_CLOCK] = {.name = "clock",
                      .letter = 0,
                      .argument = "CLOCK",
                      .help = "times of calls: wall or cpu (default: the first a trace has)"},
    [OPTION_OPEN] = {.name = "open",
                     .letter = 0,
                     .argument = "WHAT",
                     .help = "calls open at the end of the log: end (with it, the default) or "
                             "leave-out (without times)"},
    [OPTION_TOP] = {.name = "top",
                    .letter = 0,
                    .argument = "N",
                    .help = "only the first N rows",
                    .number = true},
    [OPTION_ACTION] = {.name = "action",
                       .letter = 0,
                       .argument = "LETTER",
                       .help = "block I/O: count this action instead of C"},
    [OPTION_FORMAT] = {.name = "format",
                       .letter = 0,
                       .argument = "FORMAT",
                       .help =
                           "table, tsv, csv, json, jsonl, md, html or gnuplot (default: table on a "
                           "terminal, tsv elsewhere); folded for calltree"},
    [OPTION_LONG] = {.name = "long",
                     .letter = 'l',
                     .argument = NULL,
                     .help = "all columns of a table, however wide"},
    [OPTION_OF] =
        {.name = "of",
         .letter = 0,
         .argument = "WHAT",
         .help =
             "concentration, heatmap, popularity, loggable: what to count, such as file or process",
         .of_reports = true},
    [OPTION_MARK] = {.name = "mark",
                     .letter = 0,
                     .argument = "TRACE",
                     .help = "popularity: mark what is in the top of that trace too",
                     .of_reports = true},
    [OPTION_AGAINST] = {.name = "against",
                        .letter = 0,
                        .argument = "TRACE",
                        .help = "overhead, usage: beside that run, which was not traced",
                        .of_reports = true},
    [OPTION_SHARE] = {.name = "share",
                      .letter = 0,
                      .argument = "OF",
                      .help = "counts as shares of their row, their column or all",
                      .choices = "row column all",
                      .of_reports = true},
    [OPTION_BY_PID] = {.name = "by-pid",
                       .letter = 0,
                       .argument = NULL,
                       .help = "process: tell processes of one name apart",
                       .of_reports = true},
    [OPTION_INVERTED] = {.name = "inverted",
                         .letter = 0,
                         .argument = NULL,
                         .help = "calltree: functions with who called them beneath",
                         .of_reports = true},
    [OPTION_PER_THREAD] = {.name = "per-thread",
                           .letter = 0,
                           .argument = NULL,
                           .help = "blocked, functions, timeline: thread by thread",
                           .of_reports = true},
    [OPTION_MIN_CALLS] = {.name = "min-calls",
                          .letter = 0,
                          .argument = "N",
                          .help = "hotspots: only items called as often",
                          .of_reports = true,
                          .number = true},
    [OPTION_REFERENCE] = {.name = "reference",
                          .letter = 0,
                          .argument = "FILE",
                          .help = "accuracy: names and times in ns, separated by a TAB",
                          .of_reports = true},
    [OPTION_CORRECTED] = {.name = "corrected",
                          .letter = 0,
                          .argument = NULL,
                          .help = "calls: times without what measuring the calls in them cost",
                          .of_reports = true},
    [OPTION_MEASURED] = {.name = "measured",
                         .letter = 0,
                         .argument = NULL,
                         .help = "calls: times as they were measured",
                         .of_reports = true},
    [OPTION_HISTOGRAM] = {.name = "histogram",
                          .letter = 0,
                          .argument = NULL,
                          .help = "latency: how many I/Os took how long",
                          .of_reports = true},
    [OPTION_TIMELINE] = {.name = "timeline",
                         .letter = 0,
                         .argument = NULL,
                         .help = "hourly: hour by hour; queue: over time",
                         .of_reports = true},
    [OPTION_A_FROM] = {.name = "a-from",
                       .letter = 0,
                       .argument = "TIME",
                       .help = "of A, only events from then on"},
    [OPTION_A_TO] = {.name = "a-to",
                     .letter = 0,
                     .argument = "TIME",
                     .help = "of A, only events before then"},
    [OPTION_B_FROM] = {.name = "b-from",
                       .letter = 0,
                       .argument = "TIME",
                       .help = "of B, only events from then on"},
    [OPTION_B_TO] = {.name = "b-to",
                     .letter = 0,
                     .argument = "TIME",
                     .help = "of B, only events before then"},
    [OPTION_PER] = {.name = "per",
                    .letter = 0,
                    .argument = "WHAT",
                    .help = "counts and times for each second, call, io or run, or none: as they "
                            "are",
                    .choices = "second call io run none"},
    [OPTION_ONLY] = {.name = "only",
                     .letter = 0,
                     .argument = "WHICH",
                     .help = "only rows that both have, only a, only b, or that changed",
                     .choices = "both a b changed"},
    [OPTION_SORT] = {.name = "sort",
                     .letter = 0,
                     .argument = "BY",
                     .help = "what comes first: part, delta, ratio, rank, a or b",
                     .choices = "part delta ratio rank a b"},
    [OPTION_NOISE] = {.name = "noise",
                      .letter = 0,
                      .argument = "F",
                      .help = "a ratio within 1 ± F is the same (default 0.02)"},
    [OPTION_MATCH] = {.name = "match",
                      .letter = 0,
                      .argument = "FILE",
                      .help = "with names of A and what B calls them, parted by a TAB"},
    [OPTION_BLOCKS] = {.name = "blocks",
                       .letter = 0,
                       .argument = "K",
                       .help = "of time that a trace is cut into (default 30); 0: nothing is said "
                               "of chance"},
    [OPTION_RESAMPLES] = {.name = "resamples",
                          .letter = 0,
                          .argument = "N",
                          .help = "how often blocks are shuffled, and drawn (default 1999)"},
    [OPTION_SEED] = {.name = "seed",
                     .letter = 0,
                     .argument = "N",
                     .help = "of the random numbers for that (default 1)"},
    [OPTION_WITH] = {.name = "with",
                     .letter = 0,
                     .argument = "B",
                     .help = "another trace of what came after; all words are traces of what was "
                             "before then",
                     .repeatable = true},
    [OPTION_STUDIES] = {.name = "studies",
                        .letter = 0,
                        .argument = NULL,
                        .help = "A and B are studies, with all of their traces"},
    [OPTION_FAIL_IF] = {.name = "fail-if",
                        .letter = 0,
                        .argument = "EXPR",
                        .help = "status 4 if so: 'latency.read.p99 > +10%'; may be repeated",
                        .repeatable = true},
    [OPTION_CERTAINTY] = {.name = "certainty",
                          .letter = 0,
                          .argument = "WHAT",
                          .help = "of --fail-if: interval (all of it is beyond, the default) or "
                                  "point",
                          .choices = "interval point"},
    [OPTION_SHIFT] = {.name = "shift",
                      .letter = 0,
                      .argument = NULL,
                      .help = "a picture of values: b / a over the quantiles"},
    [OPTION_WEIGHT] = {.name = "weight",
                       .letter = 0,
                       .argument = "BY",
                       .help = "bytes: a picture of sizes by the bytes in them, not by how many",
                       .choices = "bytes"},
    [OPTION_WIDTHS] = {.name = "widths",
                       .letter = 0,
                       .argument = "OF",
                       .help = "a flame graph of two traces as wide as max, the larger of both "
                               "(default), a or b",
                       .choices = "max a b"},
    [OPTION_ADJUST] = {.name = "adjust",
                       .letter = 0,
                       .argument = "HOW",
                       .help = "without REPORT, p by bh (Benjamini and Hochberg, default) or holm",
                       .choices = "bh holm"},
    [OPTION_CONFIDENCE] = {.name = "confidence",
                           .letter = 0,
                           .argument = "C",
                           .help = "of intervals (default 0.95)"},
    [OPTION_STRIP] = {.name = "strip",
                      .letter = 0,
                      .argument = "WHAT",
                      .help = "hex: numbers such as 0x1f in names are all the same",
                      .choices = "hex"},
    [OPTION_REJECTED] = {.name = "rejected",
                         .letter = 0,
                         .argument = NULL,
                         .help = "only traces of whose records some were rejected"},
    [OPTION_HASHES] = {.name = "hashes",
                       .letter = 0,
                       .argument = NULL,
                       .help = "device and hash of each trace, too, as always of a store"},
    [OPTION_MOST_ROWS] = {.name = "most-rows",
                          .letter = 0,
                          .argument = "N",
                          .help = "of a store, fetch so many events at most (default 10000000)",
                          .number = true},
    [OPTION_COUNTED_BY] = {.name = "counted-by",
                           .argument = "WHAT",
                           .help = "only rollups, columns or sqlite",
                           .choices = "rollups columns sqlite",
                           .hidden = true},
    [OPTION_DELTA] = {.name = "delta",
                      .letter = 0,
                      .argument = NULL,
                      .help = "the time since the line before, too"},
};

/* What options are in some commands. */
static const struct {
    const char *command;
    enum option_id option;
    const char *argument, *help;
} own_words[] = {
    {"compare", OPTION_STRICT, NULL, "no traces that are hard to compare"},
    {"plot compare", OPTION_STRICT, NULL, "no traces that are hard to compare"},
    {"import", OPTION_DEVICE, "D", "label of the device"},
    {"import", OPTION_USER, "U", "label of the user"},
    {"import", OPTION_STUDY, "NAME", "the trace is a round of this study"},
    {"import", OPTION_REPLACE, NULL, "replace a trace of that name (implies --again)"},
    {"import", OPTION_PARTITION, "NAME", "of the image"},
    {"map", OPTION_PARTITION, "NAME", "of the image"},
    {"push", OPTION_TO, "URL", "the store to send to (default $TRACETOOL_STORE)"},
};

/* --- the parameters of analyses ----------------------------------------------------------------
 */

static struct option_row rows[OPTION_MOST];
static int row_count;

const struct option_row *option_find(const char *name) {
    int id = 0;

    while (id < option_count() && strcmp(rows[id].name, name) != 0) {
        id++;
    }
    return option_row(id);
}

/* Two analyses may have the same parameter, which then is one option. */
static void add_parameters(const struct analysis *analysis) {
    for (size_t i = 0; i < ANALYSIS_PARAMETERS && analysis->parameters[i].name != NULL; i++) {
        const struct parameter *parameter = &analysis->parameters[i];

        if (row_count < OPTION_MOST && option_find(parameter->name) == NULL) {
            rows[row_count++] = (struct option_row){
                .name = parameter->name,
                .argument = parameter->argument,
                .help = parameter->help,
                .of_reports = true,
                .number = parameter->type == PARAMETER_NUMBER,
                .parameter = parameter,
            };
        }
    }
}

/* The command line is read by one thread, before any other is started. */
int option_count(void) {
    if (row_count == 0) {
        memcpy(rows, fixed_rows, sizeof fixed_rows);
        row_count = OPTION_COUNT;
        for (size_t i = 0; analyses[i] != NULL; i++) {
            add_parameters(analyses[i]);
        }
    }
    return row_count;
}

const struct option_row *option_row(int id) {
    return id < option_count() ? &rows[id] : NULL;
}

struct option_row option_row_of(int id, const char *command) {
    struct option_row row = *option_row(id);

    for (size_t i = 0; i < sizeof own_words / sizeof own_words[0]; i++) {
        if (own_words[i].option == (enum option_id)id &&
            strcmp(own_words[i].command, command) == 0) {
            row.argument = own_words[i].argument;
            row.help = own_words[i].help;
        }
    }
    return row;
}

bool option_is_meant(const char *name) {
    int id = 0;

    while (id < option_count() &&
           (rows[id].hidden || strncmp(rows[id].name, name, strlen(name)) != 0)) {
        id++;
    }
    return id < option_count();
}

/* --- parsing -----------------------------------------------------------------------------------
 */

enum { FIRST_LONG = 256 }; /* values of getopt_long() that are no letters */

/* The first option of that letter. */
static int find_letter(int letter) {
    int id = 0;

    while (id < OPTION_COUNT && option_row(id)->letter != letter) {
        id++;
    }
    return id;
}

/* The tables getopt_long() wants, out of ours. The ':' in front makes it tell a missing argument.
 * Hidden options are not in it: what is short for one might be that of somebody's query. */
static void fill_getopt(struct option *longs, char *shorts) {
    *shorts++ = ':';
    for (int i = 0; i < option_count(); i++) {
        const struct option_row *row = option_row(i);

        if (!row->hidden) {
            *longs++ = (struct option){
                .name = row->name,
                .has_arg = row->argument != NULL ? required_argument : no_argument,
                .val = FIRST_LONG + i,
            };
        }
        if (row->letter != 0 && find_letter(row->letter) == i) {
            *shorts++ = row->letter;
            if (row->argument != NULL) {
                *shorts++ = ':';
            }
        }
    }
    *longs = (struct option){0};
    *shorts = '\0';
}

static bool add_to_list(struct option_list *list, const char *value, struct error *error) {
    const char **values = realloc(list->values, (list->count + 1) * sizeof *values);

    if (values == NULL) {
        return error_no_memory(error);
    }
    values[list->count++] = value;
    list->values = values;
    return true;
}

/* The --when of an image has its place in the list of --image; NULL stands for none. */
static bool take_when(struct arguments *arguments, const char *value, struct error *error) {
    struct option_list *list = &arguments->lists[OPTION_WHEN];
    size_t images = arguments->lists[OPTION_IMAGE].count;

    if (!word_in(option_row(OPTION_WHEN)->choices, value)) {
        return error_set_status(error, EXIT_USAGE, "--when is after or before, not '%s'", value);
    }
    if (images <= list->count) {
        return error_set_status(error, EXIT_USAGE, "--when stands behind the --image it is of");
    }
    while (list->count + 1 < images) {
        if (!add_to_list(list, NULL, error)) {
            return false;
        }
    }
    return add_to_list(list, value, error);
}

static bool is_number(const char *value) {
    size_t digits = strspn(value, "0123456789");

    return digits > 0 && digits <= 18 && value[digits] == '\0' && strtoll(value, NULL, 10) > 0;
}

static bool take(struct arguments *arguments, int id, const char *value, struct error *error) {
    if (option_row(id)->number && !is_number(value)) {
        return error_set_status(error, EXIT_USAGE, "--%s needs a whole number from 1 on, not '%s'",
                                option_row(id)->name, value);
    }
    if ((id == OPTION_COLOR || id == OPTION_PROGRESS) && !word_in(option_row(id)->choices, value)) {
        return error_set_status(error, EXIT_USAGE, "--%s is auto, always or never, not '%s'",
                                option_row(id)->name, value);
    }
    arguments->given[id] = true;
    arguments->values[id] = value;
    if (id == OPTION_WHEN) {
        return take_when(arguments, value, error);
    }
    return !option_row(id)->repeatable || add_to_list(&arguments->lists[id], value, error);
}

bool option_unknown(const char *name, struct error *error) {
    return error_set_status(error, EXIT_USAGE,
                            "there is no option --%s, or it is short for several", name);
}

/* The hidden option of that name, option_count() when there is none. */
static int find_hidden(const char *name) {
    int id = 0;

    while (id < option_count() &&
           !(option_row(id)->hidden && strcmp(option_row(id)->name, name) == 0)) {
        id++;
    }
    return id;
}

/* Keeps a long option that getopt_long() did not know, and what stands behind it. */
static bool add_other(struct arguments *arguments, int argc, char **argv, struct error *error) {
    struct other_option *others;
    char *name = argv[optind - 1] + 2;
    char *value = strchr(name, '=');

    if (value != NULL) {
        *value++ = '\0';
    } else if (optind < argc) {
        value = argv[optind++];
    }
    if (find_hidden(name) < option_count()) {
        return value != NULL
                   ? take(arguments, find_hidden(name), value, error)
                   : error_set_status(error, EXIT_USAGE, "option --%s needs an argument", name);
    }
    others = realloc(arguments->others, (arguments->other_count + 1) * sizeof *others);
    if (others == NULL) {
        return error_no_memory(error);
    }
    others[arguments->other_count++] = (struct other_option){name, value};
    arguments->others = others;
    return true;
}

/* Whether a word that getopt_long() did not like is a long option that begins as none does. */
static bool is_other(int result, const char *word) {
    char name[64];
    size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;

    if (result != '?' || length == 0 || length >= sizeof name) {
        return false;
    }
    memcpy(name, word + 2, length);
    name[length] = '\0';
    return !option_is_meant(name);
}

/* What getopt_long() did not like: `word` is what it looked at. */
static bool refuse(int result, const char *word, struct error *error) {
    if (result == ':') {
        return error_set_status(error, EXIT_USAGE, "option %s needs an argument", word);
    }
    if (strncmp(word, "--", 2) == 0 && strchr(word, '=') != NULL && optopt != 0) {
        return error_set_status(error, EXIT_USAGE, "option %.*s takes no argument",
                                (int)strcspn(word, "="), word);
    }
    if (strncmp(word, "--", 2) != 0 && optopt != 0) {
        return error_set_status(error, EXIT_USAGE, "there is no option -%c", optopt);
    }
    return error_set_status(error, EXIT_USAGE, "there is no option %s, or it is short for several",
                            word);
}

bool arguments_parse(struct arguments *arguments, int argc, char **argv, struct error *error) {
    struct option longs[OPTION_MOST + 1];
    char shorts[2 * OPTION_MOST + 2];
    int result;

    *arguments = (struct arguments){0};
    fill_getopt(longs, shorts);
    opterr = 0;
    while ((result = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        int id = result >= FIRST_LONG ? result - FIRST_LONG : find_letter(result);

        bool done;

        if (is_other(result, argv[optind - 1])) {
            done = add_other(arguments, argc, argv, error);
        } else if (result == '?' || result == ':') {
            done = refuse(result, argv[optind - 1], error);
        } else {
            done = take(arguments, id, optarg, error);
            arguments->by_letter[id] = result < FIRST_LONG;
        }
        if (!done) {
            arguments_free(arguments);
            return false;
        }
    }
    if (optind < argc) {
        arguments->command = argv[optind];
        arguments->words = argv + optind + 1;
        arguments->word_count = (size_t)(argc - optind - 1);
    }
    return true;
}

void arguments_settle_letters(struct arguments *arguments, const char *options) {
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (!arguments->by_letter[id] || word_in(options, option_row(id)->name)) {
            continue;
        }
        for (int other = 0; other < OPTION_COUNT; other++) {
            if (option_row(other)->letter == option_row(id)->letter &&
                word_in(options, option_row(other)->name)) {
                arguments->given[other] = true;
                arguments->values[other] = arguments->values[id];
                arguments->given[id] = false;
            }
        }
    }
}

void arguments_free(struct arguments *arguments) {
    for (int id = 0; id < OPTION_COUNT; id++) {
        free(arguments->lists[id].values);
    }
    free(arguments->others);
    *arguments = (struct arguments){0};
}

int64_t arguments_number(const struct arguments *arguments, enum option_id id, int64_t otherwise) {
    return arguments->given[id] ? strtoll(arguments->values[id], NULL, 10) : otherwise;
}
