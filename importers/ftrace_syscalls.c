/* System calls are printed in three forms:
 *
 *     sys_read(fd: 5, buf: 0x7ffd3880, count: 0x1000)        trace: no name, no colon
 *     sys_read -> 0x1000
 *     sys_enter_read: fd: 0x00000005, buf: 0x7ffd3880, …     trace-cmd, perf
 *     sys_exit_read: 0x1000
 *     sys_enter: NR 0 (5, 7ffd3880, 1000, 0, 0, 0)           raw_syscalls
 *     sys_exit: NR 0 = 4096
 *
 * Numbers are hexadecimal, with or without 0x. Only the numbers of raw system calls and their
 * results are decimal. An error is a negative result. Strings are printed as pointers. If the log
 * has paths, too, the files of calls are found. */
#include "ftrace_syscalls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/metadata.h"
#include "syscalls.h"

enum {
    SHARES_MEMORY = 0x100,  /* CLONE_VM */
    SHARES_FILES = 0x400,   /* CLONE_FILES */
    SAME_PROCESS = 0x10000, /* CLONE_THREAD */
    HIGHEST_ERROR = 4095,
};

/* A process whose descriptors are tracked, or a thread if the log has no processes. */
struct ftrace_process {
    struct strace_thread thread; /* hash key: `number`, of the process, or of the thread if the log
                                    has no processes */
    struct strace_cwd cwd;
    bool followed; /* true: descriptors are tracked, as no unknown thread can share them */
    int64_t since; /* time of the first line of this process */
    UT_hash_handle hh;
};

/* --- processes -------------------------------------------------------------------------------- */

static bool tells_process(const struct ftrace_line *line) {
    return line->pid != EVENT_NONE;
}

static struct ftrace_process *
ftrace_descriptors_find_process(const struct ftrace_descriptors *descriptors, int64_t number) {
    struct ftrace_process *process;

    HASH_FIND(hh, descriptors->processes, &number, sizeof number, process);
    return process;
}

static void ftrace_descriptors_remove_process(struct ftrace_descriptors *descriptors,
                                              struct ftrace_process *process) {
    if (process != NULL) {
        descriptors_end(descriptors->files.descriptors, process->thread.number);
        strace_files_disinherit(&descriptors->files, &process->thread);
        HASH_DEL(descriptors->processes, process);
        text_free(&process->cwd.path);
        text_free(&process->cwd.root);
        free(process);
    }
}

static struct ftrace_process *
ftrace_descriptors_make_process(struct ftrace_descriptors *descriptors, int64_t number,
                                const struct ftrace_line *line) {
    struct ftrace_process *process = ftrace_descriptors_find_process(descriptors, number);

    if (process != NULL) {
        return process;
    }
    if (HASH_COUNT(descriptors->processes) == STRACE_THREADS) {
        ftrace_descriptors_remove_process(descriptors, descriptors->processes); /* the oldest */
    }
    process = xcalloc(1, sizeof *process);
    process->thread.number = process->thread.process = number;
    process->thread.cwd = &process->cwd;
    process->followed = tells_process(line);
    process->since = line->time;
    HASH_ADD(hh, descriptors->processes, thread.number, sizeof process->thread.number, process);
    return process;
}

static struct ftrace_process *ftrace_descriptors_process_of(struct ftrace_descriptors *descriptors,
                                                            const struct ftrace_line *line) {
    return ftrace_descriptors_make_process(descriptors, tells_process(line) ? line->pid : line->tid,
                                           line);
}

static void ftrace_descriptors_remove_all(struct ftrace_descriptors *descriptors) {
    while (descriptors->processes != NULL) {
        ftrace_descriptors_remove_process(descriptors, descriptors->processes);
    }
}

