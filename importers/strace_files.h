/* Finds the file of each call in a strace log, by descriptor (descriptors.h), by path or by the
 * annotation of -y. Also finds the offset and size of each transfer. */
#ifndef TRACETOOL_STRACE_FILES_H
#define TRACETOOL_STRACE_FILES_H

#include <stdint.h>

#include "descriptors.h"
#include "import/lookup_cache.h"
#include "model/file_type.h"
#include "strace_syscall.h"
#include "strace_threads.h"
#include "input/word.h"

/* Most names of directories that are kept. */
#define STRACE_DIRECTORIES (1 << 14)

struct strace_directory;

/* Initialise with zeros. */
struct strace_directories {
    struct strace_directory *all; /* hash table by object; owned */
    int64_t forgotten;            /* number of times that names were dropped */
};

/* Returns the name of an object used as the start of a path; length 0 if unknown. Borrowed until
 * the next call. */
struct word strace_directories_find(struct strace_directories *directories, uint32_t object);

/* Stores the name of an object that may start paths. At the limit, drops the names that may be
 * plain files, or all names if that frees less than half. */
void strace_directories_store(struct strace_directories *directories, uint32_t object,
                              struct word name);

void strace_directories_free(struct strace_directories *directories);

/* Most removed paths, and most shared mappings of files, that are kept. */
#define STRACE_CHANGES  (1 << 18)
#define STRACE_MAPPINGS (1 << 16)

/* A removed path. */
struct path_change {
    uint64_t path; /* hash of the path */
    uint32_t times;
    UT_hash_handle hh;
};

struct mapping_key {
    int64_t process, address;
};

/* A mapped file, shared with others that map or read it. */
struct mapping {
    struct mapping_key key;
    int64_t length;
    uint32_t object, flags;
    UT_hash_handle hh;
};

struct strace_files {
    struct import *import;
    struct descriptors *descriptors; /* descriptors of each thread; owned */
    struct file_types types;
    struct strace_directories directories;
    /* Objects by the text of -y, and by the number of times that directories were dropped. */
    struct lookup_cache objects;
    struct path_change *changes; /* removed paths: hash table; owned */
    struct mapping *mappings;    /* shared mappings: hash table by process and address; owned */
    struct text path, inside, normal; /* buffers, kept for reuse */
    bool unplaced;                    /* `path` is relative to an unknown directory */
    bool shifts;                      /* offsets are printed 32 bits too high */
    int64_t heirs; /* processes with a copy of their parent's mappings, from fork to exec or end */
    /* Counts for notes. */
    int64_t on_descriptors, without_file, shifted, mapped, unseen, reads, opens, seeks;
    int64_t beyond;   /* sizes and offsets that are implausibly large */
    bool has_offsets; /* an offset other than 0 was seen */
    bool shift_ended; /* offsets were shifted, until one showed that they need not be */
};

/* Prepares the zeroed state; call strace_files_end() in any case. */
void strace_files_begin(struct import *import, struct strace_files *files);
void strace_files_end(struct strace_files *files);

/* Finds the object of a call, when the call begins. Later would be too late: a close releases its
 * descriptor before its end is printed. */
void strace_files_find(struct strace_files *files, struct strace_syscall *syscall);

/* Returns whether a call that can take a path is on its descriptor's file instead. If the log
 * prints paths as pointers, the flag AT_EMPTY_PATH is taken to mean that the path is empty. */
bool strace_files_are_of_descriptor(const struct strace_syscall *syscall);

/* Sets the second path: the new name of a file, or the target of a symbolic link, relative to the
 * link's directory. Its object has no type, which distinguishes it from files used by calls. It
 * begins with "./" if the start directory is unknown. */
void strace_files_find_second(struct strace_files *files, struct strace_syscall *syscall);

/* Applies the result of a call: updates its object, and sets offset and bytes. */
void strace_files_do(struct strace_files *files, struct strace_syscall *syscall);

/* Returns the bytes that a call transferred, by its name and result only; EVENT_NONE if it
 * transferred none. */
int64_t strace_files_transferred(struct strace_files *files, const struct strace_syscall *syscall);

/* Follows a call without an end in the log. Marks the positions of its descriptors as unknown if it
 * may have moved them. Sets the second path, if any. */
void strace_files_lose(struct strace_files *files, struct strace_syscall *syscall);

/* Gives a child a copy of its parent's mappings, and ends it when the child execs or ends. */
void strace_files_inherit(struct strace_files *files, struct strace_thread *child);
void strace_files_disinherit(struct strace_files *files, struct strace_thread *child);

/* Follows a thread that changes its number. */
void strace_files_move(struct strace_files *files, int64_t from, int64_t to);

#endif
