#include "strace_threads.h"

#include <stdlib.h>
#include <utlist.h>

#include "base/memory.h"
#include "syscalls.h"

/* --- lists ------------------------------------------------------------------------------------ */

static void link_thread(struct strace_threads *threads, struct strace_thread *thread) {
    DL_PREPEND2(threads->lists[thread->life], thread, before, behind);
    threads->counts[thread->life]++;
}

static void unlink_thread(struct strace_threads *threads, struct strace_thread *thread) {
    DL_DELETE2(threads->lists[thread->life], thread, before, behind);
    threads->counts[thread->life]--;
}

/* --- threads ---------------------------------------------------------------------------------- */

static void release_cwd(struct strace_cwd *cwd) {
    if (--cwd->users == 0) {
        text_free(&cwd->path);
        free(cwd);
    }
}

static void free_thread(struct strace_thread *thread) {
    release_cwd(thread->cwd);
    text_free(&thread->waiting.name);
    text_free(&thread->waiting.text);
    free(thread);
}

void strace_threads_end(struct strace_threads *threads, struct strace_thread *thread) {
    strace_threads_done(threads, thread);
    threads->unseen += thread->life == STRACE_LIFE_BEGUN;
    threads->last = threads->last == thread ? NULL : threads->last;
    unlink_thread(threads, thread);
    HASH_DEL(threads->all, thread);
    free_thread(thread);
}

void strace_threads_free(struct strace_threads *threads) {
    while (threads->all != NULL) {
        strace_threads_end(threads, threads->all);
    }
}

struct strace_thread *strace_threads_find(struct strace_threads *threads, int64_t number) {
    struct strace_thread *thread = threads->last;

    if (thread == NULL || thread->number != number) {
        HASH_FIND(hh, threads->all, &number, sizeof number, thread);
    }
    return thread;
}

struct strace_thread *strace_threads_make(struct strace_threads *threads, int64_t number,
                                          bool living) {
    struct strace_thread *thread = strace_threads_find(threads, number);
    enum strace_life life = living ? STRACE_LIFE_LIVING : STRACE_LIFE_BEGUN;

    if (thread != NULL) {
        return thread;
    }
    if (threads->counts[life] >= (living ? STRACE_THREADS : STRACE_ANNOUNCED)) {
        return NULL;
    }
    thread = xcalloc(1, sizeof *thread);
    thread->number = thread->process = number;
    thread->life = life;
    thread->cwd = xcalloc(1, sizeof *thread->cwd);
    thread->cwd->users = 1;
    HASH_ADD(hh, threads->all, number, sizeof thread->number, thread);
    link_thread(threads, thread);
    return thread;
}

struct strace_thread *strace_threads_alone(const struct strace_threads *threads, bool ends) {
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

int64_t strace_threads_forget(struct strace_threads *threads) {
    struct strace_thread *oldest;
    int64_t number;

    if (threads->counts[STRACE_LIFE_BEGUN] < STRACE_ANNOUNCED) {
        return EVENT_NONE;
    }
    oldest = threads->lists[STRACE_LIFE_BEGUN]->before; /* the last of the list */
    number = oldest->number;
    strace_threads_end(threads, oldest);
    return number;
}

void strace_threads_number(struct strace_threads *threads, struct strace_thread *thread,
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

static void change_life(struct strace_threads *threads, struct strace_thread *thread,
                        enum strace_life life) {
    if (thread->life != life) {
        unlink_thread(threads, thread);
        thread->life = life;
        link_thread(threads, thread);
    }
}

void strace_threads_live(struct strace_threads *threads, struct strace_thread *thread) {
    change_life(threads, thread, STRACE_LIFE_LIVING);
}

struct strace_thread *strace_threads_exit(struct strace_threads *threads,
                                          struct strace_thread *thread) {
    change_life(threads, thread, STRACE_LIFE_EXITING);
    threads->last = threads->last == thread ? NULL : threads->last;
    return threads->counts[STRACE_LIFE_EXITING] > STRACE_EXITING
               ? threads->lists[STRACE_LIFE_EXITING]->before
               : NULL;
}

/* --- what a thread has ------------------------------------------------------------------------ */

void strace_threads_inherit(struct strace_thread *child, const struct strace_thread *parent,
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
        strace_threads_set_cwd(child, (struct word){shared->path.bytes, shared->path.length});
    }
}

void strace_threads_set_cwd(struct strace_thread *thread, struct word path) {
    struct text *text = &thread->cwd->path;

    path.length = path.length > STRACE_PATH ? 0 : path.length;
    if (path.length != text->length ||
        (path.length > 0 && memcmp(path.bytes, text->bytes, path.length) != 0)) {
        text_clear(text);
        text_append(text, path.bytes, path.length);
    }
}

void strace_threads_command(struct strace_thread *thread, struct word command) {
    char plain[sizeof thread->command];
    size_t length = 0;

    while (command.length > 0 && length + 1 < sizeof plain) {
        unsigned char byte = (unsigned char)*command.bytes;
        size_t escape = byte == '\\' ? syscalls_escape(command, &byte) : 0;

        word_skip(&command, escape == 0 ? 1 : escape);
        plain[length++] = (char)byte;
    }
    plain[length] = '\0';
    if (strcmp(thread->command, plain) != 0) {
        memcpy(thread->command, plain, length + 1);
        thread->changed = true;
    }
}

/* --- calls that wait -------------------------------------------------------------------------- */

void strace_threads_add(struct strace_threads *threads, struct strace_thread *thread,
                        struct word text) {
    struct text *kept = &thread->waiting.text;

