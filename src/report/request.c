#include "report/request.h"

#include <string.h>

#include "import/importer.h"
#include "select/selection.h"

const struct report_option *request_option(const struct report_request *request, const char *name) {
    for (size_t i = 0; i < request->option_count; i++) {
        if (strcmp(request->options[i].name, name) == 0) {
            return &request->options[i];
        }
    }
    return NULL;
}

bool request_includes(const struct report_request *request, const struct catalog_trace *trace) {
    return request->study == NULL || strcmp(request->study, trace->study) == 0;
}

bool request_check_study(const struct report_request *request, const struct catalog *catalog,
                         struct error *error) {
    bool found = request->study == NULL;

    for (size_t i = 0; i < catalog->count && !found; i++) {
        found = request_includes(request, &catalog->traces[i]);
    }
    if (!found) {
        return error_set(error, "no trace belongs to a study %s; import --study gives them one",
                         request->study);
    }
    return request->study == NULL || request->trace_count == 0 ||
           error_set_status(error, EXIT_USAGE, "either --study or --trace chooses the traces");
}

bool request_check_filter(const struct report_request *request, const struct catalog_trace *trace,
                          struct error *error) {
    const struct filter *filter = &request->filter;
    const char *io = filter->action != NULL ? "action" : filter->has_device ? "device" : NULL;
    const char *spans = filter->under != NULL       ? "under"
                        : filter->component != NULL ? "component"
                        : request->clock != NULL    ? "clock"
                                                    : NULL;

    if (io != NULL && trace->kind != TRACE_IO) {
        return error_set_status(error, EXIT_USAGE, "--%s is for block I/O; trace %s holds %s", io,
                                trace->name, trace_kind_name(trace->kind));
    }
    if (spans != NULL && trace->kind != TRACE_SPANS) {
        return error_set_status(error, EXIT_USAGE,
                                "--%s is for calls with a duration; trace %s holds %s", spans,
                                trace->name, trace_kind_name(trace->kind));
    }
    return trace->kind != TRACE_SPANS || selection_check_clock(trace, request->clock, error);
}
