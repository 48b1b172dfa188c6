#include "analysis/wait_causes.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/meaning.h"
#include "model/partition.h"

/* Classes of system calls by what they wait for; 0: other. */
enum wait_class { CLASS_OTHER, CLASS_LOCK, CLASS_CHILD, CLASS_MESSAGE, CLASS_TIME };

struct text_entry {
    char *text; /* owned; the text, which is the key of the hash table */
    uint32_t number;
    UT_hash_handle hh;
};

/* Cached number of the text of a cause or waker. */
struct known_cause {
    uint64_t key;
    uint32_t number;
    UT_hash_handle hh;
};

struct wait_causes {
    struct database *database;   /* borrowed, like `config` and `error` */
    const struct config *config; /* has the descriptions of kernel threads */
    struct error *error;
    /* By id in the trace of thread states. states: thread state of an operation; actors: thread id
     * of an actor; devices: device of an object. */
    struct id_values states, actors, devices;
    /* By actor.id: actor that represents its process; empty: not grouped by process. */
    struct id_values leaders;
    struct id_values classes;   /* enum wait_class, by operation of the trace of calls */
    struct text_entry *by_text; /* owned hash table: numbers by text */
    struct text_entry **texts;  /* owned; texts by number */
    size_t count, capacity;
    /* Owned hash table: cached numbers of the current trace's causes and wakers. */
    struct known_cause *known;
    bool has_other_devices; /* true: the log has completions of devices other than loop devices */
    int lacks;
};

enum { LOOP_MAJOR = 7 };

/* --- texts of causes and wakers --------------------------------------------------------------- */

static uint32_t number_cause_text(struct wait_causes *causes, const char *text) {
    struct text_entry *entry;

    HASH_FIND_STR(causes->by_text, text, entry);
    if (entry == NULL) {
        entry = xcalloc(1, sizeof *entry);
        entry->text = xstrdup(text);
        entry->number = (uint32_t)causes->count;
        HASH_ADD_KEYPTR(hh, causes->by_text, entry->text, strlen(entry->text), entry);
        *ARRAY_NEW(causes->texts, causes->count, causes->capacity) = entry;
    }
    return entry->number;
}

const char *wait_cause_text(const struct wait_causes *causes, uint32_t number) {
    return causes->texts[number]->text;
}

/* Numbers of the texts in always[] that follow the ones of wait_causes.h. */
enum {
    CAUSE_NETWORK = WAIT_CAUSE_UNEXPLAINED + 1,
    CAUSE_TIMER,
    CAUSE_INTERRUPT,
    CAUSE_LOCK,
    CAUSE_CHILD,
    CAUSE_MESSAGE,
    CAUSE_THREAD,
};
static const char *const always[] = {
    "",
    [WAIT_CAUSE_ON_PROCESSOR] = "on a processor",
    [WAIT_CAUSE_FOR_PROCESSOR] = "waits for a processor",
    [WAIT_CAUSE_UNEXPLAINED] = "unexplained",
    [CAUSE_NETWORK] = "network",
    [CAUSE_TIMER] = "timer",
    [CAUSE_INTERRUPT] = "interrupt",
    [CAUSE_LOCK] = "lock",
    [CAUSE_CHILD] = "child",
    [CAUSE_MESSAGE] = "message",
    [CAUSE_THREAD] = "thread",
};

bool wait_cause_is_known(const char *name) {
    bool is_known = strncmp(name, "device ", 7) == 0 || strncmp(name, "kernel: ", 8) == 0;

    for (size_t i = WAIT_CAUSE_ON_PROCESSOR; i < sizeof always / sizeof always[0]; i++) {
        is_known |= strcmp(name, always[i]) == 0;
    }
    return is_known;
}

struct wait_causes *wait_causes_new(void) {
    struct wait_causes *causes = xcalloc(1, sizeof *causes);

    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
        number_cause_text(causes, always[i]);
    }
    return causes;
}

