#include "report/findings.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/resource.h"
#include "base/search.h"
#include "base/words.h"
#include "report/query.h"

static const char header_line[] = "-- findings: header", rows_line[] = "-- findings: rows";

struct finding {
    char *name;         /* owned; name of the finding's file without directory and suffix */
    struct query query; /* owned */
};

struct findings {
    struct finding *list; /* owned; findings sorted by name */
    size_t count, capacity;
};

void findings_append_command(struct text *out, const char *command, size_t length,
                             const struct finding_words *words, const char *trace) {
    static const char show[] = "tracetool show";
    const bool is_typed = words->found == 1 && words->trace_count == 1;

    text_append(out, command, length);
    if (length == strlen(show) && memcmp(command, show, length) == 0) {
        text_append_string(out, words->of_show);
        if (!words->has_logs) {
            text_append_char(out, ' ');
            text_append_word(out, is_typed ? words->traces[0] : trace);
        }
    } else if (words->found > 1) {
        text_append_format(out, "%s -t ", words->of_any);
        text_append_word(out, trace);
    } else {
        text_append_string(out, words->options);
    }
}

bool findings_has_placeholder(const char *text) {
    return strstr(text, rows_line) != NULL;
}

/* --- reading findings ------------------------------------------------------------------------- */

/* Returns the unit in a header line `weight: COLUMN UNIT`: time, bytes or calls (`*is_word`), or a
 * column that holds the unit. NULL if the line is invalid. */
static const char *weight_unit(const struct query *query, bool *is_word) {
    size_t length = strcspn(query->weight, " ");
    const char *unit = query->weight + length + (query->weight[length] == ' ');

    *is_word = word_in("time bytes calls", unit);
    return query_find_column(query, query->weight, length) != NULL &&
                   (*is_word || query_find_column(query, unit, strlen(unit)) != NULL)
               ? unit
               : NULL;
}

static bool findings_check_parameters(const struct finding *finding, struct error *error) {
    const size_t length = strlen(finding->name);

    for (size_t i = 0; i < finding->query.parameter_count; i++) {
        const char *name = finding->query.parameters[i].row.name;

        if (strncmp(name, finding->name, length) != 0 || name[length] != '-') {
            error_set(error, "parameter '%s' must begin with %s-", name, finding->name);
            return query_add_place_to_error(&finding->query, name, error);
        }
    }
    return true;
}

static bool findings_check(const struct finding *finding, struct error *error) {
    const struct query *query = &finding->query;
    bool has_rows = query->remark_count > 0, is_word;

    for (size_t i = 0; i < query->wanted_count; i++) {
        has_rows |= query->wanted[i].rows != NULL;
    }
    if (query->weight == NULL || query->say == NULL || query->look == NULL ||
        query_find_column(query, "value", 5) == NULL ||
        query_find_column(query, "threshold", 9) == NULL) {
        return error_set(
            error, "%s: a finding needs weight, say, look and the columns value and threshold",
            query->file);
    }
    if (has_rows) {
        return error_set(error,
                         "%s: a finding is a single query, without remarks or further queries",
                         query->file);
    }
    if (weight_unit(query, &is_word) == NULL) {
        error_set(error, "the line 'weight' needs a column and its unit: time, bytes, calls, or a "
                         "column that holds the unit");
        return query_add_place_to_error(query, query->weight, error);
    }
    return findings_check_parameters(finding, error);
}

static bool findings_add_part(struct findings *findings, const char *name, const char *text,
                              const char *directory, const struct query_part *part,
                              struct error *error) {
    struct finding *finding;
    struct query query;
    struct text file = {0};
    bool done;

    text_append_format(&file, "findings/%s.sql", name);
    done = query_parse(&query, text_string(&file), text, directory, part, error);
    text_free(&file);
    if (!done) {
        return false;
    }
    finding = ARRAY_NEW(findings->list, findings->count, findings->capacity);
    *finding = (struct finding){xstrdup(name), query};
    return findings_check(finding, error);
}

/* Adds the finding of a query file. If the file has parts (several queries), adds one for each, for
 * different kinds of trace. */
