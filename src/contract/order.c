/* Judges contracts on the order of calls: "WHAT after AFTER since SINCE". A WHAT call breaks the
 * order if a SINCE call came before it, but no AFTER call has ended in between; in an order without
 * SINCE, if no AFTER call has ended before it. For each contract, and each text that * matches in
 * its file names, a state holds the times of the last calls. A heap holds the AFTER calls that are
 * running. Events at the same time count in this order: ends of AFTER calls, WHAT calls, SINCE
 * calls. Therefore WHAT calls are judged when a later event comes. */
#include "contract/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/search.h"
#include "base/words.h"
#include "contract/places.h"
#include "model/linux.h"
#include "model/meaning.h"
#include "scan/event_filter.h"

/* State of a contract on an order (WHAT after AFTER since SINCE), for one text that * matches. A
 * time is EVENT_NONE if there was no such call. */
struct order_state {
    struct order *order;
    int64_t at; /* time of the WHAT calls that are counted but not judged yet */
    /* after: end of the last AFTER call; since: begin of the last SINCE call */
    int64_t after, since;
    /* Event ids of SINCE calls. since_event: the one at time `since`; newer: the last one at time
     * `at`, which is not in `since` yet. */
    int64_t since_event, newer;
    /* count: number of WHAT calls at the time `at`; calls: event ids of the first ones. */
    int64_t count, calls[CONTRACT_PLACES];
};

/* Calls that match one part (WHAT, AFTER or SINCE) of an order. */
struct order_set {
    struct order *order;
    const struct order_part *part; /* borrowed; the part in the contract */
    char *ending; /* owned; pattern for the end of a path, in addition to part->file; NULL: none */
    int number;   /* ORDER_WHAT, ORDER_AFTER or ORDER_SINCE */
    struct id_set operations; /* owned; ids (name.id) of the calls that the part names */
};

struct order {
    const struct contract *contract;
    bool has_stems, has_since;
    struct calls_found *found;
};

/* Hash entry: the part of a file's name that * in a contract matches, and the state for it. */
struct order_stem {
    uint32_t state;
    UT_hash_handle hh;
    char key[]; /* index of the contract, then the text */
};

/* Id of a file or call name. Its elements of `entries` are those from index `first` to the `first`
 * of the next order_id. */
struct order_id {
    uint32_t id, first;
};
struct order_entry {
    uint32_t set, state;
};
struct order_lists {
    /* Owned, as is `entries`; sorted by id. The last element has no id: its `first` is the end of
     * `entries`. */
    struct order_id *ids;
    size_t count, capacity;
    struct order_entry *entries;
    size_t entry_count, entry_capacity;
};

struct order_end {
    int64_t end;
    uint32_t state;
};

struct orders {
    struct order *orders; /* owned, as are the other arrays */
    size_t count;
    struct order_set *sets;
    size_t set_count;
    struct order_state *states;
    size_t state_count, state_capacity;
    struct order_stem *stems; /* owned hash table; empty after list_files() */
    struct order_lists names,
        /* names: by call name, the parts of orders that name no file; files: by file, all other
           parts */
        files;
    struct order_end *heap; /* heap of ends of running AFTER calls, earliest end on top */
    size_t heap_count, heap_capacity;
    bool untimed; /* true: the log has no exact times, so calls are ordered by their place in the
                     log */
};

/* --- finding which calls belong to parts ------------------------------------------------------ */

/* Returns true if each file in the contract has exactly one *. All of them must then match the same
 * text. */
static bool has_stems(const struct contract *contract) {
    bool has = true;

    for (int i = 0; i < ORDER_PARTS; i++) {
        const char *file = contract->order[i].file;

        has = has && (contract->order[i].operation == NULL ||
                      (file != NULL && strchr("*/", *file) != NULL && strchr(file, '*') != NULL &&
                       strchr(file, '*') == strrchr(file, '*')));
    }
    return has;
}

/* Appends an SQL condition: the call's name `op` matches the part. */
static void append_operation(struct text *sql, const struct order_part *part) {
    text_append_string(sql, "(call_does(op) = ");
    measure_append_quoted(sql, part->operation, strlen(part->operation), false);
    text_append_string(sql, " OR ");
    measure_append_name_condition(sql, "op", part->operation);
    text_append_char(sql, ')');
}

/* Sets `*why` if the call that a part of an order names is misspelt: neither the trace nor Linux
 * has a call of this name. */
