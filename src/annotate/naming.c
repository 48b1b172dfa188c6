#include "annotate/naming.h"

#include <string.h>

#include "dwtrace_settings.h"
#include "model/file_type.h"
#include "store/trace_tables.h"

/* SQL function file_type(name): type of a file, by the configuration's rules. */
static void file_type(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct file_types *types = sqlite3_user_data(context);
    const char *name = (const char *)sqlite3_value_text(values[0]);

    sqlite3_result_text(
        context,
        file_types_find(types, name, name == NULL ? 0 : (size_t)sqlite3_value_bytes(values[0])), -1,
        SQLITE_TRANSIENT);
}

/* Sets the names of applications (actors with a code) by the configuration; counts them. */
static bool name_applications(struct database *database, const struct config *symbols,
                              int64_t trace, int64_t *named, struct error *error) {
    for (size_t i = 0; i < symbols->application_count; i++) {
        const struct config_application *application = &symbols->applications[i];

        if (!database_run_bound(database, error,
                                "UPDATE actor SET name = ?1 WHERE trace = ?2 AND code = ?3"
                                " AND (?4 = 0 OR session = ?4)",
                                "siii", application->name, trace, (int64_t)application->id,
                                application->session)) {
            return false;
        }
        *named += sqlite3_changes(database->handle);
    }
    return true;
}

/* Sets the types of files by the configuration's rules. An object without a name is changed only if
 * its type is the default: other types are from the log. */
static bool name_file_types(struct database *database, const struct config *symbols, int64_t trace,
                            int64_t *named, struct error *error) {
    struct file_types types;
    bool done;

    if (!file_types_init(&types, symbols, error)) {
        return false;
    }
    done = (sqlite3_create_function(database->handle, "file_type", 1, SQLITE_UTF8, &types,
                                    file_type, NULL, NULL) == SQLITE_OK ||
            database_set_error(database, error)) &&
           database_run_bound(database, error,
                              "UPDATE object SET type = file_type(name) WHERE trace = ?1"
                              " AND (name IS NOT NULL OR type IN ('other', 'miscellaneous'))",
                              "i", trace);
    *named += sqlite3_changes(database->handle);
    sqlite3_create_function(database->handle, "file_type", 1, SQLITE_UTF8, NULL, NULL, NULL, NULL);
    file_types_free(&types);
    return done;
}

/* Sets types of files, and partitions, for block I/Os from the configuration. */
static bool name_blocks(struct annotation *annotation, const struct config *symbols, int64_t *named,
                        struct error *error) {
    struct database *database = annotation->store.database;
    const struct catalog_trace *trace = annotation->trace;
    bool types = symbols->file_type_count > 0 || symbols->file_type_list != NULL;

    if (trace->kind != TRACE_IO || (!types && symbols->partition_count == 0)) {
        return true;
    }
    if (types && !name_file_types(database, symbols, trace->id, named, error)) {
        return false;
    }
    if (symbols->partition_count > 0 && !partitions_write(database, trace->id, symbols->partitions,
                                                          symbols->partition_count, error)) {
        return false;
    }
    *named += (int64_t)symbols->partition_count;
    annotation_mark_rollup(annotation, "block");
    return true;
}

/* SQL function symbol_name(kind, code): name of a component or function in the configuration; NULL
 * if it has none. */
static void symbol_name(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct config *symbols = sqlite3_user_data(context);
    const char *kind = (const char *)sqlite3_value_text(values[0]);
    uint32_t code = (uint32_t)sqlite3_value_int64(values[1]);
    unsigned bits = 32 - (unsigned)dwtrace_settings(symbols)->component_bits;
    struct text text = {0};

    if (kind != NULL && strcmp(kind, "component") == 0) {
        sqlite3_result_text(context, dwtrace_component_name(symbols, code), -1, SQLITE_TRANSIENT);
    } else if (dwtrace_function_name(symbols, code >> bits, code & ((UINT32_C(1) << bits) - 1),
                                     &text)) {
        sqlite3_result_text(context, text_string(&text), (int)text.length, SQLITE_TRANSIENT);
    }
    text_free(&text);
}

/* Sets the names of dwTrace components and functions that are in `symbols`. Others stay. */
static bool name_functions(struct database *database, const struct config *symbols,
                           const struct catalog_trace *trace, int64_t *named, struct error *error) {
    bool done;

    if (strcmp(trace->format, "dwtrace") != 0 || !dwtrace_has_components(symbols)) {
        return true;
    }
    done = (sqlite3_create_function(database->handle, "symbol_name", 2, SQLITE_UTF8,
                                    (void *)symbols, symbol_name, NULL, NULL) == SQLITE_OK ||
            database_set_error(database, error)) &&
           database_run_bound(database, error,
                              "UPDATE name SET text = symbol_name(kind, code) WHERE trace = ?1"
                              " AND kind IN ('component', 'function')"
                              " AND symbol_name(kind, code) IS NOT NULL",
                              "i", trace->id);
    *named += sqlite3_changes(database->handle);
    sqlite3_create_function(database->handle, "symbol_name", 2, SQLITE_UTF8, NULL, NULL, NULL,
                            NULL);
    return done;
}

bool apply_symbol_names(struct annotation *annotation, const struct config *symbols,
                        struct naming_result *named, struct error *error) {
    struct database *database = annotation->store.database;
    const struct catalog_trace *trace = annotation->trace;

    named->what = trace->kind == TRACE_SPANS
                      ? "components and functions got their names"
                      : "applications, files and partitions got their names and types";
    return name_applications(database, symbols, trace->id, &named->count, error) &&
           name_blocks(annotation, symbols, &named->count, error) &&
           name_functions(database, symbols, trace, &named->count, error);
}
