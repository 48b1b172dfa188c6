/* tracetool page: writes an HTML page about a trace, or a comparison. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/signal_cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/time_unit.h"
#include "cli/command.h"
#include "cli/logs.h"
#include "cli/report_load.h"
#include "copy/pseudonymise.h"
#include "page/request.h"
#include "report/choose.h"
#include "store/catalog.h"

/* Pseudonymised copies: a temporary database with pseudonyms, from which the command works, so its
 * output cannot contain names from the log. */

struct pseudonymised {
    struct arguments arguments; /* the session's arguments, changed to use the copy */
    /* Borrowed; these arguments, `database_path` and `logs` are what the session had before. */
    const struct arguments *original;
    const char *database_path;
    struct logs *logs;   /* the session's original logs; the copy has none */
    char *folder, *path; /* owned; temporary directory, and path of the copy in it */
    char **words; /* owned array: words of the command; the first `named` strings are owned, too */
    size_t named;
    struct signal_cleanup_hook hook; /* removes the copy if a signal ends the program */
};

/* Options whose arguments are names from the log, while the copy has pseudonyms. */
static const enum option_id by_names[] = {
    OPTION_PROCESS,   OPTION_NOT_PROCESS,   OPTION_OP,    OPTION_NOT_OP,
    OPTION_COMPONENT, OPTION_NOT_COMPONENT, OPTION_FILE,  OPTION_NOT_FILE,
    OPTION_USER,      OPTION_NOT_USER,      OPTION_STUDY, OPTION_UNDER,
};

static bool refuse_names(const struct arguments *arguments, struct error *error) {
    for (size_t i = 0; i < sizeof by_names / sizeof by_names[0]; i++) {
        if (arguments->given[by_names[i]]) {
            return error_usage(
                error,
                "--%s selects by a name, but --pseudonymise changes the names: first make a "
                "database with `tracetool pseudonymise`, then select in it by the new names",
                option_row((int)by_names[i])->name);
        }
    }
    return true;
}

static void command_page_remove_files(const void *context) {
    const struct pseudonymised *copy = context;

    if (copy->path != NULL) {
        unlink(copy->path);
    }
    if (copy->folder != NULL) {
        rmdir(copy->folder);
    }
}

/* Creates the temporary directory, which a signal that ends the program removes. */
static bool make_unique(struct pseudonymised *copy, char *folder) {
    sigset_t mask;
    bool done;

    signal_cleanup_block(&mask);
    done = mkdtemp(folder) != NULL;
    if (done) {
        copy->folder = folder;
        copy->hook =
            (struct signal_cleanup_hook){.clean = command_page_remove_files, .context = copy};
        signal_cleanup_add(&copy->hook);
    }
    signal_cleanup_unblock(&mask);
    return done;
}

static bool command_page_make_folder(struct pseudonymised *copy, struct error *error) {
    const char *place = getenv("TMPDIR");
    struct text folder = {0}, path = {0};

    text_append_format(&folder, "%s/tracetool-XXXXXX",
                       place == NULL || *place == '\0' ? "/tmp" : place);
    if (!make_unique(copy, folder.bytes)) {
        error_set(error, "%s: cannot make a temporary folder: %s", text_string(&folder),
                  strerror(errno));
        text_free(&folder);
        return false;
    }
    text_append_format(&path, "%s/pseudonyms.db", copy->folder);
    copy->path = path.bytes;
    return true;
}

/* Replaces the first `named` words, which are names of traces, by the traces' pseudonyms. */
static bool rename_words(struct pseudonymised *copy, const struct pseudonyms *pseudonyms,
                         const struct catalog *catalog, size_t named, struct error *error) {
    const struct arguments *original = copy->original;

    copy->words = xcalloc(original->word_count + 1, sizeof *copy->words);
    memcpy(copy->words, original->words, original->word_count * sizeof *copy->words);
    for (; copy->named < named; copy->named++) {
        const struct catalog_trace *trace =
            catalog_choose(catalog, original->words[copy->named], error);
        struct text name = {0};

        if (trace == NULL) {
            return false;
        }
        pseudonyms_append(pseudonyms, PSEUDONYM_TRACE, trace->name, strlen(trace->name), &name);
        copy->words[copy->named] = name.bytes;
    }
    copy->arguments.words = copy->words;
    return true;
}