/* Gives a child a copy of its parent's descriptors, or shares them. */
static void copy_descriptors_to_child(struct ftrace_descriptors *descriptors,
                                      struct ftrace_process *parent, const struct ftrace_line *line,
                                      const struct strace_syscall *syscall,
                                      const struct ftrace_call *call) {
    int64_t flags = 0, number = syscall->result->value;
    struct ftrace_process *child = ftrace_descriptors_find_process(descriptors, number);
    struct word rest;

    if (word_begins(syscall->name, "clone") &&
        (word_is(syscall->name, "clone3") ||
         !strace_number(strace_argument(syscall, 0), &flags, &rest))) {
        flags = -1; /* the flags of clone3 are in the program's memory, so the log lacks them */
    }
    if (tells_process(line) && (flags & SAME_PROCESS) != 0 && flags != -1) {
        return;
    }
    if (child != NULL && child->since < call->time) {
        ftrace_descriptors_remove_process(descriptors,
                                          child); /* an earlier process had the child's number */
        child = NULL;
    }
    if (flags == -1 && !tells_process(line)) {
        descriptors_end(descriptors->files.descriptors, parent->thread.number);
        parent->followed = false;
    }
    if (child == NULL && flags != -1 && parent->followed) {
        child = ftrace_descriptors_make_process(descriptors, number, line);
        child->followed = true;
        strace_threads_copy_cwd(&child->thread, &parent->cwd);
        descriptors_fork(descriptors->files.descriptors, parent->thread.number, number,
                         (flags & SHARES_FILES) != 0);
        if ((flags & SHARES_MEMORY) == 0) {
            strace_files_inherit(&descriptors->files, &child->thread);
        }
    }
}

/* --- arguments in strace's form --------------------------------------------------------------- */

/* Appends an argument in strace's form. A number, `buf: 0x7ffd3880` or `7ffd3880`, becomes decimal.
 * Of a pointer with a string, only the string is appended: `"/data/a.db"`. Flags printed as words
 * stay unchanged. */
static void append_argument(struct text *out, struct word argument) {
    const char *quote = memchr(argument.bytes, '"', argument.length),
               *colon = memchr(argument.bytes, ':', argument.length);
    uint64_t bits;

    if (quote != NULL) {
        word_skip(&argument, (size_t)(quote - argument.bytes));
    } else if (colon != NULL) {
        word_skip(&argument, (size_t)(colon - argument.bytes) + 1);
        argument = word_trim(argument);
    }
    if (quote == NULL && word_hex(argument, UINT64_MAX, &bits)) {
        text_append_integer(out, (int64_t)bits);
    } else {
        text_append(out, argument.bytes, argument.length);
    }
}

/* Converts a call to a struct strace_syscall, with its arguments in strace's form in `words`. */
static struct strace_syscall make_syscall(struct ftrace_descriptors *descriptors,
                                          struct strace_thread *thread,
                                          const struct ftrace_call *call,
                                          struct word words[STRACE_ARGUMENTS]) {
    struct text *numbers = &descriptors->numbers;
    size_t ends[STRACE_ARGUMENTS], count = strace_split(call->arguments, words);

    text_clear(numbers);
    for (size_t i = 0; i < count; i++) {
        append_argument(numbers, words[i]);
        ends[i] = numbers->length;
    }
    for (size_t i = 0; i < count; i++) {
        size_t begin = i == 0 ? 0 : ends[i - 1];

        words[i] = (struct word){text_string(numbers) + begin, ends[i] - begin};
    }
    if (word_is(call->known->name, "openat2") && count > 2) {
        words[2] = word_of("O_CLOEXEC|O_APPEND"); /* the log lacks the flags, so assume these */
    }
    return (struct strace_syscall){.thread = thread,
                                   .call = call->known,
                                   .name = call->known->name,
                                   .arguments = words,
                                   .argument_count = count,
                                   .object = call->object,
                                   .flags = call->flags};
}

static void find_call_files(struct import *import, struct ftrace_descriptors *descriptors,
                            struct strace_syscall *syscall, struct ftrace_call *call) {
    strace_files_find(&descriptors->files, syscall);
    strace_files_find_second(&descriptors->files, syscall);
    call->object = syscall->object;
    call->source = syscall->source;
    call->flags = syscall->flags;
}

