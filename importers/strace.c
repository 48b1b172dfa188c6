/* strace's output: the system calls of programs, in any mix of its flags, of strace 4.5 to 7.
 *
 *     4711  23:48:26.834923 openat(AT_FDCWD, "a.db", O_RDWR|O_CREAT, 0644) = 3 <0.000021>
 *     4712  23:48:26.834950 read(5,  <unfinished ...>
 *     4711  23:48:26.835001 pwrite64(3, "SQLite format 3\0"..., 4096, 0) = 4096 <0.000040>
 *     4712  23:48:26.835100 <... read resumed>"x", 1) = 1 <0.000147>
 *     4712  23:48:26.835123 +++ exited with 0 +++
 *
 * There is no header. strace_line.h takes a line apart, strace_join.h puts torn ones together,
 * strace_time.h knows what its time counts from, strace_threads.h which thread it is of, and
 * strace_files.h which file. With -ff -o NAME each thread has a file NAME.N; they are merged by
 * time.
 *
 * Quirks: a call that others interrupt in print is one event, at the time of its begin. A call
 * without its end is an event without duration and result; an end without its begin one without
 * duration. Durations are those of -T, else of an interrupted call the time between its two lines,
 * else none: what passed until the thread's next call was spent in the program, too.
 *
 * Fills: event (time, duration, operation, actor, object, address, size, value, error, arguments),
 * name (kinds syscall and error), actor (pid, tid, command), object (file and file type).
 */
#include <stdio.h>

#include "kept.h"
#include "lines.h"
#include "model/linux_errors.h"
#include "strace_files.h"
#include "strace_join.h"
#include "strace_line.h"
#include "strace_threads.h"
#include "strace_time.h"
#include "syscalls.h"

enum {
    KEPT = 4,
    ENOUGH = 3,           /* lines that make a log */
    JUDGED = 2000,        /* lines that are looked at to find out what a log is */
    LINE_END = 64 * 1024, /* bytes of both ends that are kept of a line beyond READER_WINDOW */
    SUFFIX_DIGITS = 7,    /* of a thread's number behind a file's name */
};

/* Reasons in the ledger. */
static const char no_line[] = "not a line of strace";
static const char too_long[] = "line longer than 64 MiB";
static const char cut_line[] = "a call is cut off";
static const char has_nul[] = "a line with NUL bytes";
static const char no_room[] = "more than 16384 threads at a time";
static const char of_output[] = "output of the program, between the halves of a line";
static const char of_signal[] = "signals";
static const char of_exit[] = "ends of threads and processes";
static const char of_note[] = "notes of strace";
static const char of_stack[] = "stacks of calls (-k)";
static const char of_dump[] = "dumps of what was read and written";
static const char of_summary[] = "the table of -c or -C";
static const char second_half[] = "lines that go on with a call that began on another";

/* A file of the log. */
struct strace_stream {
    bool named;     /* the number was looked for */
    int64_t number; /* of the thread, by the file's name; EVENT_NONE: none */
    bool bracketed; /* lines name threads as [pid 1] */
    bool in_summary, ended;
    int64_t half; /* the thread whose call the line before begins; EVENT_NONE: none */
    struct strace_held held;
    struct strace_days days, ahead; /* of lines that are taken, and looked at before */
    struct strace_first first;
    struct text plain; /* a line without escapes */
    struct text ends;  /* of a long line */
};

struct strace {
    struct strace_times times;
    struct strace_threads threads;
    struct strace_files files;
    uint32_t operations[STRACE_CALLS_MOST]; /* ids, 0: not yet */
    char error_name[32];                    /* the last one, and its id */
    uint32_t error;
    int64_t clock, durations;   /* kept: its enum; whether calls have durations that can be told */
    int64_t first;              /* number of the thread that is not named, or was not by a line */
    int64_t endless, beginless; /* calls */
    int64_t streams;            /* files that had a line of a thread */
    bool summary;               /* there is a table of -c or -C */
};

/* What is at hand while a line is read. */
struct reading {
    struct import *import;
    struct strace *strace;
    struct strace_stream *stream;
    const struct line *line;
    struct error *error;
};

/* --- events ------------------------------------------------------------------------------------
 */

static uint32_t find_operation(const struct reading *reading, const struct strace_deed *deed) {
    struct name_entry entry = {
        .kind = "syscall",
        .code = EVENT_NONE,
        .text = deed->name.bytes,
        .length = deed->name.length,
    };
    uint32_t *kept;

    if (deed->call == NULL) {
        return import_name(reading->import, &entry);
    }
    kept = &reading->strace->operations[strace_call_place(deed->call)];
    if (*kept == 0) {
        *kept = import_name(reading->import, &entry);
    }
    return *kept;
}

