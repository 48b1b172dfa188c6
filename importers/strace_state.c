#include "strace_state.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

#include "base/memory.h"
#include "base/search.h"
#include "model/linux.h"
#include "syscalls.h"

enum {
    SUFFIX_DIGITS = 7, /* maximum digits of a thread number in a file name */
};

const char strace_second_half[] = "lines that continue a call of an earlier line";

static void link_thread(struct strace_threads *threads, struct strace_thread *thread) {
    DL_PREPEND2(threads->lists[thread->life], thread, before, after);
    threads->counts[thread->life]++;
}

static void unlink_thread(struct strace_threads *threads, struct strace_thread *thread) {
    DL_DELETE2(threads->lists[thread->life], thread, before, after);
    threads->counts[thread->life]--;
}

/* --- tracked threads -------------------------------------------------------------------------- */

static void release_cwd(struct strace_cwd *cwd) {
    if (--cwd->users == 0) {
        text_free(&cwd->path);
        text_free(&cwd->root);
        free(cwd);
    }
}

/* Forgets a thread's pending call: its end was read, or is not in the log. */
static void strace_threads_done(struct strace_threads *threads, struct strace_thread *thread) {
    struct strace_waiting *waiting = &thread->waiting;

    if (!waiting->is) {
        return;
    }
    waiting->is = false;
    threads->waiting -= waiting->text.length;
    if (waiting->call != NULL && waiting->call->effect == EFFECT_FORK) {
        DL_DELETE2(threads->cloners, thread, before_cloner, after_cloner);
        threads->alike |= threads->cloners == NULL || threads->cloners->after_cloner == NULL;
    }
    if (waiting->text.capacity + waiting->name.capacity > (size_t)4 * STRACE_WAITING_EACH) {
        text_free(&waiting->text);
        text_free(&waiting->name);
    }
}

/* Removes a thread that has ended, and frees it. */
static void strace_threads_end(struct strace_threads *threads, struct strace_thread *thread) {
    strace_threads_done(threads, thread);
    threads->unseen += thread->life == STRACE_LIFE_BEGUN;
    threads->last = threads->last == thread ? NULL : threads->last;
    unlink_thread(threads, thread);
    HASH_DEL(threads->all, thread);
    release_cwd(thread->cwd);
    text_free(&thread->waiting.name);
    text_free(&thread->waiting.text);
    free(thread);
}

void strace_threads_free(struct strace_threads *threads) {
    while (threads->all != NULL) {
        strace_threads_end(threads, threads->all);
    }
}

struct strace_thread *strace_threads_find(struct strace_threads *threads, int64_t number) {
    struct strace_thread *thread;

    HASH_FIND(hh, threads->all, &number, sizeof number, thread);
    return thread;
}

/* Finds a thread by number, or adds it: if `living`, as a living one, otherwise as known only from
 * a fork. Returns NULL if there are too many. */
static struct strace_thread *strace_threads_make(struct strace_threads *threads, int64_t number,
                                                 bool living) {
    struct strace_thread *thread = strace_threads_find(threads, number);
    enum strace_life life = living ? STRACE_LIFE_LIVING : STRACE_LIFE_BEGUN;

    if (thread != NULL) {
        return thread;
    }
    if (threads->counts[life] >= (living ? STRACE_THREADS : STRACE_ANNOUNCED)) {
        return NULL;
    }
    HASH_NEW(threads->all, number, number, thread);
    thread->process = number;
    thread->life = life;
    thread->cwd = xcalloc(1, sizeof *thread->cwd);
    thread->cwd->users = 1;
    link_thread(threads, thread);
    return thread;
}

/* Returns the thread of a line without a number; NULL if it is unknown. `ends`: the line is the end
 * of a thread, so prefer one that has called exit. Such a thread has no other lines. */
static struct strace_thread *strace_threads_alone(const struct strace_threads *threads, bool ends) {
    struct strace_thread *const *lists = threads->lists;
    const size_t *counts = threads->counts;

    if (ends && counts[STRACE_LIFE_EXITING] > 0) {
        return lists[STRACE_LIFE_EXITING];
    }
    if (counts[STRACE_LIFE_LIVING] == 1 ||
        (counts[STRACE_LIFE_LIVING] > 1 && threads->last == NULL)) {
        return lists[STRACE_LIFE_LIVING];
    }
    return counts[STRACE_LIFE_LIVING] > 1   ? threads->last
           : counts[STRACE_LIFE_BEGUN] == 1 ? lists[STRACE_LIFE_BEGUN]
                                            : NULL;
}

