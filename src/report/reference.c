#include "report/reference.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

/* 123, or 12.5 with a unit; false when it is neither, or beyond what can be counted. */
static bool parse_time(const char *text, int64_t *time) {
    static const struct {
        const char *name;
        double nanoseconds;
    } units[] = {{"", 1}, {"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    char *end;
    double number = strtod(text, &end);

    if (end == text || !isfinite(number) || number < 0) {
        return false;
    }
    end += strspn(end, " ");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(end, units[i].name) == 0 && number * units[i].nanoseconds < 9e18) {
            *time = (int64_t)(number * units[i].nanoseconds + 0.5);
            return true;
        }
    }
    return false;
}

static bool load_line(struct database *database, sqlite3_stmt *insert, const char *path,
                      int64_t number, char *line, struct error *error) {
    char *tab;
    int64_t time;

    line[strcspn(line, "\r\n")] = '\0';
    if (line[strspn(line, " \t")] == '\0' || line[0] == '#') {
        return true;
    }
    tab = strrchr(line, '\t');
    if (tab == NULL) {
        tab = strrchr(line, ' ');
    }
    if (tab == NULL || tab == line || !parse_time(tab + 1, &time)) {
        return error_set(error,
                         "%s:%lld: not a name, a TAB and a time in ns (or with a unit: 12ms)", path,
                         (long long)number);
    }
    *tab = '\0';
    sqlite3_bind_text(insert, 1, line, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(insert, 2, time);
    return database_execute(database, insert, error);
}

bool reference_load(struct scratch *scratch, const char *path, struct error *error) {
    sqlite3_stmt *insert =
        scratch_prepare(scratch, "INSERT INTO temp.reference VALUES (?1, ?2)", error);
    FILE *file = insert == NULL ? NULL : file_open_stream(path);
    char *line = xmalloc(REFERENCE_LINE);
    bool done = insert != NULL;

    if (done && file == NULL) {
        done = error_set(error, "%s: cannot open: %s", path, file_cause(errno));
    }
    for (int64_t number = 1; done && fgets(line, REFERENCE_LINE, file) != NULL; number++) {
        if (number > REFERENCE_LINES || strlen(line) == REFERENCE_LINE - 1) {
            done = error_set(error, "%s:%lld: too long; %d lines of %d bytes at most", path,
                             (long long)number, REFERENCE_LINES, REFERENCE_LINE);
        } else {
            done = load_line(scratch->database, insert, path, number, line, error);
        }
    }
    if (done && ferror(file)) {
        done = error_set(error, "%s: cannot read: %s", path, file_cause(errno));
    }
    free(line);
    if (file != NULL) {
        fclose(file);
    }
    sqlite3_finalize(insert);
    return done;
}
