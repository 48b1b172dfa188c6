#include "report/bind.h"

#include "report/means.h"

#include <stdlib.h>
#include <string.h>

#include "model/meaning.h"

const char *bind_op(const struct query *query, const struct report_request *request) {
    const struct name_set *names = &request->filter.names[FILTER_OPERATION];

    return query->op != NULL && request_option(request, query->op) == NULL && names->count == 1 &&
                   names->excluded_count == 0
               ? names->names[0]
               : NULL;
}

/* The trace that an option names. */
static bool bind_trace(const struct binding *binding, sqlite3_stmt *statement, int parameter,
                       const char *name, struct error *error) {
    const struct catalog_trace *trace =
        catalog_choose_kind(binding->catalog, name, binding->query->kinds, error);

    if (trace == NULL) {
        return false;
    }
    sqlite3_bind_int64(statement, parameter, trace->id);
    return true;
}

/* The option that an SQL parameter means: its dashes are underscores there. "": none. */
static void option_name(const char *parameter, char name[64]) {
    size_t length = parameter == NULL ? 0 : strlen(parameter + 1);

    name[0] = '\0';
    for (size_t i = 0; length < 64 && i < length; i++) {
        name[i] = parameter[i + 1] == '_' ? '-' : parameter[i + 1];
        name[i + 1] = '\0';
    }
}

/* How many rows `:top` or `:rows` says are enough; 0: it stays NULL. Of a query that has no such
 * parameter of its own. */
static int64_t rows_enough(const struct binding *binding, const char *name) {
    bool all = strcmp(name, "rows") == 0 &&
               (means_wanted(binding->request, binding->query) ||
                query_curves(binding->query, request_wants_curves(binding->request)) > 0);

    return all ? 0 : binding->request->top;
}

static bool bind_parameter(const struct binding *binding, sqlite3_stmt *statement, int i,
                           const char *name, struct error *error) {
    const struct report_option *option = request_option(binding->request, name);
    const struct query_parameter *own = query_parameter(binding->query, name);

    if (own != NULL) {
        const char *op = binding->query->op != NULL && strcmp(name, binding->query->op) == 0
                             ? bind_op(binding->query, binding->request)
                             : NULL;

        return query_parameter_bind(own, option == NULL ? op : option->value, binding->trace,
                                    statement, i, error);
    }
    if (strcmp(name, "top") == 0 || strcmp(name, "rows") == 0) {
        if (rows_enough(binding, name) > 0) {
            sqlite3_bind_int64(statement, i, rows_enough(binding, name));
        }
    } else if (strcmp(name, QUERY_PICTURE) == 0 && binding->request->picture) {
        sqlite3_bind_int64(statement, i, 1);
    } else if (strcmp(name, QUERY_COMPARE) == 0 && binding->request->compare) {
        sqlite3_bind_int64(statement, i, 1);
    } else if (strcmp(name, QUERY_UNSYNCHRONOUS) == 0) {
        sqlite3_bind_int(statement, i, (binding->request->unknown & FACT(SYNCHRONOUS)) != 0);
    } else if (option != NULL && (strcmp(name, "mark") == 0 || strcmp(name, "against") == 0)) {
        return bind_trace(binding, statement, i, option->value, error);
    } else if (option != NULL && option->number) {
        sqlite3_bind_int64(statement, i, strtoll(option->value, NULL, 10));
    } else if (option != NULL) {
        sqlite3_bind_text(statement, i, option->value, -1, SQLITE_STATIC);
    }
    return true;
}

bool bind_parameters(const struct binding *binding, sqlite3_stmt *statement, struct error *error) {
    int count = sqlite3_bind_parameter_count(statement);
    bool done = true;

    for (int i = 1; done && i <= count; i++) {
        char name[64];

        option_name(sqlite3_bind_parameter_name(statement, i), name);
        done = bind_parameter(binding, statement, i, name, error);
    }
    return done;
}

/* Whether such a parameter stays NULL. */
static bool limits_nothing(const struct binding *binding, const char *name) {
    return query_parameter(binding->query, name) == NULL && rows_enough(binding, name) == 0;
}

/* Whether the first `*length` bytes end with `end`, which then are without it. */
static bool cut_end(const char *sql, size_t *length, const char *end) {
    size_t cut = strlen(end);
    bool ends = *length >= cut && memcmp(sql + *length - cut, end, cut) == 0;

    *length -= ends ? cut : 0;
    return ends;
}

size_t bind_useful_length(const struct binding *binding, const char *sql) {
    size_t length = strlen(sql);

    while (length > 0 && strchr("; \t\r\n", sql[length - 1]) != NULL) {
        length--;
    }
    if ((limits_nothing(binding, "top") && cut_end(sql, &length, "\nLIMIT ifnull(:top, -1)")) ||
        (limits_nothing(binding, "rows") && cut_end(sql, &length, "\nLIMIT ifnull(:rows, -1)"))) {
        return length;
    }
    return strlen(sql);
}
