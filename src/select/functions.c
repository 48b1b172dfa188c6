#include "select/functions.h"

#include "base/saturate.h"
#include "base/text.h"
#include "model/linux.h"
#include "model/thread.h"
#include "output/printer.h"
#include "store/event_rows.h"

/* SQL function actor_label(name, code, session, sessions): an actor's label in reports. A name in
 * the current configuration takes precedence over `name`, which is from the database. */
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
    /* Appends the session (boot), since after a reset an ID may mean another application. */
    if (sqlite3_value_int64(values[3]) > 1) {
        text_append_format(&label, " (session %lld)", (long long)session);
    }
    sqlite3_result_text(context, label.bytes, (int)label.length, SQLITE_TRANSIENT);
    text_free(&label);
}

/* SQL function thread_label(pid, tid, name): a thread's label in reports; NULL if unknown. */
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

/* SQL function three_digits(number): a fraction, formatted as in tables. */
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

/* SQL function counted(number, form), as text_append_plural(): counted(2, 'request{s}') is "2
 * requests"; NULL is treated as 0. */
static void sql_counted(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *form = (const char *)sqlite3_value_text(values[1]);
    int64_t number = sqlite3_value_int64(values[0]);
    struct text out = {0};

    (void)count;
    if (form == NULL) {
        return;
    }
    text_append_integer(&out, number);
    text_append_char(&out, ' ');
    text_append_plural(&out, form, number);
    sqlite3_result_text(context, text_string(&out), (int)out.length, SQLITE_TRANSIENT);
    text_free(&out);
}

/* SQL function module_of(name): the module that the configuration gives for a function. */
static void sql_module_of(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct config *config = sqlite3_user_data(context);
    const char *name = (const char *)sqlite3_value_text(values[0]);

    if (name != NULL) {
        sqlite3_result_text(
            context, config_module_of_name(config, name, (size_t)sqlite3_value_bytes(values[0])),
            -1, SQLITE_TRANSIENT);
    }
}

/* SQL function application_of(process): the application that the configuration gives for a process,
 * or the process itself; NULL for a kernel thread. */
static void functions_application_of(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct config *config = sqlite3_user_data(context);
    const char *process = (const char *)sqlite3_value_text(values[0]);
    size_t length = process == NULL ? 0 : (size_t)sqlite3_value_bytes(values[0]);
    const char *name = process == NULL ? NULL : config_process_application(config, process, length);

    if (name != NULL) {
        sqlite3_result_text(context, name, name == process ? (int)length : -1, SQLITE_TRANSIENT);
    }
}

/* SQL function call_does(name): what a system call does to a file, such as read; or NULL. */
static void sql_call_does(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *name = (const char *)sqlite3_value_text(values[0]);
    const char *word = name == NULL ? NULL : call_does_word(call_does(name));

    if (word != NULL) {
        sqlite3_result_text(context, word, -1, SQLITE_STATIC);
    }
}

/* SQL function descriptor_wait(name, type): what a system call on this descriptor waits for. `name`
 * and `type` are those of the descriptor's object. */
static void sql_descriptor_wait(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *name = (const char *)sqlite3_value_text(values[0]);
    bool typed = sqlite3_value_type(values[1]) != SQLITE_NULL;

    sqlite3_result_text(context, call_wait_word(wait_of_descriptor(name, typed)), -1,
                        SQLITE_STATIC);
}

/* SQL function call_wait(name): what a system call of this name waits for; NULL: nothing, or it
 * depends on the call's file descriptor. */
static void sql_call_wait(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *name = (const char *)sqlite3_value_text(values[0]);

    if (name != NULL) {
        sqlite3_result_text(context, call_wait_word(call_wait(name, WAIT_NONE)), -1, SQLITE_STATIC);
    }
}

/* SQL function probe_overhead(origin): ns that a probe of this origin adds to a call. */
static void probe_overhead(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct config *config = sqlite3_user_data(context);
    const char *origin = (const char *)sqlite3_value_text(values[0]);

    if (origin != NULL) {
        sqlite3_result_int64(context, config_probe_overhead(config, origin));
    }
}

/* SQL function sum_time(n): a sum of times or bytes that saturates instead of failing like sum(),
 * since numbers in a damaged log may overflow. NULL if there are no values. */
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

/* SQL function bit_length(n): number of significant bits of n, 0 for 0; NULL if n is negative. */
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
    /* The cast removes const; the SQL functions do not change the configuration. */
    void *context = (void *)(uintptr_t)config;
    const struct {
        const char *name;
        int parameters;
        void (*function)(sqlite3_context *, int, sqlite3_value **);
    } functions[] = {
        {"actor_label", 4, actor_label},       {"bit_length", 1, functions_bit_length},
        {"call_does", 1, sql_call_does},       {"call_wait", 1, sql_call_wait},
        {"counted", 2, sql_counted},           {"descriptor_wait", 2, sql_descriptor_wait},
        {"module_of", 1, sql_module_of},       {"thread_label", 3, thread_label},
        {"three_digits", 1, three_digits},     {"application_of", 1, functions_application_of},
        {"probe_overhead", 1, probe_overhead},
    };

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (sqlite3_create_function_v2(database->handle, functions[i].name, functions[i].parameters,
                                       how, context, functions[i].function, NULL, NULL,
                                       NULL) != SQLITE_OK) {
            return database_set_error(database, error);
        }
    }
    return (event_rows_register(database->handle) && call_path_register(database->handle) &&
            sqlite3_create_function_v2(database->handle, "sum_time", 1, how, NULL, NULL,
                                       functions_add_time, time_sum, NULL) == SQLITE_OK) ||
           database_set_error(database, error);
}

bool select_several_processes(struct database *database, int64_t trace, bool *several,
                              struct error *error) {
    int64_t found = 0;
    bool done = database_query_integer(
        database, "SELECT min(pid) < max(pid) FROM main.actor WHERE trace = ?1", trace, 0, &found,
        error);

    *several = found != 0;
    return done;
}
