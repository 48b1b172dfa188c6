#include "store/event_rollups.h"

#include <stdlib.h>

#include "base/words.h"
#include "store/event_pass.h"
#include "base/memory.h"

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
struct event_rollups {
    struct database *database; /* borrowed */
    struct column_range range;
    unsigned fields; /* enum event_column: those that are looked at in this pass */
    bool untimed;
    const char *place; /* "main.rollup_": what the name of a rollup makes that of its table of */
    bool of_rows;      /* a recount, each trace once */
    struct making makings[ROLLUPS];
    struct counting countings[ROLLUPS];
    size_t count, counting_count;
};

static bool begin_one(const struct event_rollups *work, struct counting *counting,
                      struct error *error) {
    const struct event_counter *counter = counting->counter;

    counting->more = true;
    counting->state = xcalloc(1, counter->state_size);
    return counting->state == NULL
               ? error_no_memory(error)
               : counter->begin == NULL ||
                     counter->begin(counting->state, work->database, work->range.trace, error);
}

static bool begin(struct event_rollups *work, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < work->counting_count; i++) {
        done = begin_one(work, &work->countings[i], error);
    }
    return done;
}

/* What those that count have to see. */
static void choose_fields(struct event_rollups *work) {
    work->fields = 0;
    work->untimed = true;
    for (size_t i = 0; i < work->counting_count; i++) {
        const struct counting *counting = &work->countings[i];

        if (counting->more) {
            work->fields |= counting->counter->fields;
            work->untimed &= counting->counter->untimed;
        }
    }
}

static bool visit(void *context, const struct event_columns *columns, size_t count,
                  struct error *error) {
    const struct event_rollups *work = context;

    for (size_t i = 0; i < work->counting_count; i++) {
        const struct counting *counting = &work->countings[i];

        if (counting->more && !counting->counter->visit(counting->state, columns, count, error)) {
            return false;
        }
    }
    return true;
}