void wait_causes_free(struct wait_causes *causes) {
    if (causes == NULL) {
        return;
    }
    id_values_free(&causes->states);
    id_values_free(&causes->actors);
    id_values_free(&causes->devices);
    id_values_free(&causes->classes);
    id_values_free(&causes->leaders);
    HASH_FREE(causes->known);
    HASH_CLEAR(hh, causes->by_text);
    for (size_t i = 0; i < causes->count; i++) {
        free(causes->texts[i]->text);
        free(causes->texts[i]);
    }
    free(causes->texts);
    free(causes);
}

/* --- the trace of thread states --------------------------------------------------------------- */

/* Finds the trace of thread states: the one of the calls' log or, if `with` is given, the one with
 * this name or log. `*beside`: whether it is of the calls' log. */
static bool wait_causes_find_trace(struct analysis_context *context, const char *with,
                                   struct event_pass *pass, int64_t *start, bool *beside) {
    const struct catalog_trace *calls = context->trace->trace;
    struct database_query query =
        with == NULL
            ? database_query(context->database, &context->error,
                             "SELECT s.id, s.first_event, s.last_event, s.start, 1"
                             " FROM main.trace AS s WHERE s.kind = 'states' AND s.log = (SELECT "
                             "log FROM main.trace"
                             " WHERE id = ?1) LIMIT 1",
                             "i", calls->id)
            : database_query(context->database, &context->error,
                             "SELECT s.id, s.first_event, s.last_event, s.start, s.log = ?2"
                             " FROM main.trace AS s WHERE s.kind = 'states'"
                             " AND (s.name = ?1 OR s.log = ?1) LIMIT 1",
                             "ss", with, calls->log);
    bool found = database_next(&query);

    if (found) {
        *pass = (struct event_pass){
            .database = context->database,
            .range = {sqlite3_column_int64(query.row, 0), sqlite3_column_int64(query.row, 1),
                      sqlite3_column_int64(query.row, 2)},
            .fields = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |
                      EVENT_ISSUER | EVENT_ADDRESS | EVENT_RESPONSE | EVENT_VALUE,
        };
        *start = sqlite3_column_type(query.row, 3) == SQLITE_NULL
                     ? EVENT_NONE
                     : sqlite3_column_int64(query.row, 3);
        *beside = sqlite3_column_int(query.row, 4) != 0;
    }
    if (!database_end(&query)) {
        return false;
    }
    if (!found && with == NULL) {
        error_set(&context->error, "trace %s: its log has no thread states (sched_switch events)",
                  calls->name);
    } else if (!found) {
        error_usage(&context->error, "--with: no trace of kind states is called '%s'", with);
    }
    return found;
}

static bool read_lacks(struct wait_causes *causes, int64_t trace) {
    struct database_query query =
        database_query(causes->database, causes->error,
                       "SELECT what FROM main.meaning WHERE trace = ?1 AND \"column\" = ''"
                       " UNION ALL SELECT 'completions' FROM main.trace AS s"
                       " JOIN main.trace AS i ON i.log = s.log AND i.kind = 'io'"
                       " JOIN main.name AS n ON n.trace = i.id AND n.text = 'C' WHERE s.id = ?1",
                       "i", trace);

    causes->lacks = causes->devices.count == 0 ? WAIT_LACKS_DEVICES : 0;
    while (database_next(&query)) {
        const char *what = database_column_text(query.row, 0);

        causes->lacks |= strcmp(what, FACT_UNKNOWN "wakeups") == 0      ? WAIT_LACKS_WAKEUPS
                         : strcmp(what, FACT_UNKNOWN "interrupts") == 0 ? WAIT_LACKS_INTERRUPTS
                                                                        : 0;
        if (strcmp(what, "completions") == 0) {
            causes->lacks &= ~WAIT_LACKS_DEVICES;
        }
    }
    return database_end(&query);
}