/* --- files of calls --------------------------------------------------------------------------- */

static void begin_telling(struct import *import, struct ftrace_descriptors *descriptors) {
    static const struct event_meaning flags = {EVENT_PLACE_FLAGS, "", "call", ""};

    if (!descriptors->has_paths) {
        descriptors->has_paths = true;
        import_add_meaning(import, &flags);
        descriptors->losses = import_count_reported_losses(import);
        strace_files_begin(import, &descriptors->files);
    }
}

/* Handles the start of a call on files: finds its object. */
static void ftrace_descriptors_begin(struct import *import, struct ftrace_descriptors *descriptors,
                                     const struct ftrace_line *line, struct ftrace_call *call) {
    struct word words[STRACE_ARGUMENTS];
    struct strace_syscall syscall;
    struct ftrace_process *process;

    if (call->known == NULL) {
        return;
    }
    if (call->known->path >= 0 &&
        memchr(call->arguments.bytes, '"', call->arguments.length) != NULL) {
        begin_telling(import, descriptors);
    }
    if (!descriptors->has_paths) {
        if (call->known->directory >= 0) {
            syscall = make_syscall(descriptors, NULL, call, words);
            call->flags |= strace_files_are_of_descriptor(&syscall) ? CALL_FLAG_NAMELESS : 0;
        }
        return;
    }
    if (import_count_reported_losses(import) > descriptors->losses) {
        descriptors->losses = import_count_reported_losses(import);
        ftrace_descriptors_remove_all(descriptors);
    }
    process = ftrace_descriptors_process_of(descriptors, line);
    syscall = make_syscall(descriptors, &process->thread, call, words);
    find_call_files(import, descriptors, &syscall, call);
    if (call->known->effect == EFFECT_EXIT &&
        (!tells_process(line) || word_is(syscall.name, "exit_group"))) {
        ftrace_descriptors_remove_process(descriptors, process);
    }
}

/* Handles the end of a call on files; `result` is what the kernel returned. Sets the call's object,
 * and the offset of a transfer on a known file. */
static void ftrace_descriptors_end_call(struct import *import,
                                        struct ftrace_descriptors *descriptors,
                                        const struct ftrace_line *line, int64_t result,
                                        struct ftrace_call *call) {
    bool fails = result < 0 && result >= -HIGHEST_ERROR;
    const struct strace_result returned = {.known = true,
                                           .value = fails ? -1 : result,
                                           .thread = result,
                                           .file = {"", 0},
                                           .error = {"E", fails},
                                           .error_number = EVENT_NONE};
    struct word words[STRACE_ARGUMENTS];
    struct strace_syscall syscall;
    struct ftrace_process *process;

    if (call->known == NULL || !descriptors->has_paths ||
        import_count_reported_losses(import) > descriptors->losses) {
        return;
    }
    process = ftrace_descriptors_process_of(descriptors, line);
    syscall = make_syscall(descriptors, &process->thread, call, words);
    syscall.result = &returned;
    if (syscall.object == 0 && call->known->path >= 0) {
        find_call_files(import, descriptors, &syscall,
                        call); /* by now, a probe may have logged the path */
    }
    if (call->known->effect == EFFECT_FORK && result > 0) {
        copy_descriptors_to_child(descriptors, process, line, &syscall, call);
    }
    process->followed |= call->known->effect == EFFECT_EXEC && result == 0;
    if (!process->followed) {
        return;
    }
    strace_files_apply_call(&descriptors->files, &syscall);
    if (call->known->effect == EFFECT_NEW) { /* the log lacks the flags: assume close-on-exec */
        descriptors_close_on_exec(descriptors->files.descriptors, process->thread.number, result,
                                  true);
    }
    call->object = syscall.object;
    call->flags = syscall.flags;
    if (syscall.object != 0 && call->address == EVENT_NONE && call->size != EVENT_NONE) {
        call->address = syscall.address;
    }
}

