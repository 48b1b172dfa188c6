/* Threads of a strace log: the thread of each line, its process, and its call without an end yet.
 *
 * A log names threads by number, but not always. On standard error, strace -f names them only while
 * it traces several. So a line without a number belongs to the only remaining thread. The first
 * thread may never be named. */
#ifndef TRACETOOL_STRACE_THREADS_H
#define TRACETOOL_STRACE_THREADS_H

#include "base/hash.h"
#include "base/text.h"
#include "import/importer.h"
#include "strace_syscall.h"

/* Maximum threads alive at a time; maximum of those that strace announced, without lines yet. */
#define STRACE_THREADS   (1 << 14)
#define STRACE_ANNOUNCED 1024

/* Maximum bytes of a path in Linux. */
#define STRACE_PATH 4096

/* Maximum bytes of text of pending calls. Beyond it, a call keeps up to STRACE_WAITING_EACH
 * bytes. */
#define STRACE_WAITING      ((size_t)16 * 1024 * 1024)
#define STRACE_WAITING_EACH 1024

/* Maximum threads that have called exit and have no line for their end, as -qq omits it. */
#define STRACE_EXITING 64

/* Number of a thread that no line has named yet; Linux's numbers are higher. */
#define STRACE_NAMELESS 0

enum strace_life {
    STRACE_LIFE_BEGUN, /* announced by strace, but without lines yet */
    STRACE_LIFE_LIVING,
    STRACE_LIFE_EXITING, /* the thread's call of exit is printed: only its end may follow */
    STRACE_LIVES,
};

/* Working and root directory, which threads may share. */
struct strace_cwd {
    unsigned users;
    struct text path; /* working directory; empty: unknown */
    struct text root; /* root directory set by chroot; empty: none */
    int64_t removals; /* number of removals of the path's directory when the path was set */
    bool lost;        /* true: the path is unknown, and no longer that of the start of the log */
};

/* A pending call: one that has begun but not ended. */
struct strace_waiting {
    bool is;
    struct text name, text; /* name of the call, and its arguments as printed */
    const struct strace_call *call;
    int64_t time;
    uint32_t object, flags;
    bool looked; /* true: its object was already looked up */
};

struct strace_thread {
    UT_hash_handle hh;
    struct strace_thread *before, *after; /* neighbors in strace_threads.lists */
    struct strace_thread *before_cloner, *after_cloner;
    enum strace_life life;
    int64_t number, process;
    int64_t latest;   /* latest time of the thread's lines */
    bool provisional; /* true: the number comes from a call or a file name, not from a line */
    bool adopted;     /* true: the thread's parent is known */
    bool guessed;     /* true: no call of fork has returned the thread's number yet */
    uint32_t actor;   /* 0: none */
    bool changed;     /* true: the actor in the trace must be updated */
    bool heir;        /* true: the thread is counted in strace_files.heirs */
    char command[64]; /* name of the program, truncated if longer; "": unknown */
    struct strace_cwd *cwd;
    struct strace_waiting waiting;
};

struct strace_threads {
    struct strace_thread *all;                 /* owned */
    struct strace_thread *last;                /* thread of the last line; NULL: none */
    struct strace_thread *lists[STRACE_LIVES]; /* by state, list of its threads, the latest first */
    size_t counts[STRACE_LIVES];
    struct strace_thread *cloners; /* list of threads that are in a call of fork */
    bool alike;     /* true: a child inherits the same from any thread in `cloners` */
    size_t waiting; /* bytes of text of all pending calls */
    int64_t unseen; /* number of threads without calls in the log */
};

void strace_threads_free(struct strace_threads *threads);

/* Returns the thread with a given number; NULL if there is none. */
struct strace_thread *strace_threads_find(struct strace_threads *threads, int64_t number);

/* Sets the working directory of the thread and of all threads that share it; empty: unknown. */
void strace_threads_set_cwd(struct strace_thread *thread, struct word path);

/* strace_threads_copy_cwd() copies both directories to another thread; strace_threads_unshare_cwd()
 * gives a thread its own copy. */
void strace_threads_copy_cwd(struct strace_thread *to, const struct strace_cwd *from);
void strace_threads_unshare_cwd(struct strace_thread *thread);

#endif
