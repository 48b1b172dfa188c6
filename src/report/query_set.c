#include "report/query_set.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/resource.h"
#include "base/search.h"
#include "report/findings.h"
#include "report/query_text.h"

static int compare_queries(const void *left, const void *right) {
    const struct query *a = left, *b = right;
    int order = strcmp(a->report, b->report);

    order = order != 0 ? order : strcmp(a->file, b->file);
    return order != 0 ? order : ORDER(a->place_in_file, b->place_in_file);
}

/* Removes the built-in queries that a user's file replaces: the query with its name; if the file
 * has parts (several queries), all queries of the built-in file with its name. */
static void remove_replaced(struct query_set *set, const char *file, bool has_parts) {
    size_t kept = 0;

    for (size_t i = 0; i < set->count; i++) {
        struct query *query = &set->queries[i];

        if (!query->is_own &&
            (strcmp(query->name, file) == 0 || (has_parts && strcmp(query->file, file) == 0))) {
            query_free(query);
        } else {
            set->queries[kept++] = *query;
        }
    }
    set->count = kept;
}

/* Adds the query of a file; with `part`, the query of this part of the file. */
static bool query_set_add_query(struct query_set *set, const char *file, const char *text,
                                const char *directory, const struct query_part *part,
                                struct error *error) {
    struct query query;

    if (!query_parse(&query, file, text, directory, part, error)) {
        return false;
    }
    query.is_own = directory != NULL;
    query.place_in_file = set->count;
    *ARRAY_NEW(set->queries, set->count, set->capacity) = query;
    return true;
}

/* Adds all queries of a file whose findings are already inserted. */
static bool query_set_add_parts(struct query_set *set, const char *file, const char *text,
                                const char *directory, struct error *error) {
    struct query_part parts[QUERY_PARTS];
    size_t count;
    bool done = query_text_parts(text, parts, &count, error) || error_context(error, "%s", file);

    if (done && directory != NULL) {
        remove_replaced(set, file, count > 0);
    }
    if (done && count == 0) {
        return query_set_add_query(set, file, text, directory, NULL, error);
    }
    for (size_t i = 0; done && i < count; i++) {
        done = query_set_add_query(set, file, text, directory, &parts[i], error);
    }
    return done;
}

/* Adds all queries of a file, after inserting findings at its placeholder lines. */
static bool query_set_add_file(struct query_set *set, const char *file, const char *text,
                               const char *directory, struct error *error) {
    struct text composed = {0};
    bool done;

    if (!findings_has_placeholder(text)) {
        return query_set_add_parts(set, file, text, directory, error);
    }
    done = findings_replace_placeholders(&composed, text, set->directory, error) &&
           query_set_add_parts(set, file, text_string(&composed), directory, error);
    text_free(&composed);
    return done;
}

static bool add_user_queries(struct query_set *set, const char *directory, struct error *error) {
    DIR *folder = opendir(directory);
    const struct dirent *entry;
    bool done = folder != NULL;

    if (!done) {
        return error_set(error, "%s: cannot read the folder of queries: %s", directory,
                         strerror(errno));
    }
    while (done && (entry = readdir(folder)) != NULL) {
        size_t length = strlen(entry->d_name);
        char *text;

        if (length < 5 || strcmp(entry->d_name + length - 4, ".sql") != 0) {
            continue;
        }
        text = query_text_read(directory, entry->d_name, "", error);
        done = text != NULL && query_set_add_file(set, entry->d_name, text, directory, error);
        free(text);
        if (!done && error->status == EXIT_DONE) {
            error_set(error, "%s/%s: cannot be read", directory, entry->d_name);
        }
    }
    closedir(folder);
    return done;
}

/* Loads the plot of a query. A missing file is no error. */
static bool attach_plot(struct query *query, const char *directory, struct error *error) {
    struct query_other_plot *other = &query->other_plot;

    if (other->option != NULL) {
        other->text = query_plot_read(other->plot, directory, error);
        if (other->text == NULL && error->status != EXIT_DONE) {
            return false;
        }
    }
    query->plot_text = query_plot_read(query->plot, directory, error);
    query->is_flame_graph =
        query->plot_text != NULL && strstr(query->plot_text, "\n" QUERY_FLAME_GRAPH "\n") != NULL;
    return query->plot_text != NULL || error->status == EXIT_DONE;
}

bool query_set_attach_plots(struct query_set *set, const char *report, struct error *error) {
    for (size_t i = 0; i < set->count; i++) {
        struct query *query = &set->queries[i];

        if ((report == NULL || strcmp(query->report, report) == 0) && query->plot_text == NULL &&
            !attach_plot(query, set->directory, error)) {
            return false;
        }
    }
    return true;
}

