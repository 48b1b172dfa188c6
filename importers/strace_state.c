#include "strace_state.h"

#include <stdio.h>
#include <string.h>

#include "model/linux.h"

enum {
    SUFFIX_DIGITS = 7, /* of a thread's number behind a file's name */
};

const char strace_second_half[] = "lines that go on with a call that began on another";

/* --- events ----------------------------------------------------------------------------------- */

static uint32_t find_operation(const struct strace_reading *reading,
                               const struct strace_syscall *syscall) {
    uint32_t *kept;

    if (syscall->call == NULL) {
        return import_word(reading->import, "syscall", syscall->name);
    }
    kept = &reading->strace->operations[strace_call_place(syscall->call)];
    if (*kept == 0) {
        *kept = import_word(reading->import, "syscall", syscall->name);
    }
    return *kept;
}

/* 0 for a call that did not fail. */
static uint32_t find_error(const struct strace_reading *reading,
                           const struct strace_result *result) {
    struct strace *strace = reading->strace;
    const char *known = linux_error_name(result->error_number);
    struct word name = known != NULL ? word_of(known) : result->error;
    char number[32];

    if (name.length == 0 && result->error_number == EVENT_NONE) {
        return 0;
    }
    if (known == NULL && result->error_number != EVENT_NONE) {
        name.bytes = number;
        name.length =
            (size_t)snprintf(number, sizeof number, "ERRNO_%lld", (long long)result->error_number);
    }
    if (strace->error == 0 || !word_is(name, strace->error_name)) {
        int64_t code = linux_error_number(name);

        strace->error = import_name(reading->import,
                                    &(struct name_entry){
                                        .kind = "error",
                                        .code = code == EVENT_NONE ? result->error_number : code,
                                        .text = name.bytes,
                                        .length = name.length,
                                    });
        snprintf(strace->error_name, sizeof strace->error_name, "%.*s", WORD_TEXT(name));
    }
    return strace->error;
}

/* Makes the event of a call, of which nothing more will come. */
static void keep_call(const struct strace_reading *reading, const struct strace_syscall *syscall,
                      int64_t time, int64_t duration, struct word text) {
    uint32_t operation = find_operation(reading, syscall);
    uint32_t actor =
        strace_threads_actor(reading->import, syscall->thread, import_source_name(reading->import));
    uint32_t error = find_error(reading, syscall->result);
    struct event *event = import_event(reading->import);

    event->time = time;
    event->duration = reading->strace->durations ? duration : EVENT_NONE;
    event->operation = operation;
    event->actor = actor;
    event->object = syscall->object;
    event->address = syscall->address;
    event->size = syscall->size;
    event->source = syscall->source;
    event->source_address = syscall->source_address;
    event->value = syscall->result->known ? syscall->result->value : EVENT_NONE;
    event->error = error;
    if (text.length > 0) {
        import_arguments(reading->import, event, (const uint8_t *)text.bytes,
                         (uint32_t)text.length);
    }
}

/* --- calls ------------------------------------------------------------------------------------ */

static struct strace_syscall syscall_of(struct strace_thread *thread,
                                        const struct strace_call *call, struct word name,
                                        const struct strace_line *line) {
    return (struct strace_syscall){
        .thread = thread,
        .call = call,
        .name = name,
        .arguments = line->arguments,
        .argument_count = line->argument_count,
        .result = &line->result,
        .address = EVENT_NONE,
        .size = EVENT_NONE,
        .source_address = EVENT_NONE,
    };
}

/* A child has what its parent had, by the flags of the call. */
static void adopt(const struct strace_reading *reading, struct strace_thread *child,
                  const struct strace_syscall *syscall) {
    const struct strace_thread *parent = syscall->thread;
    bool thread = strace_shares(syscall, "CLONE_THREAD", 0x10000) ||
                  (strace_shares(syscall, "CLONE_VM", 0x100) &&
                   strace_shares(syscall, "CLONE_FILES", 0x400) &&
                   strace_shares(syscall, "CLONE_SIGHAND", 0x800));

    strace_threads_inherit(child, parent, thread, strace_shares(syscall, "CLONE_FS", 0x200));
    strace_files_fork(&reading->strace->files, parent, child,
                      strace_shares(syscall, "CLONE_FILES", 0x400));
}

/* A number that was not announced, while exactly one thread waits for the end of a fork: its
 * child. */
