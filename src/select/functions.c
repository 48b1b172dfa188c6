#include "select/functions.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/saturate.h"
#include "base/text.h"
#include "model/linux.h"
#include "model/thread.h"
#include "output/printer.h"
#include "store/event_rows.h"
#include "base/hash.h"
#include "base/memory.h"

/* SQL functions for paths through a call tree. */

/* Maximum callers in a path. */
#define CALL_PATH_CALLERS 128

/* Maximum bytes of all paths from one tree. */
#define CALL_PATH_BYTES ((uint64_t)1 << 30)

/* Paths of nodes in a tree. In plain SQL each name takes two table lookups: 13 million for calls
 * 100,000 deep. */

/* Limit of node numbers; no analysis creates so many. */
#define MOST_NODES (1 << 24)

/* Type tag of pointers passed between the two functions. */
static const char tree_type[] = "tracetool call tree";

struct operation {
    int64_t id;
    size_t length;
    UT_hash_handle hh;
    char name[];
};

struct node {
    uint32_t parent;                   /* 0: a root */
    const struct operation *operation; /* NULL: no such node */
};

struct tree {
    struct node *nodes; /* owned; indexed by number */
    size_t capacity;
    struct operation *operations; /* owned hash table */
    struct text path;             /* the last result */
    uint64_t given;               /* bytes of paths returned so far */
};

static void free_tree(void *any) {
    struct tree *tree = any;

    while (tree->operations != NULL) {
        struct operation *operation = tree->operations;

        HASH_DEL(tree->operations, operation);
        free(operation);
    }
    text_free(&tree->path);
    free(tree->nodes);
    free(tree);
}

static const struct operation *call_path_find_operation(struct tree *tree, int64_t id,
                                                        sqlite3_value *name) {
    struct operation *operation;
    const void *bytes;
    size_t length;

    HASH_FIND(hh, tree->operations, &id, sizeof id, operation);
    if (operation != NULL) {
        return operation;
    }
    bytes = sqlite3_value_text(name);
    length = (size_t)sqlite3_value_bytes(name);
    operation = xmalloc(sizeof *operation + length);
    operation->id = id;
    operation->length = length;
    if (length > 0) {
        memcpy(operation->name, bytes, length);
    }
    HASH_ADD(hh, tree->operations, id, sizeof id, operation);
    return operation;
}

static void grow_tree(struct tree *tree, size_t number) {
    size_t capacity = tree->capacity == 0 ? 1024 : tree->capacity;

    while (capacity <= number) {
        capacity *= 2;
    }
    if (capacity > tree->capacity) {
        tree->nodes = xrealloc(tree->nodes, capacity * sizeof *tree->nodes);
        memset(tree->nodes + tree->capacity, 0, (capacity - tree->capacity) * sizeof *tree->nodes);
        tree->capacity = capacity;
    }
}