/* Checks that an option of a report has the same type in all query files of the report. */
static bool check_types(const struct query_set *set, struct error *error) {
    for (size_t i = 1; i < set->count; i++) {
        const struct query *query = &set->queries[i];
        const struct query *before = query - 1;

        /* Compares all pairs of the report's queries, since any of them may lack the parameter. */
        for (; before >= set->queries && strcmp(before->report, query->report) == 0; before--) {
            for (size_t j = 0; j < query->parameter_count; j++) {
                const struct query_parameter *other =
                    query_parameter(before, query->parameters[j].row.name);

                if (other != NULL && strcmp(other->type, query->parameters[j].type) != 0) {
                    error_set(error, "parameter '%s' is %s here and %s in %s", other->row.name,
                              query->parameters[j].type, other->type, before->file);
                    return query_add_place_to_error(query, query->parameters[j].row.name, error);
                }
            }
        }
    }
    return true;
}

/* Returns the name of the report in a built-in file's first line; it ends at a newline, not NUL. */
static const char *shipped_report(const struct resource *resource) {
    return resource->text + strlen("-- report: ");
}

static bool has_shipped_report(const char *report) {
    const struct resource *resource = query_resources;
    size_t length = strlen(report);

    while (resource->name != NULL && (strcspn(shipped_report(resource), "\n") != length ||
                                      strncmp(shipped_report(resource), report, length) != 0)) {
        resource++;
    }
    return resource->name != NULL;
}

/* Adds the built-in queries of the reports that begin with `typed`; "": of all reports. */
static bool add_shipped_queries(struct query_set *set, const char *typed, struct error *error) {
    bool done = true;

    for (const struct resource *resource = query_resources; done && resource->name != NULL;
         resource++) {
        const char *report = shipped_report(resource);
        char file[128];

        if (strlen(typed) <= strcspn(report, "\n") && strncmp(report, typed, strlen(typed)) == 0) {
            snprintf(file, sizeof file, "%s.sql", resource->name);
            done = query_set_add_file(set, file, resource->text, NULL, error);
        }
    }
    return done;
}

bool query_set_load_typed(struct query_set *set, const char *directory, const char *typed,
                          struct error *error) {
    bool done;

    *set = (struct query_set){.directory = directory, .whole = directory != NULL || *typed == '\0'};
    done = add_shipped_queries(set, set->whole ? "" : typed, error);
    if (done && set->count == 0) {
        set->whole = true;
        done = add_shipped_queries(set, "", error);
    }
    if (done && directory != NULL) {
        done = add_user_queries(set, directory, error);
    }
    if (done) {
        sort_items(set->queries, set->count, sizeof *set->queries, compare_queries);
    }
    if (!done || !check_types(set, error)) {
        query_set_free(set);
        return false;
    }
    return true;
}

bool query_set_load(struct query_set *set, const char *directory, struct error *error) {
    return query_set_load_typed(set, directory, "", error);
}

void query_set_free(struct query_set *set) {
    for (size_t i = 0; i < set->count; i++) {
        query_free(&set->queries[i]);
    }
    free(set->queries);
    *set = (struct query_set){0};
}

const struct query *query_set_next(const struct query_set *set, const struct query *before,
                                   const char *report) {
    for (size_t i = before == NULL ? 0 : (size_t)(before - set->queries) + 1; i < set->count; i++) {
        if (strcmp(set->queries[i].report, report) == 0) {
            return &set->queries[i];
        }
    }
    return NULL;
}

size_t query_set_count_of_report(const struct query_set *set, size_t first) {
    const struct query *queries = set->queries;
    size_t end = first;

    while (end < set->count && strcmp(queries[end].report, queries[first].report) == 0) {
        end++;
    }
    return end - first;
}

const struct query *query_without_options(const struct query *files, size_t count) {
    const struct query *common = NULL;

    for (size_t i = 0; i < count; i++) {
        if (files[i].when_option == NULL && !files[i].when_picture) {
            return &files[i];
        }
        if (common == NULL && files[i].by_default) {
            common = &files[i];
        }
    }
    return common != NULL ? common : files;
}

bool query_set_is_flame_graph(const struct query_set *set, const char *report) {
    bool found = false;

    FOR_QUERIES_OF(set, report) {
        if (query->plot_text != NULL && !query->is_flame_graph) {
            return false;
        }
        found |= query->plot_text != NULL;
    }
    return found;
}

bool query_report_exists(const char *directory, const char *report) {
    struct query_set set;
    struct error ignored = {0};
    bool found;

    if (directory == NULL) {
        return has_shipped_report(report);
    }
    if (!query_set_load_typed(&set, directory, report, &ignored)) {
        return false;
    }
    found = query_set_next(&set, NULL, report) != NULL;
    query_set_free(&set);
    return found;
}