bool ftrace_descriptors_read(struct import *import, struct ftrace_descriptors *descriptors,
                             struct ftrace_calls *calls, const struct ftrace_line *line) {
    const char *first = memchr(line->fields.bytes, '"', line->fields.length),
               *last = memrchr(line->fields.bytes, '"', line->fields.length);
    const struct pending_key key = {.stage = FTRACE_SYSTEM_CALL,
                                    .thread = ftrace_line_thread_key(line)};
    const struct ftrace_call *call;

    if (first == last ||
        (memmem(line->event.bytes, line->event.length, "getname", 7) == NULL &&
         memmem(line->event.bytes, line->event.length, "sys_open", 8) == NULL) ||
        (call = ftrace_calls_find(calls, &key)) == NULL || call->known == NULL) {
        return false;
    }
    switch (call->known->effect) {
    case EFFECT_OPEN:
    case EFFECT_EXEC:
    case EFFECT_UNLINK:
    case EFFECT_CHDIR:
        break;
    default:
        return false;
    }
    begin_telling(import, descriptors);
    ftrace_calls_set_path(calls, &key, call->known->path, word_between(first + 1, last));
    return true;
}

void ftrace_descriptors_end(struct ftrace_descriptors *descriptors) {
    if (descriptors->has_paths) {
        ftrace_descriptors_remove_all(descriptors);
        strace_files_end(&descriptors->files);
    }
    text_free(&descriptors->numbers);
}

enum { NAME_LENGTH = 64 };

/* Limits of sizes and offsets, which keep sums of bytes in range. */
#define BYTES_LIMIT  (INT64_C(1) << 40)
#define OFFSET_LIMIT (INT64_C(1) << 62)

/* Names of calls inside the kernel, and their names in programs. */
static const struct {
    const char *inside, *known;
} renamed[] = {
    {"newstat", "stat"},   {"newlstat", "lstat"},      {"newfstat", "fstat"},
    {"newuname", "uname"}, {"sendfile64", "sendfile"},
};

static const char enter[] = "sys_enter", leave[] = "sys_exit";
static const char twice[] = "system call that another event of the log has, too";

struct syscall {
    struct word name;
    bool ends;
    struct word arguments; /* arguments at the start of a call */
    int64_t result;        /* result at the end of a call */
    char made[NAME_LENGTH];
};

/* --- forms of lines --------------------------------------------------------------------------- */

static struct word current_syscall_name(struct word name) {
    for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++) {
        if (word_is(name, renamed[i].inside)) {
            return word_of(renamed[i].known);
        }
    }
    return name;
}

/* Parses a result of 64 bits, or the 32 bits of an error in a 32-bit kernel. */
static bool ftrace_syscalls_parse_result(struct word word, int64_t *result) {
    enum { HIGHEST_ERROR = 4095 };
    uint64_t bits;

    if (!word_hex(word, UINT64_MAX, &bits)) {
        return false;
    }
    *result = bits >= UINT32_MAX - HIGHEST_ERROR + 1 && bits <= UINT32_MAX
                  ? (int64_t)bits - UINT32_MAX - 1
                  : (int64_t)bits;
    return true;
}

/* Parses a line without the name of an event: `sys_read(…)` or `sys_read -> 0x1000`. */
static bool ftrace_syscalls_parse_bare(struct word fields, struct syscall *call) {
    struct word rest = fields;
    size_t length = 0;

    if (!word_accept(&rest, "sys_")) {
        return false;
    }
    while (length < rest.length && rest.bytes[length] != '(' && rest.bytes[length] != ' ') {
        length++;
    }
    call->name = current_syscall_name((struct word){rest.bytes, length});
    word_skip(&rest, length);
    call->ends = word_accept(&rest, "->");
    if (call->ends) {
        return ftrace_syscalls_parse_result(word_trim(rest), &call->result);
    }
    if (!word_accept(&rest, "(") || !word_ends(rest, ")")) {
        return false;
    }
    call->arguments = (struct word){rest.bytes, rest.length - 1};
    return true;
}