/* Sets the number of a thread; no other thread has that number. */
static void strace_threads_number(struct strace_threads *threads, struct strace_thread *thread,
                                  int64_t number) {
    int64_t before = thread->number;

    HASH_DEL(threads->all, thread);
    thread->number = number;
    HASH_ADD(hh, threads->all, number, sizeof thread->number, thread);
    thread->changed = true;
    for (struct strace_thread *other = threads->all; other != NULL; other = other->hh.next) {
        if (other->process == before) {
            other->process = number;
            other->changed = true;
        }
    }
}

static void set_thread_life(struct strace_threads *threads, struct strace_thread *thread,
                            enum strace_life life) {
    if (thread->life != life) {
        unlink_thread(threads, thread);
        thread->life = life;
        link_thread(threads, thread);
    }
}

/* --- command and directories of threads ------------------------------------------------------- */

/* Gives a child its parent's command, and its directories, which are shared or copied. */
static void strace_threads_inherit(struct strace_thread *child, const struct strace_thread *parent,
                                   bool same_process, bool same_cwd) {
    struct strace_cwd *shared = parent->cwd;

    memcpy(child->command, parent->command, sizeof child->command);
    child->process = same_process ? parent->process : child->number;
    child->adopted = child->changed = true;
    if (same_cwd) {
        shared->users++;
        release_cwd(child->cwd);
        child->cwd = shared;
    } else {
        strace_threads_copy_cwd(child, shared);
    }
}

void strace_threads_copy_cwd(struct strace_thread *to, const struct strace_cwd *from) {
    strace_threads_set_cwd(to, (struct word){from->path.bytes, from->path.length});
    text_clear(&to->cwd->root);
    text_append(&to->cwd->root, from->root.bytes, from->root.length);
    to->cwd->removals = from->removals;
    to->cwd->lost = from->lost;
}

void strace_threads_unshare_cwd(struct strace_thread *thread) {
    struct strace_cwd *shared = thread->cwd;

    if (shared->users > 1) {
        thread->cwd = xcalloc(1, sizeof *thread->cwd);
        thread->cwd->users = 1;
        strace_threads_copy_cwd(thread, shared);
        release_cwd(shared);
    }
}

void strace_threads_set_cwd(struct strace_thread *thread, struct word path) {
    struct text *text = &thread->cwd->path;

    path.length = path.length > STRACE_PATH ? 0 : path.length;
    thread->cwd->lost = path.length == 0;
    if (path.length != text->length ||
        (path.length > 0 && memcmp(path.bytes, text->bytes, path.length) != 0)) {
        text_clear(text);
        text_append(text, path.bytes, path.length);
    }
}

/* Sets the command of a thread. -Y prints it with escapes; a long one is truncated. */
static void strace_threads_command(struct strace_thread *thread, struct word command) {
    char plain[sizeof thread->command];
    size_t length = 0;

    while (command.length > 0 && length + 1 < sizeof plain) {
        unsigned char byte = (unsigned char)*command.bytes;
        size_t escape = byte == '\\' ? syscalls_decode_escape(command, &byte) : 0;

        word_skip(&command, escape == 0 ? 1 : escape);
        plain[length++] = (char)byte;
    }
    plain[length] = '\0';
    if (strcmp(thread->command, plain) != 0) {
        memcpy(thread->command, plain, length + 1);
        thread->changed = true;
    }
}

/* --- pending calls ---------------------------------------------------------------------------- */

/* Appends arguments, as printed, to the text of a pending call. */
static void strace_threads_add(struct strace_threads *threads, struct strace_thread *thread,
                               struct word text) {
    struct text *kept = &thread->waiting.text;

    if (threads->waiting + text.length > STRACE_WAITING) {
        size_t room = kept->length < STRACE_WAITING_EACH ? STRACE_WAITING_EACH - kept->length : 0;

        text.length = text.length < room ? text.length : room;
    }
    text_append(kept, text.bytes, text.length);
    threads->waiting += text.length;
}

/* Returns whether two threads are in equal calls of fork in the same process: then it does not
 * matter which of them is the parent of a child. */
static bool forks_alike(const struct strace_thread *one, const struct strace_thread *other) {
    const struct text *a = &one->waiting.text, *b = &other->waiting.text;

    return one->process == other->process && one->cwd == other->cwd &&
           one->waiting.call == other->waiting.call && a->length == b->length &&
           memcmp(text_string(a), text_string(b), a->length) == 0;
}