/* What was there is replaced. The tables of a recount are new, and have no index to find it by. */
static bool erase_rows(const struct event_rollups *work, const struct event_rollup *rollup,
                       struct error *error) {
    struct text sql = {0};
    bool done;

    if (work->of_rows) {
        return true;
    }
    text_append_format(&sql, "DELETE FROM %s%s WHERE trace = ?1", work->place, rollup->name);
    done = sql.failed
               ? error_no_memory(error)
               : database_change(work->database, error, text_string(&sql), "i", work->range.trace);
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

static bool write_rows(const struct event_rollups *work, struct making *making,
                       struct error *error) {
    const struct event_rollup *rollup = making->rollup;
    struct number_rows rows = {.columns = count_columns(rollup)};
    struct text into = {0};
    bool done;

    making->whole = true;
    text_append_format(&into, "%s%s (trace, %s)", work->place, rollup->name, rollup->columns);
    done = (!into.failed || error_no_memory(error)) && erase_rows(work, rollup, error) &&
           rollup->write(making->counting->state, &rows, &making->whole, error) &&
           number_rows_write(&rows, work->database, text_string(&into), work->range.trace, error);
    number_rows_free(&rows);
    text_free(&into);
    return done;
}

static bool run_pass(struct event_rollups *work, struct error *error) {
    struct event_pass pass = {
        .database = work->database,
        .range = work->range,
        .of_rows = work->of_rows,
        .visit = visit,
    };

    choose_fields(work);
    pass.fields = work->fields;
    pass.untimed = work->untimed;
    return event_pass_run(&pass, work, error);
}

/* `*more`: some want another pass. */
static bool end_pass(struct event_rollups *work, bool *more, struct error *error) {
    bool done = true;

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

/* What stands behind a first pass. */
static bool finish(struct event_rollups *work, struct error *error) {
    bool more, done = end_pass(work, &more, error);

    while (done && more) {
        done = run_pass(work, error) && end_pass(work, &more, error);
    }
    for (size_t i = 0; done && i < work->count; i++) {
        done = write_rows(work, &work->makings[i], error);
    }
    return done;
}

static void free_states(struct event_rollups *work) {
    for (size_t i = 0; i < work->counting_count; i++) {
        const struct counting *counting = &work->countings[i];

        if (counting->state != NULL && counting->counter->free != NULL) {
            counting->counter->free(counting->state);
        }
        free(counting->state);
    }
}

static bool make(struct event_rollups *work, struct error *error) {
    bool done =
        work->count == 0 || (begin(work, error) && run_pass(work, error) && finish(work, error));

    free_states(work);
    return done;
}

bool event_rollups_note(struct database *database, int64_t trace, const char *rollup, bool has,
                        struct error *error) {
    return database_change(database, error,
                           "UPDATE main.trace SET rollups = trim(trim("
                           "replace(' ' || rollups || ' ', ' ' || ?2 || ' ', ' ')) || ' ' || ?3)"
                           " WHERE id = ?1",
                           "iss", trace, rollup, has ? rollup : "");
}

static struct counting *find_counting(struct event_rollups *work,
                                      const struct event_counter *counter) {
    size_t i = 0;

    while (i < work->counting_count && work->countings[i].counter != counter) {
        i++;
    }
    if (i == work->counting_count) {
        work->countings[work->counting_count++].counter = counter;
    }
    return &work->countings[i];
}

static void choose(struct event_rollups *work, unsigned kind, const char *names) {
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

static bool note_rollups(const struct event_rollups *work, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < work->count; i++) {
        done = event_rollups_note(work->database, work->range.trace, work->makings[i].rollup->name,
                                  work->makings[i].whole, error);
    }
    return done;
}

bool event_rollups_make(struct database *database, const struct column_range *range, unsigned kind,
                        const char *names, struct error *error) {
    struct event_rollups work = {.database = database, .range = *range, .place = "main.rollup_"};

    choose(&work, kind, names);
    return make(&work, error) && note_rollups(&work, error);
}

bool event_rollups_recount(struct database *database, const struct column_range *range,
                           unsigned kind, const char *names, struct error *error) {
    struct event_rollups work = {
        .database = database,
        .range = *range,
        .place = "temp.recount_",
        .of_rows = true,
    };

    choose(&work, kind, names);
    return make(&work, error);
}

/* --- of a trace that is being imported -----------------------------------------------------------
 */

struct event_rollups *event_rollups_begin(struct database *database, int64_t trace, unsigned kind,
                                          struct error *error) {
    struct event_rollups *work = xmalloc(sizeof *work);

    *work = (struct event_rollups){
        .database = database,
        .range.trace = trace,
        .place = "main.rollup_",
    };
    choose(work, kind, NULL);
    if (!begin(work, error)) {
        event_rollups_free(work);
        return NULL;
    }
    choose_fields(work);
    return work;
}

void event_rollups_free(struct event_rollups *rollups) {
    if (rollups != NULL) {
        free_states(rollups);
        free(rollups);
    }
}

static bool tell_entries(const struct event_rollups *work, const struct batch *batch,
                         struct error *error) {
    bool done = true;

    for (size_t i = 0; i < work->counting_count; i++) {
        const struct counting *counting = &work->countings[i];

        for (size_t k = 0; done && counting->counter->entry != NULL && k < batch->entry_count;
             k++) {
            done = counting->counter->entry(counting->state, &batch->entries[k], error);
        }
    }
    return done;
}

unsigned event_rollups_fields(const struct event_rollups *rollups) {
    return rollups->fields;
}

bool event_rollups_add(struct event_rollups *rollups, const struct batch *batch,
                       const struct event_columns *columns, struct error *error) {
    return tell_entries(rollups, batch, error) &&
           (batch->event_count == 0 || visit(rollups, columns, batch->event_count, error));
}

bool event_rollups_end(struct event_rollups *rollups, const struct column_range *range,
                       struct error *error) {
    rollups->range = *range;
    return finish(rollups, error) && note_rollups(rollups, error);
}
