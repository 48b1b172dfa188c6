#include "cli/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

const struct option_row option_rows[OPTION_COUNT] = {
    [OPTION_DB] = {"db", 'd', "FILE", "the database (default $TRACETOOL_DB, else traces.db)",
                   .everywhere = true},
    [OPTION_CONFIG] = {"config", 'c', "FILE",
                       "YAML configuration (default tracetool.yaml here, else in "
                       "$XDG_CONFIG_HOME/tracetool/config.yaml)",
                       .everywhere = true},
    [OPTION_QUIET] = {"quiet", 'q', NULL, "say nothing but errors", .everywhere = true},
    [OPTION_VERBOSE] = {"verbose", 'v', NULL, "say more on stderr", .everywhere = true},
    [OPTION_COLOR] = {"color", 0, "WHEN", "auto (only on a terminal), always or never",
                      .everywhere = true},
    [OPTION_PROGRESS] = {"progress", 0, "WHEN", "auto (only on a terminal), always or never",
                         .everywhere = true},
    [OPTION_HELP] = {"help", 'h', NULL, "explain on stdout", .everywhere = true},
    [OPTION_VERSION] = {"version", 0, NULL, "print the version on stdout", .everywhere = true},
    [OPTION_INPUT_FORMAT] = {"input-format", 'f', "FORMAT", "of the files (default: by content)"},
    [OPTION_NAME] = {"name", 'n', "NAME", "of the trace (default: after the file)"},
    [OPTION_JOIN] = {"join", 0, NULL, "the files are one trace in pieces"},
    [OPTION_START] = {"start", 0, "TIME", "wall clock at the start of a trace that has none"},
    [OPTION_UTC_OFFSET] = {"utc-offset", 0, "±HHMM", "of the device's clock"},
    [OPTION_STRICT] = {"strict", 0, NULL, "do not import a trace with rejected records"},
    [OPTION_DEVICE] = {"device", 0, "D", "label of the device"},
    [OPTION_USER] = {"user", 0, "U", "label of the user"},
    [OPTION_REPLACE] = {"replace", 0, NULL, "replace a trace of that name (implies --again)"},
    [OPTION_AGAIN] = {"again", 0, NULL, "import content that is there already once more"},
    [OPTION_APPEND] = {"append", 0, NULL, "add the files to the trace of that name"},
    [OPTION_RECORD_SIZE] = {"record-size", 0, "BYTES", "of padded Palmist records", .number = true},
    [OPTION_SYMBOLS] = {"symbols", 0, "FILE", "YAML file with names"},
    [OPTION_OUTPUT] = {"output", 'o', "FILE", "picture to write: .png, .svg, .pdf; - the terminal"},
    [OPTION_CDF] = {"cdf", 0, NULL, "short for the report popularity"},
    [OPTION_ARGSIZE] = {"argsize", 0, NULL, "short for the report argsize"},
    [OPTION_HOURLY] = {"hourly", 0, NULL, "short for the report hourly"},
    [OPTION_RW] = {"rw", 0, NULL, "short for the report rw"},
    [OPTION_TRACE] = {"trace", 't', "NAME", "of this trace; may be repeated (default: all)"},
    [OPTION_BY_TRACE] = {"by-trace", 0, NULL, "one result for each trace"},
    [OPTION_FROM] = {"from", 0, "TIME", "only events from then on: 90, 90.5s, 10m, or wall clock"},
    [OPTION_TO] = {"to", 0, "TIME", "only events before then"},
    [OPTION_PROCESS] = {"process", 0, "P", "only of this process or application"},
    [OPTION_OP] = {"op", 0, "NAME", "only this operation"},
    [OPTION_TOP] = {"top", 0, "N", "only the first N rows", .number = true},
    [OPTION_ACTION] = {"action", 0, "LETTER", "block I/O: count this action instead of C"},
    [OPTION_FORMAT] = {"format", 0, "FORMAT",
                       "table, tsv, csv, json, jsonl, md or gnuplot (default: table on a "
                       "terminal, tsv elsewhere)"},
    [OPTION_OF] = {"of", 0, "WHAT",
                   "popularity of what: operation, application, process, file, sector",
                   .of_reports = true},
    [OPTION_MARK] = {"mark", 0, "TRACE", "popularity: mark what is in the top of that trace too",
                     .of_reports = true},
    [OPTION_LENGTH] = {"length", 0, "N", "sequences: operations in one, 2 to 8", .of_reports = true,
                       .number = true},
    [OPTION_BY_PID] = {"by-pid", 0, NULL, "process: tell processes of one name apart",
                       .of_reports = true},
    [OPTION_DATA_ONLY] = {"data-only", 0, NULL, "locality: leave metadata and journal out",
                          .of_reports = true},
    [OPTION_TIMELINE] = {"timeline", 0, NULL, "hourly: hour by hour", .of_reports = true},
};