static bool findings_add(struct findings *findings, const char *name, const char *text,
                         const char *directory, struct error *error) {
    struct query_part parts[QUERY_PARTS];
    size_t count;
    bool done = query_text_parts(text, parts, &count, error) ||
                error_context(error, "findings/%s.sql", name);
    size_t kept = 0;

    /* Removes earlier findings with this name, since the new file replaces them. */
    for (size_t i = 0; i < findings->count; i++) {
        struct finding *finding = &findings->list[i];

        if (strcmp(finding->name, name) == 0) {
            free(finding->name);
            query_free(&finding->query);
        } else {
            findings->list[kept++] = *finding;
        }
    }
    findings->count = kept;
    if (done && count == 0) {
        return findings_add_part(findings, name, text, directory, NULL, error);
    }
    for (size_t i = 0; done && i < count; i++) {
        done = findings_add_part(findings, name, text, directory, &parts[i], error);
    }
    return done;
}

/* Adds the findings in the user's directory, which may be missing. */
static bool findings_add_own(struct findings *findings, const char *directory,
                             struct error *error) {
    struct text path = {0};
    const struct dirent *entry;
    bool done = true;
    DIR *folder;

    text_append_format(&path, "%s/findings", directory);
    folder = opendir(text_string(&path));
    while (done && folder != NULL && (entry = readdir(folder)) != NULL) {
        size_t length = strlen(entry->d_name);
        char *text, *name;

        if (length < 5 || strcmp(entry->d_name + length - 4, ".sql") != 0) {
            continue;
        }
        text = query_text_read(text_string(&path), entry->d_name, "", error);
        name = xstrndup(entry->d_name, length - 4);
        done = text != NULL ? findings_add(findings, name, text, directory, error)
                            /* NULL without an error: the file was deleted meanwhile. */
                            : error->status == EXIT_DONE;
        free(name);
        free(text);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    text_free(&path);
    return done;
}

static int findings_compare_names(const void *left, const void *right) {
    return strcmp(((const struct finding *)left)->name, ((const struct finding *)right)->name);
}

static bool findings_load(struct findings *findings, const char *directory, struct error *error) {
    bool done = true;

    for (const struct resource *row = finding_resources; done && row->name != NULL; row++) {
        done = findings_add(findings, row->name, row->text, NULL, error);
    }
    done = done && (directory == NULL || findings_add_own(findings, directory, error));
    sort_items(findings->list, findings->count, sizeof *findings->list, findings_compare_names);
    return done;
}

static void free_findings(struct findings *findings) {
    for (size_t i = 0; i < findings->count; i++) {
        free(findings->list[i].name);
        query_free(&findings->list[i].query);
    }
    free(findings->list);
}

/* --- writing the combined query --------------------------------------------------------------- */

static void findings_append_quoted(struct text *out, const char *bytes, size_t length) {
    text_append_char(out, '\'');
    for (size_t i = 0; i < length; i++) {
        text_append_string(out, bytes[i] == '\'' ? "'" : "");
        text_append_char(out, bytes[i]);
    }
    text_append_char(out, '\'');
}

static void findings_append_text(struct text *out, const char *text) {
    if (text == NULL) {
        text_append_string(out, "NULL");
    } else {
        findings_append_quoted(out, text, strlen(text));
    }
}

/* Appends a finding's sentence (line `say`) as an SQL expression: NULL if one of its columns is. */
static bool findings_append_sentence(struct text *out, const struct query *query,
                                     struct error *error) {
    bool optional = false;

    text_append_string(out, "''");
    for (const char *at = query->say; *at != '\0';) {
        size_t length = strcspn(at, "{[]");

        if (length > 0) {
            text_append_string(out, " || ");
            findings_append_quoted(out, at, length);
        } else if (*at == '{') {
            const struct query_column *column;

            length = strcspn(++at, "}");
            column = query_find_column(query, at, length);
            if (column == NULL || at[length] == '\0') {
                error_set(error, "'say' names an unknown column");
                return query_add_place_to_error(query, query->say, error);
            }
            text_append_string(out, strcmp(column->column.name, "thread") != 0
                                        ? ""
                                        : " || iif(q.thread GLOB '*[^0-9]*', '', 'thread ')");
            text_append_format(out, " || people(q.\"%s\", '%s', q.clock_unit)", column->column.name,
                               query_column_kind(column->column.kind));
            length++;
        } else if (optional == (*at == '[')) {
            error_set(error, "'say' has a [ without ], or a ] without [");
            return query_add_place_to_error(query, query->say, error);
        } else {
            optional = *at == '[';
            text_append_string(out, optional ? " || ifnull(''" : ", '')");
            length = 1;
        }
        at += length;
    }
    text_append_string(out, optional ? ", '')" : "");
    return true;
}

/* Appends an SQL condition: the trace's columns of `event` have the meanings that the finding
 * needs, and its log has the needed facts. */
static void append_needs(struct text *out, const struct query *query) {
    text_append_string(out, "1");
    for (size_t i = 0; i < query->meaning_count; i++) {
        text_append_format(
            out,
            " AND EXISTS (SELECT 1 FROM temp.selection AS s CROSS JOIN main.meaning AS m"
            " ON m.trace = s.trace WHERE m.\"column\" = '%s' AND m.what = ",
            query->meanings[i].column);
        findings_append_text(out, query->meanings[i].what);
        text_append_char(out, ')');
    }
    for (size_t i = 0; i < query->fact_count; i++) {
        text_append_format(
            out,
            " AND NOT EXISTS (SELECT 1 FROM temp.selection AS s CROSS JOIN main.trace AS "
            "t ON t.id = s.trace"
            " CROSS JOIN main.meaning AS m ON m.trace = t.id WHERE m.what = 'no %1$s'"
            " OR t.clock_unit = 'records' AND '%1$s' = 'times')",
            fact_words(query->facts[i].fact));
    }
}

/* Appends the columns that are the same for all traces: the lines `why`, `unless` and `source`. */
static void append_reasons(struct text *out, const struct query *query) {
    text_append_string(out, ", ");
    findings_append_text(out, query->why);
    text_append_string(out, ", ");
    findings_append_text(out, query->unless);
    text_append_string(out, ", ");
    findings_append_text(out, query->cited);
}

/* Appends a finding's query, with QUERY_LINE comments so that errors name the original lines. */
static void findings_append_body(struct text *out, const struct query *query) {
    const size_t length = query_statement_length(query->sql);
    const size_t begin = (size_t)(query->sql - query->text) - query->source_at;
    size_t at = 0;

    while (at < length) {
        size_t end = length;

        for (size_t i = 0; i < query->source.piece_count; i++) {
            const size_t next = query->source.pieces[i].at;

            end = next > begin + at && next - begin < end ? next - begin : end;
        }
        text_append_string(out, QUERY_LINE);
        query_append_place(query, query->sql + at, out);
        text_append_format(out, "\n%.*s\n", (int)(end - at), query->sql + at);
        at = end;
    }
    text_append_string(out, QUERY_LINE "\n");
}

static bool findings_append_rows(struct text *out, const struct finding *finding,
                                 struct error *error) {
    const struct query *query = &finding->query;
    bool is_word;
    const char *unit = weight_unit(query, &is_word);

    text_append_string(out, QUERY_LINE);
    /* If a column of the SELECT below is missing, SQLite's message names the line `say`. */
    query_append_place(query, query->say, out);
    text_append_string(out, "\nUNION ALL SELECT ");
    findings_append_text(out, finding->name);
    text_append_format(
        out, is_word ? ", q.fires, q.\"%.*s\", '%s', " : ", q.fires, q.\"%.*s\", q.\"%s\", ",
        (int)strcspn(query->weight, " "), query->weight, unit);
    if (!findings_append_sentence(out, query, error)) {
        return false;
    }
    text_append_string(out, ", ");
    text_append_string(out, query_find_column(query, "look", 4) != NULL ? "ifnull(q.look, " : "(");
    findings_append_text(out, query->look);
    text_append_format(out, "), q.threshold, q.value, '%s', q.clock_unit",
                       query_column_kind(query_find_column(query, "value", 5)->column.kind));
    append_reasons(out, query);
    text_append_string(out, "\nFROM (SELECT b.*, (SELECT t.clock_unit FROM temp.selection AS s"
                            " JOIN main.trace AS t ON t.id = s.trace) AS clock_unit FROM (\n");
    findings_append_body(out, query);
    text_append_string(out, ") AS b) AS q\nWHERE ");
    append_needs(out, query);
    text_append_char(out, '\n');
    if (query->meaning_count + query->fact_count > 0) {
        /* Appends a row with `fires` NULL for logs that lack what the finding needs. */
        text_append_string(out, "UNION ALL SELECT ");
        findings_append_text(out, finding->name);
        text_append_string(out, ", NULL, NULL, NULL, NULL, ");
        findings_append_text(out, finding->query.look);
        text_append_string(out, ", NULL, NULL, NULL, NULL");
        append_reasons(out, &finding->query);
        text_append_string(out, " WHERE NOT (");
        append_needs(out, &finding->query);
        text_append_string(out, ")\n");
    }
    return true;
}

static void findings_append_header(struct text *out, const struct query *query) {
    for (size_t i = 0; i < query->wanted_count; i++) {
        text_append_format(out, "-- tally: %s%s\n", query->wanted[i].analysis->name,
                           query->wanted[i].filtered_only ? "?" : "");
    }
    text_append_string(out, query->reads_events ? "-- events: yes\n" : "");
    for (size_t i = 0; i < query->parameter_count; i++) {
        const struct query_parameter *parameter = &query->parameters[i];

        text_append_format(out, "-- parameter: %s %s ", parameter->row.name, parameter->type);
        text_append_format(out, parameter->otherwise == NULL ? "none" : "\"%s\"",
                           parameter->otherwise);
        text_append_format(out, " \"%s\"\n", parameter->row.help);
    }
}

/* Appends the text that replaces a placeholder line, with a part for each kind of trace: the header
 * lines of the kind's findings or, unless `header`, their rows as UNION ALL SELECTs. */
static bool append_all(struct text *out, const struct findings *findings, bool header,
                       struct error *error) {
    for (unsigned kind = 0; kind < TRACE_KINDS; kind++) {
        text_append_format(out, "-- part: %s\n", trace_kind_name((enum trace_kind)kind));
        for (size_t i = 0; i < findings->count; i++) {
            const struct finding *finding = &findings->list[i];

            if ((finding->query.kinds >> kind & 1) == 0) {
                continue;
            }
            if (header) {
                findings_append_header(out, &finding->query);
            } else if (!findings_append_rows(out, finding, error)) {
                return false;
            }
        }
    }
    text_append_string(out, "-- part: all\n");
    return true;
}

bool findings_list_names(const char *directory, struct pool *pool, struct word_list *names,
                         const char *name, unsigned *kinds, struct error *error) {
    struct findings findings = {0};
    bool done = findings_load(&findings, directory, error);

    *kinds = 0;
    for (size_t i = 0; i < findings.count; i++) {
        word_list_add_once(names, pool_copy(pool, findings.list[i].name));
        *kinds |= strcmp(findings.list[i].name, name) == 0 ? findings.list[i].query.kinds : 0;
    }
    free_findings(&findings);
    return done;
}

bool findings_replace_placeholders(struct text *out, const char *text, const char *directory,
                                   struct error *error) {
    struct findings findings = {0};
    bool done = findings_load(&findings, directory, error);

    for (size_t length; done && *text != '\0'; text += length + (text[length] == '\n')) {
        bool header = strncmp(text, header_line, strlen(header_line)) == 0;

        length = strcspn(text, "\n");
        if (header || strncmp(text, rows_line, strlen(rows_line)) == 0) {
            done = append_all(out, &findings, header, error);
        } else {
            text_append(out, text, length);
            text_append_char(out, '\n');
        }
    }
    free_findings(&findings);
    return done;
}
