#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

#define PATHS 64

static char folder[64];
static char *paths[PATHS]; /* handed out so far */
static size_t path_count;

void folder_make(void) {
    snprintf(folder, sizeof folder, "/tmp/tracetool-unit-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

void folder_remove(void) {
    char command[128];

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
    ck_assert(!path.failed);
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
    struct error error = {0};
    struct database database;

    ck_assert_msg(database_open(&database, folder_path("x.db"), DATABASE_CREATE, &error), "%s",
                  error.message);
    return database;
}

int unit_skipped;

void unit_skip(const char *missing) {
    printf("skipped: there is no %s\n", missing);
    unit_skipped++;
}

void folder_run(const char *command) {
    struct text whole = {0};

    text_append_format(&whole, "cd '%s' && %s", folder, command);
    ck_assert(!whole.failed);
    ck_assert_int_eq(system(whole.bytes), 0);
    text_free(&whole);
}

void assert_message(const struct error *error, const char *part) {
    ck_assert_msg(strstr(error->message, part) != NULL, "'%s' is not in the message '%s'", part,
                  error->message);
}