static void adopt_early(const struct strace_reading *reading, struct strace_thread *child) {
    struct strace_thread *parent = reading->strace->threads.cloner;
    struct word arguments[STRACE_ARGUMENTS];
    struct strace_syscall syscall;

    if (parent == NULL || parent == child || child->adopted) {
        return;
    }
    syscall = (struct strace_syscall){
        .thread = parent,
        .call = parent->waiting.call,
        .name = {parent->waiting.name.bytes, parent->waiting.name.length},
        .arguments = arguments,
        .argument_count = strace_split(
            (struct word){parent->waiting.text.bytes, parent->waiting.text.length}, arguments),
    };
    adopt(reading, child, &syscall);
}

/* The result of a fork: a thread that has spoken already, or one that is announced. */
static void take_child(const struct strace_reading *reading, const struct strace_syscall *syscall) {
    struct strace_threads *threads = &reading->strace->threads;
    int64_t number = syscall->result->thread;
    struct strace_thread *child;

    if (!syscall->result->known || number <= 0 || number == syscall->thread->number) {
        return;
    }
    child = strace_threads_find(threads, number);
    if (child == NULL) {
        int64_t forgotten = strace_threads_forget(threads);

        if (forgotten != EVENT_NONE) {
            descriptors_end(reading->strace->files.descriptors, forgotten);
        }
        child = strace_threads_make(threads, number, false);
    }
    if (!child->adopted) {
        adopt(reading, child, syscall);
    }
}

/* A call tells the number of a thread that no line names. */
static void learn_number(const struct strace_reading *reading,
                         const struct strace_syscall *syscall) {
    struct strace *strace = reading->strace;
    int64_t number = syscall->result->thread;

    if (syscall->thread->number != STRACE_NAMELESS || !syscall->result->known || number <= 0 ||
        strace_threads_find(&strace->threads, number) != NULL) {
        return;
    }
    syscall->thread->provisional = true;
    strace->first = number;
    strace_threads_number(&strace->threads, syscall->thread, number);
    strace_files_move(&strace->files, STRACE_NAMELESS, number);
}

/* What a call has done, and the event that it is. `looked`: what it is about is known. */
static void end_call(const struct strace_reading *reading, struct strace_syscall *syscall,
                     bool looked, int64_t time, int64_t duration, struct word text) {
    struct strace_files *files = &reading->strace->files;

    if (syscall->call != NULL) {
        if (!looked) {
            strace_files_look(reading->import, files, syscall);
        }
        strace_files_do(reading->import, files, syscall);
        if (syscall->call->effect == EFFECT_FORK) {
            take_child(reading, syscall);
        } else if (syscall->call->effect == EFFECT_OWN_NUMBER) {
            learn_number(reading, syscall);
        }
    }
    keep_call(reading, syscall, time, duration, text);
}

void strace_give_up(const struct strace_reading *reading, struct strace_thread *thread) {
    static const struct strace_result none = {.error_number = EVENT_NONE, .thread = EVENT_NONE};
    struct strace_waiting *waiting = &thread->waiting;
    struct word text = {waiting->text.bytes, waiting->text.length}, arguments[STRACE_ARGUMENTS];
    struct strace_syscall syscall = {
        .thread = thread,
        .call = waiting->call,
        .name = {waiting->name.bytes, waiting->name.length},
        .arguments = arguments,
        .result = &none,
        .object = waiting->object,
        .address = EVENT_NONE,
        .size = EVENT_NONE,
        .source_address = EVENT_NONE,
    };

    if (!waiting->is) {
        return;
    }
    reading->strace->endless++;
    syscall.argument_count = strace_split(text, arguments);
    strace_files_lose(&reading->strace->files, &syscall);
    keep_call(reading, &syscall, waiting->time, EVENT_NONE, text);
    strace_threads_done(&reading->strace->threads, thread);
}

void strace_end_thread(const struct strace_reading *reading, struct strace_thread *thread) {
    strace_give_up(reading, thread);
    descriptors_end(reading->strace->files.descriptors, thread->number);
    strace_threads_end(&reading->strace->threads, thread);
}

/* A call of exit that does not return: the thread says nothing more, but for its end, which -qq
 * leaves out. */
static void exit_thread(const struct strace_reading *reading, struct strace_thread *thread,
                        const struct strace_call *call, const struct strace_result *result) {
    struct strace_thread *oldest;

    if (call == NULL || call->effect != EFFECT_EXIT || result->known || result->error.length > 0) {
        return;
    }
    oldest = strace_threads_exit(&reading->strace->threads, thread);
    if (oldest != NULL) {
        strace_end_thread(reading, oldest);
    }
}

