/* tracetool report, plot and dump: print reports, draw pictures, print events. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/picture.h"
#include "cli/report_load.h"
#include "cli/selection_options.h"
#include "remote/address.h"
#include "report/choose.h"
#include "report/dump.h"
#include "report/print.h"
#include "report/wide.h"

/* tracetool plot --all DIR: draws all pictures that suit the traces. */

struct all {
    struct session *session;
    const char *folder, *ending;
    struct query_set queries; /* all queries, with their plots */
    struct catalog catalog;
    const struct catalog_trace **traces; /* owned; traces to draw */
    size_t trace_count;
    size_t drawn, failed;
    struct error left_out; /* why the last picture was skipped */
};

/* Appends a name with all characters but letters and digits replaced by `-`, since names may come
 * from the user's query files. */
static void append_safe(struct text *path, const char *name) {
    for (; *name != '\0'; name++) {
        const bool is_safe = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                             (*name >= '0' && *name <= '9');

        text_append_char(path, is_safe ? *name : '-');
    }
}

/* Appends the path of a picture: DIRECTORY/REPORT[-OPTION[-VALUE]][-by-VALUE].svg. */
static void command_report_append_path(const struct all *all, const struct query *query,
                                       struct text *path) {
    const struct option_list *by = &all->session->arguments->lists[OPTION_BY];

    text_append_format(path, "%s/", all->folder);
    append_safe(path, query->report);
    if (query->when_option != NULL) {
        text_append_char(path, '-');
        append_safe(path, query->when_option);
    }
    if (query->when_option != NULL && query->when_value != NULL) {
        text_append_char(path, '-');
        append_safe(path, query->when_value);
    }
    for (size_t i = 0; i < by->count; i++) {
        text_append_string(path, "-by-");
        append_safe(path, by->values[i]);
    }
    text_append_string(path, all->ending);
}

static void append_report_words(const struct query *query, struct text *out) {
    text_append_string(out, query->report);
    if (query->when_option != NULL) {
        text_append_format(out, " --%s%s%s", query->when_option,
                           query->when_value == NULL ? "" : " ",
                           query->when_value == NULL ? "" : query->when_value);
    }
}