/* Stores a call as the pending one of a thread. */
static void strace_threads_wait(struct strace_threads *threads, struct strace_thread *thread,
                                struct word name, struct word text) {
    struct strace_waiting *waiting = &thread->waiting;

    strace_threads_done(threads, thread);
    text_clear(&waiting->text);
    text_clear(&waiting->name);
    text_append(&waiting->name, name.bytes, name.length);
    waiting->is = true;
    waiting->call = strace_call_find(name);
    waiting->object = waiting->flags = 0;
    waiting->looked = false;
    strace_threads_add(threads, thread, text);
    if (waiting->call != NULL && waiting->call->effect == EFFECT_FORK) {
        threads->alike =
            threads->cloners == NULL || (threads->alike && forks_alike(threads->cloners, thread));
        DL_PREPEND2(threads->cloners, thread, before_cloner, after_cloner);
    }
}

/* Moves the pending call of `from` to `thread`, whose number `from` has got by its execve. */
static void strace_threads_move_call(struct strace_threads *threads, struct strace_thread *thread,
                                     struct strace_thread *from) {
    struct strace_waiting waiting;

    strace_threads_done(threads, thread);
    waiting = thread->waiting;
    thread->waiting = from->waiting;
    from->waiting = waiting;
    if (thread->waiting.is && thread->waiting.call != NULL &&
        thread->waiting.call->effect == EFFECT_FORK) {
        DL_DELETE2(threads->cloners, from, before_cloner, after_cloner);
        DL_PREPEND2(threads->cloners, thread, before_cloner, after_cloner);
    }
    memcpy(thread->command, from->command, sizeof thread->command);
}

/* Returns a thread's id in table actor, added or renamed if needed; `fallback`: name if unknown. */
static uint32_t strace_threads_actor(struct import *import, struct strace_thread *thread,
                                     const char *fallback) {
    bool named = thread->number != STRACE_NAMELESS;
    const char *name = thread->command[0] != '\0' ? thread->command : named ? NULL : fallback;
    struct actor_entry entry = {
        .session = 1,
        .pid = named ? thread->process : EVENT_NONE,
        .tid = named ? thread->number : EVENT_NONE,
        .code = EVENT_NONE,
        .name = name,
    };

    if (thread->actor != 0 && !thread->changed) {
        return thread->actor;
    }
    entry.length = name == NULL ? 0 : strlen(name);
    if (thread->actor == 0) {
        thread->actor = import_actor(import, &entry);
    } else {
        import_rename_actor(import, thread->actor, &entry);
    }
    thread->changed = false;
    return thread->actor;
}

/* --- adding events ---------------------------------------------------------------------------- */

/* Adds the event of a call that is complete. */
static void strace_state_add_call(const struct strace_reading *reading,
                                  const struct strace_syscall *syscall, int64_t time,
                                  int64_t duration, struct word text) {
    uint32_t operation = import_simple_name(reading->import, "syscall", syscall->name);
    uint32_t actor = strace_threads_actor(reading->import, syscall->thread,
                                          text_string(&reading->strace->unnamed));
    uint32_t error =
        syscalls_error_id(reading->import, syscall->result->error_number, syscall->result->error);
    struct event *event = import_event(reading->import);
    uint64_t lock;

    reading->strace->injected += syscall->result->injected;
    reading->strace->exits |= syscall->call != NULL && syscall->call->effect == EFFECT_EXIT;
    event->time = time;
    event->duration = reading->strace->durations ? duration : EVENT_NONE;
    reading->strace->timed += event->duration != EVENT_NONE;
    event->operation = operation;
    event->actor = actor;
    event->object = syscall->object;
    event->address = syscall->address;
    event->size = syscall->size;
    event->flags = syscall->flags;
    event->source = syscall->source;
    event->source_address = syscalls_is_on_lock(syscall->name) &&
                                    word_hex(strace_argument(syscall, 0), INT64_MAX, &lock)
                                ? (int64_t)lock
                                : syscall->source_address;
    event->value = syscall->result->known ? syscall->result->value : EVENT_NONE;
    event->error = error;
    if (text.length > 0) {
        import_arguments(reading->import, event, (const uint8_t *)text.bytes,
                         (uint32_t)text.length);
    }
}

/* --- calls and their ends --------------------------------------------------------------------- */

/* Functions fill in a struct strace_syscall in place: if it was returned and copied, the CPU would
 * wait until all of it is written. */

static void begin_syscall(struct strace_syscall *syscall, struct strace_thread *thread,
                          const struct strace_call *call, const struct word *name,
                          const struct strace_result *result) {
    syscall->thread = thread;
    syscall->call = call;
    syscall->name.bytes = name->bytes;
    syscall->name.length = name->length;
    syscall->arguments = NULL;
    syscall->argument_count = 0;
    syscall->result = result;
    syscall->object = syscall->flags = syscall->source = 0;
    syscall->address = syscall->size = syscall->source_address = EVENT_NONE;
}

