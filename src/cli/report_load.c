#include "cli/report_load.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "cli/selection_options.h"
#include "report/choose.h"
#include "report/prepare.h"

/* Returns whether a word, from index `first` on, is the report's name or the beginning of it. */
static bool is_typed(const struct arguments *arguments, size_t first, const char *report) {
    for (size_t i = first; i < arguments->word_count; i++) {
        const char *word = arguments->words[i];

        if (word[0] != '\0' && strncmp(report, word, strlen(word)) == 0) {
            return true;
        }
    }
    return false;
}

static void print_hidden_option(const struct arguments *arguments, const struct query *query,
                                const char *name) {
    struct text line = {0};

    query_append_place(query, name, &line);
    text_append_format(
        &line, ": --%s is a parameter of report %s from this file, not tracetool's %s", name,
        query->report,
        option_find(name) != NULL ? "option" : "option that begins with these letters");
    if (!arguments->given[OPTION_QUIET]) {
        session_print_error(text_string(&line));
    }
    text_free(&line);
}

/* Lists the parameters of the report's query files that take precedence over options of the same
 * name. `first`: index of the first word that may be the report. Returns their number. */
static size_t find_own(const struct arguments *arguments, size_t first,
                       const struct query_set *queries, const char *names[REPORT_OTHERS]) {
    size_t count = 0;

    for (size_t i = 0; i < queries->count; i++) {
        const struct query *query = &queries->queries[i];

        for (size_t j = 0; j < query->parameter_count; j++) {
            const char *name = query->parameters[j].row.name;
            bool is_new = count < REPORT_OTHERS && option_exists(name) &&
                          is_typed(arguments, first, query->report);

            for (size_t k = 0; is_new && k < count; k++) {
                is_new = strcmp(names[k], name) != 0;
            }
            if (is_new) {
                print_hidden_option(arguments, query, name);
                names[count++] = name;
            }
        }
    }
    return count;
}

bool report_parse_own_options(const struct config *config, const struct command *command,
                              struct arguments *arguments, bool parsed, struct error *error) {
    const char *names[REPORT_OTHERS];
    struct query_set queries;
    struct error ignored = {0}; /* unused: loading the queries again sets the error */
    size_t count;

    if (config->queries == NULL || !command_takes_parameters(command) ||
        !query_set_load(&queries, config->queries, &ignored)) {
        return parsed;
    }
    count = find_own(arguments, strstr(command->name, "compare") != NULL ? 2 : 0, &queries, names);
    if (count > 0) {
        *error = (struct error){0};
        parsed = arguments_parse_again(arguments, names, count, error);
        if (command_has_two_words(command)) {
            arguments->words++; /* skips the second word of the command's name */
            arguments->word_count--;
        }
        resolve_short_options(arguments, command_bit(command));
    }
    query_set_free(&queries);
    return parsed;
}

static const struct query_parameter *find_parameter(const struct query_set *queries,
                                                    const char *report, const char *name) {
    const struct query_parameter *parameter = NULL;

    FOR_QUERIES_OF(queries, report) {
        parameter = parameter != NULL ? parameter : query_parameter(query, name);
    }
    return parameter;
}

static bool report_load_refuse(const struct query_set *queries, const char *report,
                               const char *name, struct error *error) {
    struct own_options own = own_options_list(queries, report);
    const char *near = command_synonym(name);
    struct word_list words = {0};
    struct text names = {0};
    bool has_by = false; /* true: the list has --by, which every report accepts */

    for (int i = 0; near == NULL && i < option_count(); i++) {
        if (!option_row(i)->hidden && command_takes(command_find("report"), option_row(i))) {
            word_list_add(&words, option_row(i)->name);
        }
    }
    for (size_t i = 0; i < own.count; i++) {
        word_list_add(&words, own.options[i].name);
        has_by |= strcmp(own.options[i].name, "by") == 0;
    }
    text_append_string(&names, has_by ? "" : "--by");
    for (size_t i = 0; i < own.count; i++) {
        if (i == 0 || strcmp(own.options[i].name, own.options[i - 1].name) != 0) {
            text_append_format(&names, "%s--%s", names.length == 0 ? "" : ", ",
                               own.options[i].name);
        }
    }
    near = near != NULL ? near : word_list_nearest(&words, name);
    if (near != NULL) {
        error_usage(error, "report %s has no --%s: did you mean --%s?", report, name, near);
    } else {
        error_usage(error,
                    "report %s has no --%s; it has %s, and those of `tracetool report --help`",
                    report, name, text_string(&names));
    }
    own_options_free(&own);
    word_list_free(&words);
    text_free(&names);
    return false;
}

/* Adds an option. If it is given several times, the last value counts. */
static bool add_option(const struct query_parameter *parameter, const char *value,
                       struct report_option *options, size_t first, size_t *count,
                       struct error *error) {
    const char *name = parameter->row.name;
    size_t at = first;

    while (at < *count && strcmp(options[at].name, name) != 0) {
        at++;
    }
    if (at == first + REPORT_OTHERS) {
        return error_usage(error, "--%s: more options than a report can have", name);
    }
    options[at] = (struct report_option){.name = name, .value = value};
    *count = at == *count ? at + 1 : *count;
    return true;
}

