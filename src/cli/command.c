#include "base/words.h"
#include "cli/command.h"

#include <stdint.h>
#include <string.h>

#include "report/query_set.h"

/* Those that choose events by name, each with its opposite. */
#define NAME_OPTIONS "user not-user " EVENT_NAME_OPTIONS

/* Of them, those that do not choose whole traces. */
#define EVENT_NAME_OPTIONS                                                                         \
    "process not-process op not-op component not-component file not-file filetype "                \
    "not-filetype partition not-partition class not-class "

#define SELECTION_OPTIONS                                                                          \
    "trace study by-trace by from to whole-calls " NAME_OPTIONS                                    \
    "evidence layer under clock open top action device of mark "                                   \
    "timeline share by-pid histogram per-thread inverted min-calls reference against corrected "   \
    "measured "                                                                                    \
    "(analyses) "                                                                                  \
    "(others)"

/* Options of reports that mean the same for both sides, and how these are compared. */
#define COMPARE_OPTIONS                                                                            \
    "by from to whole-calls " EVENT_NAME_OPTIONS                                                   \
    "layer under clock open top action device of timeline by-pid "                                 \
    "histogram per-thread inverted min-calls corrected measured (analyses) (others) "              \
    "a-from a-to b-from b-to per only sort noise match strip blocks resamples seed confidence "    \
    "with studies strict shift weight widths adjust most-rows "

