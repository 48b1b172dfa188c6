/* tracetool cache: manages the cached databases of logs that were queried directly. */
#include <time.h>

#include "cache/cache.h"
#include "cli/command.h"

#include "base/text.h"
#include "base/time_unit.h"

/* Reads the names of a database's logs, and its number of events. Returns false on failure. */
static bool read_logs(const char *path, struct text *logs, int64_t *events) {
    struct error ignored = {0};
    struct database database;
    struct database_query find;
    bool done = database_open(&database, path, DATABASE_READ | DATABASE_PRIVATE, &ignored);

    if (!done) {
        return false;
    }
    find = database_query(&database, &ignored,
                          "SELECT name FROM source GROUP BY name ORDER BY min(id)", "");

    while (database_next(&find)) {
        text_append_string(logs, logs->length > 0 ? " " : "");
        text_append_word(logs, database_column_text(find.row, 0));
    }
    done =
        database_end(&find) && database_query_integer(&database, "SELECT total(events) FROM trace",
                                                      0, 0, events, &ignored);
    database_close(&database);
    return done;
}

/* Appends a time as UTC, in the format of reports. */
static void command_cache_append_time(struct text *out, int64_t time) {
    const time_t seconds = time / SECOND;
    struct tm parts;
    char shown[32];

    gmtime_r(&seconds, &parts);
    strftime(shown, sizeof shown, "%Y-%m-%d %H:%M:%S", &parts);
    text_append_string(out, shown);
}

static bool command_cache_print_file(struct printer *printer, const struct cache_file *file,
                                     struct error *error) {
    struct text logs = {0}, used = {0};
    int64_t events = 0;
    bool done;

    if (!read_logs(file->path, &logs, &events)) {
        text_clear(&logs);
    }
    command_cache_append_time(&used, file->used);
    done = printer_row(printer,
                       (struct value[]){value_text(text_string(&logs)), value_integer(events),
                                        value_integer(file->size), value_text(text_string(&used)),
                                        value_text(file->path)},
                       error);
    text_free(&logs);
    text_free(&used);
    return done;
}

static bool print_files(struct printer *printer, void *context, struct error *error) {
    static const struct column columns[] = {
        {"logs", "", COLUMN_TEXT}, {"events", "", COLUMN_INTEGER}, {"size", "bytes", COLUMN_BYTES},
        {"used", "", COLUMN_TEXT}, {"file", "", COLUMN_TEXT},
    };
    const struct result result = {
        .report = "cache",
        .title = "Logs that are kept for the next question",
        .clock_unit = "ns",
        .columns = columns,
        .column_count = sizeof columns / sizeof columns[0],
        .cut = "logs",
        .brief = "logs events size used",
    };
    const struct cache_files *list = context;

    if (!printer_begin(printer, &result, error)) {
        return false;
    }
    for (size_t i = list->count; i > 0; i--) {
        if (!command_cache_print_file(printer, &list->files[i - 1], error)) {
            return false;
        }
    }
    return printer_end(printer, error);
}

bool command_cache(struct session *session, struct error *error) {
    struct cache cache;
    struct cache_files list;
    bool done;

    if (!cache_open(&cache, error)) {
        return false;
    }
    list = cache_list(&cache);
    done = session_print(session, false, print_files, &list, error);
    cache_files_free(&list);
    cache_close(&cache);
    return done;
}

/* Deletes the databases that no process has open. Returns their number; `*bytes`: total size. */
static int64_t cache_clear(const struct cache *cache, int64_t *bytes) {
    struct cache_files list = cache_list(cache);
    int64_t count = 0;

    *bytes = 0;
    for (size_t i = 0; i < list.count; i++) {
        if (database_remove_unused(list.files[i].path)) {
            *bytes += list.files[i].size;
            count++;
        }
    }
    cache_files_free(&list);
    return count;
}

bool command_cache_clear(struct session *session, struct error *error) {
    struct cache cache;
    int64_t count, bytes;

    if (!cache_open(&cache, error)) {
        return false;
    }
    count = cache_clear(&cache, &bytes);
    session_print_line(session, "%s: %lld %s of %lld bytes %s deleted", cache.folder,
                       (long long)count, count == 1 ? "file" : "files", (long long)bytes,
                       count == 1 ? "was" : "were");
    cache_close(&cache);
    return true;
}
