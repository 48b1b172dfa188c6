/* Finds the functions, classes, threads and processes in which the time of a function trace is
 * spent: temp.tally_hotspot. In a trace with probes (code that logs entry and exit), every function
 * is an item at the level of its probe. In other traces, a call belongs to one item of each of four
 * levels: process, thread, class (component), method. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/memory.h"
#include "base/hash.h"
#include "base/pair_numbers.h"
#include "base/saturate.h"
#include "base/text.h"
#include "base/words.h"

enum level { LEVEL_PROCESS, LEVEL_THREAD, LEVEL_CLASS, LEVEL_METHOD, LEVEL_LOOP, LEVELS };

static const char *const level_names[LEVELS] = {"process", "thread", "class", "method", "loop"};

/* Limit of cached pairs of function and thread; at the limit the cache is emptied. */
#define MOST_FUNCTIONS 65536

/* Limit of items (functions, classes …, each by thread) in a result. */
#define MOST_ITEMS (1 << 19)

/* Properties of a function. */
struct function {
    uint32_t component;
    bool probe; /* true: the function has a probe, and is an item only at the level `level` */
    enum level level;
    /* ns that measuring a call of the function adds to the durations of its callers */
    int64_t overhead;
    bool is_within, is_root;
};

struct item_key {
    uint32_t level, id, actor; /* `id` is name.id of a function or component, actor.id of a thread,
                                  or 0, depending on `level` */
};

struct item {
    struct item_key key;
    uint32_t open; /* number of selected calls of the item now on the stack of its thread */
    bool timed;    /* true: a call of the item has a duration */
    int64_t calls, measured, corrected;
    UT_hash_handle hh;
};

/* A function in a thread, with the items to which its calls belong. */
struct placed_function {
    struct function function;
    /* Bit set: levels at which the function's calls belong to an item of the report. */
    unsigned levels;
    uint32_t ids[LEVELS];       /* by level: id of the item (function, class, thread or process) */
    struct item *items[LEVELS]; /* by level: item (function, class …); NULL: not looked up yet */
};

/* An open call on a thread's stack. */
struct frame {
    int64_t duration; /* duration of the call; EVENT_NONE: unknown */
    int64_t overhead; /* ns that measuring the call adds to the durations of its callers */
    int64_t inside;   /* ns that measuring all calls inside this call adds to its duration */
    bool within, root;
    /* True: hotspot_state.within_base includes the time of this call, as its own or a caller's. */
    bool within_counted;
    /* Bit set: levels at which this call or a caller belongs to a selected item. */
    unsigned levels;
    struct item *items[LEVELS]; /* by level: item (function …); NULL: none, or not selected */
    bool outermost[LEVELS]; /* by level: true if no caller of this call belongs to the same item */
};

/* Indexes of the analysis' parameters. */
enum { RESOLUTION, WITHIN, ROOT, MIN_TIME };

/* Kind of the item that --within names: a function with its callees; a class with its methods and
 * their callees; a thread; or the whole process. */
enum within_kind { WITHIN_NOTHING, WITHIN_FUNCTION, WITHIN_CLASS, WITHIN_THREAD, WITHIN_PROCESS };

struct within {
    enum within_kind kind;
    enum level level;
    uint32_t actor; /* WITHIN_THREAD: actor.id of the thread */
    char *name;     /* owned; the item's name as in the trace */
};

struct hotspot_state {
    struct analysis_context *context;
    const char *resolution, *within, *root; /* values of the options; NULL: not given */
    /* Minimum duration of calls that count, in units of the trace's clock. */
    int64_t least_duration;
    /* trace.call_overhead: ns to subtract for each call of a function without a probe; EVENT_NONE:
     * unknown */
    int64_t call_overhead;
    uint32_t root_caller;           /* object.id of the caller that --root names; 0: none */
    struct within inside;           /* the item that --within names, in the current trace */
    int64_t within_component;       /* name.id of inside.name as a class or component; 0: none */
    struct item *items;             /* owned hash table: items by key */
    struct placed_function *placed; /* owned; number N of a function and thread is at index N - 1 */
    size_t placed_count, placed_capacity;
    /* By function and thread: number of the pair in `placed`. */
    struct pair_numbers placed_numbers;
    /* By level: total measured time of outermost calls, to which shares refer. */
    int64_t bases[LEVELS];
    int64_t within_base; /* total measured time of the item that --within names */
};