static bool command_page_copy_traces(struct pseudonymised *copy, const struct session *session,
                                     struct pseudonymise *making, size_t named,
                                     struct error *error) {
    const struct catalog *catalog = &making->catalog;
    const struct option_list *asked = &copy->original->lists[OPTION_TRACE];
    const char *const *names =
        named > 0 ? (const char *const *)copy->original->words : asked->values;
    size_t name_count = named > 0 ? named : asked->count, count;
    const struct catalog_trace **traces =
        xcalloc(catalog->count + name_count + 1, sizeof(const struct catalog_trace *));
    struct pseudonyms *pseudonyms = NULL;
    bool done = catalog_choose_all(catalog, names, name_count, traces, &count, error);

    if (done) {
        pseudonyms = session_pseudonyms(session, error);
        done = pseudonyms != NULL && rename_words(copy, pseudonyms, catalog, named, error) &&
               pseudonymise_traces(making, pseudonyms, traces, count, error);
        pseudonyms_close(pseudonyms);
    }
    free(traces);
    return done;
}

static bool command_page_fill(struct pseudonymised *copy, const struct session *session,
                              size_t named, struct error *error) {
    struct pseudonymise making;
    struct database from;
    bool done;

    if (!command_page_make_folder(copy, error) ||
        !database_open(&from, session->database_path, DATABASE_READ | logs_database_mode(session),
                       error)) {
        return false;
    }
    done = pseudonymise_open(&making, &from, copy->path, error);
    if (done) {
        done = command_page_copy_traces(copy, session, &making, named, error);
        pseudonymise_close(&making);
    }
    database_close(&from);
    return done;
}

/* Removes the copy, and restores the session. */
static void pseudonymised_end(struct pseudonymised *copy, struct session *session) {
    sigset_t mask;

    session->arguments = copy->original;
    session->database_path = copy->database_path;
    session->logs = copy->logs;
    command_page_remove_files(copy);
    signal_cleanup_block(&mask);
    signal_cleanup_remove(&copy->hook);
    signal_cleanup_unblock(&mask);
    for (size_t i = 0; copy->words != NULL && i < copy->named; i++) {
        free(copy->words[i]);
    }
    free(copy->words);
    free(copy->folder);
    free(copy->path);
}

/* Makes the copy and changes the session to use it. The first `named` words of the command are
 * traces; if it is 0, -t selects traces, by default all. Options with names from the log are
 * errors, as the copy has pseudonyms. After a failure, pseudonymised_end() need not be called. */
static bool pseudonymised_begin(struct pseudonymised *copy, struct session *session, size_t named,
                                struct error *error) {
    static const enum option_id settled[] = {OPTION_TRACE, OPTION_PSEUDONYMISE, OPTION_KEY};

    *copy = (struct pseudonymised){
        .arguments = *session->arguments,
        .original = session->arguments,
        .database_path = session->database_path,
        .logs = session->logs,
    };
    if (!refuse_names(session->arguments, error) ||
        !command_page_fill(copy, session, named, error)) {
        pseudonymised_end(copy, session);
        return false;
    }
    for (size_t i = 0; i < sizeof settled / sizeof settled[0]; i++) {
        copy->arguments.given[settled[i]] = false;
        copy->arguments.values[settled[i]] = NULL;
        copy->arguments.lists[settled[i]].count = 0;
    }
    session->arguments = &copy->arguments;
    session->database_path = copy->path;
    session->logs = NULL;
    return true;
}

/* The name of any report, since loading needs one. The page chooses its own reports. */
#define ANY_REPORT "summary"

#define CSS_LIMIT (1024 * 1024)

static void command_page_append_option(struct text *words, const struct option_row *row,
                                       const char *value) {
    text_append_format(words, row->letter != 0 ? " -%c" : " --", row->letter);
    text_append_string(words, row->letter != 0 ? "" : row->name);
    if (value != NULL) {
        text_append_char(words, ' ');
        text_append_word(words, value);
    }
}

/* Appends the command line's options that select traces (if `traces`) and events, if these
 * commands take them, and the logs, quoted for a shell. */
static void command_page_append_words(const struct session *session, command_set commands,
                                      bool traces, struct text *words) {
    const struct arguments *arguments = session->arguments;

    for (int id = 0; id < OPTION_COUNT; id++) {
        const struct option_row *row = option_row(id);
        const struct option_row shown =
            option_row_of(id, ON_REPORT); /* short forms are those of `tracetool report` */

        if (!arguments->given[id] || row->commands == ON_ALL ||
            (row->commands & commands) != commands ||
            (!traces && (id == OPTION_TRACE || id == OPTION_STUDY || id == OPTION_USER ||
                         id == OPTION_NOT_USER))) {
            continue;
        }
        for (size_t i = 0; i < arguments->lists[id].count; i++) {
            command_page_append_option(words, &shown, arguments->lists[id].values[i]);
        }
        if (row->type != OPTION_REPEATED) {
            command_page_append_option(words, &shown, arguments->values[id]);
        }
    }
    if (logs_as_typed(session) != NULL && !arguments->given[OPTION_COMPARE]) {
        text_append_format(words, " %s", logs_as_typed(session));
    }
}

