/* What an Android method trace names: its methods and threads. Both may be named behind the records
 * that speak of them, so what was given to the import is remembered and renamed at the end.
 *
 * Memory is bounded: names beyond the limits are not kept, their records are.
 */
#ifndef TRACETOOL_ANDROID_TRACE_NAMES_H
#define TRACETOOL_ANDROID_TRACE_NAMES_H

#include "base/pair_numbers.h"
#include "import/importer.h"

#define ANDROID_METHODS      (1 << 21)
#define ANDROID_NAME_BYTES   (128 << 20) /* of all methods and threads */
#define ANDROID_THREADS      65536
#define ANDROID_LINE         65535 /* bytes of a line that names something */
#define ANDROID_THREADS_MASK (ANDROID_THREADS - 1)

/* Reasons in the ledger. */
extern const char android_bad_method[], android_bad_thread[], android_long_line[];
extern const char android_too_many_names[];

struct android_method {
    uint32_t value; /* as in the records */
    uint32_t id;    /* its name in the import; 0: not used yet */
    uint32_t text;  /* in `texts`: class, method and signature behind one another */
    uint32_t class_length, method_length, signature_length;
    bool overloaded; /* its class has others of that name: the signature distinguishes them */
    uint8_t sent;    /* enum form: what the import was given */
};

struct android_thread {
    int64_t cpu;                /* its clock, microseconds; -1: no record yet */
    uint32_t tid;               /* all of it: the records have 16 bits */
    uint32_t actor;             /* in the import; 0: not used yet */
    uint32_t name, name_length; /* in `texts`; length 0: none */
    bool listed;
    bool renamed; /* the import has another name */
};

struct android_names {
    struct android_method *methods; /* owned */
    size_t method_count, method_capacity;
    struct pair_numbers numbers; /* in `methods` from 1 on, by value and 0 */
    struct text texts, scratch;
    struct android_thread threads[ANDROID_THREADS];
    int64_t pid; /* EVENT_NONE: not known */
};

/* Makes the zeroed names ready. To be freed in any case. */
void android_names_init(struct android_names *names);
void android_names_free(struct android_names *names);

/* A line `value TAB class TAB method TAB signature …` or `id TAB name`. A reason when it is none or
 * there is no room for it; NULL otherwise. */
const char *android_names_method(struct android_names *names, const char *line, size_t length);
const char *android_names_thread_line(struct android_names *names, const char *line, size_t length);
const char *android_names_thread(struct android_names *names, uint32_t tid, const char *name,
                                 size_t length);

/* Finds the methods that need their signature. */
void android_names_find_overloads(struct android_names *names);

/* The import's ids. `*named`: the trace has named the method so far. */
uint32_t android_names_operation(struct import *import, struct android_names *names, uint32_t value,
                                 bool *named);
uint32_t android_names_actor(struct import *import, struct android_names *names, uint32_t thread);

/* Gives what was sent too early the names that it has now. */
void android_names_rename(struct import *import, struct android_names *names);

#endif