/* --- properties of functions ------------------------------------------------------------------ */

static enum level level_of_word(const char *resolution) {
    const size_t level = string_index(level_names, LEVELS, resolution);

    return level < LEVELS ? (enum level)level : LEVEL_METHOD;
}

static void hotspots_read_function(const struct hotspot_state *state, sqlite3_stmt *row,
                                   struct function *function) {
    const char *resolution = (const char *)sqlite3_column_text(row, 1);
    const char *origin = (const char *)sqlite3_column_text(row, 2);

    function->component = (uint32_t)sqlite3_column_int64(row, 0);
    function->probe = resolution != NULL;
    function->level = resolution == NULL ? LEVEL_METHOD : level_of_word(resolution);
    function->overhead = resolution == NULL
                             ? state->call_overhead == EVENT_NONE ? 0 : state->call_overhead
                             : config_probe_overhead(state->context->config, origin);
    function->is_within =
        state->inside.kind == WITHIN_CLASS ? sqlite3_column_int(row, 4) != 0
        : state->inside.kind == WITHIN_FUNCTION
            ? sqlite3_column_int(row, 3) != 0 && function->level == state->inside.level
            : false;
    function->is_root = sqlite3_column_int(row, 5) != 0;
}

static struct function find_function(struct hotspot_state *state, uint32_t operation) {
    struct analysis_context *context = state->context;
    struct function function = {0};
    struct database_query query = database_query(
        context->database, &context->error,
        "SELECT n.component, p.resolution, p.origin, n.text = ?2, n.component = ?4, n.text = ?3"
        " FROM main.name AS n LEFT JOIN main.probe AS p ON p.trace = n.trace AND p.name = n.id"
        " WHERE n.id = ?1",
        "ussi", operation, state->inside.name, state->root, state->within_component);

    if (database_next(&query)) {
        hotspots_read_function(state, query.row, &function);
    }
    database_end(&query);
    return function;
}

/* Returns the item with a key, and adds it if missing; NULL: too many items, with the error set. */
static struct item *find_item(struct hotspot_state *state, enum level level, uint32_t id,
                              uint32_t actor) {
    struct item_key key = {level, id, actor};
    struct item *item;

    HASH_FIND(hh, state->items, &key, sizeof key, item);
    if (item == NULL && HASH_COUNT(state->items) >= MOST_ITEMS) {
        error_set_too_many(
            &state->context->error,
            "more than %d items in all threads: choose some with --resolution, --under, "
            "--process or --from and --to",
            MOST_ITEMS);
        return NULL;
    }
    if (item == NULL) {
        HASH_NEW(state->items, key, key, item);
    }
    return item;
}

/* Sets the id of the item to which a call belongs at a level. Returns false if none. */
static bool item_id(const struct function *function, const struct span_row *row, enum level level,
                    uint32_t *id) {
    *id = level == LEVEL_THREAD    ? row->actor
          : level == LEVEL_CLASS   ? function->component
          : level == LEVEL_PROCESS ? 0
                                   : row->operation;
    if (function->probe) {
        *id = row->operation;
        return level == function->level;
    }
    return level != LEVEL_LOOP && (level != LEVEL_CLASS || function->component != 0);
}

/* Returns whether a call belongs, at `level`, to the item that --within names. The report does not
 * list this item. */
static bool is_within_item(const struct hotspot_state *state, enum level level,
                           const struct function *function, const struct span_row *row) {
    const struct within *inside = &state->inside;

    return level == inside->level &&
           (inside->kind == WITHIN_THREAD    ? !function->probe && row->actor == inside->actor
            : inside->kind == WITHIN_PROCESS ? !function->probe
                                             : function->is_within);
}