static void call_path_add_node(sqlite3_context *context, int count, sqlite3_value **values) {
    struct tree **place = sqlite3_aggregate_context(context, sizeof *place);
    int64_t number = sqlite3_value_int64(values[0]), parent = sqlite3_value_int64(values[1]);

    if (place != NULL && *place == NULL) {
        *place = xcalloc(1, sizeof **place);
    }
    if (place == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (number < 1 || number > MOST_NODES || parent < 0 || parent > MOST_NODES) {
        sqlite3_result_error(context, "call_tree: nodes are numbers from 1 to 2^24", -1);
        return;
    }
    grow_tree(*place, (size_t)number);
    (*place)->nodes[number] =
        (struct node){(uint32_t)parent,
                      call_path_find_operation(*place, sqlite3_value_int64(values[2]), values[3])};
}

/* SQLite also calls this when a statement ends early. */
static void cache_tree(sqlite3_context *context) {
    struct tree **place = sqlite3_aggregate_context(context, 0);

    if (place != NULL && *place != NULL) {
        sqlite3_result_pointer(context, *place, tree_type, free_tree);
        *place = NULL;
    }
}

/* Returns NULL if there is none. */
static const struct node *call_path_find_node(const struct tree *tree, int64_t number) {
    return number > 0 && (uint64_t)number < tree->capacity && tree->nodes[number].operation != NULL
               ? &tree->nodes[number]
               : NULL;
}

/* Collects names upwards from the end of an array, so that the outermost comes first. */
static void write_path(struct tree *tree, const struct node *node) {
    const struct operation *operations[CALL_PATH_CALLERS + 1];
    size_t first = CALL_PATH_CALLERS + 1;

    tree->path.length = 0;
    for (; node != NULL && first > 0; node = call_path_find_node(tree, node->parent)) {
        operations[--first] = node->operation;
    }
    if (node != NULL) {
        text_append_string(&tree->path, "… > ");
    }
    for (size_t i = first; i <= CALL_PATH_CALLERS; i++) {
        if (i > first) {
            text_append_string(&tree->path, " > ");
        }
        text_append(&tree->path, operations[i]->name, operations[i]->length);
    }
}

static void sql_call_path(sqlite3_context *context, int count, sqlite3_value **values) {
    struct tree *tree = sqlite3_value_pointer(values[0], tree_type);
    const struct node *node =
        tree == NULL ? NULL : call_path_find_node(tree, sqlite3_value_int64(values[1]));

    if (node == NULL) {
        return;
    }
    write_path(tree, node);
    tree->given += tree->path.length;
    if (tree->given > CALL_PATH_BYTES) {
        struct text message = {0};

        text_append_format(&message,
                           "the paths have more than %d MiB; choose some with --top, or a part of "
                           "the tree with --under, --component, --op or --from and --to",
                           (int)(CALL_PATH_BYTES >> 20));
        sqlite3_result_error(context, text_string(&message), -1);
        text_free(&message);
    } else {
        sqlite3_result_text64(context, tree->path.bytes, tree->path.length, SQLITE_TRANSIENT,
                              SQLITE_UTF8);
    }
}

bool call_path_register(sqlite3 *connection) {
    const int how = SQLITE_UTF8 | SQLITE_INNOCUOUS;

    return sqlite3_create_function_v2(connection, "call_tree", 4, how, NULL, NULL,
                                      call_path_add_node, cache_tree, NULL) == SQLITE_OK &&
           sqlite3_create_function_v2(connection, "call_path", 2, how, NULL, sql_call_path, NULL,
                                      NULL, NULL) == SQLITE_OK;
}

/* actor_label(name, code, session, sessions): an actor's label in reports. The current
 * configuration overrides the database. */
static void actor_label(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct config *config = sqlite3_user_data(context);
    const char *name = (const char *)sqlite3_value_text(values[0]);
    int64_t session = sqlite3_value_int64(values[2]);
    struct text label = {0};

    if (sqlite3_value_type(values[1]) == SQLITE_NULL) {
        sqlite3_result_value(context, values[0]);
        return;
    }
    if (config_application_name(config, session, (uint32_t)sqlite3_value_int64(values[1])) !=
        NULL) {
        name = config_application_name(config, session, (uint32_t)sqlite3_value_int64(values[1]));
    }
    if (name != NULL) {
        text_append_string(&label, name);
    } else {
        text_append_format(&label, "0x%08llx", (unsigned long long)sqlite3_value_int64(values[1]));
    }
    /* The meaning of an application ID changes with a reset. */
    if (sqlite3_value_int64(values[3]) > 1) {
        text_append_format(&label, " (session %lld)", (long long)session);
    }
    sqlite3_result_text(context, label.bytes, (int)label.length, SQLITE_TRANSIENT);
    text_free(&label);
}

/* thread_label(pid, tid, name): a thread's label. */
static void thread_label(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *name = (const char *)sqlite3_value_text(values[2]);
    int64_t numbers[2];
    struct text label = {0};

    (void)count;
    for (int i = 0; i < 2; i++) {
        numbers[i] = sqlite3_value_type(values[i]) == SQLITE_NULL ? EVENT_NONE
                                                                  : sqlite3_value_int64(values[i]);
    }
    thread_label_append(&label, numbers[0], numbers[1], name == NULL ? "" : name,
                        (size_t)sqlite3_value_bytes(values[2]), text_append);
    if (label.length > 0) {
        sqlite3_result_text(context, label.bytes, (int)label.length, SQLITE_TRANSIENT);
    }
    text_free(&label);
}

/* three_digits(number): a fraction as in tables. */
static void three_digits(sqlite3_context *context, int count, sqlite3_value **values) {
    struct text out = {0};

    (void)count;
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) {
        return;
    }
    printer_append_three_digits(&out, sqlite3_value_double(values[0]));
    sqlite3_result_text(context, text_string(&out), -1, SQLITE_TRANSIENT);
    text_free(&out);
}

/* module_of(name): the configured module of a function. */
static void module_of(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct config *config = sqlite3_user_data(context);
    const char *name = (const char *)sqlite3_value_text(values[0]);

    if (name != NULL) {
        sqlite3_result_text(context,
                            config_module(config, name, (size_t)sqlite3_value_bytes(values[0])), -1,
                            SQLITE_TRANSIENT);
    }
}

/* application_of(process): the configured application of a process, or the process itself; NULL for
 * a kernel thread. */
