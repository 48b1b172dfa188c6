/* The target `store`: a log that is imported and pushed to a store, and false answers of the store.
 *
 * The first byte is the number of edits that follow (struct edit); the log comes after them.
 * Without edits, reports from the store must equal those from the database, byte for byte; with
 * edits, a report may be anything, or fail with a message.
 */
#include <stdlib.h>
#include <string.h>

#include "../tests/fake_store.h"
#include "import/import.h"
#include "input/bytes.h"
#include "remote/push.h"
#include "remote/store_snapshot.h"
#include "remote/maintenance.h"
#include "report/print.h"
#include "target.h"

/* Reports that read rollups, names, and events by time and in any order. */
static const char *const store_reports[] = {"summary", "popularity", "rw",       "hourly",
                                            "gaps",    "calltree",   "hotspots", "latency"};

enum {
    STORE_REPORTS = sizeof store_reports / sizeof store_reports[0],
    STORE_REPORT_OF = 4, /* while fuzzing, one report in this many */
    EDIT_SIZE = 12,
    MOST_EDITS = 8,
};

/* In the input the numbers are little-endian. */
struct edit {
    uint8_t answer, kind; /* answer: its number since the store was opened */
    uint16_t place;
    int64_t value;
};

/* A run. */
struct lies {
    struct edit edits[MOST_EDITS];
    size_t count;
    size_t first; /* number of the first request with a false answer */
};

/* --- false answers -----------------------------------------------------------------------------
 */

static void change(struct text *answer, const struct edit *edit) {
    size_t at = edit->place % answer->length;

    switch (edit->kind % 5) {
    case 0:
        answer->bytes[at] = (char)edit->value;
        break;
    case 1:
        for (size_t i = 0; i < 8 && at + i < answer->length; i++) {
            answer->bytes[at + i] = (char)((uint64_t)edit->value >> (8 * i));
        }
        break;
    case 2:
        answer->length = at;
        break;
    case 3:
        memmove(answer->bytes + at, answer->bytes + at + 1, answer->length - at);
        answer->length--;
        break;
    default: /* the end again */
        if (text_reserve(answer, answer->length - at) != NULL) {
            memcpy(answer->bytes + answer->length, answer->bytes + at, answer->length - at);
            answer->length += answer->length - at;
        }
    }
}

static void tell_lies(void *context, struct fake_exchange *exchange) {
    const struct lies *lies = context;

    for (size_t i = 0; i < lies->count; i++) {
        if (exchange->number == lies->first + lies->edits[i].answer &&
            exchange->answer->length > 0) {
            change(exchange->answer, &lies->edits[i]);
            target_did("lie");
        }
    }
}

static size_t read_edits(const uint8_t *bytes, size_t length, struct lies *lies) {
    size_t at = 1;

    lies->count = length > 0 ? bytes[0] % (MOST_EDITS + 1) : 0;
    for (size_t i = 0; i < lies->count; i++, at += EDIT_SIZE) {
        if (length < at + EDIT_SIZE) {
            lies->count = i;
            break;
        }
        lies->edits[i] = (struct edit){bytes[at], bytes[at + 1], bytes_u16_little(bytes + at + 2),
                                       bytes_i64_little(bytes + at + 4)};
    }
    return at < length ? at : length;
}

/* --- the store ---------------------------------------------------------------------------------
 */

static const struct remote_options store_options = {.url = FAKE_STORE};

static bool import_log(struct database *database, const uint8_t *bytes, size_t length) {
    const struct import_options options = {
        .name = "fuzz", .start = EVENT_NONE, .utc_offset = EVENT_NONE};
    const char *path = target_file(bytes, length);
    struct import_summary summary;
    struct error error = {0};

    if (!database_open(database, ":memory:", DATABASE_CREATE, &error)) {
        target_failed("%s", error.message);
    }
    return import_files(database, target_config(), &options, &path, 1, &summary, &error);
}

static void take(void *context, const struct catalog_trace *trace,
                 const struct push_outcome *outcome) {
    (void)context, (void)trace, (void)outcome;
}

static void found(void *context, const struct remote_commit *commit, const char *what) {
    (void)context;
    target_failed("%s: %s", commit->name, what);
}

/* Makes a store of all traces, each as it was sent. */
static void fill_store(struct database *database) {
    const struct push_listener listener = {.take = take};
    struct maintenance_report report = {.found = found};
    struct text others = {0};
    struct catalog catalog;
    struct remote remote;
    struct error error = {0};

    if (!fake_store_begin() || !remote_open(&remote, &store_options, &error) ||
        !maintenance_init(&remote, NULL, &others, &error) ||
        !catalog_load(&catalog, database, &error)) {
        target_failed("no store: %s", error.message);
    }
    for (size_t i = 0; i < catalog.count; i++) {
        const struct catalog_trace *trace = &catalog.traces[i];

        if (!push_traces(&remote, database, &trace, 1, true, &listener, &error)) {
            target_failed("%s is not pushed: %s", trace->name, error.message);
        }
    }
    if (!maintenance_check(&remote, &report, &error)) {
        target_failed("the store is not checked: %s", error.message);
    }
    target_did("push");
    catalog_free(&catalog);
    remote_close(&remote);
}

/* --- reports -----------------------------------------------------------------------------------
 */

/* Returns the output; NULL: there is no such report. Owned by the caller. */
static char *print(struct database *database, const char *name) {
    const struct printer_options style = {0};
    const struct report_request request = {.report = name};
    struct workspace workspace;
    struct error error = {0};
    size_t length = 0;
    char *printed = NULL;
    FILE *file = open_memstream(&printed, &length);
    bool done = file != NULL &&
                workspace_open(&workspace, database, target_config(), target_queries(), &error) &&
                print_report(&workspace, &request, printer_style_find("tsv"), file, &style, &error);

    workspace_close(&workspace);
    fclose(file);
    target_check_message(done, &error);
    if (!done) {
        free(printed);
        printed = NULL;
    }
    return printed;
}

static void compare(const char *name, const char *here, const char *there) {
    if ((here == NULL) != (there == NULL) || (here != NULL && strcmp(here, there) != 0)) {
        target_failed("%s of the store is another:\n%s\nof the database:\n%s", name,
                      there == NULL ? "none" : there, here == NULL ? "none" : here);
    }
    if (here != NULL) {
        target_did(name);
    }
}

static void report_all(struct database *database, struct database *there, bool lied,
                       const uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < STORE_REPORTS; i++) {
        if (target_does(i, STORE_REPORT_OF, bytes, length)) {
            char *printed = print(there, store_reports[i]);
            char *expected = lied ? NULL : print(database, store_reports[i]);

            if (!lied) {
                compare(store_reports[i], expected, printed);
            }
            free(printed);
            free(expected);
        }
    }
}

void store_target(const uint8_t *bytes, size_t length) {
    struct lies lies;
    const size_t log = read_edits(bytes, length, &lies);
    struct database database, there;
    struct store_snapshot *shadow;
    struct error error = {0};

    if (import_log(&database, bytes + log, length - log)) {
        fill_store(&database);
        lies.first = fake_store_requests();
        fake_store_watched(tell_lies, &lies);
        shadow = store_snapshot_open(&store_options, STORE_SNAPSHOT_MOST_ROWS, &there, &error);
        target_check_message(shadow != NULL, &error);
        if (shadow != NULL) {
            report_all(&database, &there, lies.count > 0, bytes, length);
            database_close(&there);
        } else if (lies.count == 0) {
            target_failed("the store is not opened: %s", error.message);
        }
        store_snapshot_close(shadow);
        fake_store_end();
    }
    database_close(&database);
}