/* Parses an event named after the call: sys_enter_read, sys_exit_read. */
static bool parse_named(const struct ftrace_line *line, struct syscall *call) {
    struct word name = line->event;

    call->ends = word_begins(name, leave);
    word_skip(&name, (call->ends ? sizeof leave : sizeof enter) - 1);
    word_skip(&name, 1); /* skip the underscore */
    call->name = current_syscall_name(name);
    call->arguments = line->fields;
    return !call->ends || ftrace_syscalls_parse_result(line->fields, &call->result);
}

/* Parses the fields of a raw system call: `NR 0 (…)` or `NR 0 = 4096`. */
static bool parse_raw(const struct ftrace_line *line, struct ftrace_syscalls *state,
                      struct syscall *call) {
    struct word rest = line->fields;
    const char *name;
    int64_t number;

    call->ends = word_is(line->event, leave);
    if (!word_accept(&rest, "NR ") || !word_signed(word_next(&rest), -1, INT32_MAX, &number)) {
        return false;
    }
    state->numbered++;
    if ((name = linux_call_name(state->processor, number)) == NULL) {
        snprintf(call->made, sizeof call->made, "syscall_%lld", (long long)number);
        name = call->made;
    }
    call->name = word_of(name);
    if (call->ends) {
        return word_accept(&rest, "=") &&
               word_signed(word_trim(rest), -INT64_MAX, INT64_MAX, &call->result);
    }
    if (!word_accept(&rest, "(") || !word_ends(rest, ")")) {
        return false;
    }
    call->arguments = (struct word){rest.bytes, rest.length - 1};
    return true;
}

/* --- starts and ends of calls ----------------------------------------------------------------- */

/* Finds an argument by index, and its number: `count: 0x1000`, or `1000` in a raw call. */
static bool parse_argument(struct word arguments, int place, int64_t *number) {
    struct word field = {"", 0};
    uint64_t bits;
    const char *colon;

    for (int i = 0; i <= place; i++) {
        if (arguments.length == 0) {
            return false;
        }
        field = word_trim(word_field(&arguments, ','));
    }
    if ((colon = memchr(field.bytes, ':', field.length)) != NULL) {
        word_skip(&field, (size_t)(colon - field.bytes) + 1);
    }
    if (!word_hex(word_trim(field), OFFSET_LIMIT, &bits)) {
        return false;
    }
    *number = (int64_t)bits;
    return true;
}

/* Sets offset and size of a read or write that succeeded. */
static void set_transfer(struct ftrace_call *call) {
    const struct strace_call *known = call->known;

    if (known == NULL || call->value < 0 || call->value > BYTES_LIMIT) {
        return;
    }
    if (known->effect == EFFECT_READ || known->effect == EFFECT_WRITE) {
        call->size = call->value;
        if (known->more != STRACE_NO_ARGUMENT) {
            parse_argument(call->arguments, known->more, &call->address);
        }
    } else if (known->effect == EFFECT_RECEIVE || known->effect == EFFECT_SEND_FILE ||
               known->effect == EFFECT_COPY || known->effect == EFFECT_TEE) {
        call->size = call->value;
    }
}

static struct pending_key ftrace_syscalls_key_of(const struct ftrace_line *line) {
    return (struct pending_key){.stage = FTRACE_SYSTEM_CALL,
                                .thread = ftrace_line_thread_key(line)};
}

/* Returns whether the system call ends its thread, so that it never returns. */
static bool ends_thread(struct word name) {
    return word_is(name, "exit") || word_is(name, "exit_group");
}

/* Returns whether perf may switch its events on or off, one by one, in calls of this name. Then
 * even a complete log may have only the start or only the end of such a call. */
static bool turns_events(struct word name) {
    return word_is(name, "ioctl") || word_is(name, "sched_setaffinity");
}

/* Returns true if even a complete log may lack the start of a call whose end it has. That is so for
 * the child's return from a fork, for an execve by another thread, if seccomp blocked the call,
 * after a signal, and if perf switched its events on during the call. */
