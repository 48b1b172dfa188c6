#include "ftrace_calls.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "import/call_losses.h"
#include "model/linux_errors.h"
#include "base/memory.h"

enum { HIGHEST_ERROR = 4095 }; /* results below are addresses */

/* A call that has begun. Those of one key hang on the first of them. */
struct ftrace_held {
    struct ftrace_call_key key;
    struct ftrace_call call;
    struct ftrace_held *next, *last; /* of the same key; `last` of the first */
    UT_hash_handle hh;
    char arguments[];
};

struct ftrace_call ftrace_call_empty(void) {
    return (struct ftrace_call){.cpu = EVENT_NONE,
                                .duration = EVENT_NONE,
                                .address = EVENT_NONE,
                                .size = EVENT_NONE,
                                .value = EVENT_NONE,
                                .arguments = {"", 0}};
}

bool ftrace_calls_begin(struct import *import, struct ftrace_calls *calls, struct error *error) {
    return file_types_init(&calls->types, import_config(import), error) &&
           memo_init(&calls->operations, MEMO_ENTRIES, error) &&
           memo_init(&calls->actors, MEMO_ENTRIES, error) &&
           memo_init(&calls->objects, MEMO_ENTRIES, error) &&
           memo_init(&calls->errors, MEMO_ENTRIES, error);
}

/* --- names ------------------------------------------------------------------------------------ */

/* The id of an entry that was not known. */
static uint32_t settle(struct memo_entry *entry, uint32_t id) {
    entry->values[0] = id;
    if (id == 0) {
        memo_forget(entry);
    }
    return id;
}

uint32_t ftrace_calls_operation(struct import *import, struct ftrace_calls *calls, const char *kind,
                                struct word name) {
    struct memo_key key = {{(intptr_t)kind, 0}, name.bytes, name.length};
    bool known;
    struct memo_entry *entry = memo_find(&calls->operations, &key, &known);

    return known ? entry->values[0]
                 : settle(entry, import_name(import, &(struct name_entry){.kind = kind,
                                                                          .code = EVENT_NONE,
                                                                          .text = name.bytes,
                                                                          .length = name.length}));
}

uint32_t ftrace_calls_actor(struct import *import, struct ftrace_calls *calls,
                            const struct ftrace_line *line, int64_t pid, struct word name) {
    struct actor_entry actor = {.session = 1, .tid = line->tid, .code = EVENT_NONE};
    struct memo_key key;
    struct memo_entry *entry;
    char made[FTRACE_IDLE_NAME];
    bool known;

    name = name.length > 0 ? name : ftrace_line_thread(line, made);
    /* Where the log does not tell processes, each thread is one. */
    actor.pid = pid != EVENT_NONE ? pid : line->pid != EVENT_NONE ? line->pid : line->tid;
    actor.name = name.length > 0 ? name.bytes : NULL;
    actor.length = name.length;
    key = (struct memo_key){{actor.pid, actor.tid}, name.bytes, name.length};
    entry = memo_find(&calls->actors, &key, &known);
    return known ? entry->values[0] : settle(entry, import_actor(import, &actor));
}

uint32_t ftrace_calls_object(struct import *import, struct ftrace_calls *calls, struct word name,
                             int64_t device) {
    struct memo_key key = {{device, 0}, name.bytes, name.length};
    struct object_entry object = {.name = name.bytes, .length = name.length, .device = device};
    bool known;
    struct memo_entry *entry = memo_find(&calls->objects, &key, &known);

    if (known) {
        return entry->values[0];
    }
    object.type = file_types_find(&calls->types, name.bytes, name.length);
    return settle(entry, import_object(import, &object));
}

static uint32_t find_error(struct import *import, struct ftrace_calls *calls, int64_t number) {
    struct memo_key key = {{number, 0}, NULL, 0};
    bool known;
    struct memo_entry *entry = memo_find(&calls->errors, &key, &known);
    const char *name;
    char unnamed[32];

    if (known) {
        return entry->values[0];
    }
    if ((name = linux_error_name(number)) == NULL) {
        snprintf(unnamed, sizeof unnamed, "ERRNO_%lld", (long long)number);
        name = unnamed;
    }
    return settle(entry, import_name(import, &(struct name_entry){.kind = "error",
                                                                  .code = number,
                                                                  .text = name,
                                                                  .length = strlen(name)}));
}