void strace_take_call(const struct strace_reading *reading, struct strace_thread *thread,
                      const struct strace_line *line, int64_t time) {
    struct strace_syscall syscall =
        syscall_of(thread, strace_call_find(line->name), line->name, line);

    strace_give_up(reading, thread);
    reading->strace->endless += !line->result.known && line->result.error.length == 0 &&
                                (syscall.call == NULL || syscall.call->effect != EFFECT_EXIT);
    end_call(reading, &syscall, false, time, line->duration, line->text);
    exit_thread(reading, thread, syscall.call, &line->result);
}

void strace_take_unfinished(const struct strace_reading *reading, struct strace_thread *thread,
                            const struct strace_line *line, int64_t time) {
    struct strace_threads *threads = &reading->strace->threads;
    struct strace_waiting *waiting = &thread->waiting;
    struct strace_syscall syscall;

    strace_give_up(reading, thread);
    strace_threads_wait(threads, thread, line->name, line->text);
    waiting->time = time;
    reading->stream->half = thread->number;
    if (waiting->call == NULL) {
        return;
    }
    syscall = syscall_of(thread, waiting->call, line->name, line);
    strace_files_look(reading->import, &reading->strace->files, &syscall);
    waiting->object = syscall.object;
    /* A path may yet be printed. */
    waiting->looked = syscall.object != 0 || waiting->call->path < 0;
}

/* The end of a call whose begin is not in the log. With -T its begin is known by its end and its
 * duration: not before the line of the thread above it, nor before the log. */
static void take_beginless(const struct strace_reading *reading, struct strace_thread *thread,
                           const struct strace_line *line, int64_t earliest, int64_t time) {
    struct strace_syscall syscall = {
        .thread = thread,
        .call = strace_call_find(line->name),
        .name = line->name,
        .result = &line->result,
        .address = EVENT_NONE,
        .source_address = EVENT_NONE,
    };

    reading->strace->beginless++;
    syscall.size = strace_files_transferred(&reading->strace->files, &syscall);
    if (line->duration != EVENT_NONE && reading->strace->times.clock != STRACE_NO_CLOCK) {
        time = time - earliest > line->duration ? time - line->duration : earliest;
    }
    keep_call(reading, &syscall, time, line->duration, line->text);
}

/* How long an interrupted call took: as -T says, else until its end was printed. */
static int64_t duration_of(const struct strace_reading *reading, const struct strace_line *line,
                           int64_t begun, int64_t time) {
    bool ended = line->result.known || line->result.error.length > 0;

    return line->duration != EVENT_NONE ? line->duration
           : line->prefix.decimals > 0 && ended && time >= begun &&
                   reading->strace->times.clock != STRACE_NO_CLOCK
               ? time - begun
               : EVENT_NONE;
}

void strace_take_resumed(const struct strace_reading *reading, struct strace_thread *thread,
                         const struct strace_line *line, int64_t earliest, int64_t time) {
    struct strace_threads *threads = &reading->strace->threads;
    struct strace_waiting *waiting = &thread->waiting;
    struct word rest = line->text, text, arguments[STRACE_ARGUMENTS];
    struct strace_syscall syscall;

    if (!waiting->is || line->name.length != waiting->name.length ||
        memcmp(line->name.bytes, waiting->name.bytes, line->name.length) != 0) {
        strace_give_up(reading, thread);
        if (line->form != STRACE_RESUMED_HALF) {
            take_beginless(reading, thread, line, earliest, time);
        }
        return;
    }
    /* Old strace has a blank there: <... read resumed> "x", 1) = 1 */
    if (waiting->text.length > 0 && waiting->text.bytes[waiting->text.length - 1] == ' ') {
        rest = word_trim_left(rest);
    }
    import_merged(reading->import, strace_second_half, reading->line->offset);
    strace_threads_add(threads, thread, rest);
    if (line->form == STRACE_RESUMED_HALF) {
        return;
    }
    text = (struct word){waiting->text.bytes, waiting->text.length};
    syscall = syscall_of(thread, waiting->call,
                         (struct word){waiting->name.bytes, waiting->name.length}, line);
    syscall.arguments = arguments;
    syscall.argument_count = strace_split(text, arguments);
    syscall.object = waiting->object;
    end_call(reading, &syscall, waiting->looked, waiting->time,
             duration_of(reading, line, waiting->time, time), text);
    strace_threads_done(threads, thread);
    exit_thread(reading, thread, syscall.call, &line->result);
}

/* --- threads ---------------------------------------------------------------------------------- */

/* The first thread, which no line has named, turns out to be that one: its number is none of the
 * others'. While any waits for the end of a fork, a number that begins a call may be a child's. */
