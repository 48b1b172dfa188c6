/* The file of each call of a strace log, by descriptor (descriptors.h), by path or by what -y
 * prints, with the offset and size of each transfer. */
#ifndef TRACETOOL_STRACE_FILES_H
#define TRACETOOL_STRACE_FILES_H

#include "descriptors.h"
#include "import/lookup_cache.h"
#include "model/file_type.h"
#include "strace_directories.h"
#include "strace_syscall.h"
#include "strace_threads.h"

/* Paths that were taken away, and mappings of files that programs share: so many are remembered. */
#define STRACE_CHANGES  (1 << 18)
#define STRACE_MAPPINGS (1 << 16)

/* A path that was taken away. */
struct path_change {
    uint64_t path; /* its hash */
    uint32_t times;
    UT_hash_handle hh;
};

struct mapping_key {
    int64_t process, address;
};

/* A file in memory, shared with whoever else maps or reads it. */
struct mapping {
    struct mapping_key key;
    int64_t length;
    uint32_t object, flags;
    UT_hash_handle hh;
};

struct strace_files {
    struct descriptors *descriptors; /* owned; by thread */
    struct file_types types;
    struct strace_directories directories;
    struct lookup_cache
        objects; /* by what -y prints, and how many times directories were forgotten */
    struct path_change *changes; /* owned hash table: paths that were taken away */
    struct mapping *mappings; /* owned hash table by process and address; those that are shared */
    struct text path, inside; /* kept for their memory */
    bool shifts;              /* offsets stand 32 bits too high */
    /* For remarks. */
    int64_t on_descriptors, without_file, shifted, mapped, unseen, reads, opens, seeks;
    int64_t beyond;   /* sizes and offsets that are too large to be believed */
    bool has_offsets; /* other than 0 */
    bool shift_ended; /* offsets were shifted until one said that they need not be */
};

/* Prepares the zeroed state; strace_files_end() frees it in any case. */
void strace_files_begin(struct import *import, struct strace_files *files);
void strace_files_end(struct strace_files *files);

/* What the call is about, which is to be known when it begins: a close has let go of its descriptor
 * before its end is printed. */
void strace_files_look(struct import *import, struct strace_files *files,
                       struct strace_syscall *syscall);

/* What it has done, by its result: sets what is new of the object, and place and bytes. */
void strace_files_do(struct import *import, struct strace_files *files,
                     struct strace_syscall *syscall);

/* The bytes that a call has transferred, by its name and result alone; EVENT_NONE: none, or it is
 * no transfer. */
int64_t strace_files_transferred(struct strace_files *files, const struct strace_syscall *syscall);

/* The call has no end in the log: where it may have moved the position of its descriptors, that is
 * not known any more. Sets the second path, if it has one. */
void strace_files_lose(struct import *import, struct strace_files *files,
                       struct strace_syscall *syscall);

/* A thread goes on under another number. */
void strace_files_move(struct strace_files *files, int64_t from, int64_t to);

#endif
