/* System calls of strace logs: the table of calls on files, descriptors or processes, and parsing
 * of arguments. Words point into the line. */
#ifndef TRACETOOL_STRACE_SYSCALL_H
#define TRACETOOL_STRACE_SYSCALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/word.h"

/* Effect of a successful system call on files, descriptors or processes. `more` is the argument
 * with the index strace_call.more. */
enum strace_effect {
    EFFECT_NONE, /* none that later calls depend on */
    EFFECT_OPEN, /* the result is a descriptor for the path; argument `more`: flags */
    EFFECT_NEW,  /* the result is a descriptor of a new object without a path */
    EFFECT_PAIR, /* argument `more`: the descriptors of two new objects without a path */
    EFFECT_CLOSE,
    EFFECT_CLOSE_RANGE,
    EFFECT_DUP,    /* the result is a copy of the descriptor */
    EFFECT_DUP_TO, /* the result is a copy of the descriptor; argument `more` of dup3(): flags */
    EFFECT_FCNTL,  /* fcntl: argument `more` is the command, followed by its argument */
    EFFECT_IOCTL,  /* ioctl: argument `more` is the command, followed by its argument */
    /* Reads or writes at offset `more` if given, else at the file position. The result is bytes. */
    EFFECT_READ,
    EFFECT_WRITE,
    EFFECT_RECEIVE,   /* the result is the bytes received from a socket */
    EFFECT_SEND_FILE, /* arguments: target descriptor, source descriptor, source offset */
    EFFECT_COPY,      /* arguments: source descriptor and offset, target descriptor and offset */
    EFFECT_TEE,       /* arguments: source descriptor, target descriptor, both of pipes */
    EFFECT_SEEK,      /* the result is the new file position */
    EFFECT_LONG_SEEK, /* argument `more` points to the new file position */
    EFFECT_MAP,       /* maps a file into memory */
    EFFECT_FORK,      /* the result is the new process or thread; argument `more`: flags */
    EFFECT_EXEC,
    EFFECT_UNSHARE,
    EFFECT_CHDIR, /* changes the working directory */
    EFFECT_GETCWD,
    EFFECT_CHROOT, /* sets the root directory, where absolute paths start */
    EFFECT_EXIT,
    EFFECT_OWN_NUMBER, /* the result is the number of the calling thread */
    EFFECT_UNSEEN,     /* transfers data, but the log does not show of which file */
    /* Renames the path to argument `more`, which may follow the new directory's descriptor. */
    EFFECT_RENAME,
    EFFECT_LINK,    /* argument `more`: a further name for the path's file */
    EFFECT_SYMLINK, /* creates a symbolic link to the target in argument `more` */
    EFFECT_UNLINK,
    EFFECT_PROTECT, /* changes, syncs, moves, removes a mapping; argument `more`: flags or length */
    EFFECT_STAT,    /* argument `more`: struct stat with the size of the descriptor's file */
};

#define STRACE_NO_ARGUMENT (-1)

struct strace_call {
    struct word name;
    enum strace_effect effect;
    /* Indexes of arguments; STRACE_NO_ARGUMENT: none. `directory`: descriptor of the directory
     * where the path starts. `more`: see enum strace_effect. */
    signed char descriptor, path, directory, more;
    const char *makes; /* EFFECT_NEW, EFFECT_PAIR: name of the object that is created */
};

#define STRACE_CALLS_MOST 256

/* Returns the entry of a system call in the table; NULL: not in the table. */
const struct strace_call *strace_call_find(struct word name);

/* Maximum arguments that are split. Linux's system calls have fewer. */
#define STRACE_ARGUMENTS 8

/* Returns whether a byte may be in the name of a system call, constant or field. */
static inline bool strace_is_name_byte(char byte) {
    return byte == '_' || word_is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

/* Splits the printed arguments of a call; returns their number, at most STRACE_ARGUMENTS. */
size_t strace_split(struct word text, struct word arguments[STRACE_ARGUMENTS]);

/* Splits the arguments at `text`; returns a pointer to the parenthesis that closes them. NULL if
 * there is none, or brackets or strings do not match; even then `*count` arguments are split. */
const char *strace_find_close(struct word text, struct word arguments[STRACE_ARGUMENTS],
                              size_t *count);

/* Parses a signed number of up to 64 bits at the start of a word: decimal, 0x hexadecimal or 0
 * octal. `*rest` is the text after it. Returns false if there is none. */
bool strace_number(struct word word, int64_t *number, struct word *rest);

/* Parses a descriptor; AT_FDCWD becomes STRACE_CWD. Sets `*file` to its -y annotation, escaped as
 * printed; length 0: none. Returns false if the argument is no descriptor. */
#define STRACE_CWD (-100)
bool strace_descriptor(struct word argument, int64_t *descriptor, struct word *file);

/* Consumes an annotation of -y or -Y; `*rest` begins with its <. `*inside` is its text without
 * "(deleted)". Returns false if it is no annotation, or has no end. */
bool strace_annotation(struct word *rest, struct word *inside);

/* Result of a call: the text after "=", parsed. */
struct strace_result {
    bool known;     /* true: the result is a number, not "?" */
    int64_t value;  /* number that the call returned, if `known` */
    int64_t thread; /* `value`, or from a comment: the thread's number in strace's PID namespace */
    struct word file;  /* -y: annotation of a new descriptor, escaped as printed; length 0: none */
    struct word error; /* name of the error as printed, such as ENOENT; length 0: none */
    int64_t error_number; /* errno, if the log gives no name; otherwise EVENT_NONE */
    bool injected;        /* true: strace injected the result (-e inject) */
};

struct strace_thread;

/* A system call. `result` is set once the call has returned. */
struct strace_syscall {
    struct strace_thread *thread;
    const struct strace_call *call; /* entry in the table; NULL: not on files or processes */
    struct word name;
    const struct word *arguments;
    size_t argument_count;
    const struct strace_result *result;
    uint32_t object;       /* id of the call's file in table object; 0: none */
    int64_t address, size; /* offset and bytes of a transfer; EVENT_NONE: none */
    uint32_t flags;        /* enum call_flag, and how often the path was removed (model/event.h) */
    uint32_t source; /* id of a second file: source of a copy, new name, mapped file; 0: none */
    int64_t source_address; /* offset in the file `source`; EVENT_NONE: none */
};

/* Returns the argument with index `place`, without a name printed by -N; empty if there is none. */
struct word strace_argument(const struct strace_syscall *syscall, int place);

/* Returns whether printed flags include a flag: by name, or as a number (-X raw) by its bit. */
bool strace_has_flag(struct word flags, const char *name, int64_t bit);

#endif
