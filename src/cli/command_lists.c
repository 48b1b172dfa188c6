/* tracetool formats, reports and exports: list what the program can read, report and write. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/words.h"
#include "cli/command.h"
#include "cli/logs.h"
#include "cli/report_load.h"
#include "export/export.h"
#include "import/importer.h"
#include "remote/address.h"
#include "report/choose.h"
#include "report/query_set.h"

static const struct column format_columns[] = {
    {"name", "", COLUMN_TEXT},
    {"kind", "", COLUMN_TEXT},
    {"variants", "", COLUMN_TEXT},
    {"description", "", COLUMN_TEXT},
};

static const struct column report_columns[] = {
    {"name", "", COLUMN_TEXT},    {"kinds", "", COLUMN_TEXT},   {"when", "", COLUMN_TEXT},
    {"options", "", COLUMN_TEXT}, {"columns", "", COLUMN_TEXT}, {"title", "", COLUMN_TEXT},
};

static const struct column exporter_columns[] = {
    {"name", "", COLUMN_TEXT},
    {"kinds", "", COLUMN_TEXT},
    {"description", "", COLUMN_TEXT},
};

enum { REPORT_WIDTH = 18 }; /* width of the column of names */

static void command_lists_append_kinds(unsigned kinds, struct text *out) {
    for (unsigned kind = 0; kind < TRACE_KINDS; kind++) {
        if (kinds >> kind & 1) {
            text_append_format(out, "%s%s", out->length == 0 ? "" : " ",
                               trace_kind_name((enum trace_kind)kind));
        }
    }
}

static void command_lists_append_columns(const struct query *query, struct text *out) {
    for (size_t i = 0; i < query->column_count; i++) {
        const struct query_column *column = &query->columns[i];

        if (query_prints_column(query, column)) {
            bool always =
                column->condition == NULL || column->unless || query_column_is_for_curves(column);

            text_append_format(out, always ? "%s%s" : "%s[%s]", i == 0 ? "" : " ",
                               column->column.name);
        }
    }
}

static bool command_lists_print_report(struct printer *printer, const struct query *query,
                                       struct error *error) {
    struct text kinds = {0}, when = {0}, options = {0}, columns = {0};
    bool done;

    command_lists_append_kinds(query->kinds, &kinds);
    if (query->when_option != NULL) {
        text_append_format(&when, "--%s%s%s%s", query->when_option,
                           query->when_value == NULL ? "" : " ",
                           query->when_value == NULL ? "" : query->when_value,
                           query->by_default ? " (default)" : "");
    }
    text_append_string(&options, query->options);
    for (size_t i = 0; i < query->parameter_count; i++) {
        text_append_format(&options, "%s%s", options.length == 0 ? "" : " ",
                           query->parameters[i].row.name);
    }
    if (query->total != NULL) {
        text_append_string(&options, options.length == 0 ? "share" : " share");
    }
    command_lists_append_columns(query, &columns);
    done = printer_row(
        printer,
        (struct value[]){value_text(query->report), value_text(text_string(&kinds)),
                         value_text(text_string(&when)), value_text(text_string(&options)),
                         value_text(text_string(&columns)), value_text(query->title)},
        error);
    text_free(&kinds);
    text_free(&when);
    text_free(&options);
    text_free(&columns);
    return done;
}

/* Returns the format given as the command's argument; NULL: none, or unknown with `error` set. */
static const char *chosen_format(const struct session *session, struct error *error) {
    const struct importer *importer;
    struct word_list names = {0};
    const char *chosen;

    if (session->arguments->word_count == 0) {
        return NULL;
    }
    for (size_t i = 0; (importer = importer_at(&session->config, i)) != NULL; i++) {
        word_list_add(&names, importer->name);
    }
    chosen = word_list_choose(&names, "format", session->arguments->words[0],
                              "`tracetool formats` lists them", error);
    word_list_free(&names);
    return chosen;
}

static bool print_formats(struct printer *printer, void *context, struct error *error) {
    static const struct result result = {
        .report = "formats",
        .title = "Formats",
        .clock_unit = "ns",
        .brief = "name kind description",
        .prose = "variants description",
        .columns = format_columns,
        .column_count = 4,
    };
    const struct session *session = context;
    const char *chosen = chosen_format(session, error);
    const struct importer *importer;
    struct text kinds = {0};
    bool done = error->status == EXIT_DONE && printer_begin(printer, &result, error);

    for (size_t i = 0; done && (importer = importer_at(&session->config, i)) != NULL; i++) {
        if (chosen == NULL || strcmp(chosen, importer->name) == 0) {
            text_clear(&kinds);
            command_lists_append_kinds(importer->kinds, &kinds);
            done = printer_row(
                printer,
                (struct value[]){value_text(importer->name), value_text(text_string(&kinds)),
                                 value_text(importer->variants), value_text(importer->description)},
                error);
        }
    }
    text_free(&kinds);
    return done && printer_end(printer, error);
}

