#include "report/unknown.h"

#include <string.h>

#include "base/text.h"
#include "base/words.h"

bool unknown_find_required_fact(const struct query *query, const struct catalog_trace *trace,
                                enum fact *fact) {
    for (size_t i = 0; i < query->fact_count; i++) {
        const struct query_fact *rule = &query->facts[i];

        if (rule->part == QUERY_FACT_REPORT && (trace->unknown >> rule->fact & 1) != 0) {
            *fact = rule->fact;
            return true;
        }
    }
    return false;
}

void unknown_find(struct unknown *unknown, const struct query *query,
                  const struct catalog_trace *const *traces, size_t trace_count, unsigned more,
                  const struct column *columns, size_t column_count) {
    *unknown = (struct unknown){
        .query = query,
        .trace_count = trace_count,
        .facts = more,
    };
    for (size_t i = 0; i < trace_count; i++) {
        for (unsigned fact = 0; fact < FACTS; fact++) {
            unknown->traces[fact] += (traces[i]->unknown >> fact & 1) != 0;
        }
    }
    for (unsigned fact = 0; fact < FACTS; fact++) {
        unknown->facts |= (unsigned)(unknown->traces[fact] == trace_count) << fact;
    }
    for (size_t i = 0; i < query->fact_count; i++) {
        const struct query_fact *rule = &query->facts[i];
        bool holds = (unknown->facts >> rule->fact & 1) != 0;

        unknown->row_columns[i] = holds && rule->part == QUERY_FACT_ROWS
                                      ? column_find(columns, column_count, rule->column)
                                      : -1;
        unknown->has_rows |= unknown->row_columns[i] >= 0;
        for (size_t j = 0; holds && rule->part == QUERY_FACT_COLUMNS && j < column_count; j++) {
            uint32_t bit = (uint32_t)word_in(rule->names, columns[j].name) << j;

            unknown->columns |= bit;
            /* Without these facts, values that depend on them are wrong (for example percentiles of
             * slow calls only). So all the column's values become NULL, not just 0. */
            unknown->left_out |=
                ((more | FACT(FAST_CALLS) | FACT(TIMES)) >> rule->fact & 1) != 0 ? bit : 0;
        }
    }
}

/* Returns true if a log does not state this fact and the query depends on it, so the note names it.
 * File types follow from files; if both are unknown, the note names only files. */
static bool unknown_is_said(const struct unknown *unknown, enum fact fact) {
    const struct query *query = unknown->query;
    bool said = false, files = false;

    for (size_t i = 0; i < query->fact_count; i++) {
        said |= query->facts[i].fact == fact;
        files |= query->facts[i].fact == FACT_FILES;
    }
    return said && unknown->traces[fact] > 0 &&
           (fact != FACT_FILE_TYPES || !files ||
            unknown->traces[FACT_FILES] < unknown->traces[FACT_FILE_TYPES]);
}

void unknown_append_note(const struct unknown *unknown, struct notes *notes) {
    struct text line = {0};

    for (unsigned fact = 0; fact < FACTS; fact++) {
        if (!unknown_is_said(unknown, (enum fact)fact)) {
            continue;
        }
        text_append_string(&line, line.length > 0             ? ", "
                                  : unknown->trace_count == 1 ? "not in this log: "
                                                              : "not in these logs: ");
        text_append_string(&line, fact_words((enum fact)fact));
        if (unknown->traces[fact] < unknown->trace_count) {
            text_append_format(&line, " (%zu of %zu)", unknown->traces[fact], unknown->trace_count);
        }
    }
    if (line.length > 0) {
        notes_append_class(notes, REMARK_EXCLUDED, "%s", text_string(&line));
    }
    text_free(&line);
}

/* Returns whether a text is in a comma-separated list. */
static bool unknown_is_listed(const char *list, const struct value *value) {
    while (*list != '\0') {
        size_t length = strcspn(list, ",");

        if (value->length == length && memcmp(value->bytes, list, length) == 0) {
            return true;
        }
        list += length;
        list += strspn(list, ", ");
    }
    return false;
}

static bool unknown_is_left_out(const struct unknown *unknown, const struct value *values) {
    for (size_t i = 0; i < unknown->query->fact_count; i++) {
        int column = unknown->row_columns[i];

        if (column >= 0 && values[column].type == VALUE_TEXT &&
            unknown_is_listed(unknown->query->facts[i].names, &values[column])) {
            return true;
        }
    }
    return false;
}

bool unknown_apply(const struct unknown *unknown, struct value *values, size_t count) {
    if (unknown->has_rows && unknown_is_left_out(unknown, values)) {
        return false;
    }
    for (size_t i = 0; unknown->columns != 0 && i < count; i++) {
        if ((value_number(&values[i]) == 0 && (unknown->columns >> i & 1) != 0) ||
            (unknown->left_out >> i & 1) != 0) {
            values[i].type = VALUE_NULL;
        }
    }
    return true;
}