/* Reads the operations that are thread states; the value is enum thread_state. */
static bool read_states(struct wait_causes *causes, int64_t trace) {
    struct text sql = {0};
    bool done;

    text_append_string(&sql, "SELECT id, CASE text");
    for (int state = 0; state < THREAD_STATES; state++) {
        text_append_format(&sql, " WHEN '%s' THEN %d", thread_state_words[state], state);
    }
    text_append_string(&sql, " END AS state FROM main.name WHERE trace = ?1 AND state NOT NULL"
                             " ORDER BY id");
    done =
        id_values_query(&causes->states, causes->database, text_string(&sql), trace, causes->error);
    text_free(&sql);
    return done;
}

/* Reads the operations of calls that wait for something known; the value is enum wait_class. */
static bool read_classes(struct wait_causes *causes, int64_t trace) {
    return id_values_query(
        &causes->classes, causes->database,
        "SELECT id, CASE call_wait(text) WHEN 'lock' THEN 1 WHEN 'process' THEN 2 WHEN 'event' THEN"
        " 3 WHEN 'peer' THEN 3 WHEN 'time' THEN 4 ELSE iif(call_does(text) IN ('read', 'write', "
        "'copy'), 3,"
        " text GLOB 'monitor contention with *' OR text GLOB 'Lock contention on *') END"
        " AS class FROM main.name WHERE trace" WAIT_CAUSES_TRACES " AND class > 0 ORDER BY id",
        trace, causes->error);
}

/* Reads the actor that represents the process of each actor: the last named one of its main thread,
 * or else its first actor. */
static bool read_leaders(struct wait_causes *causes, int64_t trace) {
    return id_values_query(
        &causes->leaders, causes->database,
        "SELECT id, first_value(id) OVER"
        " (PARTITION BY pid ORDER BY tid IS NOT pid, name IS NULL, iif(tid IS pid,"
        " -id, id)) FROM main.actor"
        " WHERE trace = ?1 AND pid NOT NULL ORDER BY id",
        trace, causes->error);
}

static bool read_devices(struct wait_causes *causes, int64_t trace) {
    bool done = id_values_query(&causes->devices, causes->database,
                                "SELECT id, device FROM main.object WHERE trace = ?1 AND"
                                " device IS NOT NULL ORDER BY id",
                                trace, causes->error);

    causes->has_other_devices = false;
    for (size_t i = 0; i < causes->devices.count; i++) {
        causes->has_other_devices |= device_major(causes->devices.values[i].number) != LOOP_MAJOR;
    }
    return done;
}

bool wait_causes_read(struct wait_causes *causes, struct analysis_context *context,
                      const char *with, int64_t offset, bool by_process, struct event_pass *pass,
                      int64_t *shift) {
    const struct catalog_trace *calls = context->trace->trace;
    int64_t start;
    bool beside;

    causes->database = context->database;
    causes->config = context->config;
    causes->error = &context->error;
    HASH_FREE(causes->known);
    if (with == NULL && offset != EVENT_NONE) {
        return error_usage(&context->error,
                           "--offset is only used with --with, which names a trace of another log");
    }
    if (!wait_causes_find_trace(context, with, pass, &start, &beside)) {
        return false;
    }
    *shift = offset != EVENT_NONE ? offset : 0;
    if (!beside && offset == EVENT_NONE &&
        (start == EVENT_NONE || calls->start == EVENT_NONE ||
         __builtin_sub_overflow(start, calls->start, shift))) {
        return error_usage(&context->error,
                           "--with %s: one of the traces has no wall clock, so its time offset to "
                           "%s is unknown; give it with --offset",
                           with, calls->name);
    }
    return read_devices(causes, pass->range.trace) && read_lacks(causes, pass->range.trace) &&
           read_states(causes, pass->range.trace) && read_classes(causes, calls->id) &&
           (!by_process || read_leaders(causes, pass->range.trace)) &&
           id_values_query(&causes->actors, causes->database,
                           "SELECT id, tid FROM main.actor WHERE trace = ?1 AND tid > 0"
                           " ORDER BY id",
                           pass->range.trace, causes->error);
}