static void syscall_of_line(struct strace_syscall *syscall, struct strace_thread *thread,
                            const struct strace_call *call, const struct strace_line *line) {
    begin_syscall(syscall, thread, call, &line->name, &line->result);
    syscall->arguments = line->arguments;
    syscall->argument_count = line->argument_count;
}

/* Sets `syscall` from the pending call of a thread, whose result was read now. */
static void set_pending_syscall(struct strace_syscall *syscall, struct strace_thread *thread,
                                const struct strace_result *result,
                                struct word arguments[STRACE_ARGUMENTS]) {
    const struct strace_waiting *waiting = &thread->waiting;

    begin_syscall(syscall, thread, waiting->call,
                  &(struct word){waiting->name.bytes, waiting->name.length}, result);
    syscall->arguments = arguments;
    syscall->argument_count =
        strace_split((struct word){waiting->text.bytes, waiting->text.length}, arguments);
    syscall->object = waiting->object;
    syscall->flags = waiting->flags;
}

/* Returns whether the flags of a clone include a flag, by name or by bit. */
static bool strace_shares(const struct strace_syscall *syscall, const char *flag, int64_t bit) {
    int place = syscall->call->more;

    /* Names of flags may be in any argument. A number is taken as the flags if it follows "flags=",
     * or is the first argument and has no name: the stack of clone() is a number, too. */
    for (size_t i = 0; place >= 0 && i < syscall->argument_count; i++) {
        struct word argument = syscall->arguments[i];
        bool first = i == 0 && word_is_digit(word_peek(&argument));

        if (word_has(argument, flag) ||
            ((first || word_begins(argument, "flags=")) && word_is(syscall->name, "clone") &&
             strace_has_flag(strace_argument(syscall, (int)i), flag, bit))) {
            return true;
        }
    }
    return false;
}

/* Gives a child what it inherits from its parent by the flags of the call. */
static void strace_state_adopt(const struct strace_reading *reading, struct strace_thread *child,
                               const struct strace_syscall *syscall) {
    const struct strace_thread *parent = syscall->thread;
    bool thread = strace_shares(syscall, "CLONE_THREAD", 0x10000) ||
                  (strace_shares(syscall, "CLONE_VM", 0x100) &&
                   strace_shares(syscall, "CLONE_FILES", 0x400) &&
                   strace_shares(syscall, "CLONE_SIGHAND", 0x800));

    strace_threads_inherit(child, parent, thread, strace_shares(syscall, "CLONE_FS", 0x200));
    descriptors_adopt(reading->strace->files.descriptors, parent->number, child->number,
                      strace_shares(syscall, "CLONE_FILES", 0x400));
    if (!strace_shares(syscall, "CLONE_VM", 0x100) && !word_is(syscall->name, "vfork")) {
        strace_files_inherit(&reading->strace->files, child);
    }
}

/* Finds the parent of a child that has lines before the fork returns: the only thread in a fork, or
 * any one if all threads in a fork make equal calls. */
static void adopt_unannounced_child(const struct strace_reading *reading,
                                    struct strace_thread *child) {
    struct strace_threads *threads = &reading->strace->threads;
    struct strace_thread *parent = threads->alike ? threads->cloners : NULL;
    struct word arguments[STRACE_ARGUMENTS];
    struct strace_syscall syscall;

    if (parent == NULL || parent == child || child->adopted) {
        return;
    }
    set_pending_syscall(&syscall, parent, NULL, arguments);
    strace_state_adopt(reading, child, &syscall);
    child->guessed = true;
}

/* Handles the result of a fork: the number of a thread that already has lines, or of a new one. */
static void handle_child(const struct strace_reading *reading,
                         const struct strace_syscall *syscall) {
    struct strace_threads *threads = &reading->strace->threads;
    int64_t number = syscall->result->thread;
    struct strace_thread *child;

    if (!syscall->result->known || number <= 0 || number == syscall->thread->number) {
        return;
    }
    child = strace_threads_find(threads, number);
    /* The number is that of an earlier child: it has ended, though the log has no line for that. */
    if (child != NULL && child->adopted && !child->guessed) {
        strace_end_thread(reading, child);
        child = NULL;
    }
    if (child == NULL) {
        if (threads->counts[STRACE_LIFE_BEGUN] >= STRACE_ANNOUNCED) {
            /* the oldest, at the end of the list */
            strace_end_thread(reading, threads->lists[STRACE_LIFE_BEGUN]->before);
        }
        child = strace_threads_make(threads, number, false);
    }
    if (!child->adopted) {
        strace_state_adopt(reading, child, syscall);
    }
    child->guessed = false;
}

/* Learns the number of a thread from the result of a call such as gettid(), if no line gives it. */
static void learn_thread_number(const struct strace_reading *reading,
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
    strace_files_renumber_thread(&strace->files, STRACE_NAMELESS, number);
}