bool report_add_parameters(const struct arguments *arguments, const struct query_set *queries,
                           const char *report, struct report_option *options, size_t *count,
                           struct error *error) {
    size_t first = *count;

    for (size_t i = 0; i < arguments->other_count; i++) {
        const struct other_option *other = &arguments->others[i];
        const struct query_parameter *parameter = find_parameter(queries, report, other->name);
        struct parameter_value ignored;

        if (parameter == NULL) {
            return report_load_refuse(queries, report, other->name, error);
        }
        if (other->value == NULL) {
            return error_usage(error, "option --%s needs an argument", other->name);
        }
        if (!parameter_read(&parameter->row, other->value, &ignored, error) ||
            !add_option(parameter, other->value, options, first, count, error)) {
            return false;
        }
    }
    return true;
}

static bool report_load_is_same(const struct own_option *option, const char *name, size_t length,
                                const struct query_parameter *parameter) {
    const struct query_parameter *own = option->parameter;

    return strlen(option->name) == length && memcmp(option->name, name, length) == 0 &&
           (own == NULL || parameter == NULL ||
            (strcmp(own->row.help, parameter->row.help) == 0 &&
             (own->otherwise == NULL) == (parameter->otherwise == NULL) &&
             (own->otherwise == NULL || strcmp(own->otherwise, parameter->otherwise) == 0)));
}

/* Inserts an option after those with the same name; if there are none, at the end. */
static struct own_option *report_load_insert(struct own_options *list, const char *name,
                                             size_t length) {
    struct own_option *options = xrealloc(list->options, (list->count + 1) * sizeof *options);
    size_t at = list->count;

    list->options = options;
    for (size_t i = 0; i < list->count; i++) {
        if (strlen(options[i].name) == length && memcmp(options[i].name, name, length) == 0) {
            at = i + 1;
        }
    }
    memmove(options + at + 1, options + at, (list->count - at) * sizeof *options);
    list->count++;
    options[at] = (struct own_option){.kinds = 0};
    memcpy(options[at].name, name, length);
    return &options[at];
}

/* Adds an option of a query to the list; if it is listed already, adds the query's kinds of traces
 * to it. */
static void report_load_add_own(struct own_options *list, const struct query *query,
                                const char *name, size_t length,
                                const struct query_parameter *parameter) {
    struct own_option *option;
    size_t at = 0;

    if (length >= sizeof option->name) {
        return; /* the name is longer than that of any option */
    }
    while (at < list->count && !report_load_is_same(&list->options[at], name, length, parameter)) {
        at++;
    }
    if (at < list->count) {
        option = &list->options[at];
    } else {
        option = report_load_insert(list, name, length);
        option->parameter = parameter;
    }
    option->kinds |= query->kinds;
    if (query->when_option != NULL && query->when_value != NULL &&
        strlen(query->when_option) == length && memcmp(query->when_option, name, length) == 0) {
        option->value = query->when_value;
    }
}

static void report_load_add_query(struct own_options *list, const struct query *query) {
    for (size_t i = 0; i < query->parameter_count; i++) {
        const char *name = query->parameters[i].row.name;

        report_load_add_own(list, query, name, strlen(name), &query->parameters[i]);
    }
    if (query->when_option != NULL) {
        report_load_add_own(list, query, query->when_option, strlen(query->when_option),
                            query_parameter(query, query->when_option));
    }
    if (query->total != NULL) {
        report_load_add_own(list, query, "share", strlen("share"), NULL);
    }
    if (query_is_cumulative(query)) {
        report_load_add_own(list, query, "cdf", strlen("cdf"), NULL);
    }
    if (query_is_complementary(query)) {
        report_load_add_own(list, query, "ccdf", strlen("ccdf"), NULL);
    }
    for (const char *name = query->options; *name != '\0'; name += strspn(name, " ")) {
        size_t length = strcspn(name, " ");

        if (length > 0) {
            report_load_add_own(list, query, name, length, NULL);
        }
        name += length;
    }
}

struct own_options own_options_list(const struct query_set *queries, const char *report) {
    struct own_options list = {0};

    FOR_QUERIES_OF(queries, report) {
        report_load_add_query(&list, query);
    }
    return list;
}

void own_options_free(struct own_options *list) {
    free(list->options);
    *list = (struct own_options){0};
}

const char report_of_cdf[] = "popularity";

bool report_unload(struct session *session, struct report_load *loaded, bool done,
                   struct error *error) {
    workspace_close(&loaded->workspace);
    query_set_free(&loaded->queries);
    return session_close(session, &loaded->database, done, error);
}

/* Passes --cdf to the report, unless it is report_of_cdf and --of or --mark select its query.
 * --ccdf implies --cdf. */
