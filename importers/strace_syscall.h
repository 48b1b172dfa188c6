/* System calls of strace logs: the table of calls that concern files, descriptors or processes, and
 * parsing of arguments. Words are borrowed from the line. */
#ifndef TRACETOOL_STRACE_SYSCALL_H
#define TRACETOOL_STRACE_SYSCALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/word.h"

/* Effect of a successful call. */
enum strace_effect {
    EFFECT_NONE, /* the call concerns a file, but has no lasting effect */
    EFFECT_OPEN, /* the result is a descriptor of the path, flags in `more` */
    EFFECT_NEW,  /* the result is a descriptor of something without a path */
    EFFECT_PAIR, /* the argument `more` gets two descriptors of something without a path */
    EFFECT_CLOSE,
    EFFECT_CLOSE_RANGE,
    EFFECT_DUP,    /* the result is a second descriptor */
    EFFECT_DUP_TO, /* the result is a second descriptor, flags in `more` */
    EFFECT_FCNTL,  /* the command is in `more`, its argument after that */
    EFFECT_IOCTL,  /* the command is in `more`, its argument after that */
    /* Reads or writes at the position, result bytes; or at the offset `more`, if any. */
    EFFECT_READ,
    EFFECT_WRITE,
    EFFECT_RECEIVE,   /* the result is bytes of a socket */
    EFFECT_SEND_FILE, /* copies to the first descriptor from the next argument's descriptor, at the
                         offset in the argument after that */
    EFFECT_COPY,      /* copies from a descriptor with an offset to another with an offset */
    EFFECT_TEE,       /* copies from the first to the second descriptor, both of pipes */
    EFFECT_SEEK,      /* the result is the position */
    EFFECT_LONG_SEEK, /* the argument `more` gets the position */
    EFFECT_MAP,       /* maps a file into memory */
    EFFECT_FORK,      /* the result is a process or thread, flags in `more` */
    EFFECT_EXEC,
    EFFECT_UNSHARE,
    EFFECT_CHDIR, /* changes the working directory of the process */
    EFFECT_GETCWD,
    EFFECT_CHROOT, /* paths that begin with / begin at its path */
    EFFECT_EXIT,
    EFFECT_OWN_NUMBER, /* the result is the caller's own thread number */
    EFFECT_UNSEEN,     /* transfers file data, but the log does not name the file */
    /* The path gets the name `more`; a descriptor of its directory may precede that. */
    EFFECT_RENAME,
    EFFECT_LINK,    /* the path also gets the name `more` */
    EFFECT_SYMLINK, /* `more` is the target of the new link */
    EFFECT_UNLINK,
    EFFECT_PROTECT, /* changes, syncs, moves or removes a mapping; flags or length in `more` */
    EFFECT_STAT,    /* `more` holds the length of the descriptor's file */
};

#define STRACE_NO_ARGUMENT (-1)

struct strace_call {
    struct word name;
    enum strace_effect effect;
    /* Indexes of arguments, or STRACE_NO_ARGUMENT: the descriptor; a path, and the descriptor of
     * its start directory; the argument for the effect. */
    signed char descriptor, path, directory, more;
    const char *makes; /* EFFECT_NEW, EFFECT_PAIR: type of the new object */
};

#define STRACE_CALLS_MOST 256

/* Returns the call with that name; NULL if it is not listed. */
const struct strace_call *strace_call_find(struct word name);

/* Most arguments that are split; no call has more. */
#define STRACE_ARGUMENTS 8

/* Returns whether the byte may be in the name of a call, constant or field. */
static inline bool strace_is_name_byte(char byte) {
    return byte == '_' || word_is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

/* Splits printed arguments; returns their number, at most STRACE_ARGUMENTS. */
size_t strace_split(struct word text, struct word arguments[STRACE_ARGUMENTS]);

/* Splits the arguments at `text` and returns the closing parenthesis. NULL if there is none, or
 * brackets or strings do not match; `*count` arguments are split even then. */
const char *strace_close(struct word text, struct word arguments[STRACE_ARGUMENTS], size_t *count);

/* Parses a signed decimal, hexadecimal or octal number of up to 64 bits at the start of a word.
 * `*rest` is the text after it. False if there is none. */
bool strace_number(struct word word, int64_t *number, struct word *rest);

/* Parses a descriptor, and its -y annotation into `*file`, as printed (length 0: none). AT_FDCWD
 * gives STRACE_CWD. False if the argument is not a descriptor. */
#define STRACE_CWD (-100)
bool strace_descriptor(struct word argument, int64_t *descriptor, struct word *file);

/* Consumes an annotation of -y or -Y; `rest` begins with its first angle bracket. `*inside` is its
 * text without "(deleted)". False if it is not one or has no end. */
bool strace_annotation(struct word *rest, struct word *inside);

/* Result of a call, after "=". */
struct strace_result {
    bool known;           /* true: the result is a number, not "?" */
    int64_t value;        /* number that the call returned, if `known` */
    int64_t thread;       /* number in strace's own PID namespace, from a comment; else `value` */
    struct word file;     /* -y: annotation of the new descriptor, as printed; length 0: none */
    struct word error;    /* as printed, like ENOENT; length 0: none */
    int64_t error_number; /* if the log has only the number; else EVENT_NONE */
    bool injected;        /* true: strace injected the result (-e inject) */
};

struct strace_thread;

/* A system call. The arguments are set when the call begins, the result when it has returned. */
struct strace_syscall {
    struct strace_thread *thread;
    const struct strace_call *call; /* NULL: a call not related to files or processes */
    struct word name;
    const struct word *arguments;
    size_t argument_count;
    const struct strace_result *result;
    uint32_t object;        /* 0: none */
    int64_t address, size;  /* offset and bytes of a transfer; EVENT_NONE: none */
    uint32_t flags;         /* enum call_flag and generation (model/event.h) */
    uint32_t source;        /* file read by a copy, new name, or target of an msync; 0: none */
    int64_t source_address; /* offset in `source`; EVENT_NONE: none */
};

/* Returns the argument at index `place`, without the name that -N prints; empty if there is none.
 */
struct word strace_argument(const struct strace_syscall *syscall, int place);

/* Returns whether printed flags contain a flag: by its name, or its bit if they are a number (-X
 * raw). */
bool strace_has_flag(struct word flags, const char *name, int64_t bit);

#endif
