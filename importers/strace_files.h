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

/* Maximum number of directories whose names are stored. */
#define STRACE_DIRECTORIES (1 << 14)

struct strace_directory;

/* Names of directories, by id in table object. Initialise with zeros. */
struct strace_directories {
    struct strace_directory *all; /* hash table by id in table object; owned */
    int64_t forgotten;            /* how often names were dropped for lack of space */
};

/* Returns the name of a file (id in table object) from which relative paths may start; length 0:
 * unknown. The name is borrowed until the next call. */
struct word strace_directories_find(struct strace_directories *directories, uint32_t object);

/* Stores the name of a file (id in table object) that may be a directory. At the limit, drops the
 * names that may be plain files, or all names if that frees less than half. */
void strace_directories_store(struct strace_directories *directories, uint32_t object,
                              struct word name);

void strace_directories_free(struct strace_directories *directories);

/* Maximum removed paths that are stored, and maximum shared mappings of files. */
#define STRACE_CHANGES  (1 << 18)
#define STRACE_MAPPINGS (1 << 16)

/* How often a path was removed, or renamed to or from. */
struct path_change {
    uint64_t path; /* hash of the path's components */
    uint32_t times;
    UT_hash_handle hh;
};

struct mapping_key {
    int64_t process, address;
};

/* A shared mapping of a file (MAP_SHARED) into the memory of a process. */
struct mapping {
    struct mapping_key key;
    int64_t length;
    uint32_t object, flags;
    UT_hash_handle hh;
};

struct strace_files {
    struct import *import;
    struct descriptors *descriptors; /* open files by thread and descriptor; owned */
    struct file_types types;
    struct strace_directories directories;
    /* Cache of objects. Key: annotation printed by -y, with the value of directories.forgotten. */
    struct lookup_cache objects;
    struct path_change *changes; /* removed paths: hash table by hash; owned */
    struct mapping *mappings;    /* shared mappings: hash table by process and address; owned */
    struct text path, inside, normal; /* reused buffers */
    bool unplaced;                    /* true: `path` may start in an unknown directory */
    bool shifts;                      /* true: strace printed offsets shifted left by 32 bits */
    int64_t heirs; /* number of processes with mappings of their parent: from fork to exec or end */
    /* Numbers for remarks on the log, which reports print. */
    int64_t on_descriptors, without_file, shifted, mapped, unseen, reads, opens, seeks;
    int64_t beyond;   /* number of sizes and offsets that are implausibly large */
    bool has_offsets; /* true: the log has an offset other than 0 */
    bool shift_ended; /* true: offsets were corrected until one proved the correction wrong */
};

/* Prepares a zeroed state. strace_files_end() must be called after it, even after a failure. */
void strace_files_begin(struct import *import, struct strace_files *files);
void strace_files_end(struct strace_files *files);

/* Sets the file (`object`) of a call when the call begins. When the call ends it would be too late:
 * a close has then released the descriptor. */
void strace_files_find(struct strace_files *files, struct strace_syscall *syscall);

/* Returns whether a call with a path acts on its descriptor's file instead, since the path is empty
 * or NULL. If paths are printed as pointers, AT_EMPTY_PATH is taken for an empty path. */
bool strace_files_are_of_descriptor(const struct strace_syscall *syscall);

/* Sets `syscall->source` to the object of a call's second path: the new name of a file, or the
 * target of a symbolic link, relative to the link's directory. The path begins with "./" if its
 * directory is unknown. The object has no type. */
void strace_files_find_second(struct strace_files *files, struct strace_syscall *syscall);

/* Applies the effect of a call that has returned; updates `object`, and sets offset and bytes. */
void strace_files_apply_call(struct strace_files *files, struct strace_syscall *syscall);

/* Returns how many bytes a call has transferred, judging only by its name and result; EVENT_NONE if
 * it has failed or is no transfer. */
int64_t strace_files_count_bytes(struct strace_files *files, const struct strace_syscall *syscall);

/* Applies the effect of a call whose end is not in the log: file positions that it may have moved
 * become unknown. Sets `syscall->source` to its second path, if it has one. */
void strace_files_apply_unfinished_call(struct strace_files *files, struct strace_syscall *syscall);

/* Count a child in `heirs`: it has a copy of its parent's mappings, until its exec or end. */
void strace_files_inherit(struct strace_files *files, struct strace_thread *child);
void strace_files_disinherit(struct strace_files *files, struct strace_thread *child);

/* Changes the number of a thread from `from` to `to`. */
void strace_files_renumber_thread(struct strace_files *files, int64_t from, int64_t to);

#endif
