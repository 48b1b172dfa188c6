#include "compare/parts.h"

#include <stdlib.h>

#include "base/memory.h"
#include "compare/table.h"
#include "report/choose.h"
#include "select/match.h"

/* Returns the query of the report that works for all traces of a side; sets `*trace` to the first
 * trace. Returns NULL if traces need different queries, or there is none. */
static const struct query *query_and_trace(const struct workspace *workspace,
                                           const struct report_request *side,
                                           const struct catalog_trace **trace) {
    struct choice *choices = NULL;
    struct error ignored = {0};
    const struct query *query = NULL;
    size_t count = 0;

    if (choose_reports(&workspace->catalog, workspace->queries, side, &choices, &count, &ignored) &&
        count > 0) {
        query = choices[0].query;
        *trace = choices[0].trace;
        for (size_t i = 1; i < count && query != NULL; i++) {
            query = choices_can_be_merged(&choices[0], &choices[i]) ? query : NULL;
        }
    }
    free(choices);
    return query;
}

const struct query *compare_find_query(const struct workspace *workspace,
                                       const struct report_request *side) {
    const struct catalog_trace *trace;

    return query_and_trace(workspace, side, &trace);
}

/* Returns the query for the side's traces of that kind; NULL if there is none. */
static const struct query *query_of_kind(const struct workspace *workspace,
                                         const struct report_request *side, int kind) {
    struct report_request request = *side;
    const struct catalog_trace *trace;
    const struct query *query;

    request.kinds = 1u << kind;
    query = query_and_trace(workspace, &request, &trace);
    return query != NULL && (int)trace->kind == kind ? query : NULL;
}

/* Returns whether the side's traces have all names that its filter uses; sets an error if not. */
static bool has_names(const struct workspace *workspace, const struct report_request *side,
                      struct error *error) {
    struct abbreviations abbreviations = {.count = 0};
    const struct catalog_trace **traces;
    struct choice *choices = NULL;
    size_t count = 0;
    bool has =
        choose_reports(&workspace->catalog, workspace->queries, side, &choices, &count, error);

    traces = xcalloc(count + 1, sizeof(const void *));
    for (size_t i = 0; i < count; i++) {
        traces[i] = choices[i].trace;
    }
    has = has &&
          abbreviations_make(&abbreviations, workspace->database, traces, count, &side->filter,
                             error) &&
          match_check_names_exist(workspace->database, traces, count, &abbreviations.filter, error);
    abbreviations_free(&abbreviations);
    free(traces);
    free(choices);
    return has;
}

bool compare_kind_has_filter_names(const struct workspace *workspace,
                                   const struct compare_request *part, struct error *error) {
    return has_names(workspace, &part->sides[SIDE_A], error) &&
           has_names(workspace, &part->sides[SIDE_B], error);
}

/* Returns `kinds` without those whose traces lack names of the filter; all `kinds` if none would
 * remain. */
static unsigned kinds_with_names(const struct workspace *workspace,
                                 const struct compare_request *request, unsigned kinds) {
    unsigned named = 0;

    for (int kind = 0; kind < TRACE_KINDS; kind++) {
        struct compare_request part = *request;
        struct error ignored = {0};

        part.sides[SIDE_A].kinds = part.sides[SIDE_B].kinds = 1u << kind;
        if ((kinds >> kind & 1) != 0 && compare_kind_has_filter_names(workspace, &part, &ignored)) {
            named |= 1u << kind;
        }
    }
    return named != 0 ? named : kinds;
}

/* Returns true if one query of the report works for all traces of the side, and the log of the
 * first trace was not imported as several traces (one for each kind). */
static bool is_of_one_kind(const struct workspace *workspace, const struct report_request *side) {
    const struct catalog_trace *trace;

    return query_and_trace(workspace, side, &trace) != NULL && trace->log[0] == '\0';
}

struct compare_kinds compare_kinds_of(const struct workspace *workspace,
                                      const struct compare_request *request) {
    struct compare_kinds parts = {.request = request, .count = 1};
    unsigned after[TRACE_KINDS] = {0};
    size_t count = 0;

    if (request->sides[SIDE_A].kinds != 0 || (is_of_one_kind(workspace, &request->sides[SIDE_A]) &&
                                              is_of_one_kind(workspace, &request->sides[SIDE_B]))) {
        return parts;
    }
    for (int kind = 0; kind < TRACE_KINDS; kind++) {
        const struct query *a = query_of_kind(workspace, &request->sides[SIDE_A], kind);

        if (a != NULL && query_of_kind(workspace, &request->sides[SIDE_B], kind) != NULL) {
            parts.kinds |= 1u << kind;
            after[kind] = a->after;
        }
    }
    parts.kinds = kinds_with_names(workspace, request, parts.kinds);
    for (int kind = 0; kind < TRACE_KINDS; kind++) {
        if ((after[kind] & parts.kinds) != 0) {
            parts.kinds &= ~(1u << kind);
        }
        count += parts.kinds >> kind & 1;
    }
    parts.count = count > 0 ? count : 1;
    return parts;
}

bool compare_kinds_next(struct compare_kinds *parts, struct compare_request *part) {
    while (parts->next < TRACE_KINDS && parts->kinds != 0 &&
           (parts->kinds >> parts->next & 1) == 0) {
        parts->next++;
    }
    if (parts->next >= TRACE_KINDS) {
        return false;
    }
    *part = *parts->request;
    for (enum side side = SIDE_A; parts->kinds != 0 && side < SIDES; side++) {
        part->sides[side].kinds = 1u << parts->next;
    }
    parts->next = parts->kinds == 0 ? TRACE_KINDS : parts->next + 1;
    return true;
}