const struct command commands[] = {
    {"import", "read log files into the database", "FILE…", 1, SIZE_MAX,
     "input-format name join only-this start utc-offset strict device user study replace again "
     "append "
     "record-size only-device symbols image when journal no-journal image-device partition offset",
     "Each file is one trace, named after the file unless -n; - reads stdin; a folder, or several\n"
     "files with --join, is one trace in pieces. gzip, xz and zstd are unpacked on the way. The\n"
     "format is found out by content.\n",
     command_import, NULL},
    {"report", "print a report", "[REPORT]", 0, 1,
     SELECTION_OPTIONS " format long cdf argsize hourly rw most-rows counted-by",
     "One report on stdout, over all traces it applies to unless -t. `tracetool reports` lists\n"
     "them. --cdf, --argsize, --hourly and --rw are short for popularity, argsize, hourly, rw.\n",
     command_report, command_report_help},
    {"plot", "draw a report with gnuplot", "[REPORT | sql QUERY]", 0, 2,
     SELECTION_OPTIONS " output title size font sql-file cdf argsize hourly rw most-rows",
     "The report as a picture: PNG, SVG or PDF by the ending of the file; without -o, or with\n"
     "-o -, in the terminal. plot sql draws a query of two or three columns: x and y, or a label\n"
     "and a value, and a name of the series. plot compare draws what changed between two traces;\n"
     "plot compare --help says more.\n",
     command_plot, command_report_help},
    {"plot compare", "draw what changed between two traces", "A B [REPORT]", 1, SIZE_MAX,
     COMPARE_OPTIONS "output title size font",
     "What `tracetool compare` says of the two as a picture: of counts and times the shares of\n"
     "both as a pair of marks, of sizes and other values both distributions in one, of hours bars\n"
     "side by side, of call trees a flame graph (SVG). Without REPORT, what changed most by any,\n"
     "with intervals.\n",
     command_plot_compare, NULL},
    {"compare", "say what changed between two traces", "A B [REPORT]", 1, SIZE_MAX,
     COMPARE_OPTIONS "fail-if certainty format long",
     "Runs a report on trace A (before) and trace B (after) and compares the rows:\n"
     "which are new, gone, more or less, and how far the two are apart as a whole.\n"
     "Without REPORT, what changed most by any. With --with, A may be several.\n",
     command_compare, NULL},
    {"page", "write reports as one HTML file", "[--compare A B] [REPORT]…", 0, SIZE_MAX,
     "trace study by-trace by from to whole-calls " NAME_OPTIONS
     "evidence layer under clock open action device output title css date licence no-plots compare "
     "pseudonymise key most-rows",
     "One file to send around, which loads nothing: how good the data are, key numbers, and each\n"
     "REPORT with picture, table, command, data and SQL; without REPORT, all that fit. With\n"
     "--compare, what changed from A to B, by any report and by those that are named.\n",
     command_page, NULL},
    {"dump", "print the events as readable text", "", 0, 0,
     "trace study from to " NAME_OPTIONS "evidence under top action device delta format",
     "One line an event, in order of time; arguments are decoded where the format knows how.\n",
     command_dump, NULL},
    {"export", "write a trace in another program's format", "TRACE", 1, 1,
     "as real-paths pseudonymise key output from to " NAME_OPTIONS "action device",
     "Into FILE, which has its place when it is whole, or to stdout. What the format cannot hold\n"
     "is counted on stderr; `tracetool exports` lists the formats.\n",
     command_export, NULL},
    {"exports", "list what a trace can be exported as", "", 0, 0, "format long",
     "One row a format.\n", command_exports, NULL},
    {"name", "give names to what an imported trace holds", "TRACE", 1, 1, "symbols",
     "Takes functions and components, applications, partitions and file types from a YAML file;\n"
     "nothing is imported again.\n",
     command_name, NULL},
    {"map", "find the files that block I/O was on", "[TRACE]", 0, 1,
     "image when journal no-journal device partition offset replace dry-run list format long",
     "Gives each I/O of TRACE the file its blocks belong to, by an image of ext2, ext3, ext4 or\n"
     "F2FS that was taken after the trace, or by the block device. With --list, prints the file\n"
     "of each block of an image. gzip, xz, zstd and Android's sparse images are unpacked on the "
     "way.\n",
     command_map, NULL},
    {"traces", "list the traces of the database", "", 0, 0, "hashes rejected most-rows format long",
     "One row a trace. `list` is the same.\n", command_traces, NULL},
    {"show", "show a trace with its import ledger", "TRACE", 1, 1, "most-rows format long",
     "What is known of the trace, and what became of every record: kept, merged, ignored or\n"
     "rejected, with the reason, how often, and the byte offset of the first.\n",
     command_show, NULL},
    {"formats", "list what can be imported", "[FORMAT]", 0, 1, "format long",
     "One row a format; with FORMAT that one alone.\n", command_formats, NULL},
    {"reports", "list what can be reported", "", 0, 0, "format long",
     "One row a report and kind of trace, with its columns.\n", command_reports, NULL},
    {"remove", "take a trace out of the database", "TRACE", 1, 1, "",
     "Removes the trace, its names and rollups. With -d URL, out of a store.\n", command_remove,
     NULL},
    {"rename", "give a trace another name", "TRACE NAME", 2, 2, "",
     "Nothing else of the trace changes.\n", command_rename, NULL},
    {"pseudonymise", "copy a database with other names in it", "[DB]", 0, 1, "output key trace",
     "Writes a new database, FILE of -o, in which files, processes, applications, users and "
     "devices\n"
     "have other names, of the same types, extensions and folders; all else is the same. What "
     "that\n"
     "protects, and what it does not, tracetool-pseudonymise(1) says.\n",
     command_pseudonymise, NULL},
    {"merge", "make one database of several", "DB DB…", 2, SIZE_MAX, "output",
     "Writes a new database, FILE of -o, with the traces of all. None may be in two of them.\n",
     command_merge, NULL},
    {"sql", "run a query of your own", "[QUERY]", 0, 2, "top format long sql-file",
     "One statement that only reads; - takes it from stdin. `tracetool sql .schema [TABLE]` says "
     "what the\n"
     "tables and views hold. On a terminal, sql alone opens sqlite3's shell on the database.\n",
     command_sql, NULL},
    {"check", "verify the database", "", 0, 0, "trace repair",
     "SQLite's integrity check, and that ledgers, rollups and columns agree with the events.\n"
     "With -t, only the latter, of these traces.\n",
     command_check, NULL},
    {"push", "send traces to a store that many machines share", "", 0, 0,
     "to trace rollups-only events",
     "Sends what reports count from (rollups, names, the ledger), with --events the events, too.\n"
     "What the store has is not sent again; a trace is seen there when all of it has arrived.\n",
     command_push, NULL},
    {"store", "make and look after a store", "init|check|sweep [URL]", 0, SIZE_MAX, "",
     "A store is a database of a ClickHouse server, at https://HOST:PORT/DATABASE, or of several.\n"
     "URL may be left out where $TRACETOOL_STORE has it. User and password are those of\n"
     "$TRACETOOL_STORE_USER and $TRACETOOL_STORE_PASSWORD, or in ~/.netrc.\n",
     command_store, NULL},
    {"store init", "make a store", "[URL]", 0, 1, "cluster dry-run",
     "Makes the database and its tables; what is there stays. With --dry-run, only prints the\n"
     "statements. In a cluster, run it for each server.\n",
     command_store_init, NULL},
    {"store check", "verify a store", "[URL]", 0, 1, "",
     "Whether the tables are as they should be, and each trace as it was sent.\n",
     command_store_check, NULL},
    {"store sweep", "delete what nobody sees in a store", "[URL]", 0, 1, "older",
     "What interrupted pushes left, and what was removed. In a cluster, run it for each server.\n",
     command_store_sweep, NULL},
    {"help", "explain a command, a topic or a report", "[COMMAND|TOPIC|REPORT]", 0, 1, "",
     "Without a word, lists commands and topics.\n", command_help, NULL},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL},
};

