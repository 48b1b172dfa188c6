/* System calls of strace logs: the table of those that concern files, descriptors or processes, and
 * their arguments as strace prints them. Words are borrowed from the line.
 */
#ifndef TRACETOOL_STRACE_SYSCALL_H
#define TRACETOOL_STRACE_SYSCALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/word.h"

/* What a call does when it succeeds. */
enum strace_effect {
    EFFECT_NONE, /* nothing that lasts; it is about a file */
    EFFECT_OPEN, /* the result is a descriptor of the path, flags in `more` */
    EFFECT_NEW,  /* the result is a descriptor of something that has no path */
    EFFECT_PAIR, /* two of them, in the argument `more` */
    EFFECT_CLOSE,
    EFFECT_CLOSE_RANGE,
    EFFECT_DUP,    /* the result is a second descriptor */
    EFFECT_DUP_TO, /* the same, flags in `more` */
    EFFECT_FCNTL,  /* the command is in `more`, what it is given behind it */
    EFFECT_IOCTL,  /* likewise */
    EFFECT_READ,   /* at the position, by the result; where there is one at the offset `more` */
    EFFECT_WRITE,
    EFFECT_RECEIVE,   /* the result is bytes of a socket */
    EFFECT_SEND_FILE, /* from the descriptor behind the first, offset behind that */
    EFFECT_COPY,      /* from the first with an offset to another with an offset */
    EFFECT_TEE,       /* from the first to the second, which are pipes */
    EFFECT_SEEK,      /* the result is the position */
    EFFECT_LONG_SEEK, /* the argument `more` is */
    EFFECT_MAP,       /* a file into memory */
    EFFECT_FORK,      /* the result is a process or thread, flags in `more` */
    EFFECT_EXEC,
    EFFECT_UNSHARE,
    EFFECT_CHDIR, /* of the process, from then on */
    EFFECT_GETCWD,
    EFFECT_EXIT,
    EFFECT_OWN_NUMBER, /* the result is the thread's own number */
    EFFECT_UNSEEN,     /* moves bytes of files that the log does not show */
    EFFECT_RENAME,     /* the path gets the name in `more`, behind a directory of its own if any */
    EFFECT_LINK,       /* it gets that name, too */
    EFFECT_SYMLINK,    /* what the new link says is in `more` */
    EFFECT_UNLINK,
    EFFECT_PROTECT, /* changes, writes or ends a mapping: `more` has flags */
    EFFECT_STAT,    /* says how long the file of a descriptor is, in `more` */
};

#define STRACE_NO_ARGUMENT (-1)

struct strace_call {
    struct word name;
    enum strace_effect effect;
    /* Places of arguments, STRACE_NO_ARGUMENT for none: the descriptor that it is about; a path,
     * and the descriptor of the directory that it begins in; what its effect says. */
    signed char descriptor, path, directory, more;
    const char *makes; /* EFFECT_NEW, EFFECT_PAIR: what the descriptor leads to */
};

#define STRACE_CALLS_MOST 256

/* The call of that name, NULL: not listed. */
const struct strace_call *strace_call_find(struct word name);

/* Its place in the list, below STRACE_CALLS_MOST. */
size_t strace_call_place(const struct strace_call *call);

/* Arguments that are split; no call has more. */
#define STRACE_ARGUMENTS 8

/* Of the name of a call, a constant or a field. */
static inline bool strace_is_name_byte(char byte) {
    return byte == '_' || word_is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

/* Splits arguments as they are printed; returns how many there are, up to STRACE_ARGUMENTS. */
size_t strace_split(struct word text, struct word arguments[STRACE_ARGUMENTS]);

/* Splits those that begin there, up to the bracket that closes them, which is returned; NULL: there
 * is none, or brackets and strings do not fit. `*count` of them are split in either case. */
const char *strace_close(struct word text, struct word arguments[STRACE_ARGUMENTS], size_t *count);

/* A number in decimal, hexadecimal or octal digits at the begin of a word, negative or not, of up
 * to 64 bits; `*rest` is what stands behind. False: there is none. */
bool strace_number(struct word word, int64_t *number, struct word *rest);

/* A descriptor, with what -y says that it leads to (`*file`, as printed; of length 0: nothing).
 * AT_FDCWD is STRACE_CWD. False: the argument is none. */
#define STRACE_CWD (-100)
bool strace_descriptor(struct word argument, int64_t *descriptor, struct word *file);

/* Cuts off an annotation of -y or -Y in angle brackets, of which `rest` begins with the first;
 * `*inside` is what it says, without "(deleted)". False: it is none, or does not end. */
bool strace_annotation(struct word *rest, struct word *inside);

/* What follows "=". */
struct strace_result {
    bool known;           /* there is a number: not "?" */
    int64_t value;        /* where known */
    int64_t thread;       /* where a comment has it in strace's own PID namespace; else the value */
    struct word file;     /* -y: what the new descriptor leads to, as printed; of length 0: none */
    struct word error;    /* ENOENT, as printed; of length 0: none */
    int64_t error_number; /* where the log has the number alone; else EVENT_NONE */
};

struct strace_thread;

/* A system call. The arguments are set when the call begins, the result when it has returned. */
struct strace_syscall {
    struct strace_thread *thread;
    const struct strace_call *call; /* NULL: a call without files or processes */
    struct word name;
    const struct word *arguments;
    size_t argument_count;
    const struct strace_result *result;
    uint32_t object;        /* 0: none */
    int64_t address, size;  /* of a transfer; EVENT_NONE: none */
    uint32_t flags;         /* enum call_flag and generation (model/event.h) */
    uint32_t source;        /* what a copy reads, a new name, what an msync is of; 0: none */
    int64_t source_address; /* where; EVENT_NONE: none */
};

/* The argument at index `place`, without the name that -N prints; empty where there is none. */
struct word strace_argument(const struct strace_syscall *syscall, int place);

/* Whether the word contains the text. */
bool strace_has(struct word word, const char *text);

/* Whether the flags contain this one, by name or by number (-X raw). */
bool strace_has_flag(struct word flags, const char *name, int64_t bit);

/* Whether the argument is this command, by name or by number. */
bool strace_is_command(struct word argument, const char *name, int64_t number);

/* Whether the flags of a clone contain this one, by name or by number. */
bool strace_shares(const struct strace_syscall *syscall, const char *flag, int64_t bit);

/* Whether the call succeeded: its result is a number of at least 0. */
bool strace_is_good(const struct strace_syscall *syscall);

#endif