static bool check_name(const struct order_part *part, const struct text *calls,
                       struct database *database, const struct catalog_trace *trace,
                       struct pool *pool, const char **why, struct error *error) {
    const char *name = part->operation;
    int64_t is_there = 0;
    char *text;
    bool done;

    if (trace->kind != TRACE_CALLS || strchr(name, '*') != NULL || strcmp(name, "copy") == 0 ||
        linux_call_is_known(word_of(name))) {
        return true;
    }
    text = xasprintf("SELECT EXISTS (SELECT 1 FROM (SELECT text AS op FROM main.name"
                     " WHERE trace = ?1) WHERE %s)",
                     text_string(calls));
    done = database_query_integer(database, text, trace->id, 0, &is_there, error);
    free(text);
    *why = is_there == 0 ? measure_why_no_call(pool, name) : NULL;
    return done;
}

bool order_check_calls(const struct contract *contract, struct database *database,
                       const struct catalog_trace *trace, struct pool *pool, const char **why,
                       struct error *error) {
    bool done = true, lacks = false;

    *why = NULL;
    for (int i = 0; done && *why == NULL && i < ORDER_PARTS; i++) {
        const struct order_part *part = &contract->order[i];
        struct text calls = {0};

        if (part->operation != NULL) {
            append_operation(&calls, part);
            done = check_name(part, &calls, database, trace, pool, why, error) &&
                   measure_lacks_calls(database, trace, text_string(&calls), &lacks, error);
            *why = *why == NULL && lacks ? MEASURE_LACKS : *why;
        }
        text_free(&calls);
    }
    return done;
}

static uint32_t new_order_state(struct orders *orders, struct order *order) {
    *ARRAY_NEW(orders->states, orders->state_count, orders->state_capacity) =
        (struct order_state){.order = order,
                             .at = EVENT_NONE,
                             .after = EVENT_NONE,
                             .since = EVENT_NONE,
                             .since_event = EVENT_NONE,
                             .newer = EVENT_NONE};
    return (uint32_t)orders->state_count - 1;
}

/* Returns the state for the text that the * of a part matches in `file`; adds a state if needed. */
static uint32_t state_of_file(struct orders *orders, const struct order_set *set,
                              const char *file) {
    const uint32_t number = (uint32_t)(set->order - orders->orders);
    const char *pattern = set->part->file, *star = strchr(pattern, '*');
    const size_t before = (size_t)(star - pattern), without = strlen(pattern) - 1,
                 length = strlen(file) > without ? strlen(file) - without : 0,
                 size = sizeof number + length;
    struct order_stem *stem = xmalloc(sizeof *stem + size), *known;

    memcpy(stem->key, &number, sizeof number);
    memcpy(stem->key + sizeof number, length > 0 ? file + before : file, length);
    HASH_FIND(hh, orders->stems, stem->key, size, known);
    if (known != NULL) {
        free(stem);
        return known->state;
    }
    stem->state = new_order_state(orders, set->order);
    HASH_ADD_KEYPTR(hh, orders->stems, stem->key, size, stem);
    return stem->state;
}

static void begin_list(struct order_lists *lists, uint32_t id) {
    *ARRAY_NEW(lists->ids, lists->count, lists->capacity) =
        (struct order_id){id, (uint32_t)lists->entry_count};
}

/* Adds a part of an order to the entries of the last file or call name in `lists`. `file`: the
 * file; NULL if the part names none. */
static void add_entry(struct orders *orders, struct order_lists *lists, struct order_set *set,
                      const char *file) {
    if (lists->entry_count == ORDER_MATCHES || orders->state_count == ORDER_STATES) {
        set->order->found->why = "the order is about too many files";
        return;
    }
    *ARRAY_NEW(lists->entries, lists->entry_count, lists->entry_capacity) =
        (struct order_entry){(uint32_t)(set - orders->sets),
                             set->order->has_stems ? state_of_file(orders, set, file)
                                                   : (uint32_t)(set->order - orders->orders)};
}

static bool list_names(struct orders *orders, struct database *database, int64_t trace,
                       struct error *error) {
    struct database_query name = database_query(
        database, error, "SELECT id FROM main.name WHERE trace = ?1 ORDER BY id", "i", trace);

    while (database_next(&name)) {
        const uint32_t id = (uint32_t)sqlite3_column_int64(name.row, 0);

        begin_list(&orders->names, id);
        for (size_t i = 0; i < orders->set_count; i++) {
            if (orders->sets[i].part->file == NULL && id_set_has(&orders->sets[i].operations, id)) {
                add_entry(orders, &orders->names, &orders->sets[i], NULL);
            }
        }
    }
    begin_list(&orders->names, UINT32_MAX);
    return database_end(&name);
}
static bool list_files(struct orders *orders, struct database *database, int64_t trace,
                       struct error *error) {
    struct database_query file =
        database_query(database, error,
                       "SELECT id, name FROM main.object WHERE trace = ?1 ORDER BY id", "i", trace);

    while (database_next(&file)) {
        const char *name = database_column_text(file.row, 1);

        begin_list(&orders->files, (uint32_t)sqlite3_column_int64(file.row, 0));
        for (size_t i = 0; i < orders->set_count; i++) {
            struct order_set *set = &orders->sets[i];

            if (set->part->file != NULL &&
                (word_matches_pattern(set->part->file, name) ||
                 (set->ending != NULL && word_matches_pattern(set->ending, name)))) {
                add_entry(orders, &orders->files, set, name);
            }
        }
    }
    begin_list(&orders->files, UINT32_MAX);
    HASH_FREE(orders->stems);
    return database_end(&file);
}