bool ftrace_calls_result(struct import *import, struct ftrace_calls *calls, int64_t result,
                         struct ftrace_call *call) {
    call->value = result;
    if (result < 0 && result >= -HIGHEST_ERROR) {
        call->value = -1;
        call->error = find_error(import, calls, -result);
        return call->error != 0;
    }
    return true;
}

/* --- events ----------------------------------------------------------------------------------- */

bool ftrace_calls_keep(struct import *import, const struct ftrace_call *call) {
    struct event *event = import_event(import);

    if (event == NULL) {
        return false;
    }
    event->time = call->time;
    event->duration = call->duration;
    event->operation = call->operation;
    event->actor = call->actor;
    event->object = call->object;
    event->address = call->address;
    event->size = call->size;
    event->value = call->value;
    event->error = call->error;
    return call->arguments.length == 0 ||
           import_arguments(import, event, (const uint8_t *)call->arguments.bytes,
                            (uint32_t)call->arguments.length) != NULL;
}

bool ftrace_calls_keep_ended(struct import *import, const struct ftrace_line *line,
                             struct ftrace_call *call) {
    call->duration = line->time > call->time ? line->time - call->time : 0;
    if (import_losses_told(import) > call->losses) {
        const struct call_part part = {
            .time = call->time,
            .duration = call->duration,
            .operation = call->operation,
            .actor = call->actor,
            .began_on = call->cpu,
            .ended_on = line->cpu,
        };

        import_call_ended(import, &part, call->losses);
    }
    return ftrace_calls_keep(import, call);
}

/* --- calls that have begun -------------------------------------------------------------------- */

/* Takes the first of a key out of what is held; the caller frees it. The next one is the first
 * then. */
static void let_go(struct ftrace_calls *calls, struct ftrace_held *first) {
    struct ftrace_held *next = first->next;

    HASH_DEL(calls->held, first);
    calls->held_count--;
    calls->held_text -= first->call.arguments.length;
    if (next == NULL) {
        return;
    }
    next->last = first->last == next ? NULL : first->last;
    HASH_ADD(hh, calls->held, key, sizeof next->key, next);
}

static bool keep_endless(struct import *import, struct ftrace_calls *calls,
                         struct ftrace_held *held) {
    struct ftrace_call call = held->call;
    bool done = ftrace_calls_keep(import, &call);

    calls->endless++;
    let_go(calls, held);
    free(held);
    return done;
}

static struct ftrace_held *find(const struct ftrace_calls *calls,
                                const struct ftrace_call_key *key) {
    struct ftrace_held *held;

    HASH_FIND(hh, calls->held, key, sizeof *key, held);
    return held;
}

static struct ftrace_held *new_held(const struct ftrace_call_key *key,
                                    const struct ftrace_call *call, size_t losses, size_t length) {
    struct ftrace_held *held = xcalloc(1, sizeof *held + length);

    held->key = *key;
    held->call = *call;
    memcpy(held->arguments, call->arguments.bytes, length);
    held->call.arguments = (struct word){held->arguments, length};
    held->call.losses = losses;
    return held;
}

bool ftrace_calls_hold(struct import *import, struct ftrace_calls *calls,
                       const struct ftrace_call_key *key, bool alone,
                       const struct ftrace_call *call) {
    size_t length = call->arguments.length < FTRACE_CALL_ARGUMENTS ? call->arguments.length
                                                                   : FTRACE_CALL_ARGUMENTS;
    struct ftrace_held *held, *first = find(calls, key);

    if (alone && first != NULL && !keep_endless(import, calls, first)) {
        return false;
    }
    while (calls->held_count == FTRACE_CALLS_HELD ||
           (calls->held != NULL && calls->held_text + length > FTRACE_CALLS_TEXT)) {
        calls->given_up++;
        if (!keep_endless(import, calls, calls->held)) {
            return false;
        }
    }
    first = find(calls, key);
    held = new_held(key, call, import_losses_told(import), length);
    if (first != NULL) {
        *(first->last == NULL ? &first->next : &first->last->next) = held;
        first->last = held;
    } else {
        HASH_ADD(hh, calls->held, key, sizeof held->key, held);
    }
    calls->held_count++;
    calls->held_text += length;
    return true;
}

