/* Names of methods and threads in an Android method trace. A name may come later in the file than
 * the records that use it. So the import first gets placeholders, which are renamed at the end.
 * Memory is bounded: names beyond the limits are dropped, but their records are imported. */
#ifndef TRACETOOL_ANDROID_TRACE_NAMES_H
#define TRACETOOL_ANDROID_TRACE_NAMES_H

#include "base/pair_numbers.h"
#include "import/importer.h"

#define ANDROID_METHODS      (1 << 21)
#define ANDROID_NAME_BYTES   (128 << 20) /* maximum bytes of all names of methods and threads */
#define ANDROID_THREADS      65536
#define ANDROID_LINE         65535 /* maximum bytes of a line with a name */
#define ANDROID_THREADS_MASK (ANDROID_THREADS - 1)

/* Reasons (ledger.reason) for ignoring lines that define the name of a method or thread. */
extern const char android_bad_method[], android_bad_thread[], android_long_line[];
extern const char android_too_many_names[];

struct android_method {
    uint32_t value; /* number of the method in records of the log */
    uint32_t id;    /* id from import_name(); 0: not used yet */
    uint32_t text;  /* offset in `texts` of class, method and signature, joined */
    uint32_t class_length, method_length, signature_length;
    bool overloaded; /* true: other methods of the class have this name, so signatures are shown */
    uint8_t sent;    /* enum form: how the method's name was last sent to the import */
};

struct android_thread {
    int64_t cpu;    /* CPU time of the thread's last record, microseconds; -1: none yet */
    uint32_t tid;   /* complete thread number; records have only its lower 16 bits */
    uint32_t actor; /* id from import_actor(); 0: not used yet */
    uint32_t name, name_length; /* offset and length of the name in `texts`; length 0: none */
    bool listed;
    bool renamed; /* true: the actor must be renamed at the end of the import */
};

struct android_names {
    struct android_method *methods; /* owned */
    size_t method_count, method_capacity;
    struct pair_numbers numbers; /* hash table: maps (value, 0) to index + 1 in `methods` */
    struct text texts, scratch;
    struct android_thread threads[ANDROID_THREADS];
    int64_t pid; /* process ID from the log; EVENT_NONE: not in the log */
};

/* Prepares `names`, zeroed by the caller. android_names_free() must follow, also on failure. */
void android_names_init(struct android_names *names);
void android_names_free(struct android_names *names);

/* Reads a line `value TAB class TAB method TAB signature …` or `id TAB name`. Returns NULL, or why
 * the line is ignored: malformed, or the limits are reached. */
const char *android_names_read_method(struct android_names *names, const char *line, size_t length);
const char *android_names_read_thread(struct android_names *names, const char *line, size_t length);
const char *android_names_add_thread(struct android_names *names, uint32_t tid, const char *name,
                                     size_t length);

/* Marks methods that share class and name with others, so that they are shown with signatures. */
void android_names_find_overloads(struct android_names *names);

/* Return the id of a method in table name, or of a thread in table actor. `*named` is set to
 * whether the log has named the method so far. */
uint32_t android_names_operation_id(struct import *import, struct android_names *names,
                                    uint32_t value, bool *named);
uint32_t android_names_thread_id(struct import *import, struct android_names *names,
                                 uint32_t thread);

/* Replaces the placeholders of methods and threads whose names came late in the log. */
void android_names_rename(struct import *import, struct android_names *names);

#endif