enum { FIRST_LONG = 256 }; /* values of getopt_long() that are no letters */

/* The tables getopt_long() wants, out of ours. The ':' in front makes it tell a missing argument.
 */
static void fill_getopt(struct option *longs, char *shorts) {
    *shorts++ = ':';
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = &option_rows[i];

        longs[i] = (struct option){
            .name = row->name,
            .has_arg = row->argument != NULL ? required_argument : no_argument,
            .val = FIRST_LONG + i,
        };
        if (row->letter != 0) {
            *shorts++ = row->letter;
            if (row->argument != NULL) {
                *shorts++ = ':';
            }
        }
    }
    longs[OPTION_COUNT] = (struct option){0};
    *shorts = '\0';
}

static int find_letter(int letter) {
    int id = 0;

    while (id < OPTION_COUNT && option_rows[id].letter != letter) {
        id++;
    }
    return id;
}

static bool add_trace(struct arguments *arguments, const char *name, struct error *error) {
    const char **traces = realloc(arguments->traces, (arguments->trace_count + 1) * sizeof *traces);

    if (traces == NULL) {
        return error_no_memory(error);
    }
    traces[arguments->trace_count++] = name;
    arguments->traces = traces;
    return true;
}

static bool is_number(const char *value) {
    size_t digits = strspn(value, "0123456789");

    return digits > 0 && digits <= 18 && value[digits] == '\0' && strtoll(value, NULL, 10) > 0;
}

static bool is_when(const char *value) {
    return strcmp(value, "auto") == 0 || strcmp(value, "always") == 0 ||
           strcmp(value, "never") == 0;
}

static bool take(struct arguments *arguments, int id, const char *value, struct error *error) {
    if (option_rows[id].number && !is_number(value)) {
        return error_set_status(error, EXIT_USAGE, "--%s needs a whole number from 1 on, not '%s'",
                                option_rows[id].name, value);
    }
    if ((id == OPTION_COLOR || id == OPTION_PROGRESS) && !is_when(value)) {
        return error_set_status(error, EXIT_USAGE, "--%s is auto, always or never, not '%s'",
                                option_rows[id].name, value);
    }
    arguments->given[id] = true;
    arguments->values[id] = value;
    return id != OPTION_TRACE || add_trace(arguments, value, error);
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
    struct option longs[OPTION_COUNT + 1];
    char shorts[2 * OPTION_COUNT + 2];
    int result;

    *arguments = (struct arguments){0};
    fill_getopt(longs, shorts);
    opterr = 0;
    while ((result = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        int id = result >= FIRST_LONG ? result - FIRST_LONG : find_letter(result);

        if (result == '?' || result == ':') {
            refuse(result, argv[optind - 1], error);
            arguments_free(arguments);
            return false;
        }
        if (!take(arguments, id, optarg, error)) {
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

void arguments_free(struct arguments *arguments) {
    free(arguments->traces);
    *arguments = (struct arguments){0};
}

int64_t arguments_number(const struct arguments *arguments, enum option_id id, int64_t otherwise) {
    return arguments->given[id] ? strtoll(arguments->values[id], NULL, 10) : otherwise;
}