bool ftrace_calls_give_up(struct import *import, struct ftrace_calls *calls,
                          const struct ftrace_call_key *key, bool counts) {
    struct ftrace_held *held = find(calls, key);

    if (held == NULL) {
        return true;
    }
    if (counts && !held->call.endless) {
        import_call_without_end(import, held->call.operation, held->call.time);
    }
    return keep_endless(import, calls, held);
}

bool ftrace_calls_holds(const struct ftrace_calls *calls, const struct ftrace_call_key *key) {
    return find(calls, key) != NULL;
}

bool ftrace_calls_take(struct ftrace_calls *calls, const struct ftrace_call_key *key,
                       uint32_t operation, struct ftrace_call *call) {
    struct ftrace_held *held = find(calls, key);

    if (held == NULL || (operation != 0 && held->call.operation != operation)) {
        return false;
    }
    *call = held->call;
    text_clear(&calls->taken);
    text_append(&calls->taken, call->arguments.bytes, call->arguments.length);
    call->arguments = (struct word){text_string(&calls->taken), calls->taken.length};
    let_go(calls, held);
    free(held);
    return true;
}

bool ftrace_calls_end(struct import *import, struct ftrace_calls *calls, bool failed) {
    bool done = true;

    while (calls->held != NULL) {
        struct ftrace_held *held = calls->held;

        if (done && !failed) {
            done = keep_endless(import, calls, held);
        } else {
            let_go(calls, held);
            free(held);
        }
    }
    if (done && !failed && calls->endless > 0) {
        import_remark(import, "calls without an end in the log, and so without a duration: %lld",
                      (long long)calls->endless);
    }
    if (done && !failed && calls->given_up > 0) {
        import_remark(import,
                      "%lld of them may have one: more than %d calls were open at once, of which "
                      "the oldest were given up",
                      (long long)calls->given_up, FTRACE_CALLS_HELD);
    }
    file_types_free(&calls->types);
    memo_free(&calls->operations);
    memo_free(&calls->actors);
    memo_free(&calls->objects);
    memo_free(&calls->errors);
    text_free(&calls->taken);
    return done;
}

/* --- dump ------------------------------------------------------------------------------------- */

void ftrace_calls_dump(const struct dump_event *dump, struct text *out) {
    const struct event *event = &dump->event;
    const char *arguments = (const char *)event->arguments;

    text_append_char(out, '[');
    if (dump->pid != EVENT_NONE) {
        text_append_integer(out, dump->pid);
        text_append_char(out, ' ');
    }
    text_append_escaped(out, dump->actor, dump->actor_length);
    text_append_string(out, "] ");
    text_append_escaped(out, dump->operation, dump->operation_length);
    text_append_char(out, '(');
    text_append_escaped(out, arguments == NULL ? "" : arguments,
                        arguments == NULL ? 0 : dump->arguments_size);
    text_append_char(out, ')');
    if (dump->object_length > 0) {
        text_append_char(out, ' ');
        text_append_escaped(out, dump->object, dump->object_length);
    }
    if (event->address != EVENT_NONE) {
        text_append_string(out, " at ");
        text_append_integer(out, event->address);
    }
    if (event->size != EVENT_NONE) {
        text_append_string(out, ", ");
        text_append_integer(out, event->size);
        text_append_string(out, " bytes");
    }
    if (event->value != EVENT_NONE) {
        text_append_string(out, " = ");
        text_append_integer(out, event->value);
    }
    if (dump->error_length > 0) {
        text_append_char(out, ' ');
        text_append_escaped(out, dump->error, dump->error_length);
    }
    if (event->duration != EVENT_NONE) {
        text_append_string(out, " <");
        text_append_seconds(out, event->duration);
        text_append_char(out, '>');
    }
}