/* Applies the effect of a call and adds its event. `looked`: its file was found when it began. */
static void strace_state_end_call(const struct strace_reading *reading,
                                  struct strace_syscall *syscall, bool looked, int64_t time,
                                  int64_t duration, struct word text) {
    struct strace_files *files = &reading->strace->files;

    if (syscall->call != NULL) {
        if (!looked) {
            strace_files_find(files, syscall);
        } else if (strace_files_are_of_descriptor(syscall)) {
            syscall->flags |= CALL_FLAG_NAMELESS; /* the call's last line has AT_EMPTY_PATH */
        }
        strace_files_apply_call(files, syscall);
        if (syscall->call->effect == EFFECT_FORK) {
            handle_child(reading, syscall);
        } else if (syscall->call->effect == EFFECT_OWN_NUMBER) {
            learn_thread_number(reading, syscall);
        }
    }
    strace_state_add_call(reading, syscall, time, duration, text);
}

void strace_abandon_call(const struct strace_reading *reading, struct strace_thread *thread) {
    static const struct strace_result none = {.error_number = EVENT_NONE, .thread = EVENT_NONE};
    struct strace_waiting *waiting = &thread->waiting;
    struct word arguments[STRACE_ARGUMENTS];
    struct strace_syscall syscall;

    if (!waiting->is) {
        return;
    }
    reading->strace->endless++;
    set_pending_syscall(&syscall, thread, &none, arguments);
    if (waiting->call != NULL && waiting->call->effect == EFFECT_OPEN) {
        strace_files_find(&reading->strace->files, &syscall);
    }
    strace_files_apply_unfinished_call(&reading->strace->files, &syscall);
    strace_state_add_call(reading, &syscall, waiting->time, EVENT_NONE,
                          (struct word){waiting->text.bytes, waiting->text.length});
    strace_threads_done(&reading->strace->threads, thread);
}

void strace_end_thread(const struct strace_reading *reading, struct strace_thread *thread) {
    strace_abandon_call(reading, thread);
    descriptors_end(reading->strace->files.descriptors, thread->number);
    strace_files_disinherit(&reading->strace->files, thread);
    strace_threads_end(&reading->strace->threads, thread);
}

/* Marks a thread as exiting after a call of exit. Only a line for its end may follow, which -qq
 * omits. */
static void exit_thread(const struct strace_reading *reading, struct strace_thread *thread,
                        const struct strace_call *call, const struct strace_result *result) {
    struct strace_threads *threads = &reading->strace->threads;

    if (call == NULL || call->effect != EFFECT_EXIT || result->known || result->error.length > 0) {
        return;
    }
    set_thread_life(threads, thread, STRACE_LIFE_EXITING);
    threads->last = threads->last == thread ? NULL : threads->last;
    /* the oldest is the last in its list */
    if (threads->counts[STRACE_LIFE_EXITING] > STRACE_EXITING) {
        strace_end_thread(reading, threads->lists[STRACE_LIFE_EXITING]->before);
    }
}

/* Counts a call that ends in `= ?`, as of a killed thread. Calls of exit never return. */
static void count_endless(const struct strace_reading *reading,
                          const struct strace_syscall *syscall,
                          const struct strace_result *result) {
    reading->strace->endless += !result->known && result->error.length == 0 &&
                                (syscall->call == NULL || syscall->call->effect != EFFECT_EXIT);
}

void strace_handle_call(const struct strace_reading *reading, struct strace_thread *thread,
                        const struct strace_line *line, int64_t time) {
    struct strace_syscall syscall;

    syscall_of_line(&syscall, thread, strace_call_find(line->name), line);
    strace_abandon_call(reading, thread);
    count_endless(reading, &syscall, &line->result);
    strace_state_end_call(reading, &syscall, false, time, line->duration, line->text);
    exit_thread(reading, thread, syscall.call, &line->result);
}

void strace_handle_unfinished(const struct strace_reading *reading, struct strace_thread *thread,
                              const struct strace_line *line, int64_t time) {
    struct strace_threads *threads = &reading->strace->threads;
    struct strace_waiting *waiting = &thread->waiting;
    struct strace_syscall syscall;

    strace_abandon_call(reading, thread);
    strace_threads_wait(threads, thread, line->name, line->text);
    waiting->time = time;
    reading->stream->half = thread->number;
    if (waiting->call == NULL || waiting->call->effect == EFFECT_OPEN) {
        return; /* the line with the call's end may name the file (-y) */
    }
    syscall_of_line(&syscall, thread, waiting->call, line);
    strace_files_find(&reading->strace->files, &syscall);
    waiting->object = syscall.object;
    waiting->flags = syscall.flags;
    /* If the path is unknown so far, the line with the call's end may have it. */
    waiting->looked = syscall.object != 0 || waiting->call->path < 0;
}