static bool print_exporters(struct printer *printer, void *context, struct error *error) {
    static const struct result result = {
        .report = "exports",
        .title = "Export formats",
        .clock_unit = "ns",
        .prose = "description",
        .columns = exporter_columns,
        .column_count = 3,
    };
    struct text kinds = {0};
    bool done = printer_begin(printer, &result, error);

    for (size_t i = 0; done && exporters[i] != NULL; i++) {
        text_clear(&kinds);
        command_lists_append_kinds(exporters[i]->kinds, &kinds);
        done = printer_row(printer,
                           (struct value[]){value_text(exporters[i]->name),
                                            value_text(text_string(&kinds)),
                                            value_text(exporters[i]->description)},
                           error);
    }
    text_free(&kinds);
    return done && printer_end(printer, error);
}

bool command_formats(struct session *session, struct error *error) {
    return session_print(session, false, print_formats, session, error);
}

bool command_exports(struct session *session, struct error *error) {
    return session_print(session, false, print_exporters, session, error);
}

/* --- tracetool reports ------------------------------------------------------------------------ */

/* Parameters of a list of reports. */
struct report_list {
    struct session *session;
    struct query_set queries;
    struct catalog catalog;
    const struct catalog_trace *
        *traces; /* owned; traces that the reports must suit; NULL: list all reports */
    size_t count;
};

/* Finds the traces given as arguments; by default, all if the database exists. Reads no store. */
static bool command_lists_find_traces(struct report_list *list, struct error *error) {
    struct session *session = list->session;

    return (logs_as_typed(session) == NULL && (remote_is_address(session->database_path) ||
                                               access(session->database_path, F_OK) != 0)) ||
           session_choose_traces(session, true, &list->catalog, &list->traces, &list->count, error);
}

static bool command_lists_is_listed(const struct report_list *list, const char *report,
                                    unsigned kinds) {
    for (size_t i = 0; i < list->count; i++) {
        if ((kinds >> list->traces[i]->kind & 1) != 0 &&
            report_suits_trace(&list->queries, report, list->traces[i])) {
            return true;
        }
    }
    return list->count == 0;
}

static void print_briefly(const struct report_list *list) {
    const struct query_set *queries = &list->queries;
    size_t all = 0, shown = 0;

    for (size_t i = 0; i < queries->count; i += query_set_count_of_report(queries, i)) {
        const struct query *query =
            query_without_options(queries->queries + i, query_set_count_of_report(queries, i));

        all++;
        if (command_lists_is_listed(list, query->report, UINT_MAX)) {
            const char *question = query->question != NULL ? query->question : query->title;
            struct text line = {0};

            text_append_escaped(&line, query->report, strlen(query->report));
            text_append_char(&line, ' ');
            while (line.length <= REPORT_WIDTH) {
                text_append_char(&line, ' ');
            }
            text_append_escaped(&line, question, strlen(question));
            fprintf(list->session->output, "%s\n", text_string(&line));
            text_free(&line);
            shown++;
        }
    }
    fprintf(list->session->output, "\n%zu of %zu reports%s; -v lists options and columns\n", shown,
            all, shown == all ? "" : " answer here; --all lists the rest");
}

static bool command_lists_print_rows(struct printer *printer, void *report_list,
                                     struct error *error) {
    static const struct result result = {
        .report = "reports",
        .title = "Reports",
        .clock_unit = "ns",
        .brief = "name when columns",
        .prose = "options columns title",
        .columns = report_columns,
        .column_count = 6,
    };
    const struct report_list *list = report_list;
    bool done = printer_begin(printer, &result, error);

    for (size_t i = 0; done && i < list->queries.count; i++) {
        const struct query *query = &list->queries.queries[i];

        done = query->when_picture || !command_lists_is_listed(list, query->report, query->kinds) ||
               command_lists_print_report(printer, query, error);
    }
    return done && printer_end(printer, error);
}

/* tracetool reports. As a table, prints only reports that suit the traces, with the questions they
 * answer. Other styles print all reports, one per row, unless a trace is named. */
bool command_reports(struct session *session, struct error *error) {
    const struct arguments *arguments = session->arguments;
    const struct printer_style *style = session_style(session, error);
    const bool brief = style == &printer_style_table && !arguments->given[OPTION_VERBOSE] &&
                       !arguments->given[OPTION_LONG],
               chosen = logs_as_typed(session) != NULL || arguments->lists[OPTION_TRACE].count > 0;
    struct report_list list = {.session = session};
    bool done;

    if (style == NULL || !query_set_load(&list.queries, session_queries(session), error)) {
        return false;
    }
    done = arguments->given[OPTION_ALL] || !(brief || chosen) ||
           command_lists_find_traces(&list, error);
    if (done && brief) {
        print_briefly(&list);
    } else if (done) {
        done = session_print(session, false, command_lists_print_rows, &list, error);
    }
    query_set_free(&list.queries);
    catalog_free(&list.catalog);
    free(list.traces);
    return done;
}