static void clear_placed(struct hotspot_state *state) {
    pair_numbers_clear(&state->placed_numbers);
    state->placed_count = 0;
}

/* Returns the element of `placed` for the function and thread of a traced call. It is valid until
 * find_placed() is called again. */
static struct placed_function *find_placed(struct hotspot_state *state,
                                           const struct span_row *row) {
    uint32_t number = pair_numbers_find(&state->placed_numbers, row->operation, row->actor);
    struct placed_function *placed;

    if (number != 0) {
        return &state->placed[number - 1];
    }
    if (state->placed_count >= MOST_FUNCTIONS) {
        clear_placed(state);
    }
    state->placed =
        array_grow(state->placed, state->placed_count, &state->placed_capacity, sizeof *placed);
    pair_numbers_add(&state->placed_numbers, row->operation, row->actor,
                     (uint32_t)state->placed_count + 1);
    placed = &state->placed[state->placed_count++];
    *placed = (struct placed_function){.function = find_function(state, row->operation)};
    /* finds the levels at which the function's calls belong to an item of the report */
    for (unsigned at = 0; at < LEVELS; at++) {
        enum level level = (enum level)at;

        if ((state->resolution == NULL || strcmp(state->resolution, level_names[level]) == 0) &&
            item_id(&placed->function, row, level, &placed->ids[level]) &&
            !is_within_item(state, level, &placed->function, row)) {
            placed->levels |= 1u << level;
        }
    }
    return placed;
}

static bool enter_items(struct hotspot_state *state, struct frame *frame,
                        struct placed_function *placed, const struct span_row *row) {
    for (unsigned level = 0; level < LEVELS; level++) {
        struct item *item = placed->items[level];

        if (!(placed->levels >> level & 1)) {
            continue;
        }
        if (item == NULL) {
            item = placed->items[level] =
                find_item(state, (enum level)level, placed->ids[level], row->actor);
        }
        if (item == NULL) {
            return false;
        }
        item->calls += !row->earlier;
        /* Calls without a duration do not count; calls inside them then count as outermost. */
        if (frame->duration == EVENT_NONE) {
            continue;
        }
        item->timed = true;
        frame->items[level] = item;
        frame->outermost[level] = item->open++ == 0;
        if (frame->outermost[level]) {
            add_saturated(&item->measured, frame->duration);
        }
        if (!(frame->levels >> level & 1)) {
            add_saturated(&state->bases[level], frame->duration);
            frame->levels |= 1u << level;
        }
    }
    return true;
}

/* --- entry and exit of calls ------------------------------------------------------------------ */

/* Returns whether a call is inside the item that --within names. Calls of that item itself are not,
 * except if it is a class, whose methods are items of a finer level. */
static bool call_is_within(const struct hotspot_state *state, const struct frame *caller,
                           const struct function *function, const struct span_row *row) {
    const struct within *inside = &state->inside;

    return state->within == NULL || inside->kind == WITHIN_PROCESS ||
           (inside->kind == WITHIN_THREAD && inside->actor == row->actor) ||
           (caller != NULL && caller->within) ||
           (inside->kind == WITHIN_CLASS && function->is_within);
}

static bool is_long_enough(const struct hotspot_state *state, const struct span_row *row) {
    return state->least_duration <= 0 ||
           (row->whole != EVENT_NONE && row->whole >= state->least_duration);
}

