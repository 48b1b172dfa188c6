#include "cli/report_load.h"

#include <string.h>

#include "cli/selection_options.h"
#include "report/choose.h"
#include "report/prepare.h"

const char report_of_cdf[] = "popularity";

bool report_unload(struct session *session, struct report_load *loaded, bool done,
                   struct error *error) {
    workspace_close(&loaded->workspace);
    query_set_free(&loaded->queries);
    return session_close(session, &loaded->database, done, error);
}

/* --cdf as an option of the report. What it is short for is what others choose there. */
static void take_cdf(const struct arguments *arguments, struct report_load *loaded) {
    struct report_request *request = &loaded->request;
    bool chosen = request->report != NULL && strcmp(request->report, report_of_cdf) == 0 &&
                  (arguments->given[OPTION_OF] || arguments->given[OPTION_MARK]);

    if (arguments->given[OPTION_CDF] && request->report != NULL && !chosen) {
        loaded->options[request->option_count++] =
            (struct report_option){.name = "cdf", .value = ""};
    }
}

/* --by hour is the report's own where it has one; else there is a result for each hour. */
static bool take_hour(struct report_load *loaded, struct error *error) {
    struct report_request *request = &loaded->request;
    size_t at = 0;

    while (at < request->option_count && (strcmp(loaded->options[at].name, "by") != 0 ||
                                          strcmp(loaded->options[at].value, "hour") != 0)) {
        at++;
    }
    for (size_t i = 0; i < loaded->queries.count; i++) {
        const struct query *query = &loaded->queries.queries[i];

        if (strcmp(query->report, request->report) == 0 && query->when_value != NULL &&
            strcmp(query->when_option, "by") == 0 && strcmp(query->when_value, "hour") == 0) {
            return true;
        }
    }
    if (at == request->option_count) {
        return true;
    }
    if (request->by_trace || request->group != GROUP_NONE || request->filter.hours.length > 0) {
        return error_set_status(error, EXIT_USAGE,
                                "--by hour: not with hours in --from and --to, nor with a result "
                                "for each trace or group");
    }
    request->group = GROUP_HOUR;
    for (request->option_count--; at < request->option_count; at++) {
        loaded->options[at] = loaded->options[at + 1];
    }
    return true;
}

static void say_worth_knowing(void *session, const char *line) {
    session_note(session, line);
}

/* Some reports ask the formats what could have been logged. */
static bool begin_config(struct session *session, const struct report_load *loaded,
                         struct error *error) {
    bool wanted = false;

    for (size_t i = 0; !wanted && i < loaded->queries.count; i++) {
        const struct query *query = &loaded->queries.queries[i];

        wanted = strcmp(query->report, loaded->request.report) == 0 &&
                 prepare_reads(query, "loggable_operation");
    }
    return !wanted || config_begin(&session->config, error);
}

bool report_load(struct session *session, const char *typed, struct report_load *loaded,
                 enum report_use use, struct error *error) {
    bool picture = use == REPORT_DRAWN;

    if (!selection_options(session, loaded->options, &loaded->request, error) ||
        !query_set_load_typed(&loaded->queries, session_queries(session),
                              use == REPORT_BESIDE_OTHERS ? "" : typed, error)) {
        return false;
    }
    loaded->request.picture = picture;
    loaded->request.say = say_worth_knowing;
    loaded->request.say_context = session;
    loaded->request.report = choose_report(&loaded->queries, typed, error);
    take_cdf(session->arguments, loaded);
    if (loaded->request.report == NULL ||
        !report_others(session->arguments, &loaded->queries, loaded->request.report,
                       loaded->options, &loaded->request.option_count, error) ||
        !take_hour(loaded, error) ||
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
