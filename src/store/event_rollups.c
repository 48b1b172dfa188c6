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

/* One that is being made. */
struct making {
    const struct event_rollup *rollup;
    struct counting *counting;
    bool whole;
};

/* What is counted, for one or more of them. */
struct counting {
    const struct event_counter *counter;
    void *state; /* owned */
    bool more;   /* has to see the events, once more */
};

/* Those that share a pass. */
struct work {
    struct database *database;
    const struct column_range *range;
    const char *place; /* "main.rollup_": what the name of a rollup makes that of its table of */
    bool of_rows;      /* a recount, each trace once */
    struct making makings[ROLLUPS];
    struct counting countings[ROLLUPS];
    size_t count, counting_count;
};

static bool begin(const struct work *work, struct counting *counting, struct error *error) {
    const struct event_counter *counter = counting->counter;

    counting->more = true;
    counting->state = calloc(1, counter->state_size);
    return counting->state == NULL
               ? error_no_memory(error)
               : counter->begin == NULL ||
                     counter->begin(counting->state, work->database, work->range->trace, error);
}

static bool visit(void *context, const struct event_columns *columns, size_t count,
                  struct error *error) {
    const struct work *work = context;

    for (size_t i = 0; i < work->counting_count; i++) {
        const struct counting *counting = &work->countings[i];

        if (counting->more && !counting->counter->visit(counting->state, columns, count, error)) {
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

static size_t count_columns(const struct event_rollup *rollup) {
    size_t columns = 1;

    for (const char *at = rollup->columns; *at != '\0'; at++) {
        columns += *at == ',';
    }
    return columns;
}

static bool write_rows(const struct work *work, struct making *making, struct error *error) {
    const struct event_rollup *rollup = making->rollup;
    struct number_rows rows = {.columns = count_columns(rollup)};
    struct text into = {0};
    bool done;

    making->whole = true;
    text_append_format(&into, "%s%s (trace, %s)", work->place, rollup->name, rollup->columns);
    done = (!into.failed || error_no_memory(error)) && erase_rows(work, rollup, error) &&
           rollup->write(making->counting->state, &rows, &making->whole, error) &&
           number_rows_write(&rows, work->database, text_string(&into), work->range->trace, error);
    number_rows_free(&rows);
    text_free(&into);
    return done;
}

static bool run_pass(struct work *work, bool *more, struct error *error) {
    struct event_pass pass = {
        .database = work->database,
        .range = *work->range,
        .untimed = true,
        .of_rows = work->of_rows,
        .visit = visit,
    };
    bool done;

    for (size_t i = 0; i < work->counting_count; i++) {
        const struct counting *counting = &work->countings[i];

        if (counting->more) {
            pass.fields |= counting->counter->fields;
            pass.untimed &= counting->counter->untimed;
        }
    }
    done = event_pass_run(&pass, work, error);
    *more = false;
    for (size_t i = 0; done && i < work->counting_count; i++) {
        struct counting *counting = &work->countings[i];
        bool again = counting->more && counting->counter->again != NULL;

        counting->more = false;
        done = !again || counting->counter->again(counting->state, &counting->more, error);
        *more |= counting->more;
    }
    return done;
}

static bool make(struct work *work, struct error *error) {
    bool more = work->count > 0, done = true;

    for (size_t i = 0; done && i < work->counting_count; i++) {
        done = begin(work, &work->countings[i], error);
    }
    while (done && more) {
        done = run_pass(work, &more, error);
    }
    for (size_t i = 0; done && i < work->count; i++) {
        done = write_rows(work, &work->makings[i], error);
    }
    for (size_t i = 0; i < work->counting_count; i++) {
        const struct counting *counting = &work->countings[i];

        if (counting->state != NULL && counting->counter->free != NULL) {
            counting->counter->free(counting->state);
        }
        free(counting->state);
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

static struct counting *find_counting(struct work *work, const struct event_counter *counter) {
    size_t i = 0;

    while (i < work->counting_count && work->countings[i].counter != counter) {
        i++;
    }
    if (i == work->counting_count) {
        work->countings[work->counting_count++].counter = counter;
    }
    return &work->countings[i];
}

static void choose(struct work *work, unsigned kind, const char *names) {
    for (size_t i = 0; i < ROLLUPS; i++) {
        const struct event_rollup *rollup = event_rollups[i];

        if ((rollup->kinds & kind) != 0 && (names == NULL || word_in(names, rollup->name))) {
            work->makings[work->count++] = (struct making){
                .rollup = rollup,
                .counting = find_counting(work, rollup->counter),
            };
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
