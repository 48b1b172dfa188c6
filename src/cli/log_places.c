#include "cli/log_places.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/logs.h"
#include "import/importer.h"
#include "input/input.h"
#include "input/members.h"

/* Calls of broken contracts. */
struct wanted {
    const struct config *config;
    struct outcomes *outcomes;
    struct outcome_call **calls; /* owned; pointers to calls in text logs whose place is known */
    size_t count;
};

/* --- offsets ---------------------------------------------------------------------------------- */

/* Reads a call's place. Leaves it unknown if the log now has another call there. */
static bool find_offset(struct wanted *wanted, struct database *database, const char *trace,
                        struct outcome_call *call, struct error *error) {
    struct database_query find =
        database_query(database, error,
                       "SELECT o.name, e.address, t.format, t.variant"
                       " FROM trace AS t, event AS e, object AS o"
                       " WHERE t.name = ?1 AND e.id = ?2 AND e.time = ?3 AND o.id = e.object"
                       " AND e.address >= 0",
                       "sii", trace, call->event, call->time);

    if (database_next(&find)) {
        const struct importer *importer =
            importer_find(wanted->config, database_column_text(find.row, 2));

        call->file = xstrdup(database_column_text(find.row, 0));
        call->offset = sqlite3_column_int64(find.row, 1);
        /* Where one variant is text, the others are binary. */
        if (importer != NULL && importer->line != NULL &&
            (strstr(importer->variants, "text") == NULL ||
             strcmp(database_column_text(find.row, 3), "text") == 0)) {
            wanted->calls[wanted->count++] = call;
        }
    }
    return database_end(&find);
}

static bool find_offsets(void *context, struct database *database, struct error *error) {
    struct wanted *wanted = context;
    bool done = true;

    for (size_t i = 0; i < wanted->outcomes->count; i++) {
        struct outcome *outcome = &wanted->outcomes->outcomes[i];

        for (size_t k = 0; done && outcome->state == CONTRACT_BROKEN && k < outcome->call_count;
             k++) {
            done = find_offset(wanted, database, outcome->trace->name, &outcome->calls[k], error);
        }
    }
    return done;
}

/* --- lines ------------------------------------------------------------------------------------ */

static int compare_calls(const void *left, const void *right) {
    const struct outcome_call *a = *(struct outcome_call *const *)left,
                              *b = *(struct outcome_call *const *)right;
    const int files = strcmp(a->file, b->file);

    return files != 0 ? files : a->offset < b->offset ? -1 : a->offset > b->offset;
}

static int64_t count_newlines(const char *bytes, size_t length) {
    int64_t count = 0;

    for (const char *at = bytes, *end = bytes + length;
         (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++) {
        count++;
    }
    return count;
}

/* Numbers the lines of calls in one file, sorted by offset. */
static bool number_lines(struct outcome_call *const *calls, size_t count, struct error *error) {
    enum { AT_ONCE = 256 * 1024 };
    struct input *input = input_open(calls[0]->file, interruption_stop(), error);
    char *bytes = xmalloc(AT_ONCE);
    int64_t line = 1, offset = 0;
    size_t got = 1, from, numbered = 0;
    bool done = input != NULL;

    while (done && got > 0 && numbered < count) {
        done = input_read(input, bytes, AT_ONCE, &got, error);
        for (from = 0; done && numbered < count && calls[numbered]->offset < offset + (int64_t)got;
             numbered++) {
            const size_t to = (size_t)(calls[numbered]->offset - offset);

            line += count_newlines(bytes + from, to - from);
            calls[numbered]->line = line;
            from = to;
        }
        line += done ? count_newlines(bytes + from, got - from) : 0;
        offset += (int64_t)got;
    }
    input_close(input);
    free(bytes);
    return done;
}

/* Calls in a file that cannot be read again, or has changed, have no line. */
static bool log_places_number_all(const struct wanted *wanted, struct error *error) {
    size_t next;

    qsort(wanted->calls, wanted->count, sizeof(struct outcome_call *), compare_calls);
    for (size_t i = 0; i < wanted->count; i = next) {
        for (next = i + 1;
             next < wanted->count && strcmp(wanted->calls[next]->file, wanted->calls[i]->file) == 0;
             next++) {
        }
        if (!number_lines(wanted->calls + i, next - i, error)) {
            if (*interruption_flag()) {
                return error_set_status(error, EXIT_INTERRUPTED, "interrupted");
            }
            *error = (struct error){0};
        }
    }
    return true;
}

/* --- texts ------------------------------------------------------------------------------------ */

/* Prepends the places to the lines of an outcome, which begin with those of its calls. */
static void prepend(struct outcome *outcome) {
    const char *line = text_string(&outcome->places);
    struct text places = {0};

    for (size_t i = 0; *line != '\0'; i++) {
        const size_t length = strcspn(line, "\n") + 1;
        const struct outcome_call *call = &outcome->calls[i];

        if (i < outcome->call_count && call->file != NULL) {
            text_append_escaped(&places, call->file, strlen(call->file));
            text_append_format(&places, call->line > 0 ? ":%lld: " : ", byte %lld: ",
                               (long long)(call->line > 0 ? call->line : call->offset));
        }
        text_append(&places, line, length);
        line += length;
    }
    text_free(&outcome->places);
    outcome->places = places;
}

bool log_places_find(struct session *session, struct outcomes *outcomes, struct error *error) {
    struct wanted wanted = {.config = &session->config, .outcomes = outcomes};
    size_t calls = 0;
    bool done = true;

    for (size_t i = 0; i < outcomes->count; i++) {
        calls +=
            outcomes->outcomes[i].state == CONTRACT_BROKEN ? outcomes->outcomes[i].call_count : 0;
    }
    if (calls > 0) {
        wanted.calls = xcalloc(calls, sizeof(struct outcome_call *));
        done = logs_use_places(session, find_offsets, &wanted, error) &&
               log_places_number_all(&wanted, error);
        members_free();
        if (!done && error->status != EXIT_INTERRUPTED) { /* a log has gone: no places */
            *error = (struct error){0};
            done = true;
        }
        for (size_t i = 0; done && i < outcomes->count; i++) {
            prepend(&outcomes->outcomes[i]);
        }
        free(wanted.calls);
    }
    return done;
}