static bool command_report_is_same(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool command_report_answers(const struct all *all, const struct query *query) {
    struct text what = {0};
    bool any = false;

    append_report_words(query, &what);
    for (size_t i = 0; !any && i < all->trace_count; i++) {
        any = report_suits_trace(&all->queries, text_string(&what), all->traces[i]);
    }
    text_free(&what);
    return any;
}

/* Returns whether to draw the query's picture. No if an earlier query draws the same picture, if
 * the user gave the option that selects it, or if only users can know that option's value. */
static bool command_report_is_wanted(const struct all *all, const struct query *query) {
    const struct option_row *option =
        query->when_option == NULL ? NULL : option_find(query->when_option);

    if (query->plot_text == NULL || query->when_picture ||
        (query->when_option != NULL &&
         (option == NULL || (option->type != OPTION_FLAG && query->when_value == NULL) ||
          all->session->arguments->given[option - option_row(0)]))) {
        return false;
    }
    for (const struct query *before = all->queries.queries; before < query; before++) {
        if (before->plot_text != NULL && strcmp(before->report, query->report) == 0 &&
            command_report_is_same(before->when_option, query->when_option) &&
            command_report_is_same(before->when_value, query->when_value)) {
            return false;
        }
    }
    return true;
}

static void ignore_advice_line(void *context, const char *line) {
    (void)context;
    (void)line;
}

/* Begins a picture, draws the report, and ends the picture. */
static bool picture_draw_report(struct picture *picture, struct report_load *loaded,
                                struct error *error) {
    struct plot plot;
    const struct printer_style *style = picture_begin(
        picture, query_set_is_flame_graph(&loaded->queries, loaded->request.report), &plot, error);
    bool done;

    if (style == NULL) {
        return false;
    }
    done = print_report(&loaded->workspace, &loaded->request, style, plot.script, &picture->printer,
                        error);
    picture->is_refused = !done;
    database_end_read_transaction(&loaded->database);
    return picture_end(picture, &plot, done, error);
}

/* Draws the picture of a query. `*is_refused`: the report failed before drawing began. */
static bool command_report_draw(struct all *all, const struct query *query, const char *path,
                                bool *is_refused, struct error *error) {
    struct report_load loaded;
    struct picture picture;
    bool done = picture_read(&picture, all->session, error) &&
                report_load(all->session, query->report, &loaded, REPORT_DRAWN, error);

    if (done) {
        if (query->when_option != NULL) {
            loaded.options[loaded.request.option_count++] =
                (struct report_option){.name = query->when_option,
                                       .value = query->when_value == NULL ? "" : query->when_value};
        }
        loaded.request.say = ignore_advice_line; /* the note on traces whose counts are added up is
                                                    not repeated for each picture */
        picture.output = path;
        picture.printer.one_picture = true;
        done = report_unload(all->session, &loaded, picture_draw_report(&picture, &loaded, error),
                             error);
    }
    *is_refused = picture.is_refused;
    picture_free(&picture);
    return done;
}

static bool is_by_gnuplot(const struct error *error, const char *said) {
    return strncmp(error->message, said, strlen(said)) == 0;
}

/* Draws the picture of a query. Skips it if the traces or options have no data for it, and prints
 * that with -v. Always prints other errors. */
static bool draw_query(struct all *all, const struct query *query, struct error *error) {
    struct error why = {0};
    struct text path = {0}, line = {0};
    bool is_expected, is_refused, done;

    command_report_append_path(all, query, &path);
    done = command_report_draw(all, query, text_string(&path), &is_refused, &why);
    is_expected = why.absent || why.status == EXIT_USAGE || plot_has_nothing_to_draw(&why) ||
                  strstr(why.message, "has no picture") != NULL;
    if (done) {
        text_append_escaped(&line, text_string(&path), path.length);
        fprintf(all->session->output, "%s\n", text_string(&line));
        all->drawn++;
    } else if (is_expected || (is_refused && !is_by_gnuplot(&why, "gnuplot "))) {
        all->left_out = why;
        append_report_words(query, &line);
        if (!is_expected || all->session->arguments->given[OPTION_VERBOSE]) {
            session_print_line(all->session, "tracetool: left out %s: %s", text_string(&line),
                               why.message);
        }
        done = true;
    } else if (is_by_gnuplot(&why, "gnuplot failed")) {
        append_report_words(query, &line);
        text_append_string(&line, ": gnuplot failed on it");
        session_print_error(text_string(&line));
        all->failed++;
        done = true;
    } else {
        append_report_words(query, &line);
        *error = why;
        error_context(error, "plot %s", text_string(&line));
    }
    text_free(&line);
    text_free(&path);
    return done;
}

static bool command_report_check(struct all *all, struct error *error) {
    static const enum option_id of_one[] = {
        OPTION_TITLE,  OPTION_CAPTION, OPTION_SCRIPT, OPTION_DATA,    OPTION_CDF,   OPTION_ARGSIZE,
        OPTION_HOURLY, OPTION_RW,      OPTION_CCDF,   OPTION_OVERLAY, OPTION_PANELS};
    const struct arguments *arguments = all->session->arguments;
    const char *ending = arguments->values[OPTION_OUTPUT];
    char name[16];
    enum picture_kind kind;
    struct stat status;

    for (size_t i = 0; i < sizeof of_one / sizeof of_one[0]; i++) {
        if (arguments->given[of_one[i]]) {
            return error_usage(error, "--%s is for a single picture, but --all draws many",
                               option_row(of_one[i])->name);
        }
    }
    if (arguments->word_count == 0) {
        return error_usage(error, "plot --all needs a folder for the pictures: plot --all DIR");
    }
    if (remote_is_address(all->session->database_path)) {
        return error_usage(error, "plot --all reads a database file, not a store");
    }
    all->folder = arguments->words[0];
    if (stat(all->folder, &status) == 0 && !S_ISDIR(status.st_mode)) {
        return error_usage(error,
                           "plot --all needs a folder for the pictures, and %s is a file: plot "
                           "--all DIR %s",
                           all->folder, all->folder);
    }
    all->ending = ending == NULL ? ".svg" : ending;
    snprintf(name, sizeof name, "a%s", all->ending);
    return (all->ending[0] == '.' && plot_kind_of(name, &kind) && strlen(all->ending) == 4) ||
           error_usage(error,
                       "with --all, -o takes a file ending for all pictures (.png, .svg, .pdf, "
                       ".eps or .tex), not '%s'",
                       all->ending);
}

static bool command_report_make_folder(const char *folder, struct error *error) {
    return mkdir(folder, 0777) == 0 || errno == EEXIST ||
           error_set(error, "%s: cannot make the folder: %s", folder, strerror(errno));
}

/* Draws the pictures that suit the traces into the directory given as the command's argument, and
 * prints their paths. A report has several pictures if options select other queries. Skips pictures
 * without data; --verbose prints these. Returns false with `error` set if another picture fails, or
 * if all are skipped. */
static bool plot_all(struct session *session, struct error *error) {
    struct all all = {.session = session};
    bool done;

    if (!command_report_check(&all, error) ||
        !query_set_load(&all.queries, session_queries(session), error)) {
        return false;
    }
    done = query_set_attach_plots(&all.queries, NULL, error) &&
           session_choose_traces(all.session, false, &all.catalog, &all.traces, &all.trace_count,
                                 error) &&
           command_report_make_folder(all.folder, error);
    for (size_t i = 0; done && i < all.queries.count; i++) {
        done = !command_report_is_wanted(&all, &all.queries.queries[i]) ||
               !command_report_answers(&all, &all.queries.queries[i]) ||
               draw_query(&all, &all.queries.queries[i], error);
    }
    if (done && all.drawn + all.failed == 0) {
        done = error_set(error, "no picture can be drawn: %s", all.left_out.message);
    }
    if (done && all.failed > 0) {
        done =
            error_set(error, "gnuplot failed on %zu pictures; its messages are above", all.failed);
    }
    catalog_free(&all.catalog);
    free(all.traces);
    query_set_free(&all.queries);
    return done;
}

/* Returns the name of the report: a word, or implied by an option. Several are an error. */
static const char *report_name(const struct session *session, struct error *error) {
    static const struct {
        enum option_id option;
        const char *report;
    } shorts[] = {
        {OPTION_ARGSIZE, "argsize"},
        {OPTION_HOURLY, "hourly"},
        {OPTION_RW, "rw"},
    };
    const struct arguments *arguments = session->arguments;
    const char *name = arguments->word_count > 0 ? arguments->words[0] : NULL;

    /* --cdf without a report means the report report_of_cdf */
    if (name == NULL && arguments->given[OPTION_CDF]) {
        name = report_of_cdf;
    }
    for (size_t i = 0; i < sizeof shorts / sizeof shorts[0]; i++) {
        if (!arguments->given[shorts[i].option]) {
            continue;
        }
        if (name != NULL && strcmp(name, shorts[i].report) != 0) {
            error_usage(error, "one report at a time: %s or %s", name, shorts[i].report);
            return NULL;
        }
        name = shorts[i].report;
    }
    if (name == NULL && arguments->other_count > 0) {
        command_refuse_option(session->command, arguments->others[0].name, error);
    } else if (name == NULL) {
        error_usage(error, "which report? `tracetool reports` lists them");
    }
    return name;
}

/* --wide: prints a table with one row per trace. */
static bool print_wide_table(struct session *session, const struct printer_style *style,
                             struct report_load *loaded, struct error *error) {
    const struct arguments *arguments = session->arguments;
    struct printer_options options = session_printer_options(session);

    if (strcmp(loaded->request.report, wide_report) != 0) {
        return error_usage(error,
                           "--wide works only with report %s, whose attributes become columns",
                           wide_report);
    }
    if (style == printer_style_find("gnuplot") || style == printer_style_find("folded") ||
        loaded->request.group != GROUP_NONE || arguments->given[OPTION_SORT] ||
        loaded->request.top > 0) {
        return error_usage(error, "--wide prints a row for each trace, by name: it goes with none "
                                  "of --by, --sort, --top and plot");
    }
    return print_wide(&loaded->workspace, &loaded->request, arguments->values[OPTION_COLUMNS],
                      style, session->output, &options, error);
}

bool command_report(struct session *session, struct error *error) {
    const struct printer_style *style = session_style(session, error);
    struct printer_options printer_options = session_printer_options(session);
    const char *name = style == NULL ? NULL : report_name(session, error);
    const bool is_wide = session->arguments->given[OPTION_WIDE];
    enum report_use use = is_wide                                  ? REPORT_BESIDE_OTHERS
                          : style == printer_style_find("gnuplot") ? REPORT_DRAWN
                                                                   : REPORT_PRINTED;
    struct report_load loaded;
    bool done;

    if (session->arguments->given[OPTION_COLUMNS] && !is_wide) {
        return error_usage(error, "--columns needs --wide: report summary --wide --columns %s",
                           session->arguments->values[OPTION_COLUMNS]);
    }
    if (name == NULL || !report_load(session, name, &loaded, use, error)) {
        return false;
    }
    loaded.request.brief =
        style == printer_style_find("table") && !session->arguments->given[OPTION_ALL];
    loaded.request.all = session->arguments->given[OPTION_ALL];
    /* folded stacks need the rows of flame graphs, which are those for pictures */
    loaded.request.picture |= style == printer_style_find("folded");
    loaded.request.sort = session->arguments->values[OPTION_SORT];
    done = is_wide ? print_wide_table(session, style, &loaded, error)
                   : print_report(&loaded.workspace, &loaded.request, style, session->output,
                                  &printer_options, error);
    return report_unload(session, &loaded, done, error);
}

bool command_plot(struct session *session, struct error *error) {
    struct picture picture;
    struct report_load loaded;
    const char *name;
    bool done;

    if (session->arguments->given[OPTION_ALL]) {
        return plot_all(session, error);
    }
    name = picture_read(&picture, session, error) ? report_name(session, error) : NULL;
    if (name == NULL || !report_load(session, name, &loaded, REPORT_DRAWN, error)) {
        picture_free(&picture);
        return false;
    }
    done = picture_draw_report(&picture, &loaded, error);
    picture_free(&picture);
    return report_unload(session, &loaded, done, error);
}

bool command_dump(struct session *session, struct error *error) {
    struct report_option options[OPTION_MOST];
    struct printer_options printer_options = session_printer_options(session);
    const struct printer_style *style = NULL;
    struct report_request request;
    struct workspace workspace;
    struct database database;
    bool done;

    if (session->arguments->given[OPTION_FORMAT] &&
        (style = session_style(session, error)) == NULL) {
        return false;
    }
    if (!selection_fill_request(session, options, &request, error) ||
        !session_open(session, &database, DATABASE_READ, error)) {
        return false;
    }
    session_warn_of_untrusted(session);
    done = workspace_open(&workspace, &database, &session->config, NULL, error) &&
           dump_run(&workspace, &request, style, session->output, &printer_options, error);
    workspace_close(&workspace);
    return session_close(session, &database, done, error);
}
