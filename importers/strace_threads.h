/* Threads of a strace log: which of them a line is of, to which process they belong, and what each
 * of them has begun and not ended.
 *
 * A log names threads by number, but not always: on standard error strace -f does so only while it
 * traces several, so a line without a number is of the only one that is left; and the first one may
 * never be named.
 */
#ifndef TRACETOOL_STRACE_THREADS_H
#define TRACETOOL_STRACE_THREADS_H

#include "base/hash.h"
#include "base/text.h"
#include "import/importer.h"
#include "strace_syscall.h"

/* Threads that may be alive at a time, and those of them that were announced and said nothing. */
#define STRACE_THREADS   (1 << 14)
#define STRACE_ANNOUNCED 1024

/* The longest path that Linux takes. */
#define STRACE_PATH 4096

/* Text of all calls that wait for their end; beyond it each may keep the begin of its own. */
#define STRACE_WAITING      ((size_t)16 * 1024 * 1024)
#define STRACE_WAITING_EACH 1024

/* Threads, at most, that have exited and have no line for their end, which -qq leaves out. */
#define STRACE_EXITING 64

/* The number of a thread that is not named yet; numbers of Linux are above. */
#define STRACE_NAMELESS 0

/* Threads that are found without a look into the table of all. */
#define STRACE_RECENT 256

enum strace_life {
    STRACE_LIFE_BEGUN, /* announced, and has said nothing */
    STRACE_LIFE_LIVING,
    STRACE_LIFE_EXITING, /* its exit is printed: only its end may come */
    STRACE_LIVES,
};

/* The working directory of threads that share one. */
struct strace_cwd {
    unsigned users;
    struct text path; /* empty: not known */
};

/* A call that has not returned yet. */
struct strace_waiting {
    bool is;
    struct text name, text; /* as printed */
    const struct strace_call *call;
    int64_t time;
    uint32_t object, flags;
    bool looked; /* what it is about was looked for when it began */
};

struct strace_thread {
    UT_hash_handle hh;
    struct strace_thread *before, *behind; /* of its list */
    enum strace_life life;
    int64_t number, process;
    int64_t latest;   /* time of its line that is the latest */
    bool provisional; /* its number comes from a call or a file name, not from a line */
    bool adopted;     /* its parent is known */
    uint32_t actor;   /* 0: none yet */
    bool changed;     /* the actor needs an update */
    char command[64]; /* as the log has it, at most; "": not known */
    struct strace_cwd *cwd;
    struct strace_waiting waiting;
};

struct strace_threads {
    struct strace_thread *all;                   /* owned */
    struct strace_thread *recent[STRACE_RECENT]; /* by the end of their number; NULL: none */
    struct strace_thread *last;                  /* that a line was of; NULL: none */
    struct strace_thread *lists[STRACE_LIVES];   /* the latest first */
    size_t counts[STRACE_LIVES];
    struct strace_thread *cloner; /* the only one that waits for the end of a fork; NULL: none */
    size_t cloners;
    size_t waiting; /* bytes of text */
    int64_t unseen; /* threads that were begun and have no calls in the log */
};

void strace_threads_free(struct strace_threads *threads);

/* The thread with a number; NULL: there is none. */
struct strace_thread *strace_threads_find(struct strace_threads *threads, int64_t number);

/* Sets the working directory of the thread and of those that share it; empty: not known. */
void strace_threads_set_cwd(struct strace_thread *thread, struct word path);

#endif
