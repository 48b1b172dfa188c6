/* System calls of strace logs: the table of calls that concern files, descriptors or processes, and
 * parsing of arguments. Words are borrowed from the line. */
#ifndef TRACETOOL_STRACE_SYSCALL_H
#define TRACETOOL_STRACE_SYSCALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/word.h"

/* Effect of a successful system call. `more` is the argument at index strace_call.more. */
enum strace_effect {
    EFFECT_NONE, /* the call concerns a file, but has no lasting effect */
    EFFECT_OPEN, /* opens: the result is a descriptor of the path, with flags in `more` */
    EFFECT_NEW,  /* opens an object without a path: the result is its descriptor */
    EFFECT_PAIR, /* opens two objects without a path: their descriptors are in `more` */
    EFFECT_CLOSE,
    EFFECT_CLOSE_RANGE,
    EFFECT_DUP,    /* the result is a copy of the descriptor */
    EFFECT_DUP_TO, /* the result is a copy of the descriptor, with flags in `more` */
    EFFECT_FCNTL,  /* fcntl: the command is in `more`, its argument follows */
    EFFECT_IOCTL,  /* ioctl: the command is in `more`, its argument follows */
    /* Reads or writes at the file position, or at the offset `more` if given; returns bytes. */
    EFFECT_READ,
    EFFECT_WRITE,
    EFFECT_RECEIVE,   /* the result is the bytes received from a socket */
    EFFECT_SEND_FILE, /* copies to the first descriptor from that in the next argument, at the
                       * offset in the argument after that */
    EFFECT_COPY,      /* copies from one descriptor and offset to another */
    EFFECT_TEE,       /* copies from the first descriptor to the second, both of pipes */
    EFFECT_SEEK,      /* the result is the new file position */
    EFFECT_LONG_SEEK, /* the new file position is written to the argument `more` */
    EFFECT_MAP,       /* maps a file into memory */
    EFFECT_FORK,      /* forks: the result is a process or thread, with flags in `more` */
    EFFECT_EXEC,
    EFFECT_UNSHARE,
    EFFECT_CHDIR, /* changes the working directory of the process */
    EFFECT_GETCWD,
    EFFECT_CHROOT, /* changes the root directory: paths with / begin at its path */
    EFFECT_EXIT,
    EFFECT_OWN_NUMBER, /* the result is the caller's own thread number */
    EFFECT_UNSEEN,     /* transfers file data, but the log does not name the file */
    /* Renames the path to `more`; a descriptor of the new directory may precede `more`. */
    EFFECT_RENAME,
    EFFECT_LINK,    /* gives the path the additional name `more` */
    EFFECT_SYMLINK, /* makes a symbolic link, with target `more` */
    EFFECT_UNLINK,
    EFFECT_PROTECT, /* changes, syncs, moves or removes a mapping; flags or length in `more` */
    EFFECT_STAT,    /* the size of the descriptor's file is in `more` */
};

#define STRACE_NO_ARGUMENT (-1)

struct strace_call {
    struct word name;
    enum strace_effect effect;
    /* Indexes of arguments, or STRACE_NO_ARGUMENT: descriptor; path; descriptor of the directory
     * where the path starts; argument `more` of the effect. */
    signed char descriptor, path, directory, more;
    const char *makes; /* EFFECT_NEW, EFFECT_PAIR: type of the object that is opened */
};

#define STRACE_CALLS_MOST 256

/* Returns the entry of a call in the table, by name; NULL if the table lacks it. */
const struct strace_call *strace_call_find(struct word name);

/* Maximum arguments that are split; no call has more. */
#define STRACE_ARGUMENTS 8

/* Returns whether the byte may be in the name of a call, constant or field. */
static inline bool strace_is_name_byte(char byte) {
    return byte == '_' || word_is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

/* Splits the printed arguments of a call; returns their number, at most STRACE_ARGUMENTS. */
size_t strace_split(struct word text, struct word arguments[STRACE_ARGUMENTS]);

/* Splits the arguments at `text`, and returns a pointer to the closing parenthesis. NULL if there
 * is none, or brackets or strings do not match; `*count` arguments are split even then. */
const char *strace_find_close(struct word text, struct word arguments[STRACE_ARGUMENTS],
                              size_t *count);

/* Parses a signed number of up to 64 bits, decimal, hexadecimal or octal, at the start of a word.
 * `*rest` is the text after the number. False if there is none. */
bool strace_number(struct word word, int64_t *number, struct word *rest);

/* Parses a descriptor. Sets `*file` to its -y annotation as printed (length 0: none). AT_FDCWD
 * gives STRACE_CWD. False if the argument is no descriptor. */
#define STRACE_CWD (-100)
bool strace_descriptor(struct word argument, int64_t *descriptor, struct word *file);

/* Consumes an annotation of -y or -Y; `rest` begins with its first angle bracket. `*inside` is its
 * text without "(deleted)". False if it is no annotation or has no end. */
bool strace_annotation(struct word *rest, struct word *inside);

/* Result of a call: the text after "=". */
struct strace_result {
    bool known;           /* true: the result is a number, not "?" */
    int64_t value;        /* number that the call returned, if `known` */
    int64_t thread;       /* `value`, or its number in strace's PID namespace from a comment */
    struct word file;     /* -y: annotation of a new descriptor, as printed; length 0: none */
    struct word error;    /* name of the error as printed, such as ENOENT; length 0: none */
    int64_t error_number; /* number of the error if the log has no name; otherwise EVENT_NONE */
    bool injected;        /* true: strace injected the result (-e inject) */
};

struct strace_thread;

/* A system call. The arguments are set when the call begins, the result when it has returned. */
struct strace_syscall {
    struct strace_thread *thread;
    const struct strace_call *call; /* table entry; NULL: not on files or processes */
    struct word name;
    const struct word *arguments;
    size_t argument_count;
    const struct strace_result *result;
    uint32_t object;        /* 0: none */
    int64_t address, size;  /* offset and bytes that a call reads or writes; EVENT_NONE: none */
    uint32_t flags;         /* enum call_flag and generation (model/event.h) */
    uint32_t source;        /* id of: file read by a copy, new name, target of an msync; 0: none */
    int64_t source_address; /* offset in `source`; EVENT_NONE: none */
};

/* Returns the argument at index `place`, without the name printed by -N; empty if there is none.
 */
struct word strace_argument(const struct strace_syscall *syscall, int place);

/* Returns whether printed flags include a flag: by name, or by its bit if they are a number (-X
 * raw). */
bool strace_has_flag(struct word flags, const char *name, int64_t bit);

#endif