bool wait_causes_find_system(struct wait_causes *causes, const struct catalog_trace *spans,
                             struct event_pass *pass) {
    struct database_query query = database_query(
        causes->database, causes->error,
        "SELECT id, first_event, last_event FROM main.trace WHERE kind = 'calls' AND log = ?1"
        " AND first_event NOT NULL LIMIT 1",
        "s", spans->kind == TRACE_SPANS ? spans->log : "");

    if (database_next(&query)) {
        *pass = (struct event_pass){
            .database = causes->database,
            .range = {sqlite3_column_int64(query.row, 0), sqlite3_column_int64(query.row, 1),
                      sqlite3_column_int64(query.row, 2)},
            .fields = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR,
        };
    }
    return database_end(&query);
}

bool wait_causes_explains_wait(const struct wait_causes *causes, uint32_t operation) {
    int64_t class;

    return id_values_find(&causes->classes, operation, &class);
}

bool wait_causes_state(const struct wait_causes *causes, uint32_t operation,
                       enum thread_state *state) {
    int64_t number;

    if (!id_values_find(&causes->states, operation, &number)) {
        return false;
    }
    *state = (enum thread_state)number;
    return true;
}

int64_t wait_causes_tid(const struct wait_causes *causes, uint32_t actor) {
    int64_t tid;

    return id_values_find(&causes->actors, actor, &tid) ? tid : EVENT_NONE;
}

int64_t wait_causes_device(const struct wait_causes *causes, uint32_t object) {
    int64_t device;

    return id_values_find(&causes->devices, object, &device) ? device : EVENT_NONE;
}

bool wait_causes_is_loop(const struct wait_causes *causes, int64_t device) {
    return causes->has_other_devices && device_major(device) == LOOP_MAJOR;
}

int wait_causes_missing_events(const struct wait_causes *causes) {
    return causes->lacks;
}

/* --- finding causes --------------------------------------------------------------------------- */

enum key_kind {
    KEY_NAME,
    KEY_WAKER,
    KEY_KERNEL,
    KEY_DEVICE,
    KEY_INTERRUPT,
    KEY_CALL,
    KEY_FUNCTION,
    KEY_BY,
};

static struct known_cause *wait_causes_find_known(struct wait_causes *causes, enum key_kind kind,
                                                  uint32_t class, uint32_t id, bool *is_new) {
    uint64_t key = (uint64_t)kind << 60 | (uint64_t) class << 32 | id;
    struct known_cause *known;

    HASH_FIND(hh, causes->known, &key, sizeof key, known);
    *is_new = known == NULL;
    if (known == NULL) {
        HASH_NEW(causes->known, key, key, known);
    }
    return known;
}

/* Returns the number of the text that a SELECT returns for an id; if that is NULL or no row, the
 * number of the text `otherwise`. */
static uint32_t number_texts_of_query(struct wait_causes *causes, const char *sql, uint32_t id,
                                      const char *otherwise) {
    struct database_query query = database_query(causes->database, causes->error, sql, "i", id);
    const char *text = database_next(&query) && sqlite3_column_type(query.row, 0) != SQLITE_NULL
                           ? database_column_text(query.row, 0)
                           : otherwise;
    uint32_t number = number_cause_text(causes, text);

    database_end(&query);
    return number;
}

/* Returns the number of the text that an SQL statement returns for an id. It is cached, so the
 * statement runs once per id. */
static uint32_t cause_of_id(struct wait_causes *causes, enum key_kind kind, uint32_t id,
                            const char *sql) {
    bool is_new;
    struct known_cause *known = wait_causes_find_known(causes, kind, 0, id, &is_new);

    if (is_new) {
        known->number = number_texts_of_query(causes, sql, id, "");
    }
    return known->number;
}

