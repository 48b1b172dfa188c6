/* The open files behind the descriptors of processes: in logs of system calls most calls name only
 * the descriptor.
 *
 * As in the kernel, a process has a table of descriptors, which threads and clones may share; a
 * descriptor leads to an open file, which several descriptors may share after a dup or a fork, with
 * its position. Calls come in order of time, and only those that succeeded: an error changes
 * nothing, but for a close, which has let go of its descriptor all the same.
 *
 *     open, openat, creat, socket, pipe …   descriptors_open()
 *     dup, dup2, dup3, fcntl F_DUPFD        descriptors_duplicate()
 *     close, close_range                    descriptors_close(), descriptors_close_range()
 *     fcntl F_SETFD, ioctl FIOCLEX          descriptors_close_on_exec()
 *     fork, vfork, clone, clone3            descriptors_fork()
 *     execve                                descriptors_exec()
 *     unshare with CLONE_FILES              descriptors_unshare()
 *     exit of the last thread               descriptors_end()
 *     read, write, lseek …                  descriptors_find(), and change the position there
 *
 * What the log cannot know is not guessed: a descriptor that was open before the log began is not
 * there until descriptors_open() is called for it.
 *
 * Memory is bounded by the limits below; what is beyond them is not followed, and counted.
 */
#ifndef TRACETOOL_DESCRIPTORS_H
#define TRACETOOL_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Descriptors of a process are below this: Linux allows no more (fs.nr_open). */
#define DESCRIPTORS_LIMIT (1 << 20)

/* Room for descriptors in all nodes of all tables together, a node of 32 counted once however many
 * tables share it, and processes. */
#define DESCRIPTORS_ROOM      (1 << 22)
#define DESCRIPTORS_PROCESSES (1 << 16)

/* A file, as long as it is open. What is in it is the caller's. */
struct open_file {
    uint32_t object;  /* of the trace; 0: none */
    int64_t position; /* bytes from its begin; EVENT_NONE: not known */
    bool append;      /* writes go to its end (O_APPEND) */
    bool annotated;   /* no call has opened it: known by the name beside its descriptor */
    uint32_t flags;   /* of the calls on it: enum call_flag and generation (model/event.h) */
};

struct descriptors;

/* The caller frees it. */
struct descriptors *descriptors_new(void);
void descriptors_free(struct descriptors *descriptors); /* may be NULL */

/* Forgets all processes. */
void descriptors_clear(struct descriptors *descriptors);

/* A descriptor leads to a new open file; it may have led to another one. Here and below, one that
 * is negative or beyond the limit changes nothing. */
void descriptors_open(struct descriptors *descriptors, int64_t process, int64_t descriptor,
                      struct open_file file, bool close_on_exec);

/* The open file behind a descriptor, to look at and to change; valid until the next call that opens
 * or forks. NULL: none is known. */
struct open_file *descriptors_find(struct descriptors *descriptors, int64_t process,
                                   int64_t descriptor);

/* `to` leads where `from` leads; nowhere when that is not known. Nothing happens when they are the
 * same. */
void descriptors_duplicate(struct descriptors *descriptors, int64_t process, int64_t from,
                           int64_t to, bool close_on_exec);

/* What it leads to is forgotten, unless others lead there. */
void descriptors_close(struct descriptors *descriptors, int64_t process, int64_t descriptor);

/* Closes those from `first` to `last`, both included, or (CLOSE_RANGE_CLOEXEC) only marks them. */
void descriptors_close_range(struct descriptors *descriptors, int64_t process, int64_t first,
                             int64_t last, bool only_mark);

/* Sets or clears the mark of a descriptor. */
void descriptors_close_on_exec(struct descriptors *descriptors, int64_t process, int64_t descriptor,
                               bool close_on_exec);

/* A new process has the table of its parent (CLONE_FILES), or a copy of it. */
void descriptors_fork(struct descriptors *descriptors, int64_t parent, int64_t child, bool shares);

/* A process gets a copy of the table that it shares with others. */
void descriptors_unshare(struct descriptors *descriptors, int64_t process);

/* A process runs another program: it shares its table no longer and closes what is marked. */
void descriptors_exec(struct descriptors *descriptors, int64_t process);

/* A process has ended: its number may come again. */
void descriptors_end(struct descriptors *descriptors, int64_t process);

#endif
