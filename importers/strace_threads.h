/* Threads of a strace log: number, process, directories and pending call of each.
 *
 * Not every line gives the number of its thread. On standard error, strace -f prints numbers only
 * while it traces several threads. So a line without a number belongs to the only remaining thread.
 * The number of the first thread may never be printed. */
#ifndef TRACETOOL_STRACE_THREADS_H
#define TRACETOOL_STRACE_THREADS_H

#include "base/hash.h"
#include "base/text.h"
#include "import/importer.h"
#include "strace_syscall.h"

/* Maximum threads alive at a time, and maximum threads known only from the result of a fork. */
#define STRACE_THREADS   (1 << 14)
#define STRACE_ANNOUNCED 1024

/* Maximum bytes of a path in Linux. */
#define STRACE_PATH 4096

/* Maximum bytes of text of all pending calls. Beyond it, each call stores at most
 * STRACE_WAITING_EACH bytes. */
#define STRACE_WAITING      ((size_t)16 * 1024 * 1024)
#define STRACE_WAITING_EACH 1024

/* Maximum threads that have called exit, but have no line for their end, which -qq omits. */
#define STRACE_EXITING 64

/* Number of a thread until a line gives it. Numbers of Linux are above 0. */
#define STRACE_NAMELESS 0

enum strace_life {
    STRACE_LIFE_BEGUN, /* known from the result of a fork, without lines yet */
    STRACE_LIFE_LIVING,
    STRACE_LIFE_EXITING, /* has called exit; the only line that may follow is its end */
    STRACE_LIVES,
};

/* Working and root directory of one or more threads. */
struct strace_cwd {
    unsigned users;
    struct text path; /* working directory; empty: unknown */
    struct text root; /* root directory set by chroot; empty: none */
    int64_t removals; /* number of removals of the directory when `path` was set */
    bool lost;        /* true: `path` is unknown, as the directory changed during the log */
};

/* The pending call of a thread: it has begun, but not ended. */
struct strace_waiting {
    bool is;
    struct text name, text; /* name of the call; its arguments as printed */
    const struct strace_call *call;
    int64_t time;
    uint32_t object, flags;
    bool looked; /* true: `object` is set, so it is not looked up at the call's end */
};

struct strace_thread {
    UT_hash_handle hh;
    struct strace_thread *before, *after; /* neighbours in its list of strace_threads.lists */
    struct strace_thread *before_cloner, *after_cloner;
    enum strace_life life;
    int64_t number, process;
    int64_t latest;   /* latest time of a line of the thread */
    bool provisional; /* true: `number` comes from a call or a file name, not from a line */
    bool adopted;     /* true: the parent is found, and its state was inherited */
    bool guessed;     /* true: its parent was guessed, as no call has returned `number` yet */
    uint32_t actor;   /* id in table actor; 0: none yet */
    bool changed;     /* true: the row of table actor must be updated */
    bool heir;        /* true: has mappings of its parent, so is counted in strace_files.heirs */
    char command[64]; /* name of the program, perhaps truncated; "": unknown */
    struct strace_cwd *cwd;
    struct strace_waiting waiting;
};

struct strace_threads {
    struct strace_thread *all;  /* hash table by number; owned */
    struct strace_thread *last; /* thread of the last line; NULL: none */
    /* by enum strace_life: list of threads, the last one added first */
    struct strace_thread *lists[STRACE_LIVES];
    size_t counts[STRACE_LIVES];
    struct strace_thread *cloners; /* list of threads that are in a call of fork */
    bool alike;     /* true: all in `cloners` make equal calls, so any may be a child's parent */
    size_t waiting; /* bytes of text of all pending calls */
    int64_t unseen; /* number of threads that a fork returned, but whose calls are not in the log */
};

void strace_threads_free(struct strace_threads *threads);

/* Returns the thread with a given number; NULL if there is none. */
struct strace_thread *strace_threads_find(struct strace_threads *threads, int64_t number);

/* Sets the working directory of a thread and of all threads that share it; empty: unknown. */
void strace_threads_set_cwd(struct strace_thread *thread, struct word path);

/* strace_threads_copy_cwd() copies working and root directory to another thread.
 * strace_threads_unshare_cwd() gives a thread copies of its own, if it shares them. */
void strace_threads_copy_cwd(struct strace_thread *to, const struct strace_cwd *from);
void strace_threads_unshare_cwd(struct strace_thread *thread);

#endif
