/* tracetool report and tracetool plot. */
#include <stdlib.h>
#include <string.h>

#include "cli/picture.h"
#include "cli/report_load.h"
#include "cli/statement.h"
#include "report/print.h"
#include "report/statement_picture.h"

/* The report's name: a word, or one of the short forms; exactly one of them. */
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

    /* Without a word, --cdf is a short form like the others. */
    if (name == NULL && arguments->given[OPTION_CDF]) {
        name = report_of_cdf;
    }
    for (size_t i = 0; i < sizeof shorts / sizeof shorts[0]; i++) {
        if (!arguments->given[shorts[i].option]) {
            continue;
        }
        if (name != NULL && strcmp(name, shorts[i].report) != 0) {
            error_set_status(error, EXIT_USAGE, "one report at a time: %s or %s", name,
                             shorts[i].report);
            return NULL;
        }
        name = shorts[i].report;
    }
    if (name == NULL && arguments->other_count > 0) {
        command_has_no(session->command, arguments->others[0].name, error);
    } else if (name == NULL) {
        error_set_status(error, EXIT_USAGE, "which report? `tracetool reports` lists them");
    }
    return name;
}

bool command_report(struct session *session, struct error *error) {
    const struct printer_style *style = session_style(session, error);
    struct printer_options printer_options = session_printer_options(session);
    const char *name = style == NULL ? NULL : report_name(session, error);
    enum report_use use = style == printer_style_find("gnuplot") ? REPORT_DRAWN : REPORT_PRINTED;
    struct report_load loaded;
    bool done;

    if (name == NULL || !report_load(session, name, &loaded, use, error)) {
        return false;
    }
    done = print_report(&loaded.workspace, &loaded.request, style, session->output,
                        &printer_options, error);
    return report_unload(session, &loaded, done, error);
}

/* --- plot sql ------------------------------------------------------------------------------------
 */

static bool print_sql(struct session *session, struct database *database, const char *sql,
                      FILE *script, const struct printer_options *options, struct error *error) {
    const int64_t top = arguments_number(session->arguments, OPTION_TOP, 0);
    sqlite3_stmt *statement = statement_prepare(database, sql, error);
    struct error closing = {0};
    struct printer *printer = NULL;
    bool done = false;

    if (statement != NULL) {
        printer = printer_open(printer_style_find("gnuplot"), script, options, error);
        done = printer != NULL && statement_picture(database, statement, sql, printer, top, error);
    }
    if (printer != NULL && !printer_close(printer, !done, &closing) && done) {
        *error = closing;
        done = false;
    }
    sqlite3_finalize(statement);
    return done;
}

static bool draw_sql(struct session *session, struct database *database, const char *sql,
                     struct picture *picture, struct error *error) {
    struct plot plot;
    bool done = picture_begin(picture, false, &plot, error) != NULL;

    if (done) {
        done = print_sql(session, database, sql, plot.script, &picture->printer, error);
        database_finish_reading(database);
        done = picture_end(picture, &plot, done, error);
    }
    return done;
}

bool command_plot_sql(struct session *session, struct error *error) {
    struct picture picture;
    struct database database;
    char *sql = NULL;
    bool done = picture_read(&picture, session, error);

    if (done && remote_is_address(session->database_path)) {
        done = error_set_status(error, EXIT_USAGE,
                                "plot sql draws what a database file holds, not a store");
    }
    if (done) {
        sql = statement_read(session->arguments, error);
        database_limit_memory();
    }
    if (sql != NULL && session_open(session, &database, DATABASE_READ, error)) {
        done = draw_sql(session, &database, sql, &picture, error);
        done = session_close(session, &database, done, error);
    } else {
        done = false;
    }
    free(sql);
    picture_free(&picture);
    return done;
}

/* --- plot ----------------------------------------------------------------------------------------
 */

bool command_plot(struct session *session, struct error *error) {
    const struct printer_style *style;
    struct picture picture;
    struct plot plot;
    struct report_load loaded;
    const char *name;
    bool done = false;

    if (!picture_read(&picture, session, error)) {
        return false;
    }
    name = report_name(session, error);
    if (name == NULL || !report_load(session, name, &loaded, REPORT_DRAWN, error)) {
        picture_free(&picture);
        return false;
    }
    style = picture_begin(
        &picture, query_set_is_flame_graph(&loaded.queries, loaded.request.report), &plot, error);
    if (style != NULL) {
        done = print_report(&loaded.workspace, &loaded.request, style, plot.script,
                            &picture.printer, error);
        database_finish_reading(&loaded.database);
        done = picture_end(&picture, &plot, done, error);
    }
    picture_free(&picture);
    return report_unload(session, &loaded, done, error);
}