static bool may_have_no_begin(const struct syscall *syscall) {
    return word_listed(syscall->name, "clone clone3 fork vfork execve execveat syscall_-1") ||
           syscall->result < 0 || turns_events(syscall->name);
}

static struct ftrace_outcome
ftrace_syscalls_take_begin(struct import *import, struct ftrace_calls *calls,
                           struct ftrace_syscalls *state, const struct ftrace_line *line,
                           uint32_t operation, const struct syscall *syscall) {
    struct pending_key key = ftrace_syscalls_key_of(line);
    struct ftrace_call call = ftrace_call_empty();

    call.known = strace_call_find(syscall->name);
    call.endless = ends_thread(syscall->name) || word_is(syscall->name, "rt_sigreturn") ||
                   word_is(syscall->name, "sigreturn") || turns_events(syscall->name);
    call.time = line->time;
    call.cpu = line->cpu;
    call.operation = operation;
    call.actor = ftrace_calls_thread(import, line, EVENT_NONE, (struct word){line->task.bytes, 0});
    call.arguments = syscall->arguments;
    if (syscalls_is_on_lock(syscall->name)) {
        parse_argument(call.arguments, 0, &call.lock);
    }
    ftrace_descriptors_begin(import, &state->descriptors, line, &call);
    ftrace_calls_store_unfinished(import, calls, &key,
                                  line->time); /* no loss: perf may repeat a line */
    if (ends_thread(syscall->name)) {
        /* A call that never ends is stored now. Otherwise it would wait for the log's end, and the
         * trace would have to be sorted. */
        ftrace_calls_add_endless(import, calls, &call);
    } else {
        ftrace_calls_add_pending(import, calls, &key, false, &call);
    }
    return ftrace_taken;
}

/* Stores the line as its thread's latest line about a system call. Sets `*before` to the previous
 * such line; `thread` 0: unknown. Returns true if both lines report the same start or end of a
 * call: a log may have each twice, as raw_syscalls and by the call's name, and perf may repeat
 * lines. */
static bool note_last(struct ftrace_syscalls *state, const struct ftrace_line *line,
                      uint32_t operation, bool ends, struct ftrace_syscalls_last *before) {
    const int64_t thread = ftrace_line_thread_key(line);
    struct ftrace_syscalls_last *last = &state->last[(uint64_t)thread % FTRACE_SYSCALLS_LAST];
    const bool raw = word_is(line->event, enter) || word_is(line->event, leave);

    *before = last->thread == thread ? *last : (struct ftrace_syscalls_last){0};
    *last = (struct ftrace_syscalls_last){thread, operation, raw, ends, line->time};
    return before->thread == thread && before->operation == operation && before->ends == ends &&
           (before->raw != raw || before->time == line->time);
}

/* Handles a second line with the start of the same call. If it names the call, its arguments
 * replace those of the first line, from raw_syscalls, since they have more details. */
static void replace_begin(struct import *import, struct ftrace_calls *calls,
                          struct ftrace_syscalls *state, const struct ftrace_line *line,
                          uint32_t operation, const struct syscall *syscall) {
    struct pending_key key = ftrace_syscalls_key_of(line);
    struct ftrace_line first = *line;
    struct ftrace_call call;

    if (!word_is(line->event, enter) && ftrace_calls_remove(calls, &key, operation, &call)) {
        first.time = call.time;
        ftrace_syscalls_take_begin(import, calls, state, &first, operation, syscall);
    }
}

/* Handles the end of a call whose start is not in the log. Lines before it may be missing: that
 * start, and the end of the thread's previous call. */
