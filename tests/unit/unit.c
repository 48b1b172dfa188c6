#include "unit.h"

#define PATHS 256

struct error error;
struct database database;
struct config config;
struct catalog catalog;
struct query_set queries;
struct workspace workspace;

static char folder[256];
static char *paths[PATHS]; /* returned so far */
static size_t path_count;

static struct unit_item *items; /* by file and line */

void unit_add(struct unit_item *item, int count) {
    struct unit_item **place = &items;

    for (; *place != NULL; place = &(*place)->next) {
        int order = strcmp((*place)->file, item->file);

        if (order > 0 || (order == 0 && (*place)->line > item->line)) {
            break;
        }
    }
    item->count = count;
    item->next = *place;
    *place = item;
}

static bool is_chosen(const char *suite, int count, char *const *names) {
    for (int i = 0; i < count; i++) {
        if (strcmp(suite, names[i]) == 0) {
            return true;
        }
    }
    return count == 0;
}

int unit_suites(SRunner *runner, int count, char *const *names) {
    const char *file = "";
    TCase *cases = NULL;
    Suite *suite = NULL;
    int chosen = 0;

    for (struct unit_item *item = items; item != NULL; item = item->next) {
        bool begins = strcmp(file, item->file) != 0;

        if (begins) {
            char *name = strdup(strstr(file = item->file, "test_") + strlen("test_"));

            name[strcspn(name, ".")] = '\0';
            suite = is_chosen(name, count, names) ? suite_create(name) : NULL;
            item->suite = name; /* Check does not copy it */
            if (suite != NULL) {
                srunner_add_suite(runner, suite);
                chosen++;
            }
        }
        if (suite != NULL && (begins || item->test == NULL)) {
            cases = tcase_create(item->test != NULL ? "tests" : item->name);
            suite_add_tcase(suite, cases);
        }
        if (suite != NULL && item->test != NULL) {
            _tcase_add_test(cases, item->test, 0, 0, 0, item->count);
        } else if (suite != NULL) {
            tcase_add_checked_fixture(cases, item->begin, item->end);
        }
    }
    return chosen;
}

void folder_make(void) {
    const char *where = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%s/tracetool-unit-XXXXXX", where != NULL ? where : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

void folder_remove(void) {
    char command[300];

    while (path_count > 0) {
        free(paths[--path_count]);
    }
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

const char *folder_path(const char *name) {
    struct text path = {0};

    ck_assert_uint_lt(path_count, PATHS);
    text_append_format(&path, "%s/%s", folder, name);
    return paths[path_count++] = path.bytes;
}

const char *folder_write(const char *name, const void *bytes, size_t length) {
    const char *path = folder_path(name);
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

struct database folder_database(void) {
    struct database database;

    assert_done(database_open(&database, folder_path("x.db"), DATABASE_CREATE, &error));
    return database;
}

void database_make(void) {
    folder_make();
    database = folder_database();
}

void unit_open(const char *own_queries) {
    assert_done(query_set_load(&queries, own_queries, &error));
    assert_done(workspace_open(&workspace, &database, &config, &queries, &error));
    assert_done(catalog_load(&catalog, &database, &error));
}

void unit_close(void) {
    if (queries.count > 0) {
        workspace_close(&workspace);
    }
    query_set_free(&queries);
    catalog_free(&catalog);
    database_close(&database);
    folder_remove();
}

struct report_request unit_request(const struct query *query, struct report_option *option) {
    *option = (struct report_option){
        .name = query->when_option,
        .value = query->when_value != NULL ? query->when_value : "",
    };
    return (struct report_request){
        .report = query->report,
        .options = option,
        .option_count = query->when_option != NULL,
    };
}

int64_t unit_ask(const char *sql) {
    int64_t number;

    assert_done(database_query_integer(&database, sql, 0, INT64_MIN, &number, &error));
    return number;
}

void unit_run(const char *sql) {
    assert_done(database_run(&database, sql, &error));
}

char *unit_printed(struct workspace *where, const struct report_request *request,
                   struct error *error) {
    const struct printer_options options = {0};
    char *bytes = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&bytes, &length);
    bool done;

    ck_assert_ptr_nonnull(file);
    *error = (struct error){0};
    done = print_report(where, request, printer_style_find("json"), file, &options, error);
    fclose(file);
    if (!done) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

bool unit_same(struct workspace *one, struct workspace *other, const struct report_request *request,
               const char *what) {
    struct error left, right;
    char *expected = unit_printed(one, request, &left), *got = unit_printed(other, request, &right);
    bool made = expected != NULL;

    ck_assert_msg((got != NULL) == made, "%s: %s%s", what, left.message, right.message);
    ck_assert_msg(!made || strcmp(got, expected) == 0, "%s:\n%.2000s\nelse:\n%.2000s", what, got,
                  expected);
    free(expected);
    free(got);
    return made;
}

static void import_as(struct database *database, const struct config *config,
                      const struct importer *importer, const char *name, const char *path) {
    struct import_options options = {
        .importer = importer,
        .name = name,
        .again = true,
        .start = EVENT_NONE,
        .utc_offset = EVENT_NONE,
    };
    struct import_summary summary;

    ck_assert_msg(import_files(database, config, &options, &path, 1, &summary, &error), "%s: %s",
                  path, error.message);
}

void unit_import_file(struct database *database, const struct config *config, const char *name,
                      const char *path) {
    import_as(database, config, NULL, name, path);
}

void unit_import(struct database *database, const char *format, const char *name,
                 const char *text) {
    static const struct config config;
    const struct importer *importer = importer_find(&config, format);

    ck_assert_ptr_nonnull(importer);
    import_as(database, &config, importer, name, folder_write(name, text, strlen(text)));
}

uint64_t unit_random_state;

uint64_t unit_random(void) {
    unit_random_state ^= unit_random_state << 13;
    unit_random_state ^= unit_random_state >> 7;
    unit_random_state ^= unit_random_state << 17;
    return unit_random_state;
}

const char *unit_text(struct database *database, const char *sql) {
    static struct text text;
    sqlite3_stmt *select = database_prepare(database, sql, &error);
    bool row;

    assert_done(select != NULL);
    assert_done(database_step(database, select, &row, &error));
    ck_assert(row);
    text_clear(&text);
    if (sqlite3_column_text(select, 0) != NULL) {
        text_append_string(&text, (const char *)sqlite3_column_text(select, 0));
    }
    sqlite3_finalize(select);
    return text_string(&text);
}

void folder_run(const char *command) {
    struct text whole = {0};

    text_append_format(&whole, "cd '%s' && %s", folder, command);
    ck_assert_int_eq(system(whole.bytes), 0);
    text_free(&whole);
}

void assert_message(const struct error *error, const char *part) {
    ck_assert_msg(strstr(error->message, part) != NULL, "'%s' is not in the message '%s'", part,
                  error->message);
}
