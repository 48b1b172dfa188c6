/* Tracks the open files behind the descriptors of processes. In logs of system calls, most calls
 * name only the descriptor.
 *
 * As in the kernel, a process has a table of descriptors, which threads and clones may share. A
 * descriptor refers to an open file with its position, which several descriptors may share after a
 * dup or a fork. Calls must be passed in order of time, and only successful ones, since a failed
 * call changes nothing. The exception is a failed close: it, too, has released its descriptor.
 *
 *     open, openat, creat, socket, pipe …   descriptors_open()
 *     dup, dup2, dup3, fcntl F_DUPFD        descriptors_duplicate()
 *     close, close_range                    descriptors_close(), descriptors_close_range()
 *     fcntl F_SETFD, ioctl FIOCLEX          descriptors_close_on_exec()
 *     fork, vfork, clone, clone3            descriptors_fork()
 *     execve                                descriptors_exec()
 *     unshare with CLONE_FILES              descriptors_unshare()
 *     exit of the last thread               descriptors_end()
 *     read, write, lseek …                  descriptors_find(), then set its position
 *
 * Nothing is guessed: a descriptor that was open before the log began is unknown until
 * descriptors_open() is called for it.
 *
 * The limits below bound the memory; descriptors and processes beyond them are not tracked. */
#ifndef TRACETOOL_DESCRIPTORS_H
#define TRACETOOL_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Upper bound of descriptors: Linux's maximum (fs.nr_open). */
#define DESCRIPTORS_LIMIT (1 << 20)

/* Maximum number of descriptor slots in all tables, and maximum number of processes. Slots come in
 * nodes of 32; a node that tables share counts once. */
#define DESCRIPTORS_ROOM      (1 << 22)
#define DESCRIPTORS_PROCESSES (1 << 16)

/* An open file, as in the kernel. The caller sets the members. */
struct open_file {
    uint32_t object;  /* id of the file's object in the trace; 0: none */
    int64_t position; /* file position in bytes; EVENT_NONE: unknown */
    bool append;      /* true: writes go to the end of the file (O_APPEND) */
    /* True: no call in the log opened the file; its name was printed next to a descriptor. */
    bool annotated;
    uint32_t flags; /* flags of calls on the file: enum call_flag and generation (model/event.h) */
};

struct descriptors;

/* Returns a tracker of descriptors that knows no process. The caller frees it. */
struct descriptors *descriptors_new(void);
void descriptors_free(struct descriptors *descriptors); /* may be NULL */

/* Forgets all processes. */
void descriptors_drop_all(struct descriptors *descriptors);

/* Makes a descriptor refer to a new open file, whatever it referred to before. In this and the
 * following functions a negative descriptor, or one beyond the limit, changes nothing. */
void descriptors_open(struct descriptors *descriptors, int64_t process, int64_t descriptor,
                      struct open_file file, bool close_on_exec);

/* Returns the open file behind a descriptor, which may be changed; NULL if unknown. Valid until the
 * next call that opens or forks. */
struct open_file *descriptors_find(struct descriptors *descriptors, int64_t process,
                                   int64_t descriptor);

/* Makes `to` refer to the open file of `from`. If that is unknown, `to` gets an open file without
 * an object, which descriptors_adopt() does not replace by the parent's. If `from` equals `to`,
 * does nothing. */
void descriptors_duplicate(struct descriptors *descriptors, int64_t process, int64_t from,
                           int64_t to, bool close_on_exec);

/* Closes a descriptor. Frees its open file if no other descriptor refers to it. */
void descriptors_close(struct descriptors *descriptors, int64_t process, int64_t descriptor);

/* Closes the descriptors from `first` to `last`, inclusive, or only marks them close-on-exec
 * (CLOSE_RANGE_CLOEXEC). */
void descriptors_close_range(struct descriptors *descriptors, int64_t process, int64_t first,
                             int64_t last, bool only_mark);

/* Sets or clears a descriptor's close-on-exec flag. */
void descriptors_close_on_exec(struct descriptors *descriptors, int64_t process, int64_t descriptor,
                               bool close_on_exec);

/* Gives a new process the table of its parent (`shares`: CLONE_FILES), or a copy of it. */
void descriptors_fork(struct descriptors *descriptors, int64_t parent, int64_t child, bool shares);

/* Gives a child that has already opened files the table of its parent (`shares`: CLONE_FILES), or a
 * copy of it. The files that the child opened are added to that table; if it is shared, the parent
 * gets them, too. */
void descriptors_adopt(struct descriptors *descriptors, int64_t parent, int64_t child, bool shares);

/* Gives a process its own copy of a shared table. */
void descriptors_unshare(struct descriptors *descriptors, int64_t process);

/* Handles an execve: the process gets its own table; close-on-exec descriptors are closed. */
void descriptors_exec(struct descriptors *descriptors, int64_t process);

/* Removes a process that has ended; its number may be used again. */
void descriptors_end(struct descriptors *descriptors, int64_t process);

#endif