/* Returns the length of a kernel thread's name without its numbers: `jbd2` of jbd2/sda1-8. */
static size_t kernel_name_length(const char *name) {
    size_t length = strcspn(name, "/:0123456789");

    return strncmp(name, "jbd2", 4) == 0 || strncmp(name, "f2fs_", 5) == 0 ? strcspn(name, "/:-")
           : length == 0                                                   ? strlen(name)
                                                                           : length;
}

/* Appends the name of an actor. For a kernel thread this is its description in the configuration,
 * or else its name without numbers. Returns whether it is a kernel thread. */
static bool wait_causes_append_name(struct wait_causes *causes, uint32_t actor, struct text *out) {
    struct database_query query =
        database_query(causes->database, causes->error,
                       "SELECT ifnull(name, '') FROM main.actor WHERE id = ?1", "i", actor);
    bool is_kernel = false;

    if (database_next(&query)) {
        const char *name = database_column_text(query.row, 0);

        size_t length = strlen(name);
        const char *role = config_kernel_thread(causes->config, name, length);

        is_kernel = role != NULL;
        if (is_kernel && *role != '\0') {
            text_append_string(out, role);
        } else {
            text_append(out, name, is_kernel ? kernel_name_length(name) : length);
        }
    }
    database_end(&query);
    return is_kernel;
}

/* Returns the number of the cause that names a thread: `kernel: NAME` for KEY_KERNEL (0 if it is no
 * kernel thread), else NAME. */
static uint32_t cause_of_name(struct wait_causes *causes, enum key_kind kind, uint32_t actor) {
    bool is_new;
    struct known_cause *known = wait_causes_find_known(causes, kind, 0, actor, &is_new);

    if (is_new) {
        struct text text = {0};

        text_append_string(&text, kind == KEY_KERNEL ? "kernel: " : "");
        if (wait_causes_append_name(causes, actor, &text) || kind != KEY_KERNEL) {
            known->number = number_cause_text(causes, text_string(&text));
        }
        text_free(&text);
    }
    return known->number;
}

uint32_t wait_causes_waker_label(struct wait_causes *causes, uint32_t actor) {
    int64_t leader = 0;
    bool by_process = id_values_find(&causes->leaders, actor, &leader);

    return cause_of_id(causes, KEY_WAKER, by_process ? (uint32_t)leader : actor,
                       by_process
                           ? "SELECT thread_label(NULL, pid, name) FROM main.actor WHERE id = ?1"
                           : "SELECT thread_label(nullif(pid, tid), tid, name) FROM main.actor"
                             " WHERE id = ?1");
}

uint32_t wait_causes_thread_name(struct wait_causes *causes, uint32_t actor) {
    return cause_of_name(causes, KEY_NAME, actor);
}

uint32_t wait_causes_call_name(struct wait_causes *causes, uint32_t operation) {
    return cause_of_id(causes, KEY_CALL, operation, "SELECT text FROM main.name WHERE id = ?1");
}

uint32_t wait_causes_cause_with_waker(struct wait_causes *causes, uint32_t cause, uint32_t waker) {
    bool is_new;
    struct known_cause *known = wait_causes_find_known(causes, KEY_BY, cause, waker, &is_new);

    if (is_new) {
        const char *text = wait_cause_text(causes, cause);
        struct text by = {0};

        text_append_format(&by, "%s (%s)", text, wait_cause_text(causes, waker));
        known->number =
            strncmp(text, "kernel: ", 8) == 0 ? cause : number_cause_text(causes, text_string(&by));
        text_free(&by);
    }
    return known->number;
}