static bool hotspots_enter_call(void *hotspot_state, const struct span_row *row, void *call,
                                void *above, struct error *error) {
    struct hotspot_state *state = hotspot_state;
    const struct frame *caller = above;
    struct placed_function *placed = find_placed(state, row);
    const struct function *function = &placed->function;
    struct frame *frame = call;
    bool lies_in, from_root;

    *frame = (struct frame){
        .duration = row->duration,
        /* The overhead counts only if the call began in the window. If a filter excludes the call
           (row->path), hotspots_exclude_call() counts its overhead. */
        .overhead = row->earlier || row->path ? 0 : function->overhead,
        .levels = caller == NULL ? 0 : caller->levels,
    };
    lies_in = call_is_within(state, caller, function, row);
    /* True if the function that --root names made the call, directly or not: it is on the stack, or
     * the log names it as the caller. Such a caller may have no probe. */
    from_root = state->root == NULL || (caller != NULL && caller->root) ||
                (state->root_caller != 0 && row->object == state->root_caller);
    frame->within = lies_in || function->is_within;
    frame->root = from_root || function->is_root;
    /* Measures the time of --within: its outermost calls or, if these have no duration, the
     * outermost calls inside them that have one. */
    frame->within_counted = caller != NULL && caller->within_counted;
    if (state->within != NULL && frame->within && !frame->within_counted &&
        frame->duration != EVENT_NONE) {
        add_saturated(&state->within_base, frame->duration);
        frame->within_counted = true;
    }
    return !analysis_failed(state->context) &&
           (row->path || !lies_in || !from_root || !is_long_enough(state, row) ||
            enter_items(state, frame, placed, row));
}

/* Subtracts the overhead of calls inside a call from the times of its items. A call without a
 * duration (EVENT_NONE, the smallest number) has no items. */
static void hotspots_exit_call(void *hotspot_state, void *call, void *above) {
    const struct frame *frame = call;
    struct frame *caller = above;
    int64_t corrected = frame->duration > frame->inside ? frame->duration - frame->inside : 0;

    for (unsigned level = 0; level < LEVELS; level++) {
        struct item *item = frame->items[level];

        if (item != NULL) {
            item->open--;
            if (frame->outermost[level]) {
                add_saturated(&item->corrected, corrected);
            }
        }
    }
    if (caller != NULL) {
        add_saturated(&caller->inside, frame->inside);
        add_saturated(&caller->inside, frame->overhead);
    }
}

/* If a filter excludes a call, adds its overhead to its caller: the call was measured, too. */
static void hotspots_exclude_call(void *hotspot_state, const struct span_row *row, void *above) {
    struct frame *caller = above;

    add_saturated(&caller->inside, find_placed(hotspot_state, row)->function.overhead);
}

/* --- finding what --within and --root name ---------------------------------------------------- */

/* Returns the integer that a query selects for a name (?1) in the current trace (?2); 0: no row. */
static int64_t hotspots_look_up(const struct hotspot_state *state, const char *sql,
                                const char *name) {
    struct analysis_context *context = state->context;
    struct database_query query = database_query(context->database, &context->error, sql, "si",
                                                 name, context->trace->trace->id);
    int64_t id = database_next(&query) ? sqlite3_column_int64(query.row, 0) : 0;

    database_end(&query);
    return id;
}

/* SELECT of the items of trace ?2 that --within ?1 may name: NAME or LEVEL:NAME. Leaves out
 * functions whose probe is disabled: another run of the same study measures them. */
#define WITHIN_ITEMS                                                                               \
    "SELECT 1 AS kind, ifnull(p.resolution, 'method') AS level, n.text AS name, 0 AS actor"        \
    " FROM main.name AS n LEFT JOIN main.probe AS p ON p.trace = n.trace AND p.name = n.id"        \
    " WHERE n.trace = ?2 AND n.kind NOT IN ('class', 'component') AND ifnull(p.enabled, 1)"        \
    " AND ?1 IN (n.text, ifnull(p.resolution, 'method') || ':' || n.text)"                         \
    " UNION SELECT 2, 'class', n.text, 0 FROM main.name AS n WHERE n.trace = ?2"                   \
    " AND n.kind IN ('class', 'component') AND ?1 IN (n.text, 'class:' || n.text)"                 \
    " AND EXISTS (SELECT 1 FROM main.name AS m LEFT JOIN main.probe AS p ON p.trace = m.trace"     \
    " AND p.name = m.id WHERE m.trace = n.trace AND m.component = n.id AND ifnull(p.enabled, 1))"  \
    " UNION SELECT 3, 'thread', thread_label(NULL, tid, name), id"                                 \
    " FROM main.actor WHERE trace = ?2 AND (?1 IN (name, CAST(tid AS TEXT),"                       \
    " name || ' (' || tid || ')', thread_label(pid, tid, name))"                                   \
    " OR ?1 IN ('thread:' || name, 'thread:' || tid, 'thread:' || name || ' (' || tid || ')',"     \
    " 'thread:' || thread_label(pid, tid, name)))"                                                 \
    " UNION SELECT 4, 'process', CAST(ifnull(a.pid, t.name) AS TEXT), 0"                           \
    " FROM main.actor AS a JOIN main.trace AS t ON t.id = a.trace WHERE a.trace = ?2"              \
    " AND ?1 IN ('process ' || ifnull(a.pid, t.name), 'process:' || ifnull(a.pid, t.name))"