static bool add_set(struct orders *orders, struct order *order, int number,
                    struct database *database, int64_t trace, struct error *error) {
    const struct order_part *part = &order->contract->order[number];
    struct order_set *set = &orders->sets[orders->set_count];
    struct text sql = {0};
    bool done;

    if (part->operation == NULL) {
        return true;
    }
    orders->set_count++;
    *set = (struct order_set){.order = order, .part = part, .number = number};
    /* A name that does not begin with a slash also matches the end of a path, as in
     * measure_append_name_condition(). */
    set->ending = part->file != NULL && *part->file != '/' ? xasprintf("*/%s", part->file) : NULL;
    text_append_string(&sql, "SELECT id FROM (SELECT id, text AS op FROM main.name"
                             " WHERE trace = ?1) WHERE ");
    append_operation(&sql, part);
    text_append_string(&sql, " ORDER BY id");
    done = id_set_query(&set->operations, database, text_string(&sql), trace, error);
    text_free(&sql);
    return done;
}

/* --- judging the calls in order --------------------------------------------------------------- */

/* Counts the WHAT calls of a state as breaking the order. Stores the earliest ones in the
 * contract's result. */
static void count_broken(const struct order_state *state) {
    struct calls_found *found = state->order->found;

    for (int i = 0; i < CONTRACT_PLACES && i < state->count; i++) {
        int64_t call = state->calls[i], since = state->since_event;

        for (int k = 0; k < CONTRACT_PLACES; k++) {
            if (found->calls[k] > call) {
                const int64_t next[] = {found->calls[k], found->since[k]};

                found->calls[k] = call;
                found->since[k] = since;
                call = next[0];
                since = next[1];
            }
        }
    }
    found->count += state->count;
}

/* Judges the WHAT calls that are not judged yet, if they began before `time`. */
static void judge_calls(struct order_state *state, int64_t time) {
    if (time <= state->at) {
        return;
    }
    if (state->count > 0 &&
        (state->order->has_since ? state->since != EVENT_NONE && state->after <= state->since
                                 : state->after == EVENT_NONE)) {
        count_broken(state);
    }
    if (state->newer != EVENT_NONE) {
        state->since = state->at;
        state->since_event = state->newer;
        state->newer = EVENT_NONE;
    }
    state->count = 0;
    state->at = time;
}

static void end_call(struct order_state *state, int64_t end) {
    judge_calls(state, end);
    state->after = end;
}

static bool ends_before(const struct order_end *a, const struct order_end *b) {
    return a->end < b->end;
}

static void schedule_call_end(struct orders *orders, struct order_end end) {
    if (orders->heap_count == ORDER_ENDS) {
        orders->states[end.state].order->found->why =
            "too many of the calls of the order run at the same time";
        return;
    }
    *ARRAY_NEW(orders->heap, orders->heap_count, orders->heap_capacity) = end;
    HEAP_UP(struct order_end, orders->heap, orders->heap_count, ends_before);
}

/* Removes the running AFTER calls that end at or before `time` from the heap, and stores each end
 * in the state of its order. */
static void end_calls(struct orders *orders, int64_t time) {
    struct order_end *heap = orders->heap;

    while (orders->heap_count > 0 && heap[0].end <= time) {
        end_call(&orders->states[heap[0].state], heap[0].end);
        heap[0] = heap[--orders->heap_count];
        HEAP_DOWN(struct order_end, heap, orders->heap_count, ends_before);
    }
}

/* Adds a call to the state of an order. `entry`: the part of the order (WHAT, AFTER or SINCE) that
 * the call matches. */