/* `*error` is 0 for a call that did not fail. False: stop. */
static bool find_error(const struct reading *reading, const struct strace_result *result,
                       uint32_t *error) {
    struct strace *strace = reading->strace;
    const char *known = linux_error_name(result->error_number);
    struct word name = known != NULL ? word_of(known) : result->error;
    char number[32];

    *error = 0;
    if (name.length == 0 && result->error_number == EVENT_NONE) {
        return true;
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
    *error = strace->error;
    return *error != 0;
}

/* Makes the event of a call, of which nothing more will come. */
static bool keep_call(const struct reading *reading, const struct strace_deed *deed, int64_t time,
                      int64_t duration, struct word text) {
    uint32_t operation = find_operation(reading, deed), error;
    uint32_t actor =
        strace_threads_actor(reading->import, deed->thread, import_source_name(reading->import));
    struct event *event;

    if (operation == 0 || actor == 0 || !find_error(reading, deed->result, &error) ||
        (event = import_event(reading->import)) == NULL) {
        return false;
    }
    event->time = time;
    event->duration = reading->strace->durations ? duration : EVENT_NONE;
    event->operation = operation;
    event->actor = actor;
    event->object = deed->object;
    event->address = deed->address;
    event->size = deed->size;
    event->value = deed->result->known ? deed->result->value : EVENT_NONE;
    event->error = error;
    return text.length == 0 || import_arguments(reading->import, event, (const uint8_t *)text.bytes,
                                                (uint32_t)text.length) != NULL;
}

/* --- calls -------------------------------------------------------------------------------------
 */

static struct strace_deed deed_of(struct strace_thread *thread, const struct strace_call *call,
                                  struct word name, const struct strace_line *line) {
    return (struct strace_deed){
        .thread = thread,
        .call = call,
        .name = name,
        .arguments = line->arguments,
        .argument_count = line->argument_count,
        .result = &line->result,
        .address = EVENT_NONE,
        .size = EVENT_NONE,
    };
}

/* A child has what its parent had, by the flags of the call. */
static bool adopt(const struct reading *reading, struct strace_thread *child,
                  const struct strace_deed *deed) {
    const struct strace_thread *parent = deed->thread;
    bool thread =
        strace_shares(deed, "CLONE_THREAD", 0x10000) ||
        (strace_shares(deed, "CLONE_VM", 0x100) && strace_shares(deed, "CLONE_FILES", 0x400) &&
         strace_shares(deed, "CLONE_SIGHAND", 0x800));

    return (strace_threads_inherit(child, parent, thread, strace_shares(deed, "CLONE_FS", 0x200)) &&
            strace_files_fork(&reading->strace->files, parent, child,
                              strace_shares(deed, "CLONE_FILES", 0x400))) ||
           error_no_memory(reading->error);
}

/* A number that was not announced, while exactly one thread waits for the end of a fork: its
 * child. */
static bool adopt_early(const struct reading *reading, struct strace_thread *child) {
    struct strace_thread *parent = reading->strace->threads.cloner;
    struct word arguments[STRACE_ARGUMENTS];
    struct strace_deed deed;

    if (parent == NULL || parent == child || child->adopted) {
        return true;
    }
    deed = (struct strace_deed){
        .thread = parent,
        .call = parent->waiting.call,
        .name = {parent->waiting.name.bytes, parent->waiting.name.length},
        .arguments = arguments,
        .argument_count = strace_split(
            (struct word){parent->waiting.text.bytes, parent->waiting.text.length}, arguments),
    };
    return adopt(reading, child, &deed);
}

/* The result of a fork: a thread that has spoken already, or one that is announced. */
static bool take_child(const struct reading *reading, const struct strace_deed *deed) {
    struct strace_threads *threads = &reading->strace->threads;
    int64_t number = deed->result->thread;
    struct strace_thread *child;

    if (!deed->result->known || number <= 0 || number == deed->thread->number) {
        return true;
    }
    child = strace_threads_find(threads, number);
    if (child == NULL) {
        int64_t forgotten = strace_threads_forget(threads);

        if (forgotten != EVENT_NONE) {
            descriptors_end(reading->strace->files.descriptors, forgotten);
        }
        child = strace_threads_make(threads, number, false);
    }
    return child != NULL ? child->adopted || adopt(reading, child, deed)
                         : error_no_memory(reading->error);
}

/* A call tells the number of a thread that no line names. */
static bool learn_number(const struct reading *reading, const struct strace_deed *deed) {
    struct strace *strace = reading->strace;
    int64_t number = deed->result->thread;

    if (deed->thread->number != STRACE_NAMELESS || !deed->result->known || number <= 0 ||
        strace_threads_find(&strace->threads, number) != NULL) {
        return true;
    }
    deed->thread->provisional = true;
    strace->first = number;
    return (strace_threads_number(&strace->threads, deed->thread, number) &&
            strace_files_move(&strace->files, STRACE_NAMELESS, number)) ||
           error_no_memory(reading->error);
}

/* What a call has done, and the event that it is. `looked`: what it is about is known. */
static bool end_call(const struct reading *reading, struct strace_deed *deed, bool looked,
                     int64_t time, int64_t duration, struct word text) {
    if (deed->call != NULL) {
        if (!looked &&
            !strace_files_look(reading->import, &reading->strace->files, deed, reading->error)) {
            return false;
        }
        if (!strace_files_do(reading->import, &reading->strace->files, deed, reading->error) ||
            (deed->call->effect == EFFECT_FORK && !take_child(reading, deed)) ||
            (deed->call->effect == EFFECT_OWN_NUMBER && !learn_number(reading, deed))) {
            return false;
        }
    }
    return keep_call(reading, deed, time, duration, text);
}

/* The call that a thread waits in will not end any more. */
static bool give_up_waiting(const struct reading *reading, struct strace_thread *thread) {
    static const struct strace_result none = {.error_number = EVENT_NONE, .thread = EVENT_NONE};
    struct strace_waiting *waiting = &thread->waiting;
    struct strace_deed deed = {
        .thread = thread,
        .call = waiting->call,
        .name = {waiting->name.bytes, waiting->name.length},
        .result = &none,
        .object = waiting->object,
        .address = EVENT_NONE,
        .size = EVENT_NONE,
    };
    bool done;

    if (!waiting->is) {
        return true;
    }
    reading->strace->endless++;
    done = keep_call(reading, &deed, waiting->time, EVENT_NONE,
                     (struct word){waiting->text.bytes, waiting->text.length});
    strace_threads_done(&reading->strace->threads, thread);
    return done;
}

static bool end_thread(const struct reading *reading, struct strace_thread *thread) {
    bool done = give_up_waiting(reading, thread);

    descriptors_end(reading->strace->files.descriptors, thread->number);
    strace_threads_end(&reading->strace->threads, thread);
    return done;
}

/* A call of exit that does not return: the thread says nothing more, but for its end, which -qq
 * leaves out. */
static bool exit_thread(const struct reading *reading, struct strace_thread *thread,
                        const struct strace_call *call, const struct strace_result *result) {
    struct strace_thread *oldest;

    if (call == NULL || call->effect != EFFECT_EXIT || result->known || result->error.length > 0) {
        return true;
    }
    oldest = strace_threads_exit(&reading->strace->threads, thread);
    return oldest == NULL || end_thread(reading, oldest);
}

static bool take_call(const struct reading *reading, struct strace_thread *thread,
                      const struct strace_line *line, int64_t time) {
    struct strace_deed deed = deed_of(thread, strace_call_find(line->name), line->name, line);

    if (!give_up_waiting(reading, thread)) {
        return false;
    }
    reading->strace->endless += !line->result.known && line->result.error.length == 0 &&
                                (deed.call == NULL || deed.call->effect != EFFECT_EXIT);
    return end_call(reading, &deed, false, time, line->duration, line->text) &&
           exit_thread(reading, thread, deed.call, &line->result);
}

static bool take_unfinished(const struct reading *reading, struct strace_thread *thread,
                            const struct strace_line *line, int64_t time) {
    struct strace_threads *threads = &reading->strace->threads;
    struct strace_waiting *waiting = &thread->waiting;
    struct strace_deed deed;

    if (!give_up_waiting(reading, thread)) {
        return false;
    }
    if (!strace_threads_wait(threads, thread, line->name, line->text)) {
        return error_no_memory(reading->error);
    }
    waiting->time = time;
    reading->stream->half = thread->number;
    if (waiting->call == NULL) {
        return true;
    }
    deed = deed_of(thread, waiting->call, line->name, line);
    if (!strace_files_look(reading->import, &reading->strace->files, &deed, reading->error)) {
        return false;
    }
    waiting->object = deed.object;
    /* A path may yet be printed. */
    waiting->looked = deed.object != 0 || waiting->call->path < 0;
    return true;
}

/* The end of a call whose begin is not in the log: a point in time. */
static bool take_beginless(const struct reading *reading, struct strace_thread *thread,
                           const struct strace_line *line, int64_t time) {
    struct strace_deed deed = {
        .thread = thread,
        .name = line->name,
        .result = &line->result,
        .address = EVENT_NONE,
        .size = EVENT_NONE,
    };

    reading->strace->beginless++;
    return keep_call(reading, &deed, time, EVENT_NONE, line->text);
}

/* How long an interrupted call took: as -T says, else until its end was printed. */
static int64_t duration_of(const struct reading *reading, const struct strace_line *line,
                           int64_t begun, int64_t time) {
    bool ended = line->result.known || line->result.error.length > 0;

    return line->duration != EVENT_NONE ? line->duration
           : line->head.decimals > 0 && ended && time >= begun &&
                   reading->strace->times.clock != STRACE_NO_CLOCK
               ? time - begun
               : EVENT_NONE;
}

static bool take_resumed(const struct reading *reading, struct strace_thread *thread,
                         const struct strace_line *line, int64_t time) {
    struct strace_threads *threads = &reading->strace->threads;
    struct strace_waiting *waiting = &thread->waiting;
    struct word rest = line->text, text, arguments[STRACE_ARGUMENTS];
    struct strace_deed deed;
    bool done;

    if (!waiting->is || line->name.length != waiting->name.length ||
        memcmp(line->name.bytes, waiting->name.bytes, line->name.length) != 0) {
        return give_up_waiting(reading, thread) &&
               (line->form == STRACE_RESUMED_HALF || take_beginless(reading, thread, line, time));
    }
    /* Old strace has a blank there: <... read resumed> "x", 1) = 1 */
    if (waiting->text.length > 0 && waiting->text.bytes[waiting->text.length - 1] == ' ') {
        rest = word_trim_left(rest);
    }
    import_merged(reading->import, second_half, reading->line->offset);
    if (!strace_threads_add(threads, thread, rest)) {
        return error_no_memory(reading->error);
    }
    if (line->form == STRACE_RESUMED_HALF) {
        return true;
    }
    text = (struct word){waiting->text.bytes, waiting->text.length};
    deed = deed_of(thread, waiting->call, (struct word){waiting->name.bytes, waiting->name.length},
                   line);
    deed.arguments = arguments;
    deed.argument_count = strace_split(text, arguments);
    deed.object = waiting->object;
    done = end_call(reading, &deed, waiting->looked, waiting->time,
                    duration_of(reading, line, waiting->time, time), text);
    strace_threads_done(threads, thread);
    return done && exit_thread(reading, thread, deed.call, &line->result);
}

/* --- threads -----------------------------------------------------------------------------------
 */

/* The first thread, which no line has named, turns out to be that one: its number is none of the
 * others'. While any waits for the end of a fork, a number that begins a call may be a child's. */
static struct strace_thread *unnamed_thread(const struct reading *reading,
                                            const struct strace_line *line) {
    struct strace *strace = reading->strace;
    struct strace_thread *first = strace_threads_find(&strace->threads, strace->first);

    if (first == NULL || (!first->provisional && first->number != STRACE_NAMELESS) ||
        (strace->threads.cloners > 0 && line->form != STRACE_RESUMED)) {
        return NULL;
    }
    return first;
}

/* The thread of a number, made where needed. NULL: no room, or no memory. */
static struct strace_thread *numbered_thread(const struct reading *reading,
                                             const struct strace_line *line, int64_t number) {
    struct strace *strace = reading->strace;
    struct strace_thread *thread = strace_threads_find(&strace->threads, number);

    /* What has exited calls nothing: the number is another's now. */
    if (thread != NULL && thread->life == STRACE_LIFE_EXITING &&
        (line->form == STRACE_CALL || line->form == STRACE_UNFINISHED)) {
        if (!end_thread(reading, thread)) {
            return NULL;
        }
        thread = NULL;
    }
    if (thread == NULL && line->head.bracketed) {
        thread = unnamed_thread(reading, line);
        if (thread != NULL && !(strace_files_move(&strace->files, thread->number, number) &&
                                strace_threads_number(&strace->threads, thread, number))) {
            return NULL;
        }
    }
    if (thread == NULL) {
        thread = strace_threads_make(&strace->threads, number, true);
        if (thread != NULL && !adopt_early(reading, thread)) {
            return NULL;
        }
    }
    if (thread != NULL) {
        strace_threads_live(&strace->threads, thread);
        thread->provisional = thread->provisional && !line->head.bracketed;
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

/* The thread of a line. NULL: no room, or no memory. */
static struct strace_thread *thread_of(const struct reading *reading,
                                       const struct strace_line *line) {
    struct strace *strace = reading->strace;
    struct strace_stream *stream = reading->stream;
    struct strace_thread *thread;

    if (!stream->named) {
        stream->named = true;
        strace->streams++;
        stream->number = number_of_name(import_source_name(reading->import));
    }
    stream->bracketed = stream->bracketed || line->head.bracketed;
    if (line->head.thread != EVENT_NONE) {
        thread = numbered_thread(reading, line, line->head.thread);
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
        if (line->head.command.length > 0) {
            strace_threads_command(thread, line->head.command);
        }
    }
    return thread;
}

/* The thread has the number of its process's first one from now on, for it runs another program:
 * its execve ends under that. */
static bool supersede(const struct reading *reading, struct strace_thread *thread, int64_t by) {
    struct strace *strace = reading->strace;
    struct strace_thread *from = strace_threads_find(&strace->threads, by);

    if (!give_up_waiting(reading, thread)) {
        return false;
    }
    if (from == NULL || from == thread) {
        return true;
    }
    strace_threads_take_over(&strace->threads, thread, from);
    if (!strace_files_move(&strace->files, from->number, thread->number)) {
        return error_no_memory(reading->error);
    }
    strace_threads_end(&strace->threads, from);
    return true;
}

/* strace has begun to follow a process. */
static bool attach(const struct reading *reading, int64_t number) {
    struct strace *strace = reading->strace;
    struct strace_thread *thread = strace_threads_find(&strace->threads, number);

    if (thread == NULL) {
        thread = strace_threads_make(&strace->threads, number, true);
        if (thread == NULL) {
            return strace->threads.full || error_no_memory(reading->error);
        }
        return adopt_early(reading, thread);
    }
    strace_threads_live(&strace->threads, thread);
    return true;
}

/* --- lines -------------------------------------------------------------------------------------
 */

static bool ignore(const struct reading *reading, const char *reason) {
    import_ignored(reading->import, reason, reading->line->offset);
    return true;
}

static bool reject(const struct reading *reading, const char *reason) {
    lines_reject(reading->import, reading->line, reason);
    return true;
}

/* What times count from, by the first line that may have one. A log without times has places in
 * it; with durations (-T) these are nanoseconds, for durations are. */
static void begin_times(const struct reading *reading) {
    static const struct import_clock places = {.unit = CLOCK_UNIT_RECORDS, .clocks = ""};
    const struct strace_first *first = &reading->stream->first;
    struct strace *strace = reading->strace;

    if (strace->times.begun) {
        return;
    }
    strace_times_begin(&strace->times, first->clock, first->time);
    strace->durations = first->clock != STRACE_NO_CLOCK || first->durations;
    if (!strace->durations) {
        import_clock(reading->import, &places);
    }
    if (first->clock == STRACE_EPOCH) {
        import_start(reading->import, first->time);
    }
}

/* A call, or another line of a thread. */
static bool take_of_thread(const struct reading *reading, const struct strace_line *line) {
    struct strace *strace = reading->strace;
    struct strace_thread *thread;
    const char *damage;
    int64_t time;

    begin_times(reading);
    damage = strace_times_of(&strace->times, &reading->stream->days, &line->head, &time);
    if (damage != NULL) {
        return reject(reading, damage);
    }
    thread = thread_of(reading, line);
    if (thread == NULL) {
        return strace->threads.full ? reject(reading, no_room) : error_no_memory(reading->error);
    }
    switch (line->form) {
    case STRACE_CALL:
        return take_call(reading, thread, line, time);
    case STRACE_UNFINISHED:
        return take_unfinished(reading, thread, line, time);
    case STRACE_RESUMED:
    case STRACE_RESUMED_HALF:
        return take_resumed(reading, thread, line, time);
    case STRACE_SUPERSEDED:
        return ignore(reading, of_exit) && supersede(reading, thread, line->number);
    case STRACE_EXITED:
        return ignore(reading, of_exit) && end_thread(reading, thread);
    default:
        return ignore(reading, of_signal);
    }
}

/* The begin of a call whose end did not come. */
static void drop_held(const struct reading *reading) {
    struct strace_held *held = &reading->stream->held;

    if (held->is) {
        import_rejected(reading->import, cut_line, held->offset, held->bytes);
        held->is = false;
    }
}

static bool hold(const struct reading *reading) {
    const struct line *line = reading->line;
    int64_t attached;

    drop_held(reading);
    if (!strace_hold(&reading->stream->held, line->text, line->offset, line->bytes, &attached)) {
        return error_no_memory(reading->error);
    }
    return attached == EVENT_NONE || attach(reading, attached);
}

/* The rest of a call on the line above: with -z they are printed so. */
static bool take_rest(const struct reading *reading, struct strace_line *line) {
    struct strace *strace = reading->strace;
    struct strace_thread *thread =
        reading->stream->half == EVENT_NONE
            ? NULL
            : strace_threads_find(&strace->threads, reading->stream->half);
    bool memory = true;

    if (thread == NULL || !thread->waiting.is ||
        !strace_join_resumed(&reading->stream->held,
                             (struct word){thread->waiting.name.bytes, thread->waiting.name.length},
                             reading->line->text, line, &memory)) {
        return memory ? reject(reading, no_line) : error_no_memory(reading->error);
    }
    return take_resumed(reading, thread, line, thread->waiting.time);
}

/* A line that is none by itself. */
static bool take_other(const struct reading *reading, struct strace_line *line) {
    struct strace_held *held = &reading->stream->held;
    bool memory = true;

    if (!held->is) {
        return take_rest(reading, line);
    }
    if (strace_join(held, reading->line->text, line, &memory)) {
        import_merged(reading->import, second_half, reading->line->offset);
        return take_of_thread(reading, line);
    }
    return memory ? ignore(reading, of_output) : error_no_memory(reading->error);
}

static bool take_form(const struct reading *reading, struct strace_line *line) {
    switch (line->form) {
    case STRACE_BLANK:
        return true;
    case STRACE_CUT:
        return hold(reading);
    case STRACE_OTHER:
        return take_other(reading, line);
    case STRACE_ATTACHED:
        return ignore(reading, of_note) && attach(reading, line->number);
    case STRACE_NOTE:
        return ignore(reading, of_note);
    case STRACE_STACK:
        return ignore(reading, of_stack);
    case STRACE_DUMP:
        return ignore(reading, of_dump);
    case STRACE_SUMMARY:
        reading->stream->in_summary = reading->strace->summary = true;
        return ignore(reading, of_summary);
    default:
        drop_held(reading);
        return take_of_thread(reading, line);
    }
}

/* Lines of the table at the end, up to that of the sums. */
static bool take_summary(const struct reading *reading) {
    struct word line = word_trim(reading->line->text);

    reading->stream->in_summary = !word_ends(line, " total");
    return line.length == 0 || ignore(reading, of_summary);
}

static bool is_of_summary(struct word line) {
    return line.length == 0 || (strchr(" -%0123456789", *line.bytes) != NULL &&
                                memchr(line.bytes, '(', line.length) == NULL);
}

static bool take_strace(struct import *import, void *state, struct stream *stream,
                        const struct stream_record *record, struct error *error) {
    struct line line = {
        {(const char *)record->bytes, record->length}, record->offset, record->size};
    struct reading reading = {import, state, stream->state, &line, error};
    struct strace_line parsed;
    const char *damage;
    bool done;

    if (record->size == 0) {
        drop_held(&reading);
        return true;
    }
    if (record->bytes == NULL) {
        return reject(&reading, too_long);
    }
    if (!strace_clean(&line.text, &reading.stream->plain)) {
        return error_no_memory(error);
    }
    if (reading.stream->in_summary && is_of_summary(line.text)) {
        return take_summary(&reading);
    }
    reading.stream->in_summary = false;
    if (memchr(line.text.bytes, '\0', line.text.length) != NULL) {
        return reject(&reading, has_nul);
    }
    damage = strace_parse(line.text, &parsed);
    done = damage == NULL ? take_form(&reading, &parsed) : reject(&reading, damage);
    if (parsed.form != STRACE_UNFINISHED && parsed.form != STRACE_STACK &&
        parsed.form != STRACE_DUMP) {
        reading.stream->half = EVENT_NONE;
    }
    return done;
}

/* --- files -------------------------------------------------------------------------------------
 */

static bool open_strace(struct stream *stream, struct error *error) {
    struct strace_stream *state = stream->state;
    size_t length;

    (void)error;
    reader_skip_mark(stream->reader);
    length = reader_fill(stream->reader, READER_WINDOW);
    state->half = EVENT_NONE;
    strace_first_times((const char *)reader_bytes(stream->reader),
                       length < READER_WINDOW ? length : READER_WINDOW, &state->first);
    if (state->first.clock == STRACE_DAY && stream->begins > 0) {
        /* Behind midnight, as the other files of the log tell. */
        state->first.time += stream->begins;
        state->days = state->ahead = (struct strace_days){stream->begins, state->first.time};
    }
    return true;
}

static void close_strace(struct stream *stream) {
    struct strace_stream *state = stream->state;

    strace_held_free(&state->held);
    text_free(&state->plain);
    text_free(&state->ends);
}

/* Lines, and behind the last one a record of no bytes, by which what is still held is known to have
 * no end. Of a line that is too long for the reader, its begin and end tell what is of interest:
 * thread, time, descriptor and result. */
static bool next_strace(struct stream *stream, struct stream_record *record) {
    struct strace_stream *state = stream->state;
    const char *line = NULL;
    enum reader_line kind = reader_line_ends(stream->reader, &state->ends, LINE_END, &line,
                                             &record->length, &record->offset);

    if (kind == READER_END) {
        if (reader_failed(stream->reader) || state->ended) {
            return false;
        }
        state->ended = true;
        *record = (struct stream_record){(const uint8_t *)"", 0, reader_offset(stream->reader), 0};
        return true;
    }
    record->bytes = kind == READER_LINE ? (const uint8_t *)line : NULL;
    record->size = reader_offset(stream->reader) - record->offset;
    return true;
}

/* Relative times and lines without any have no place among those of other files. */
static int64_t time_of_strace(const struct stream *stream, const struct stream_record *record) {
    struct strace_stream *state = stream->state;
    struct word rest = {(const char *)record->bytes, record->length};
    struct strace_head head;

    if (record->bytes == NULL) {
        return EVENT_NONE;
    }
    strace_parse_head(&rest, &head);
    return head.clock == STRACE_DAY || head.clock == STRACE_EPOCH
               ? strace_days_time(&state->ahead, &head)
               : EVENT_NONE;
}

/* --- begin and end -----------------------------------------------------------------------------
 */

static void list_kept(struct strace *strace, struct kept kept[KEPT]) {
    kept[0] = (struct kept){.key = "base", .number = &strace->times.base, .most = INT64_MAX};
    kept[1] = (struct kept){.key = "now", .number = &strace->times.now, .most = INT64_MAX};
    kept[2] = (struct kept){.key = "clock", .number = &strace->clock, .most = STRACE_RELATIVE};
    kept[3] = (struct kept){.key = "durations", .number = &strace->durations, .most = 1};
}

static bool begin_strace(struct import *import, void *state, struct error *error) {
    struct strace *strace = state;
    struct kept kept[KEPT];

    import_variant(import, "text");
    list_kept(strace, kept);
    if (!kept_read(import, kept, KEPT, &strace->times.begun, error)) {
        return false;
    }
    strace->times.clock = (enum strace_clock)strace->clock;
    return strace_files_begin(import, &strace->files, error);
}

static void remark_times(struct import *import, const struct strace *strace) {
    int64_t seconds = strace->times.base / 1000000000;

    if (strace->times.clock == STRACE_DAY) {
        import_remark(import,
                      "times are those of a day that the log does not name: it begins at "
                      "%02d:%02d:%02d, and --start says of which day",
                      (int)(seconds / 3600 % 24), (int)(seconds / 60 % 60), (int)(seconds % 60));
    } else if (strace->times.clock == STRACE_NO_CLOCK) {
        import_remark(import, "the log has no times: calls are told by their place in it%s",
                      strace->durations ? ", one a nanosecond; durations are those of -T" : "");
    }
    if (strace->times.clock == STRACE_RELATIVE && strace->streams > 1) {
        import_remark(import, "times of -r are since the last line of any file: of several files "
                              "they tell the order within each alone");
    }
    if (strace->times.back) {
        import_remark(import, "a line is earlier than the one before it by more than a day");
    }
}

static void remark_files(struct import *import, const struct strace_files *files) {
    if (files->without_file > 0) {
        import_remark(import,
                      "%lld of %lld calls on a descriptor are without a file: the log does not "
                      "say what it leads to",
                      (long long)files->without_file, (long long)files->on_descriptors);
    }
    if (files->reads > 0 && files->opens == 0 && files->seeks == 0) {
        import_remark(import, "reads, but no call that opens a file or seeks: positions are not "
                              "known, and files only where -y names them");
    }
    if (files->mapped > 0) {
        import_remark(import,
                      "%lld files were mapped into memory: what is read and written there is not "
                      "in the log",
                      (long long)files->mapped);
    }
    if (files->unseen > 0) {
        import_remark(import,
                      "%lld calls of io_uring or libaio: what they read and write is not in the "
                      "log",
                      (long long)files->unseen);
    }
    if (files->beyond > 0) {
        import_remark(import,
                      "%lld sizes above 2^40 bytes or offsets above 2^62 are left out: no call "
                      "moves or reaches so many",
                      (long long)files->beyond);
    }
    if (files->shifted > 0) {
        import_remark(import,
                      "%lld offsets stood 32 bits too high, as in old strace of 32-bit ARM, and "
                      "were put right%s",
                      (long long)files->shifted,
                      files->shift_ended
                          ? "; then came one below 2^32, so that these may be wrong, "
                            "and from there on offsets are as printed"
                          : "");
    }
}

static void remark_calls(struct import *import, const struct strace *strace) {
    int64_t unseen = strace->threads.unseen + (int64_t)strace->threads.counts[STRACE_LIFE_BEGUN];

    if (strace->endless > 0) {
        import_remark(import, "%lld calls are without their end: they have no result",
                      (long long)strace->endless);
    }
    if (strace->beginless > 0) {
        import_remark(import,
                      "%lld calls are without their begin: they have no duration and no file",
                      (long long)strace->beginless);
    }
    if (unseen > 0) {
        import_remark(import,
                      "%lld processes or threads were begun whose calls are not in the log: "
                      "strace -f follows them; positions in files that they share may be wrong",
                      (long long)unseen);
    }
}

/* Calls that still wait never end. */
static bool give_up_all(struct import *import, struct strace *strace, struct error *error) {
    struct reading reading = {import, strace, NULL, NULL, error};
    bool done = true;

    for (struct strace_thread *thread = strace->threads.all; done && thread != NULL;
         thread = thread->hh.next) {
        done = give_up_waiting(&reading, thread);
    }
    return done;
}

static bool end_strace(struct import *import, void *state, bool failed, struct error *error) {
    struct strace *strace = state;
    struct kept kept[KEPT];
    bool done = failed || give_up_all(import, strace, error);

    if (done && !failed && strace->summary && !strace->times.begun) {
        done = error_set(error,
                         "%s: a table of strace -c, and no calls: record without -c, or with -C",
                         import_source_name(import));
    }
    if (!failed && strace->times.begun) {
        remark_times(import, strace);
        remark_calls(import, strace);
        remark_files(import, &strace->files);
    }
    strace_threads_free(&strace->threads);
    strace_files_end(&strace->files);
    strace->clock = strace->times.clock;
    list_kept(strace, kept);
    return done && (failed || !strace->times.begun || kept_write(import, kept, KEPT, error));
}

/* --- what it is --------------------------------------------------------------------------------
 */

struct judgement {
    int good, bad;
    bool leads, sure; /* lines have a head; one is of strace alone */
    bool other;       /* one is of another tool */
    bool in_summary;
};

static void judge_line(struct judgement *judgement, struct word line, struct text *plain) {
    struct strace_line parsed;
    const char *damage;
    bool good;

    if (!strace_clean(&line, plain) || (judgement->in_summary && is_of_summary(line))) {
        return;
    }
    damage = strace_parse(line, &parsed);
    judgement->in_summary = damage == NULL && parsed.form == STRACE_SUMMARY;
    good = damage == NULL && parsed.form != STRACE_OTHER && parsed.form != STRACE_CUT;

    if (damage == NULL && (parsed.form == STRACE_BLANK || parsed.form == STRACE_SUMMARY)) {
        return;
    }
    judgement->good += good;
    judgement->bad += !good;
    judgement->leads = judgement->leads || (good && parsed.body.bytes > line.bytes);
    judgement->sure = judgement->sure || parsed.form == STRACE_UNFINISHED ||
                      parsed.form == STRACE_RESUMED || parsed.form == STRACE_EXITED ||
                      (good && word_is(parsed.name, "execve"));
    /* ltrace */
    judgement->other = judgement->other || word_begins(parsed.body, "+++ exited (status ") ||
                       word_begins(parsed.name, "SYS_") ||
                       word_is(parsed.name, "__libc_start_main");
}

/* A line that goes on behind what is seen of the file tells when a call begins in it, behind a
 * thread or time. */
static void judge_long_line(struct judgement *judgement, struct word line) {
    struct strace_line parsed;

    if (line.length > SNIFF_LENGTH / 2 && strace_parse(line, &parsed) == NULL &&
        parsed.form == STRACE_CUT && parsed.name.length > 0 &&
        (parsed.head.thread != EVENT_NONE || parsed.head.clock != STRACE_NO_CLOCK)) {
        judgement->good += ENOUGH;
    }
}

static enum sniff_score sniff_strace(const struct sniff *sniff) {
    const char *at = (const char *)sniff->bytes, *end = at + sniff->length, *newline;
    struct judgement judgement = {0};
    struct text plain = {0};

    for (int i = 0; i < JUDGED && at < end; i++, at = newline + 1) {
        newline = memchr(at, '\n', (size_t)(end - at));
        if (newline == NULL && !sniff->whole) {
            judge_long_line(&judgement, (struct word){at, (size_t)(end - at)});
            break;
        }
        newline = newline == NULL ? end : newline;
        judge_line(&judgement, (struct word){at, (size_t)(newline - at)}, &plain);
    }
    text_free(&plain);
    if (judgement.other || judgement.good < ENOUGH || judgement.good < judgement.bad) {
        return SNIFF_NO;
    }
    return judgement.leads && judgement.sure ? SNIFF_SURE : SNIFF_LIKELY;
}

/* -ff: no line says which thread it is of. */
static bool is_of_thread(const struct sniff *sniff) {
    const char *at = (const char *)sniff->bytes, *end = at + sniff->length, *newline;

    if (sniff_strace(sniff) == SNIFF_NO) {
        return false;
    }
    for (int i = 0; i < JUDGED && at < end; i++, at = newline + 1) {
        struct word rest;
        struct strace_head head;

        newline = memchr(at, '\n', (size_t)(end - at));
        newline = newline == NULL ? end : newline;
        rest = (struct word){at, (size_t)(newline - at)};
        strace_parse_head(&rest, &head);
        if (head.thread != EVENT_NONE) {
            return false;
        }
    }
    return true;
}

static int64_t first_time_of_strace(const struct sniff *sniff, const struct config *config,
                                    int64_t *range) {
    struct strace_first first;

    (void)config;
    strace_first_times((const char *)sniff->bytes, sniff->length, &first);
    *range = first.clock == STRACE_DAY ? INT64_C(86400000000000) : 0;
    return first.clock == STRACE_DAY || first.clock == STRACE_EPOCH ? first.time : EVENT_NONE;
}

/* --- dump --------------------------------------------------------------------------------------
 */

/* Text that has escapes of its own already: backslashes stay as they are. */
static void append_printed(struct text *out, struct word text) {
    while (text.length > 0) {
        const char *backslash = memchr(text.bytes, '\\', text.length);
        size_t length = backslash == NULL ? text.length : (size_t)(backslash - text.bytes);

        text_append_escaped(out, text.bytes, length);
        text_append_string(out, backslash == NULL ? "" : "\\");
        word_skip(&text, length + (backslash != NULL));
    }
}

/* Much as strace writes it; the file behind it, and where in it. */
static void dump_strace(const struct dump_event *dump, struct text *out) {
    const char *arguments = (const char *)dump->event.arguments;

    text_append_char(out, '[');
    text_append_escaped(out, dump->actor, dump->actor_length);
    text_append_string(out, "] ");
    text_append_escaped(out, dump->operation, dump->operation_length);
    text_append_char(out, '(');
    append_printed(out, (struct word){arguments, arguments == NULL ? 0 : dump->arguments_size});
    text_append_string(out, ") = ");
    if (dump->event.value == EVENT_NONE) {
        text_append_char(out, '?');
    } else {
        text_append_integer(out, dump->event.value);
    }
    if (dump->error_length > 0) {
        text_append_char(out, ' ');
        text_append_escaped(out, dump->error, dump->error_length);
    }
    if (dump->event.duration != EVENT_NONE) {
        text_append_string(out, " <");
        text_append_seconds(out, dump->event.duration);
        text_append_char(out, '>');
    }
    if (dump->object_length > 0) {
        text_append_char(out, ' ');
        syscalls_append_quoted(out, (struct word){dump->object, dump->object_length});
    }
    if (dump->event.address != EVENT_NONE) {
        text_append_string(out, " at ");
        text_append_integer(out, dump->event.address);
    }
}

const struct importer strace_importer = {
    .name = "strace",
    .description = "system calls as strace prints them, in any mix of its flags",
    .line = "4711  23:48:26.834923 openat(AT_FDCWD, \"a.db\", O_RDWR) = 3 <0.000021>",
    .made_of = "lines of a system call with its arguments and \"= result\"",
    .variants = "text",
    .kinds = 1u << TRACE_CALLS,
    .meanings = {[TRACE_CALLS] = syscalls_meanings},
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_ADDRESS |
               EVENT_SIZE | EVENT_VALUE | EVENT_ARGUMENTS | EVENT_ERROR,
    .state_size = sizeof(struct strace),
    .stream_state_size = sizeof(struct strace_stream),
    .sniff = sniff_strace,
    .begin = begin_strace,
    .open_stream = open_strace,
    .close_stream = close_strace,
    .next_record = next_strace,
    .record_time = time_of_strace,
    .take_record = take_strace,
    .end = end_strace,
    .of_thread = is_of_thread,
    .first_time = first_time_of_strace,
    .dump = dump_strace,
};