/* Limit of matching items that an error lists. */
#define MOST_CHOICES 8

/* Finds the item that --within names. If several match, sets the error, which lists them. */
static void find_within(struct hotspot_state *state) {
    struct analysis_context *context = state->context;
    const struct catalog_trace *trace = context->trace->trace;
    struct database_query query =
        database_query(context->database, &context->error, WITHIN_ITEMS " ORDER BY 1, 2, 3", "si",
                       state->within, trace->id);
    struct text choices = {0};
    int count = 0;

    while (count <= MOST_CHOICES && database_next(&query)) {
        text_append_format(&choices, "%s%s:%s", count == 0 ? "" : ", ",
                           (const char *)sqlite3_column_text(query.row, 1),
                           (const char *)sqlite3_column_text(query.row, 2));
        if (count++ == 0) {
            state->inside = (struct within){
                .kind = (enum within_kind)sqlite3_column_int(query.row, 0),
                .level = level_of_word((const char *)sqlite3_column_text(query.row, 1)),
                .actor = (uint32_t)sqlite3_column_int64(query.row, 3),
                .name = xstrdup((const char *)sqlite3_column_text(query.row, 2)),
            };
        }
    }
    database_end(&query);
    if (count > 1) {
        error_usage(&context->error, "--within %s fits several items of trace %s: give one of %s%s",
                    state->within, trace->name, text_string(&choices),
                    count > MOST_CHOICES ? ", …" : "");
    }
    text_free(&choices);
}

static void hotspots_find_names(struct hotspot_state *state) {
    struct analysis_context *context = state->context;

    if (state->root != NULL) {
        state->root_caller = (uint32_t)hotspots_look_up(
            state, "SELECT id FROM main.object WHERE name = ?1 AND trace = ?2 LIMIT 1",
            state->root);
    }
    if (state->within != NULL) {
        find_within(state);
    }
    /* Looked up once per trace: a lookup for each function would read all names each time. */
    state->within_component =
        state->inside.name == NULL
            ? 0
            : hotspots_look_up(
                  state,
                  "SELECT id FROM main.name WHERE trace = ?2 AND kind IN ('class', 'component')"
                  " AND text = ?1 LIMIT 1",
                  state->inside.name);
    database_query_integer(context->database, "SELECT call_overhead FROM main.trace WHERE id = ?1",
                           context->trace->trace->id, EVENT_NONE, &state->call_overhead,
                           &context->error);
}

static void hotspots_begin(void *hotspot_state) {
    struct hotspot_state *state = hotspot_state;
    struct analysis_context *context = state->context;

    state->resolution = context->values[RESOLUTION].text;
    state->within = context->values[WITHIN].text;
    state->root = context->values[ROOT].text;
    if (filter_by_operation(&context->selection->filter)) {
        error_usage_absent(
            &context->error,
            "hotspots does not take --op and --component; use --within, --root and --resolution");
    }
}

static void hotspots_clear_trace(struct hotspot_state *state) {
    clear_placed(state);
    HASH_FREE(state->items);
    free(state->inside.name);
    state->inside = (struct within){0};
    memset(state->bases, 0, sizeof state->bases);
    state->within_base = 0;
}