static struct strace_thread *unnamed_thread(const struct strace_reading *reading,
                                            const struct strace_line *line) {
    struct strace *strace = reading->strace;
    struct strace_thread *first = strace_threads_find(&strace->threads, strace->first);

    if (first == NULL || (!first->provisional && first->number != STRACE_NAMELESS) ||
        (strace->threads.cloners > 0 && line->form != STRACE_RESUMED)) {
        return NULL;
    }
    return first;
}

/* The thread of a number, made where needed. NULL: there are too many. */
static struct strace_thread *numbered_thread(const struct strace_reading *reading,
                                             const struct strace_line *line, int64_t number) {
    struct strace *strace = reading->strace;
    struct strace_thread *thread = strace_threads_find(&strace->threads, number);

    /* What has exited calls nothing: the number is another's now. */
    if (thread != NULL && thread->life == STRACE_LIFE_EXITING &&
        (line->form == STRACE_CALL || line->form == STRACE_UNFINISHED)) {
        strace_end_thread(reading, thread);
        thread = NULL;
    }
    if (thread == NULL && line->prefix.bracketed) {
        thread = unnamed_thread(reading, line);
        if (thread != NULL) {
            strace_files_move(&strace->files, thread->number, number);
            strace_threads_number(&strace->threads, thread, number);
        }
    }
    if (thread == NULL) {
        thread = strace_threads_make(&strace->threads, number, true);
        if (thread != NULL) {
            adopt_early(reading, thread);
        }
    }
    if (thread != NULL) {
        strace_threads_live(&strace->threads, thread);
        thread->provisional = thread->provisional && !line->prefix.bracketed;
    }
    return thread;
}

/* The number behind a file's name: out.4711. */
static int64_t number_of_name(const char *path) {
    struct word name = word_of(path);
    size_t digits = 0;
    int64_t number;

    while (digits < name.length && word_is_digit(name.bytes[name.length - digits - 1])) {
        digits++;
    }
    if (digits == 0 || digits > SUFFIX_DIGITS || digits + 1 >= name.length ||
        name.bytes[name.length - digits - 1] != '.') {
        return EVENT_NONE;
    }
    word_skip(&name, name.length - digits);
    return word_number(name, INT32_MAX, &number) && number > 0 ? number : EVENT_NONE;
}

struct strace_thread *strace_thread_of(const struct strace_reading *reading,
                                       const struct strace_line *line) {
    struct strace *strace = reading->strace;
    struct strace_stream *stream = reading->stream;
    struct strace_thread *thread;

    if (!stream->named) {
        stream->named = true;
        strace->streams++;
        stream->number = number_of_name(import_source_name(reading->import));
    }
    stream->bracketed = stream->bracketed || line->prefix.bracketed;
    if (line->prefix.thread != EVENT_NONE) {
        thread = numbered_thread(reading, line, line->prefix.thread);
    } else if (stream->number != EVENT_NONE && !stream->bracketed) {
        thread = strace_threads_find(&strace->threads, stream->number);
        if (thread == NULL) {
            strace->first = stream->number;
        }
        thread = numbered_thread(reading, line, stream->number);
        if (thread != NULL && strace->first == stream->number) {
            thread->provisional = true;
        }
    } else {
        thread = strace_threads_alone(&strace->threads, line->form == STRACE_EXITED);
        if (thread == NULL) {
            strace->first = STRACE_NAMELESS;
            thread = strace_threads_make(&strace->threads, STRACE_NAMELESS, true);
        }
        if (thread != NULL) {
            strace_threads_live(&strace->threads, thread);
        }
    }
    if (thread != NULL) {
        strace->threads.last = thread;
        if (line->prefix.command.length > 0) {
            strace_threads_command(thread, line->prefix.command);
        }
    }
    return thread;
}

void strace_supersede(const struct strace_reading *reading, struct strace_thread *thread,
                      int64_t by) {
    struct strace *strace = reading->strace;
    struct strace_thread *from = strace_threads_find(&strace->threads, by);

    strace_give_up(reading, thread);
    if (from != NULL && from != thread) {
        strace_threads_take_over(&strace->threads, thread, from);
        strace_files_move(&strace->files, from->number, thread->number);
        strace_threads_end(&strace->threads, from);
    }
}

void strace_attach(const struct strace_reading *reading, int64_t number) {
    struct strace *strace = reading->strace;
    struct strace_thread *thread = strace_threads_find(&strace->threads, number);

    if (thread != NULL) {
        strace_threads_live(&strace->threads, thread);
        return;
    }
    thread = strace_threads_make(&strace->threads, number, true);
    if (thread != NULL) {
        adopt_early(reading, thread);
    }
}