/* Appends the date for the page: that of SOURCE_DATE_EPOCH, for reproducible output; or the current
 * one with --date; otherwise nothing. */
static bool append_date(const struct arguments *arguments, struct text *date, struct error *error) {
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    long long seconds = time(NULL);

    if (epoch != NULL && epoch[0] != '\0') {
        errno = 0;
        seconds = strtoll(epoch, &end, 10);
        if (errno != 0 || *end != '\0' || seconds < 0 || seconds > 5680281600) {
            return error_usage(
                error, "SOURCE_DATE_EPOCH must be a number of seconds since 1970, not '%s'", epoch);
        }
    } else if (!arguments->given[OPTION_DATE]) {
        return true;
    }
    clock_append(date, seconds * SECOND, 0);
    return true;
}

/* Reads the user's style sheet. NULL with `error` set if it cannot be embedded in a page. */
static char *read_css(const char *path, struct error *error) {
    FILE *file = file_open_stream(path);
    size_t length;
    char *css;

    if (file == NULL) {
        error_set(error, "%s: cannot open: %s", path, file_strerror(errno));
        return NULL;
    }
    css = xcalloc(1, CSS_LIMIT + 1);
    length = fread(css, 1, CSS_LIMIT + 1, file);
    if (ferror(file)) {
        error_set(error, "%s: cannot read: %s", path, strerror(errno));
    } else if (length > CSS_LIMIT) {
        error_set(error, "%s: a style sheet is at most %d bytes", path, CSS_LIMIT);
    } else if (strlen(css) < length || strcasestr(css, "</style") != NULL) {
        error_set(error, "%s: a style sheet must not contain </style or a NUL byte", path);
    } else {
        fclose(file);
        return css;
    }
    fclose(file);
    free(css);
    return NULL;
}

static bool refuse_single_trace(struct error *error) {
    return error_usage(error, "--compare needs two traces: A B");
}

/* Reads the words of the command: traces to compare, then reports. */
static bool command_page_read_words(const struct session *session, const struct query_set *queries,
                                    const char **reports, size_t *count, struct error *error) {
    const struct arguments *arguments = session->arguments;
    size_t first = arguments->given[OPTION_COMPARE] ? 2 : 0;

    *count = 0;
    if (arguments->word_count < first) {
        return refuse_single_trace(error);
    }
    if (first > 0 && (arguments->given[OPTION_TRACE] || arguments->given[OPTION_STUDY] ||
                      arguments->given[OPTION_BY] || arguments->given[OPTION_BY_TRACE])) {
        return error_usage(error, "--compare takes exactly two traces, A and B");
    }
    for (size_t i = first; i < arguments->word_count; i++) {
        reports[*count] = report_resolve_name(session, queries, arguments->words[i], error);
        if (reports[*count] == NULL) {
            return false;
        }
        if (string_index(reports, *count, reports[*count]) < *count) {
            return error_usage(error, "report %s is given twice", reports[*count]);
        }
        ++*count;
    }
    return true;
}

static void read_side_traces(const struct arguments *arguments, const struct report_request *common,
                             struct compare_request *compare) {
    *compare = (struct compare_request){
        .noise = COMPARE_NOISE,
        .blocks = COMPARE_BLOCKS,
        .resamples = COMPARE_RESAMPLES,
        .seed = COMPARE_SEED,
        .confidence = COMPARE_CONFIDENCE,
    };
    for (int i = 0; i < 2; i++) {
        compare->sides[i] = *common;
        compare->sides[i].traces = (const char *const *)arguments->words + i;
        compare->sides[i].trace_count = 1;
        compare->sides[i].blocks = COMPARE_BLOCKS;
        compare->sides[i].compare = true;
        compare->sides[i].say = NULL;
    }
}

static void command_page_print(void *session, const char *line) {
    session_note(session, line);
}