static void hotspots_begin_trace(void *hotspot_state) {
    struct hotspot_state *state = hotspot_state;
    const struct parameter_value *least = &state->context->values[MIN_TIME];
    const struct catalog_trace *trace = state->context->trace->trace;

    hotspots_clear_trace(state);
    state->least_duration = !least->given                   ? 0
                            : catalog_has_real_clock(trace) ? least->number
                                                            : least->plain;
    if (state->least_duration < 0) {
        error_set(&state->context->error,
                  "trace %s counts time in %s: give --min-time as a whole number of these units",
                  trace->name, trace->clock_unit);
        return;
    }
    hotspots_find_names(state);
}

static void hotspots_end_trace(void *hotspot_state) {
    struct hotspot_state *state = hotspot_state;
    struct temp_rows *items = &state->context->tables[0], *bases = &state->context->tables[1];

    for (const struct item *item = state->items; item != NULL; item = item->hh.next) {
        const char *level = level_names[item->key.level];

        temp_rows_text(items, 2, level, strlen(level));
        TEMP_ROW(items, state->context->trace->trace->id, item->key.level, item->key.id,
                 item->key.actor, item->calls, item->timed ? item->measured : EVENT_NONE,
                 item->timed ? item->corrected : EVENT_NONE);
    }
    for (unsigned level = 0; level < LEVELS; level++) {
        temp_rows_text(bases, 1, level_names[level], strlen(level_names[level]));
        TEMP_ROW(bases, state->within != NULL ? state->within_base : state->bases[level]);
    }
}

static void hotspots_free_state(void *hotspot_state) {
    struct hotspot_state *state = hotspot_state;

    hotspots_clear_trace(state);
    free(state->placed);
    pair_numbers_free(&state->placed_numbers);
}

static const struct span_visitor visitor = {
    .call_size = sizeof(struct frame),
    .paths = true,
    .enter = hotspots_enter_call,
    .exclude = hotspots_exclude_call,
    .leave = hotspots_exit_call,
};

/* SELECTs that return a row if ?1 is a possible value of --within, or of --root. */
static const char within_fits[] = "SELECT 1 FROM (" WITHIN_ITEMS ") LIMIT 1";
static const char root_fits[] =
    "SELECT 1 FROM main.name WHERE trace = ?2 AND text = ?1"
    " UNION ALL SELECT 1 FROM main.object WHERE trace = ?2 AND name = ?1 LIMIT 1";

/* Table temp.tally_hotspot: a row per item and level. Shares refer to the time of the item that
 * --within names, else to the time of all outermost calls of the level (temp.hotspot_base). */
const struct analysis analysis_hotspot = {
    .name = "hotspot",
    .tables = {{"tally_hotspot",
                "trace INTEGER, resolution TEXT, level INTEGER, id INTEGER, actor INTEGER,"
                " calls INTEGER, measured INTEGER, corrected INTEGER",
                NULL},
               {"hotspot_base", "resolution TEXT, measured INTEGER", NULL}},
    .pass = PASS_CALLS,
    .window = WINDOW_PARTS,
    .fields = EVENT_OBJECT,
    .parameters =
        {
            [RESOLUTION] = {.name = "resolution",
                            .type = PARAMETER_TEXT,
                            .argument = "LEVEL",
                            .help = "hotspots: process, thread, class, method or loop",
                            .choices = "process thread class method loop"},
            [WITHIN] = {.name = "within",
                        .type = PARAMETER_TEXT,
                        .argument = "NAME",
                        .help = "hotspots: only calls inside this item; shares are of its time",
                        .what = "function, class or thread",
                        .fits = within_fits},
            [ROOT] = {.name = "root",
                      .type = PARAMETER_TEXT,
                      .argument = "NAME",
                      .help = "hotspots: only calls made, directly or not, by this caller",
                      .what = "function or caller",
                      .fits = root_fits},
            [MIN_TIME] = {.name = "min-time",
                          .type = PARAMETER_DURATION,
                          .argument = "TIME",
                          .help = "hotspots: only calls that took at least this long: 0.01s, 5"},
        },
    .state_size = sizeof(struct hotspot_state),
    .begin = hotspots_begin,
    .begin_trace = hotspots_begin_trace,
    .calls = &visitor,
    .end_trace = hotspots_end_trace,
    .free = hotspots_free_state,
};