/* Imports a call of which the log has only the end. With -T, its start is the end minus the
 * duration, but not before the previous line of the thread, or the start of the log. */
static void handle_missing_begin(const struct strace_reading *reading, struct strace_thread *thread,
                                 const struct strace_line *line, int64_t earliest, int64_t time) {
    struct strace_syscall syscall;

    begin_syscall(&syscall, thread, strace_call_find(line->name), &line->name, &line->result);
    reading->strace->beginless++;
    syscall.size = strace_files_count_bytes(&reading->strace->files, &syscall);
    if (line->duration != EVENT_NONE && reading->strace->times.clock != STRACE_NO_CLOCK) {
        time = time - earliest > line->duration ? time - line->duration : earliest;
    }
    strace_state_add_call(reading, &syscall, time, line->duration, line->text);
}

/* Returns the duration of an interrupted call: that of -T, otherwise the time between its two
 * lines. */
static int64_t strace_state_duration_of(const struct strace_reading *reading,
                                        const struct strace_line *line, int64_t begun,
                                        int64_t time) {
    bool ended = line->result.known || line->result.error.length > 0;

    return line->duration != EVENT_NONE ? line->duration
           : line->prefix.decimals > 0 && ended && time >= begun &&
                   reading->strace->times.clock != STRACE_NO_CLOCK
               ? time - begun
               : EVENT_NONE;
}

void strace_handle_resumed(const struct strace_reading *reading, struct strace_thread *thread,
                           const struct strace_line *line, int64_t earliest, int64_t time) {
    struct strace_threads *threads = &reading->strace->threads;
    struct strace_waiting *waiting = &thread->waiting;
    struct word rest = line->text, text, arguments[STRACE_ARGUMENTS];
    struct strace_syscall syscall;

    if (!waiting->is || line->name.length != waiting->name.length ||
        memcmp(line->name.bytes, waiting->name.bytes, line->name.length) != 0) {
        strace_abandon_call(reading, thread);
        if (line->form != STRACE_RESUMED_HALF) {
            handle_missing_begin(reading, thread, line, earliest, time);
        }
        return;
    }
    /* Old strace prints a blank after "resumed>", skipped here: <... read resumed> "x", 1) = 1. */
    if (waiting->text.length > 0 && waiting->text.bytes[waiting->text.length - 1] == ' ') {
        rest = word_trim_left(rest);
    } else if (waiting->text.length > 0 && waiting->text.bytes[waiting->text.length - 1] == ',' &&
               !word_begins(rest, " ")) { /* `tr -s` has removed the blank before the rest */
        strace_threads_add(threads, thread, word_of(" "));
    }
    import_merged(reading->import, strace_second_half, reading->line->offset);
    strace_threads_add(threads, thread, rest);
    if (line->form == STRACE_RESUMED_HALF) {
        return;
    }
    text = (struct word){waiting->text.bytes, waiting->text.length};
    set_pending_syscall(&syscall, thread, &line->result, arguments);
    count_endless(reading, &syscall, &line->result);
    strace_state_end_call(reading, &syscall, waiting->looked, waiting->time,
                          strace_state_duration_of(reading, line, waiting->time, time), text);
    strace_threads_done(threads, thread);
    exit_thread(reading, thread, syscall.call, &line->result);
}

/* --- threads of lines ------------------------------------------------------------------------- */

/* Returns the first thread, if its number is unknown so far: a number not seen before must be that
 * thread's. Returns NULL if some thread is in a call of fork, as the number may be a child's. */
static struct strace_thread *unnamed_thread(const struct strace_reading *reading,
                                            const struct strace_line *line) {
    struct strace *strace = reading->strace;
    struct strace_thread *first = strace_threads_find(&strace->threads, strace->first);

    if (first == NULL || (!first->provisional && first->number != STRACE_NAMELESS) ||
        (strace->threads.cloners != NULL && line->form != STRACE_RESUMED)) {
        return NULL;
    }
    return first;
}

/* Ends the half of the living threads whose last lines are the oldest: they have probably ended,
 * which -qq omits. Threads in a call stay. */
