#include "store/event_rollups.h"

#include <stdlib.h>

#include "base/words.h"
#include "store/event_pass.h"

/* A new one is one more line. */
#define EVENT_ROLLUPS(ROW)                                                                         \
    ROW(locality)                                                                                  \
    ROW(pair)                                                                                      \
    ROW(latency)                                                                                   \
    ROW(tree)                                                                                      \
    ROW(gap)                                                                                       \
    ROW(in_flight)

#define DECLARE(name) extern const struct event_rollup name##_rollup;
EVENT_ROLLUPS(DECLARE)

#define POINT(name) &name##_rollup,
const struct event_rollup *const event_rollups[] = {EVENT_ROLLUPS(POINT) NULL};

#define NUMBER(name) NUMBER_OF_##name,
enum { EVENT_ROLLUPS(NUMBER) ROLLUPS };

struct event_rollup_rows {
    struct database *database;
    sqlite3_stmt *insert; /* owned */
    int columns;          /* of a row, without the trace */
};

/* One that is being made. */
struct making {
    const struct event_rollup *rollup;
    void *state; /* owned */
    bool more;   /* has to see the events, once more */
    bool whole;
};

/* Those that share a pass. */
struct work {
    struct database *database;
    const struct column_range *range;
    const char *place; /* "main.rollup_": what the name of a rollup makes that of its table of */
    bool of_rows;      /* a recount, each trace once */
    struct making makings[ROLLUPS];
    size_t count;
};

bool event_rollup_write_row(struct event_rollup_rows *rows, const int64_t *values,
                            struct error *error) {
    for (int i = 0; i < rows->columns; i++) {
        database_bind_optional(rows->insert, i + 2, values[i]);
    }
    return database_execute(rows->database, rows->insert, error);
}

static bool prepare_rows(struct event_rollup_rows *rows, const struct work *work,
                         const struct event_rollup *rollup, struct error *error) {
    struct text sql = {0};

    *rows = (struct event_rollup_rows){.database = work->database, .columns = 1};
    text_append_format(&sql, "INSERT INTO %s%s (trace, %s) VALUES (?, ?", work->place, rollup->name,
                       rollup->columns);
    for (const char *at = rollup->columns; *at != '\0'; at++) {
        if (*at == ',') {
            text_append_string(&sql, ", ?");
            rows->columns++;
        }
    }
    text_append_char(&sql, ')');
    if (sql.failed) {
        error_no_memory(error);
    } else {
        rows->insert = database_prepare(work->database, text_string(&sql), error);
    }
    text_free(&sql);
    if (rows->insert != NULL) {
        sqlite3_bind_int64(rows->insert, 1, work->range->trace);
    }
    return rows->insert != NULL;
}

static bool begin(const struct work *work, struct making *making, struct error *error) {
    const struct event_rollup *rollup = making->rollup;

    making->more = true;
    making->state = calloc(1, rollup->state_size);
    return making->state == NULL
               ? error_no_memory(error)
               : rollup->begin == NULL ||
                     rollup->begin(making->state, work->database, work->range->trace, error);
}

static bool visit(void *context, const struct event_columns *columns, size_t count,
                  struct error *error) {
    const struct work *work = context;

    for (size_t i = 0; i < work->count; i++) {
        const struct making *making = &work->makings[i];

        if (making->more && !making->rollup->visit(making->state, columns, count, error)) {
            return false;
        }
    }
    return true;
}

/* What was there is replaced. The tables of a recount are new, and have no index to find it by. */
static bool erase_rows(const struct work *work, const struct event_rollup *rollup,
                       struct error *error) {
    struct text sql = {0};
    bool done;

    if (work->of_rows) {
        return true;
    }
    text_append_format(&sql, "DELETE FROM %s%s WHERE trace = ?1", work->place, rollup->name);
    done = sql.failed
               ? error_no_memory(error)
               : database_change(work->database, error, text_string(&sql), "i", work->range->trace);
    text_free(&sql);
    return done;
}

static bool write_rows(const struct work *work, struct making *making, struct error *error) {
    const struct event_rollup *rollup = making->rollup;
    struct event_rollup_rows rows = {0};
    bool done;

    making->whole = true;
    done = erase_rows(work, rollup, error) && prepare_rows(&rows, work, rollup, error) &&
           rollup->write(making->state, &rows, &making->whole, error);
    sqlite3_finalize(rows.insert);
    return done;
}

static bool run_pass(struct work *work, bool *more, struct error *error) {
    struct event_pass pass = {
        .database = work->database,
        .range = *work->range,
        .of_rows = work->of_rows,
        .visit = visit,
    };
    bool done;

    for (size_t i = 0; i < work->count; i++) {
        pass.fields |= work->makings[i].more ? work->makings[i].rollup->fields : 0;
    }
    done = event_pass_run(&pass, work, error);
    *more = false;
    for (size_t i = 0; done && i < work->count; i++) {
        struct making *making = &work->makings[i];
        bool again = making->more && making->rollup->again != NULL;

        making->more = false;
        done = !again || making->rollup->again(making->state, &making->more, error);
        *more |= making->more;
    }
    return done;
}

static bool make(struct work *work, struct error *error) {
    bool more = work->count > 0, done = true;

    for (size_t i = 0; done && i < work->count; i++) {
        done = begin(work, &work->makings[i], error);
    }
    while (done && more) {
        done = run_pass(work, &more, error);
    }
    for (size_t i = 0; done && i < work->count; i++) {
        done = write_rows(work, &work->makings[i], error);
    }
    for (size_t i = 0; i < work->count; i++) {
        const struct making *making = &work->makings[i];

        if (making->state != NULL && making->rollup->free != NULL) {
            making->rollup->free(making->state);
        }
        free(making->state);
    }
    return done;
}

static bool note_rollup(const struct work *work, const struct making *making, struct error *error) {
    return database_change(work->database, error,
                           "UPDATE main.trace SET rollups = trim(trim("
                           "replace(' ' || rollups || ' ', ' ' || ?2 || ' ', ' ')) || ' ' || ?3)"
                           " WHERE id = ?1",
                           "iss", work->range->trace, making->rollup->name,
                           making->whole ? making->rollup->name : "");
}

static void choose(struct work *work, unsigned kind, const char *names) {
    for (size_t i = 0; i < ROLLUPS; i++) {
        if ((event_rollups[i]->kinds & kind) != 0 &&
            (names == NULL || word_in(names, event_rollups[i]->name))) {
            work->makings[work->count++].rollup = event_rollups[i];
        }
    }
}

bool event_rollups_make(struct database *database, const struct column_range *range, unsigned kind,
                        const char *names, struct error *error) {
    struct work work = {.database = database, .range = range, .place = "main.rollup_"};
    bool done;

    choose(&work, kind, names);
    done = make(&work, error);
    for (size_t i = 0; done && i < work.count; i++) {
        done = note_rollup(&work, &work.makings[i], error);
    }
    return done;
}

bool event_rollups_recount(struct database *database, const struct column_range *range,
                           unsigned kind, const char *names, struct error *error) {
    struct work work = {
        .database = database,
        .range = range,
        .place = "temp.recount_",
        .of_rows = true,
    };

    choose(&work, kind, names);
    return make(&work, error);
}