const struct command *command_find(const char *name) {
    for (const struct command *command = commands; command->name != NULL; command++) {
        if (strcmp(command->name, name) == 0) {
            return command;
        }
    }
    return NULL;
}

const struct command *command_within(const struct command *command, struct arguments *arguments) {
    const struct command *within = NULL;

    for (const struct command *row = commands; row->name != NULL && arguments->word_count > 0;
         row++) {
        size_t length = strlen(command->name);

        if (strncmp(row->name, command->name, length) == 0 && row->name[length] == ' ' &&
            strcmp(row->name + length + 1, arguments->words[0]) == 0) {
            within = row;
        }
    }
    if (within == NULL) {
        return command;
    }
    arguments->words++;
    arguments->word_count--;
    return within;
}

bool command_is_within(const struct command *command) {
    return strchr(command->name, ' ') != NULL;
}

/* Other names that people try. */
static const struct {
    const char *name, *command;
} aliases[] = {
    {"list", "traces"}, {"ls", "traces"}, {"rm", "remove"}, {"info", "show"}, {"mv", "rename"},
};

const char *command_name_of(const char *typed) {
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        if (strcmp(aliases[i].name, typed) == 0) {
            return aliases[i].command;
        }
    }
    return typed;
}

const struct command *command_choose(const char *typed, struct error *error) {
    struct word_list names = {0};
    const char *chosen;

    if (command_find(typed) == NULL && query_report_exists(NULL, typed)) {
        error_set_status(error, EXIT_USAGE,
                         "there is no command '%s', but a report: tracetool report %s", typed,
                         typed);
        return NULL;
    }
    for (const struct command *command = commands; command->name != NULL; command++) {
        if (!command_is_within(command)) {
            word_list_add(&names, command->name);
        }
    }
    chosen = word_list_choose(&names, "command", command_name_of(typed), NULL, error);
    word_list_free(&names);
    return chosen == NULL ? NULL : command_find(chosen);
}

bool command_reads_stores(const struct command *command) {
    return word_in(command->options, "most-rows");
}

bool command_begins_config(const struct command *command) {
    return command->run == command_report || command->run == command_plot;
}

bool command_takes(const struct command *command, const struct option_row *option) {
    return word_in(command->options, option->parameter == NULL ? option->name : "(analyses)");
}

bool command_has_no(const struct command *command, const char *option, struct error *error) {
    struct word_list names = {0};
    const char *near;

    if (command == NULL) {
        return error_set_status(error, EXIT_USAGE, "there is no option --%s", option);
    }
    for (int i = 0; i < option_count(); i++) {
        const struct option_row *row = option_row(i);

        if (!row->hidden && (row->everywhere || command_takes(command, row))) {
            word_list_add(&names, row->name);
        }
    }
    near = word_list_nearest(&names, option);
    error_set_status(error, EXIT_USAGE,
                     "%s has no --%s%s%s; `tracetool %s --help` lists what it has", command->name,
                     option, near == NULL ? "" : ": did you mean --", near == NULL ? "" : near,
                     command->name);
    word_list_free(&names);
    return false;
}