static void functions_application_of(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct config *config = sqlite3_user_data(context);
    const char *process = (const char *)sqlite3_value_text(values[0]);
    size_t length = process == NULL ? 0 : (size_t)sqlite3_value_bytes(values[0]);
    const char *name = process == NULL ? NULL : config_process_application(config, process, length);

    if (name != NULL) {
        sqlite3_result_text(context, name, name == process ? (int)length : -1, SQLITE_TRANSIENT);
    }
}

/* call_does(name): effect of a system call on a file. */
static void does(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *name = (const char *)sqlite3_value_text(values[0]);
    const char *word = name == NULL ? NULL : call_does_word(call_does(name));

    if (word != NULL) {
        sqlite3_result_text(context, word, -1, SQLITE_STATIC);
    }
}

/* wait_of_descriptor(name, type): type of a descriptor, from the object of its calls. */
static void sql_descriptor_wait(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *name = (const char *)sqlite3_value_text(values[0]);
    bool typed = sqlite3_value_type(values[1]) != SQLITE_NULL;

    sqlite3_result_text(context, call_wait_word(wait_of_descriptor(name, typed)), -1,
                        SQLITE_STATIC);
}

/* call_wait(name): what a call waits for, whatever its descriptor; NULL: nothing. */
static void sql_call_wait(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *name = (const char *)sqlite3_value_text(values[0]);

    if (name != NULL) {
        sqlite3_result_text(context, call_wait_word(call_wait(name, WAIT_NONE)), -1, SQLITE_STATIC);
    }
}

/* probe_overhead(origin): overhead of a call measured by a probe of that origin, ns. */
static void probe_overhead(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct config *config = sqlite3_user_data(context);
    const char *origin = (const char *)sqlite3_value_text(values[0]);

    if (origin != NULL) {
        sqlite3_result_int64(context, config_probe_overhead(config, origin));
    }
}

/* sum_time(n): a sum of times or bytes that saturates. A damaged log may have any values, and
 * SQLite's sum() would fail. NULL without values. */
struct time_sum {
    int64_t sum;
    bool any;
};

static void functions_add_time(sqlite3_context *context, int count, sqlite3_value **values) {
    struct time_sum *state = sqlite3_aggregate_context(context, sizeof *state);

    if (state == NULL) {
        sqlite3_result_error_nomem(context);
    } else if (sqlite3_value_type(values[0]) != SQLITE_NULL) {
        state->any = true;
        add_saturated(&state->sum, sqlite3_value_int64(values[0]));
    }
}

static void time_sum(sqlite3_context *context) {
    const struct time_sum *state = sqlite3_aggregate_context(context, 0);

    if (state != NULL && state->any) {
        sqlite3_result_int64(context, state->sum);
    }
}

/* bit_length(n): number of significant bits, 0 for 0; NULL if negative. */
static void functions_bit_length(sqlite3_context *context, int count, sqlite3_value **values) {
    int64_t number = sqlite3_value_int64(values[0]);
    int bits = 0;

    if (number < 0 || sqlite3_value_type(values[0]) == SQLITE_NULL) {
        return;
    }
    for (; number != 0; number >>= 1) {
        bits++;
    }
    sqlite3_result_int(context, bits);
}

bool select_functions_register(struct database *database, const struct config *config,
                               struct error *error) {
    const int how = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    /* The functions do not modify the configuration. */
    void *context = (void *)(uintptr_t)config;
    const struct {
        const char *name;
        int parameters;
        void (*function)(sqlite3_context *, int, sqlite3_value **);
    } functions[] = {
        {"actor_label", 4, actor_label},
        {"bit_length", 1, functions_bit_length},
        {"call_does", 1, does},
        {"call_wait", 1, sql_call_wait},
        {"descriptor_wait", 2, sql_descriptor_wait},
        {"module_of", 1, module_of},
        {"thread_label", 3, thread_label},
        {"three_digits", 1, three_digits},
        {"application_of", 1, functions_application_of},
        {"probe_overhead", 1, probe_overhead},
    };

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (sqlite3_create_function_v2(database->handle, functions[i].name, functions[i].parameters,
                                       how, context, functions[i].function, NULL, NULL,
                                       NULL) != SQLITE_OK) {
            return database_failed(database, error);
        }
    }
    return (event_rows_register(database->handle) && call_path_register(database->handle) &&
            sqlite3_create_function_v2(database->handle, "sum_time", 1, how, NULL, NULL,
                                       functions_add_time, time_sum, NULL) == SQLITE_OK) ||
           database_failed(database, error);
}

bool select_several_processes(struct database *database, int64_t trace, bool *several,
                              struct error *error) {
    int64_t found = 0;
    bool done =
        database_integer(database, "SELECT min(pid) < max(pid) FROM main.actor WHERE trace = ?1",
                         trace, 0, &found, error);

    *several = found != 0;
    return done;
}