static void end_silent_threads(const struct strace_reading *reading) {
    struct strace_threads *threads = &reading->strace->threads;
    struct strace_thread *thread = threads->lists[STRACE_LIFE_LIVING];
    int64_t *times = xmalloc(threads->counts[STRACE_LIFE_LIVING] * sizeof *times);
    size_t count = 0;

    for (; thread != NULL; thread = thread->after) {
        if (!thread->waiting.is) {
            times[count++] = thread->latest;
        }
    }
    qsort(times, count, sizeof *times, compare_int64);
    thread = threads->lists[STRACE_LIFE_LIVING];
    for (struct strace_thread *next; thread != NULL; thread = next) {
        next = thread->after;
        if (!thread->waiting.is && thread->latest <= times[count / 2]) {
            strace_end_thread(reading, thread);
            reading->strace->silent++;
        }
    }
    free(times);
}

/* Finds the thread with a number, or adds it. Returns NULL if too many are in a call. */
static struct strace_thread *numbered_thread(const struct strace_reading *reading,
                                             const struct strace_line *line, int64_t number) {
    struct strace *strace = reading->strace;
    struct strace_thread *thread = strace_threads_find(&strace->threads, number);

    /* A thread that has called exit makes no calls, so another thread has its number now. */
    if (thread != NULL && thread->life == STRACE_LIFE_EXITING &&
        (line->form == STRACE_CALL || line->form == STRACE_UNFINISHED)) {
        strace_end_thread(reading, thread);
        thread = NULL;
    }
    if (thread == NULL && line->prefix.bracketed) {
        thread = unnamed_thread(reading, line);
        if (thread != NULL) {
            strace_files_renumber_thread(&strace->files, thread->number, number);
            strace_threads_number(&strace->threads, thread, number);
        }
    }
    if (thread == NULL) {
        if (strace->threads.counts[STRACE_LIFE_LIVING] == STRACE_THREADS) {
            end_silent_threads(reading);
        }
        thread = strace_threads_make(&strace->threads, number, true);
        if (thread != NULL) {
            adopt_unannounced_child(reading, thread);
        }
    }
    if (thread != NULL) {
        set_thread_life(&strace->threads, thread, STRACE_LIFE_LIVING);
        thread->provisional = thread->provisional && !line->prefix.bracketed;
    }
    return thread;
}

/* Returns the number that a file name of -ff ends with, as out.4711; EVENT_NONE: none. */
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
        if (thread != NULL && thread->number == STRACE_NAMELESS && strace->resumed &&
            word_is(line->name, "execve")) { /* appended: the log of another program */
            strace_end_thread(reading, thread);
            thread = NULL;
        }
        if (thread == NULL) {
            strace->first = STRACE_NAMELESS;
            text_clear(&strace->unnamed);
            text_append_string(&strace->unnamed, import_source_name(reading->import));
            thread = strace_threads_make(&strace->threads, STRACE_NAMELESS, true);
        }
        if (thread != NULL) {
            set_thread_life(&strace->threads, thread, STRACE_LIFE_LIVING);
        }
    }
    strace->resumed = false;
    if (thread != NULL) {
        strace->threads.last = thread;
        if (line->prefix.command.length > 0) {
            strace_threads_command(thread, line->prefix.command);
        }
    }
    return thread;
}

void strace_follow_thread_exec(const struct strace_reading *reading, struct strace_thread *thread,
                               int64_t old_number) {
    struct strace *strace = reading->strace;
    struct strace_thread *from = strace_threads_find(&strace->threads, old_number);

    strace_abandon_call(reading, thread);
    if (from != NULL && from != thread) {
        strace_threads_move_call(&strace->threads, thread, from);
        strace_files_renumber_thread(&strace->files, from->number, thread->number);
        strace_threads_end(&strace->threads, from);
    }
}

void strace_attach(const struct strace_reading *reading, int64_t number) {
    struct strace *strace = reading->strace;
    struct strace_thread *thread = strace_threads_find(&strace->threads, number);

    if (thread != NULL) {
        set_thread_life(&strace->threads, thread, STRACE_LIFE_LIVING);
        return;
    }
    thread = strace_threads_make(&strace->threads, number, true);
    if (thread != NULL) {
        adopt_unannounced_child(reading, thread);
    }
}

/* --- threads of a log that another is appended to --------------------------------------------- */

/* What is true of a stored thread: bits of a number. */
enum { OF_ADOPTED = 1, OF_GUESSED = 2, OF_PROVISIONAL = 4, OF_ACTOR = 8, OF_LOST = 16 };

static void append_stored_name(struct text *state, const char *name, size_t length) {
    text_append_string(state, length == 0 ? " -" : " ");
    text_append_hex(state, name, length);
}

/* Reads the next word of the state: a name of up to `most` bytes, which a path of Linux has. */
static bool read_stored_name(struct word *rest, size_t most, struct text *name) {
    struct word word = word_next(rest);
    uint8_t bytes[STRACE_PATH];
    size_t length = 0;

    if (word.length == 0 || (!word_is(word, "-") && !word_hex_bytes(word, most, bytes, &length))) {
        return false;
    }
    text_clear(name);
    text_append(name, (const char *)bytes, length);
    return true;
}