    if (threads->waiting + text.length > STRACE_WAITING) {
        size_t room = kept->length < STRACE_WAITING_EACH ? STRACE_WAITING_EACH - kept->length : 0;

        text.length = text.length < room ? text.length : room;
    }
    text_append(kept, text.bytes, text.length);
    threads->waiting += text.length;
}

void strace_threads_wait(struct strace_threads *threads, struct strace_thread *thread,
                         struct word name, struct word text) {
    struct strace_waiting *waiting = &thread->waiting;

    strace_threads_done(threads, thread);
    text_clear(&waiting->text);
    text_clear(&waiting->name);
    text_append(&waiting->name, name.bytes, name.length);
    waiting->is = true;
    waiting->call = strace_call_find(name);
    waiting->object = 0;
    waiting->looked = false;
    if (waiting->call != NULL && waiting->call->effect == EFFECT_FORK) {
        threads->cloner = threads->cloners == 0 ? thread : NULL;
        threads->cloners++;
    }
    strace_threads_add(threads, thread, text);
}

void strace_threads_done(struct strace_threads *threads, struct strace_thread *thread) {
    struct strace_waiting *waiting = &thread->waiting;

    if (!waiting->is) {
        return;
    }
    waiting->is = false;
    threads->waiting -= waiting->text.length;
    if (waiting->call != NULL && waiting->call->effect == EFFECT_FORK) {
        threads->cloners--;
        threads->cloner = threads->cloner == thread ? NULL : threads->cloner;
    }
    if (waiting->text.capacity + waiting->name.capacity > (size_t)4 * STRACE_WAITING_EACH) {
        text_free(&waiting->text);
        text_free(&waiting->name);
    }
}

void strace_threads_take_over(struct strace_threads *threads, struct strace_thread *thread,
                              struct strace_thread *from) {
    struct strace_waiting waiting;

    strace_threads_done(threads, thread);
    waiting = thread->waiting;
    thread->waiting = from->waiting;
    from->waiting = waiting;
    if (threads->cloner == from) {
        threads->cloner = thread;
    }
    memcpy(thread->command, from->command, sizeof thread->command);
}

/* --- actors ----------------------------------------------------------------------------------- */

uint32_t strace_threads_actor(struct import *import, struct strace_thread *thread,
                              const char *fallback) {
    bool named = thread->number != STRACE_NAMELESS;
    const char *name = thread->command[0] != '\0' ? thread->command : named ? NULL : fallback;
    struct actor_entry entry = {
        .session = 1,
        .pid = named ? thread->process : EVENT_NONE,
        .tid = named ? thread->number : EVENT_NONE,
        .code = EVENT_NONE,
        .name = name,
        .length = name == NULL ? 0 : strlen(name),
    };

    if (thread->actor == 0) {
        thread->actor = import_actor(import, &entry);
    } else if (thread->changed) {
        import_rename_actor(import, thread->actor, &entry);
    }
    thread->changed = false;
    return thread->actor;
}
