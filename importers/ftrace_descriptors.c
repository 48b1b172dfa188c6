#include "ftrace_descriptors.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/metadata.h"
#include "syscalls.h"

enum {
    SHARES_FILES = 0x400,   /* CLONE_FILES */
    SAME_PROCESS = 0x10000, /* CLONE_THREAD */
    HIGHEST_ERROR = 4095,
};

/* Owner of descriptors: a process, or a thread if the log has no processes. */
struct ftrace_process {
    struct strace_thread thread; /* by number */
    struct strace_cwd cwd;
    bool followed; /* no unknown thread can share its descriptors */
    int64_t since; /* time of its first line */
    UT_hash_handle hh;
};

/* --- processes ---------------------------------------------------------------------------------
 */

static bool tells_process(const struct ftrace_line *line) {
    return line->pid != EVENT_NONE;
}

static struct ftrace_process *
ftrace_descriptors_find_process(const struct ftrace_descriptors *descriptors, int64_t number) {
    struct ftrace_process *process;

    HASH_FIND(hh, descriptors->processes, &number, sizeof number, process);
    return process;
}

static void ftrace_descriptors_forget_process(struct ftrace_descriptors *descriptors,
                                              struct ftrace_process *process) {
    if (process != NULL) {
        descriptors_end(descriptors->files.descriptors, process->thread.number);
        HASH_DEL(descriptors->processes, process);
        text_free(&process->cwd.path);
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
        ftrace_descriptors_forget_process(descriptors, descriptors->processes); /* the oldest */
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

static void ftrace_descriptors_forget_all(struct ftrace_descriptors *descriptors) {
    while (descriptors->processes != NULL) {
        ftrace_descriptors_forget_process(descriptors, descriptors->processes);
    }
}

/* Gives a child a copy of its parent's descriptors, or shares them. */
static void do_fork(struct ftrace_descriptors *descriptors, struct ftrace_process *parent,
                    const struct ftrace_line *line, const struct strace_syscall *syscall,
                    const struct ftrace_call *call) {
    int64_t flags = 0, number = syscall->result->value;
    struct ftrace_process *child = ftrace_descriptors_find_process(descriptors, number);
    struct word rest;

    if (word_begins(syscall->name, "clone") &&
        (word_is(syscall->name, "clone3") ||
         !strace_number(strace_argument(syscall, 0), &flags, &rest))) {
        flags = -1; /* they are in memory */
    }
    if (tells_process(line) && (flags & SAME_PROCESS) != 0 && flags != -1) {
        return;
    }
    if (child != NULL && child->since < call->time) {
        ftrace_descriptors_forget_process(descriptors, child); /* an earlier one with that number */
        child = NULL;
    }
    if (flags == -1 && !tells_process(line)) {
        descriptors_end(descriptors->files.descriptors, parent->thread.number);
        parent->followed = false;
    }
    if (child == NULL && flags != -1 && parent->followed) {
        child = ftrace_descriptors_make_process(descriptors, number, line);
        child->followed = true;
        strace_threads_set_cwd(&child->thread,
                               (struct word){parent->cwd.path.bytes, parent->cwd.path.length});
        descriptors_fork(descriptors->files.descriptors, parent->thread.number, number,
                         (flags & SHARES_FILES) != 0);
    }
}

/* --- arguments ---------------------------------------------------------------------------------
 */

/* Appends an argument: `buf: 0x7ffd3880` or `7ffd3880` as a decimal number; of a pointer with a
 * string only `"/data/a.db"`; flags in words unchanged. */
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

/* Converts a call to the form of strace's; its arguments go to `words`. */
static struct strace_syscall make_syscall(struct ftrace_descriptors *descriptors,
                                          struct ftrace_process *process,
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
        words[2] = word_of("O_CLOEXEC|O_APPEND"); /* in memory: these flags claim least */
    }
    return (struct strace_syscall){.thread = &process->thread,
                                   .call = call->known,
                                   .name = call->known->name,
                                   .arguments = words,
                                   .argument_count = count,
                                   .object = call->object,
                                   .flags = call->flags};
}

static void ftrace_descriptors_look(struct import *import, struct ftrace_descriptors *descriptors,
                                    struct strace_syscall *syscall, struct ftrace_call *call) {
    strace_files_look(import, &descriptors->files, syscall);
    strace_files_look_second(import, &descriptors->files, syscall);
    call->object = syscall->object;
    call->source = syscall->source;
    call->flags = syscall->flags;
}

/* --- calls -------------------------------------------------------------------------------------
 */

static void begin_telling(struct import *import, struct ftrace_descriptors *descriptors) {
    static const struct event_meaning flags = {EVENT_PLACE_FLAGS, "", "call", ""};

    if (!descriptors->told) {
        descriptors->told = true;
        import_also_means(import, &flags);
        descriptors->losses = import_losses_told(import);
        strace_files_begin(import, &descriptors->files);
    }
}

void ftrace_descriptors_begin(struct import *import, struct ftrace_descriptors *descriptors,
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
    if (!descriptors->told) {
        return;
    }
    if (import_losses_told(import) > descriptors->losses) {
        descriptors->losses = import_losses_told(import);
        ftrace_descriptors_forget_all(descriptors);
    }
    process = ftrace_descriptors_process_of(descriptors, line);
    syscall = make_syscall(descriptors, process, call, words);
    ftrace_descriptors_look(import, descriptors, &syscall, call);
    if (call->known->effect == EFFECT_EXIT &&
        (!tells_process(line) || word_is(syscall.name, "exit_group"))) {
        ftrace_descriptors_forget_process(descriptors, process);
    }
}

void ftrace_descriptors_end_call(struct import *import, struct ftrace_descriptors *descriptors,
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

    if (call->known == NULL || !descriptors->told ||
        import_losses_told(import) > descriptors->losses) {
        return;
    }
    process = ftrace_descriptors_process_of(descriptors, line);
    syscall = make_syscall(descriptors, process, call, words);
    syscall.result = &returned;
    if (syscall.object == 0 && call->known->path >= 0) {
        ftrace_descriptors_look(import, descriptors, &syscall,
                                call); /* a probe may have given the path since */
    }
    if (call->known->effect == EFFECT_FORK && result > 0) {
        do_fork(descriptors, process, line, &syscall, call);
    }
    process->followed |= call->known->effect == EFFECT_EXEC && result == 0;
    if (!process->followed) {
        return;
    }
    strace_files_do(import, &descriptors->files, &syscall);
    if (call->known->effect == EFFECT_NEW) { /* close-on-exec is not checked */
        descriptors_close_on_exec(descriptors->files.descriptors, process->thread.number, result,
                                  true);
    }
    call->object = syscall.object;
    call->flags = syscall.flags;
    if (syscall.object != 0 && call->address == EVENT_NONE && call->size != EVENT_NONE) {
        call->address = syscall.address;
    }
}

bool ftrace_descriptors_path(struct import *import, struct ftrace_descriptors *descriptors,
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
    ftrace_calls_tell(calls, &key, call->known->path, word_between(first + 1, last));
    return true;
}

void ftrace_descriptors_end(struct ftrace_descriptors *descriptors) {
    if (descriptors->told) {
        ftrace_descriptors_forget_all(descriptors);
        strace_files_end(&descriptors->files);
    }
    text_free(&descriptors->numbers);
}
