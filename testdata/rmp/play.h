/* A program that is played, thread by thread: who called whom, and how long it took. What is played
 * is the truth that logs are written from and that reports are held against.
 *
 * A thread has a clock of its own that play_spend() and play_wait() move. Calls are played in
 * order; play_end() puts the events of all threads into order of time.
 */
#ifndef RMP_PLAY_H
#define RMP_PLAY_H

#include "util.h"

#define MICROSECOND INT64_C(1000)
#define MILLISECOND INT64_C(1000000)
#define SECOND      INT64_C(1000000000)

enum resolution { PROCESS, THREAD, METHOD, LOOP, RESOLUTIONS };

/* Something that can be called. */
struct function {
    const char *group;     /* class, with dots; all of the name of a component */
    const char *method;    /* NULL: a component. A loop's is `method#loopN` */
    const char *signature; /* of Java methods only */
    enum resolution resolution;
    bool framework; /* else the application's */
};

struct thread {
    int id;           /* in Android's traces */
    const char *name; /* there; NULL: none */
    int tid;          /* in RMP logs, which have no names */
};

struct program {
    const struct function *functions;
    size_t function_count;
    const struct thread *threads;
    size_t thread_count;
    bool unnamed_threads; /* as in RMP logs: reports say the tid */
};

struct moment {
    int64_t wall, cpu; /* ns since the start of the trace; the thread's own */
};

enum { COMPLETE, MISSING, OPEN }; /* MISSING: ended when a caller did */

struct call {
    int function, thread;
    int parent; /* index of the call that it was made by, -1: none */
    int state;
    struct moment begin, end;
};

enum action { ENTRY, EXIT, THROWN }; /* THROWN: left by an exception */

struct event {
    enum action action;
    int function, thread;
    int caller; /* function, -1: none */
    int call;   /* -1: an exit of something that was never entered */
    struct moment at;
    int64_t back; /* the log says a time that much earlier */
    size_t order;
};

enum { STACK = 256 };

struct play {
    const struct program *program;
    struct call *calls;
    size_t count, capacity;
    struct event *events;
    size_t event_count, event_capacity;
    int thread;
    struct moment now;
    int stack[STACK], depth;
    int64_t back; /* of the next event */
};

/* The name in reports: class, dot, method, and the signature where another method has the same. */
void function_name(const struct program *program, int function, char *name, size_t size);

void play_begin(struct play *play, const struct program *program);
/* Goes to a thread that was not played yet, and to a time of all threads' clock. */
void play_thread(struct play *play, int thread, int64_t wall);
void play_enter(struct play *play, int function);
void play_leave(struct play *play);                      /* the innermost call */
void play_throw(struct play *play);                      /* the same, by an exception */
void play_unwind(struct play *play, int function);       /* only this one's exit is logged */
void play_stray(struct play *play, int function);        /* an exit without an entry */
void play_spend(struct play *play, int64_t microsecond); /* on the processor, all but an eighth */
void play_wait(struct play *play, int64_t microseconds);
void play_back(struct play *play, int64_t microseconds); /* the next event is logged too early */
void play_end(struct play *play);
void play_free(struct play *play);

/* What is seen of a play when only some functions have their probes on. */
void play_select(struct play *seen, const struct play *whole, const bool *on);

/* Sum over the calls of a function. */
int64_t play_sum(const struct play *play, int function);

#endif