static void handle_stray_exit(struct import *import, struct ftrace_calls *calls,
                              const struct ftrace_line *line, uint32_t operation,
                              const struct syscall *syscall, bool outside) {
    struct pending_key key = ftrace_syscalls_key_of(line);
    bool proves = !may_have_no_begin(syscall);

    if (proves && (outside || pending_find(&calls->held, &key, PENDING_FIRST) != NULL)) {
        import_call_without_begin(import, operation, line->time);
    }
    ftrace_calls_store_unfinished(import, calls, &key, proves ? INT64_MAX : INT64_MIN);
}

static struct ftrace_outcome
ftrace_syscalls_take_end(struct import *import, struct ftrace_calls *calls,
                         struct ftrace_syscalls *state, const struct ftrace_line *line,
                         uint32_t operation, const struct syscall *syscall, bool outside) {
    struct pending_key key = ftrace_syscalls_key_of(line);
    struct ftrace_call call;

    if (!ftrace_calls_remove(calls, &key, operation, &call)) {
        handle_stray_exit(import, calls, line, operation, syscall, outside);
        return ftrace_ignored(ftrace_beginless_call);
    }
    ftrace_calls_result(import, syscall->result, &call);
    set_transfer(&call);
    ftrace_descriptors_end_call(import, &state->descriptors, line, syscall->result, &call);
    ftrace_calls_add_ended(import, line, &call);
    return (struct ftrace_outcome){FTRACE_MERGED, ftrace_end_of_call};
}

struct ftrace_outcome ftrace_syscalls_handle(struct import *import, struct ftrace_calls *calls,
                                             struct ftrace_syscalls *state,
                                             const struct ftrace_line *line) {
    struct syscall call = {.arguments = {"", 0}};
    struct ftrace_syscalls_last before;
    uint32_t operation;
    bool good;

    if (line->event.length == 0) {
        struct word after = line->fields;

        word_field(&after, ' ');
        if (!word_begins(line->fields, "sys_") || word_begins(after, "<-")) {
            return ftrace_other; /* not the line of a system call */
        }
        good = ftrace_syscalls_parse_bare(line->fields, &call);
    } else if (word_is(line->event, enter) || word_is(line->event, leave)) {
        good = parse_raw(line, state, &call);
    } else if (word_begins(line->event, "sys_enter_") || word_begins(line->event, "sys_exit_")) {
        good = parse_named(line, &call);
    } else {
        return ftrace_other;
    }
    if (!good || call.name.length == 0) {
        return ftrace_damaged(ftrace_bad_call);
    }
    operation = import_simple_name(import, "syscall", call.name);
    if (note_last(state, line, operation, call.ends, &before)) {
        if (!call.ends) {
            replace_begin(import, calls, state, line, operation, &call);
        }
        return (struct ftrace_outcome){FTRACE_MERGED, twice};
    }
    if (call.ends) {
        return ftrace_syscalls_take_end(import, calls, state, line, operation, &call, before.ends);
    }
    return ftrace_syscalls_take_begin(import, calls, state, line, operation, &call);
}

/* --- numbers of raw system calls -------------------------------------------------------------- */

/* Finds a processor type by its name in `uname -m`; false if its numbers of calls are unknown. */
static bool linux_processor_find(struct word name, enum linux_processor *processor) {
    static const char *const generic[] = {"aarch64", "arm64", "riscv64", "loongarch64"};

    if (word_is(name, "x86_64") || word_is(name, "amd64")) {
        *processor = LINUX_X86_64;
        return true;
    }
    if (word_among(name, generic, sizeof generic / sizeof generic[0]) != NULL) {
        *processor = LINUX_GENERIC;
        return true;
    }
    return false;
}

void ftrace_syscalls_read_arch(struct ftrace_syscalls *state, struct word line) {
    if (word_accept(&line, "#") && word_accept(&line, "arch :")) {
        state->has_processor =
            linux_processor_find(word_trim(line), &state->processor) || state->has_processor;
    }
}

void ftrace_syscalls_add_remark(struct import *import, const struct ftrace_syscalls *state) {
    if (state->numbered > 0 && !state->has_processor) {
        import_remark(import, "the log gives system calls as numbers and does not name the "
                              "architecture: names are those of x86-64");
    }
}