static void apply_cdf(const struct arguments *arguments, struct report_load *loaded) {
    struct report_request *request = &loaded->request;
    bool chosen = request->report != NULL && strcmp(request->report, report_of_cdf) == 0 &&
                  (arguments->given[OPTION_OF] || arguments->given[OPTION_MARK]);

    if (request->report == NULL) {
        return;
    }
    if (arguments->given[OPTION_CCDF]) {
        loaded->options[request->option_count++] =
            (struct report_option){.name = "ccdf", .value = ""};
    }
    if (arguments->given[OPTION_CCDF] || (arguments->given[OPTION_CDF] && !chosen)) {
        loaded->options[request->option_count++] =
            (struct report_option){.name = "cdf", .value = ""};
    }
}

/* Applies --by hour: a separate result for each hour, unless the report has its own --by hour. */
static bool apply_by_hour(struct report_load *loaded, struct error *error) {
    struct report_request *request = &loaded->request;
    size_t at = 0;

    while (at < request->option_count && (strcmp(loaded->options[at].name, "by") != 0 ||
                                          strcmp(loaded->options[at].value, "hour") != 0)) {
        at++;
    }
    FOR_QUERIES_OF(&loaded->queries, request->report) {
        if (query->when_value != NULL && strcmp(query->when_option, "by") == 0 &&
            strcmp(query->when_value, "hour") == 0) {
            return true;
        }
    }
    if (at == request->option_count) {
        return true;
    }
    if (request->by_trace || request->group != GROUP_NONE || request->filter.hours.length > 0) {
        return error_usage(error, "--by hour excludes hours of the day in --from and --to, and one "
                                  "result for each trace or group");
    }
    request->group = GROUP_HOUR;
    for (request->option_count--; at < request->option_count; at++) {
        loaded->options[at] = loaded->options[at + 1];
    }
    return true;
}

static void print_remark_line(void *session, const char *line) {
    session_note(session, line);
}

/* Loads the configuration for reports that need to know which operations a format can log. */
static bool begin_config(struct session *session, const struct report_load *loaded,
                         struct error *error) {
    bool wanted = false;

    for (size_t i = 0; !wanted && i < loaded->queries.count; i++) {
        const struct query *query = &loaded->queries.queries[i];

        wanted = strcmp(query->report, loaded->request.report) == 0 &&
                 prepare_query_reads(query, "loggable_operation");
    }
    return !wanted || config_read_builtin(&session->config, error);
}

const char *report_resolve_name(const struct session *session, const struct query_set *queries,
                                const char *typed, struct error *error) {
    const char *report = choose_report(queries, typed, error);

    if (report != NULL && strcmp(report, typed) != 0) {
        session_print_line(session,
                           "tracetool: report %s: taken as %s, the report that begins with it",
                           typed, report);
    }
    return report;
}

/* Completes abbreviated values of options that select among the report's queries, such as --of.
 * Returns false with `error` set, which lists the values, if none matches. */
static bool choose_words(const struct query_set *queries, const char *report,
                         struct report_option *options, size_t count, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < count; i++) {
        struct word_list words = {0};

        FOR_QUERIES_OF(queries, report) {
            if (query->when_value != NULL && strcmp(query->when_option, options[i].name) == 0) {
                word_list_add_once(&words, query->when_value);
            }
        }
        if (words.count > 0 && options[i].value[0] != '\0') {
            char what[64];

            snprintf(what, sizeof what, "--%s of report %s called", options[i].name, report);
            options[i].value = word_list_choose(&words, what, options[i].value, NULL, error);
            done = options[i].value != NULL;
        }
        word_list_free(&words);
    }
    return done;
}

bool report_load(struct session *session, const char *typed, struct report_load *loaded,
                 enum report_use use, struct error *error) {
    bool picture = use == REPORT_DRAWN;

    if (!selection_fill_request(session, loaded->options, &loaded->request, error) ||
        !query_set_load_typed(&loaded->queries, session_queries(session),
                              use == REPORT_BESIDE_OTHERS ? "" : typed, error)) {
        return false;
    }
    loaded->request.picture = picture;
    loaded->request.curve = session->arguments->given[OPTION_CDF];
    loaded->request.say = print_remark_line;
    loaded->request.say_context = session;
    loaded->request.report = report_resolve_name(session, &loaded->queries, typed, error);
    apply_cdf(session->arguments, loaded);
    if (loaded->request.report == NULL ||
        !report_add_parameters(session->arguments, &loaded->queries, loaded->request.report,
                               loaded->options, &loaded->request.option_count, error) ||
        !apply_by_hour(loaded, error) ||
        !choose_words(&loaded->queries, loaded->request.report, loaded->options,
                      loaded->request.option_count, error) ||
        !begin_config(session, loaded, error) ||
        (picture && !query_set_attach_plots(&loaded->queries, loaded->request.report, error))) {
        query_set_free(&loaded->queries);
        return false;
    }
    if (!session_open(session, &loaded->database, DATABASE_READ, error)) {
        query_set_free(&loaded->queries);
        return false;
    }
    if (!workspace_open(&loaded->workspace, &loaded->database, &session->config, &loaded->queries,
                        error)) {
        return report_unload(session, loaded, false, error);
    }
    return true;
}