static void add_call(struct orders *orders, const struct order_entry *entry,
                     const struct event_columns *columns, size_t at, int64_t time) {
    const struct order_set *set = &orders->sets[entry->set];
    struct order_state *state = &orders->states[entry->state];
    const int64_t took = orders->untimed ? 0 : columns->duration[at];

    if (set->number == ORDER_WHAT) {
        state->order->found->matches++;
        judge_calls(state, time);
        if (state->count < CONTRACT_PLACES) {
            state->calls[state->count] = columns->id[at];
        }
        state->count++;
    } else if (columns->error[at] != 0) {
        return; /* failed AFTER and SINCE calls do not count */
    } else if (set->number == ORDER_SINCE) {
        judge_calls(state, time);
        state->newer = columns->id[at];
    } else if (took <= 0) {
        end_call(state, time);
    } else if (state->order->has_since || state->after == EVENT_NONE) {
        const int64_t end = took < INT64_MAX - time ? time + took : INT64_MAX;

        schedule_call_end(orders, (struct order_end){end, entry->state});
    }
}

bool orders_visit(struct orders *orders, const struct event_columns *columns, size_t count,
                  struct error *error) {
    const struct order_lists *lists[] = {&orders->names, &orders->files};

    for (size_t i = 0; i < count; i++) {
        const uint32_t ids[] = {columns->operation[i], columns->object[i]};
        const int64_t time = orders->untimed ? columns->id[i] : columns->time[i];

        end_calls(orders, time);
        for (int k = 0; k < 2; k++) {
            const struct order_id *id =
                search_id(lists[k]->ids, lists[k]->count - 1, sizeof *id, ids[k]);

            for (uint32_t e = id != NULL ? id->first : 0; id != NULL && e < id[1].first; e++) {
                const struct order_entry *entry = &lists[k]->entries[e];

                if (k == 0 || id_set_has(&orders->sets[entry->set].operations, ids[0])) {
                    add_call(orders, entry, columns, i, time);
                }
            }
        }
    }
    return true;
}

bool orders_open(struct orders **opened, const struct contracts *contracts, size_t first,
                 struct database *database, const struct catalog_trace *trace,
                 struct calls_found *found, size_t stride, struct error *error) {
    const struct figure *figure = &contracts->contracts[first].condition.figure;
    const size_t most = contracts->count - first;
    struct orders *orders = xcalloc(1, sizeof *orders);
    const int64_t files = catalog_count_whole_second_files(database, trace, error);
    /* Without exact times, the order of interrupted calls, and between files, is unknown. */
    const bool undecided = trace->merged > 0 || files > 1;
    bool done = error->message[0] == '\0';

    *opened = orders;
    *orders = (struct orders){.orders = xcalloc(most, sizeof(struct order)),
                              .sets = xcalloc(most * ORDER_PARTS, sizeof(struct order_set)),
                              .untimed = files > 0 || (trace->unknown & FACT(TIMES)) != 0};
    for (size_t i = first; done && i < contracts->count; i++) {
        const struct contract *contract = &contracts->contracts[i];
        struct order *order = &orders->orders[orders->count];

        if (contract->type != CONTRACT_ORDER || found[i * stride].is_searched ||
            strcmp(contract->condition.figure.key, figure->key) != 0) {
            continue;
        }
        *order = (struct order){contract, has_stems(contract),
                                contract->order[ORDER_SINCE].operation != NULL, &found[i * stride]};
        *order->found = (struct calls_found){.is_searched = true};
        if (orders->untimed && undecided) {
            order->found->why =
                files > 0 ? "the times are whole seconds, so the order of calls is unknown"
                          : "the log has no times, and some calls were interrupted by others, so "
                            "the order is unknown";
        }
        for (int k = 0; k < CONTRACT_PLACES; k++) {
            order->found->calls[k] = INT64_MAX;
        }
        new_order_state(orders, order);
        orders->count++;
        for (int k = 0; done && k < ORDER_PARTS; k++) {
            done = add_set(orders, order, k, database, trace->id, error);
        }
    }
    if (orders->count == 0) {
        orders_close(orders);
        *opened = NULL;
        return true;
    }
    return done && list_names(orders, database, trace->id, error) &&
           list_files(orders, database, trace->id, error);
}

void orders_close(struct orders *orders) {
    if (orders == NULL) {
        return;
    }
    end_calls(orders, INT64_MAX);
    for (size_t i = 0; i < orders->state_count; i++) {
        judge_calls(&orders->states[i], INT64_MAX);
    }
    for (size_t i = 0; i < orders->set_count; i++) {
        id_set_free(&orders->sets[i].operations);
        free(orders->sets[i].ending);
    }
    free(orders->orders);
    free(orders->sets);
    free(orders->states);
    HASH_FREE(orders->stems);
    free(orders->names.ids);
    free(orders->names.entries);
    free(orders->files.ids);
    free(orders->files.entries);
    free(orders->heap);
    free(orders);
}