/* Appends a thread to the state. `all`: list of the threads; of those that share its directories,
 * the first one's number is stored. */
static void store_thread(struct text *state, const struct strace_thread *thread,
                         const struct strace_thread *all) {
    const struct strace_cwd *cwd = thread->cwd;
    const unsigned bits = (thread->adopted ? OF_ADOPTED : 0u) |
                          (thread->guessed ? OF_GUESSED : 0u) |
                          (thread->provisional ? OF_PROVISIONAL : 0u) |
                          (thread->actor != 0 ? OF_ACTOR : 0u) | (cwd->lost ? OF_LOST : 0u);

    while (all->cwd != cwd) {
        all = all->hh.next;
    }
    text_append_format(state, " %lld %lld %u %lld %u %lld", (long long)thread->number,
                       (long long)thread->process, (unsigned)thread->life,
                       (long long)thread->latest, bits, (long long)all->number);
    append_stored_name(state, thread->command, strlen(thread->command));
    append_stored_name(state, cwd->path.bytes, cwd->path.length);
    append_stored_name(state, cwd->root.bytes, cwd->root.length);
}

void strace_store_threads(struct import *import, struct strace *strace) {
    struct strace_threads *threads = &strace->threads;
    struct strace_thread *thread = threads->all;
    size_t left = HASH_COUNT(threads->all);
    struct text state = {0};

    text_append_format(&state, " %lld", (long long)strace->first);
    append_stored_name(&state, strace->unnamed.bytes, strace->unnamed.length);
    for (; thread != NULL; thread = thread->hh.next) {
        if (thread->actor != 0) { /* its row gets the name under which it is looked up later */
            strace_threads_actor(import, thread, text_string(&strace->unnamed));
        }
        if (left-- <= STRACE_ANNOUNCED) {
            store_thread(&state, thread, threads->all);
        }
    }
    import_save_state(import, text_string(&state));
    text_free(&state);
}

/* Adds a stored thread. Returns false if the state is damaged. */
static bool restore_thread(struct import *import, struct strace *strace, struct word *rest) {
    int64_t number, process, life, latest, bits, shares;
    struct strace_thread *thread, *other;
    struct text command = {0};
    bool valid;

    if (!word_number(word_next(rest), INT64_MAX, &number) ||
        !word_number(word_next(rest), INT64_MAX, &process) ||
        !word_number(word_next(rest), STRACE_LIVES - 1, &life) ||
        !word_number(word_next(rest), INT64_MAX, &latest) ||
        !word_number(word_next(rest), 2 * OF_LOST - 1, &bits) ||
        !word_number(word_next(rest), INT64_MAX, &shares) ||
        strace_threads_find(&strace->threads, number) != NULL) {
        return false;
    }
    thread = strace_threads_make(&strace->threads, number, true);
    valid = thread != NULL && read_stored_name(rest, sizeof thread->command - 1, &command) &&
            read_stored_name(rest, STRACE_PATH, &thread->cwd->path) &&
            read_stored_name(rest, STRACE_PATH, &thread->cwd->root);
    if (valid) {
        set_thread_life(&strace->threads, thread, (enum strace_life)life);
        strace->threads.unseen -= life == STRACE_LIFE_BEGUN; /* the trace has a remark on it */
        thread->process = process;
        thread->latest = latest;
        thread->adopted = bits & OF_ADOPTED;
        thread->guessed = bits & OF_GUESSED;
        thread->provisional = bits & OF_PROVISIONAL;
        thread->cwd->lost = bits & OF_LOST;
        memcpy(thread->command, text_string(&command), command.length + 1);
        other = strace_threads_find(&strace->threads, shares);
        if (other != NULL && other != thread) {
            release_cwd(thread->cwd);
            thread->cwd = other->cwd;
            thread->cwd->users++;
        }
        if (bits & OF_ACTOR) {
            strace_threads_actor(import, thread, text_string(&strace->unnamed));
        }
    }
    text_free(&command);
    return valid;
}

void strace_restore_threads(struct import *import, struct strace *strace) {
    const char *state = import_saved_state(import);
    struct word rest = word_trim(word_of(state == NULL ? "" : state));
    bool valid = rest.length == 0 || (word_number(word_next(&rest), INT64_MAX, &strace->first) &&
                                      read_stored_name(&rest, STRACE_PATH, &strace->unnamed));

    strace->resumed = state != NULL;
    while (valid && (rest = word_trim_left(rest)).length > 0) {
        valid = restore_thread(import, strace, &rest);
    }
    if (!valid) {
        import_refuse_saved_state(import);
    }
}