static const char *command_page_name_of(const char *path) {
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

static bool write_page_to(const struct session *session, const struct page_request *page,
                          struct error *error) {
    const char *path = session->arguments->values[OPTION_OUTPUT];
    struct atomic_file placed = {0};
    struct error undrawn = {0};
    bool done;

    if (strcmp(path, "-") == 0) {
        done = page_write(page, session->output, &undrawn, error);
    } else {
        done = atomic_file_open(&placed, path, error) &&
               page_write(page, placed.file, &undrawn, error) && atomic_file_commit(&placed, error);
        atomic_file_close(&placed);
    }
    if (done && undrawn.status != EXIT_DONE) {
        *error = undrawn;
        done = false;
    }
    return done;
}

/* Writes the page. `words` are from command_page_append_words() for `report`, for it without the
 * traces, and for `show`; `date` is from append_date(). */
static bool command_page_run(struct session *session, struct report_load *loaded, const char *css,
                             const struct text words[3], const struct text *date,
                             struct error *error) {
    const struct arguments *arguments = session->arguments;
    const char **reports = xcalloc(arguments->word_count + 1, sizeof *reports);
    struct compare_request compare;
    struct page_request page = {
        .workspace = &loaded->workspace,
        .common = &loaded->request,
        .reports = reports,
        .title = arguments->values[OPTION_TITLE],
        .licence = arguments->values[OPTION_LICENCE],
        .css = css,
        .date = date->length > 0 ? text_string(date) : NULL,
        .database = logs_as_typed(session) != NULL ? logs_as_typed(session)
                                                   : command_page_name_of(session->database_path),
        .has_logs = logs_as_typed(session) != NULL,
        .words = text_string(&words[0]),
        .words_of_any = text_string(&words[1]),
        .words_of_show = text_string(&words[2]),
        .has_plots = !arguments->given[OPTION_NO_PLOTS],
        .say = command_page_print,
        .say_context = session,
    };
    bool done;

    loaded->request.say = NULL;
    read_side_traces(arguments, &loaded->request, &compare);
    if (arguments->given[OPTION_COMPARE]) {
        page.compare = &compare;
    }
    done = command_page_read_words(session, &loaded->queries, reports, &page.report_count, error) &&
           write_page_to(session, &page, error);
    free(reports);
    return done;
}

/* Sets an error if --licence is empty. */
static bool check_licence(const struct arguments *arguments, struct error *error) {
    const char *licence = arguments->values[OPTION_LICENCE];

    return licence == NULL || licence[0] != '\0' ||
           error_usage(error, "--licence needs the licence of the data, such as 'CC BY 4.0'");
}

static bool make_page(struct session *session, struct error *error) {
    const struct arguments *arguments = session->arguments;
    struct text words[3] = {{0}}, date = {0};
    struct report_load loaded;
    char *css = NULL;
    bool done;

    if (!check_licence(arguments, error)) {
        return false;
    }
    if (arguments->given[OPTION_CSS] &&
        (css = read_css(arguments->values[OPTION_CSS], error)) == NULL) {
        return false;
    }
    command_page_append_words(session, ON_REPORT, true, &words[0]);
    command_page_append_words(session, ON_REPORT, false, &words[1]);
    command_page_append_words(session, ON_REPORT | ON_SHOW, true, &words[2]);
    done = append_date(arguments, &date, error) &&
           report_load(session, ANY_REPORT, &loaded, REPORT_BESIDE_OTHERS, error);
    if (done) {
        done = query_set_attach_plots(&loaded.queries, NULL, error) &&
               command_page_run(session, &loaded, css, words, &date, error);
        done = report_unload(session, &loaded, done, error);
    }
    for (size_t i = 0; i < 3; i++) {
        text_free(&words[i]);
    }
    text_free(&date);
    free(css);
    return done;
}

bool command_page(struct session *session, struct error *error) {
    const struct arguments *arguments = session->arguments;
    struct pseudonymised copy;
    bool done;

    if (!arguments->given[OPTION_OUTPUT]) {
        return error_usage(error, "-o FILE is needed: the page to write; - is stdout");
    }
    if (!arguments->given[OPTION_PSEUDONYMISE]) {
        return session_check_key(session, error) && make_page(session, error);
    }
    if (arguments->given[OPTION_COMPARE] && arguments->word_count < 2) {
        return refuse_single_trace(error);
    }
    done = pseudonymised_begin(&copy, session, arguments->given[OPTION_COMPARE] ? 2 : 0, error);
    if (done) {
        done = make_page(session, error);
        pseudonymised_end(&copy, session);
    }
    return done;
}
