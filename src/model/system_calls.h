/* What system calls do to files, by their names: those of Linux, on all machines. */
#ifndef TRACETOOL_SYSTEM_CALLS_H
#define TRACETOOL_SYSTEM_CALLS_H

enum call_does {
    CALL_OTHER, /* none of the others, or its file is not known by it */
    CALL_OPENS,
    CALL_READS,
    CALL_WRITES,
    CALL_COPIES,    /* reads one file and writes another */
    CALL_SYNCS,     /* one file: fsync, fdatasync */
    CALL_UNLINKS,   /* takes the name of a file away */
    CALL_TRUNCATES, /* sets its length */
    CALL_LOCKS,     /* fcntl, which does other things, too */
};

/* `name` is NUL-terminated. */
enum call_does call_does(const char *name);

/* What reports count: "open", "read", "write", "copy", "fsync"; NULL: another. Constant. */
const char *call_does_word(enum call_does does);

#endif
