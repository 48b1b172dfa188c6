/* System calls of Linux that have to do with files, descriptors or processes: what they do, and
 * which of their arguments say to what. Calls that are not listed are kept as they are printed. */
#ifndef TRACETOOL_STRACE_CALLS_H
#define TRACETOOL_STRACE_CALLS_H

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
    EFFECT_DIRECTORY, /* of the process, from then on */
    EFFECT_TELL_DIRECTORY,
    EFFECT_EXIT,
    EFFECT_OWN_NUMBER, /* the result is the thread's own number */
    EFFECT_UNSEEN,     /* moves bytes of files that no call tells */
};

#define STRACE_NO_ARGUMENT (-1)

struct strace_call {
    const char *name;
    enum strace_effect effect;
    /* Places of arguments, STRACE_NO_ARGUMENT for none: the descriptor that it is about; a path,
     * and the descriptor of the folder that it begins in; what its effect says. */
    signed char descriptor, path, folder, more;
    const char *makes; /* EFFECT_NEW, EFFECT_PAIR: what the descriptor leads to */
};

#define STRACE_CALLS_MOST 256

/* The call of that name, NULL: not listed. */
const struct strace_call *strace_call_find(struct word name);

/* Its place in the list, below STRACE_CALLS_MOST. */
size_t strace_call_place(const struct strace_call *call);

#endif