static uint32_t device_cause(struct wait_causes *causes, uint32_t object, uint32_t flags) {
    enum io_class class = io_class_of(flags);
    bool is_new;
    struct known_cause *known =
        wait_causes_find_known(causes, KEY_DEVICE, (uint32_t) class, object, &is_new);

    if (is_new) {
        struct text sql = {0};

        text_append_format(&sql,
                           "SELECT printf('device %%d,%%d %s', device >> 20, device & 1048575)"
                           " FROM main.object WHERE id = ?1",
                           io_class_words[class]);
        known->number = number_texts_of_query(causes, text_string(&sql), object, "device");
        text_free(&sql);
    }
    return known->number;
}

static uint32_t interrupt_waker(struct wait_causes *causes, uint32_t object) {
    return cause_of_id(causes, KEY_INTERRUPT, object, "SELECT name FROM main.object WHERE id = ?1");
}

/* Returns the cause `WORD in FUNCTION` for a cause WORD; WORD if the function is unknown. */
static uint32_t cause_in_function(struct wait_causes *causes, uint32_t cause, uint32_t function) {
    const char *word = always[cause];
    struct known_cause *known;
    struct text sql = {0};
    bool is_new;

    if (function == 0) {
        return cause;
    }
    known = wait_causes_find_known(causes, KEY_FUNCTION, cause, function, &is_new);
    if (is_new) {
        text_append_format(&sql, "SELECT '%s in ' || name FROM main.object WHERE id = ?1", word);
        known->number = number_texts_of_query(causes, text_string(&sql), function, word);
        text_free(&sql);
    }
    return known->number;
}

/* The thread `issuer` woke a thread that waited in the call `call`. Returns the cause of this
 * wakeup. */
static uint32_t thread_cause(struct wait_causes *causes, uint32_t call, uint32_t function,
                             uint32_t issuer) {
    int64_t class = CLASS_OTHER;
    uint32_t kernel;

    if ((causes->lacks & WAIT_LACKS_INTERRUPTS) != 0) {
        /* the log lacks interrupts: an interrupt of this thread may have woken the sleeping one */
        return WAIT_CAUSE_UNEXPLAINED;
    }
    id_values_find(&causes->classes, call, &class);
    if (class == CLASS_LOCK || class == CLASS_CHILD) {
        return class == CLASS_LOCK ? CAUSE_LOCK : CAUSE_CHILD;
    }
    kernel = cause_of_name(causes, KEY_KERNEL, issuer);
    return kernel != 0              ? kernel
           : class == CLASS_MESSAGE ? CAUSE_MESSAGE
                                    : cause_in_function(causes, CAUSE_THREAD, function);
}

struct wait_cause wait_causes_find(struct wait_causes *causes, uint32_t call, uint32_t function,
                                   const struct event_columns *columns, size_t i) {
    uint32_t issuer = columns->issuer[i], object = columns->object[i], flags = columns->flags[i];
    int64_t class;

    switch (state_context_of(flags)) {
    case STATE_CONTEXT_THREAD:
        return (struct wait_cause){thread_cause(causes, call, function, issuer),
                                   wait_causes_waker_label(causes, issuer)};
    case STATE_CONTEXT_DEVICE:
        /* The log lacks interrupts: the thread may have been woken by another one, nested in this
         * interrupt. */
        if ((causes->lacks & WAIT_LACKS_INTERRUPTS) != 0 &&
            id_values_find(&causes->classes, call, &class) && class != CLASS_MESSAGE) {
            return (struct wait_cause){WAIT_CAUSE_UNEXPLAINED, 0};
        }
        return (struct wait_cause){device_cause(causes, object, flags), 0};
    case STATE_CONTEXT_NETWORK:
        return (struct wait_cause){CAUSE_NETWORK, 0};
    case STATE_CONTEXT_TIMER:
        return (struct wait_cause){CAUSE_TIMER, 0};
    case STATE_CONTEXT_INTERRUPT:
        return (struct wait_cause){cause_in_function(causes, CAUSE_INTERRUPT, function),
                                   object == 0 ? 0 : interrupt_waker(causes, object)};
    default:
        return (struct wait_cause){WAIT_CAUSE_UNEXPLAINED, 0};
    }
}
