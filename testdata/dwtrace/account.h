/* The player's own account of what it plays. It learns each event when it happens, and knows
 * nothing of bytes. Expectations are made of it.
 *
 * The rules are those of docs/spans.md. What the log does not tell, the account leaves out as well:
 * a call without an entry in the log is none, and its callees are those of its caller.
 */
#ifndef DWTRACE_ACCOUNT_H
#define DWTRACE_ACCOUNT_H

#include "program.h"

enum { THREADS = 4, DEPTH = 1024 };
#define NO_CALL SIZE_MAX

extern const uint32_t thread_numbers[THREADS]; /* in no order */

struct call {
    enum function function;
    unsigned thread;          /* index of thread_numbers */
    uint64_t start, position; /* since the first record; number of its record in the log, from 0 */
    uint64_t duration, callees;
    bool known;    /* has a duration */
    bool returned; /* by an exit of its own */
    bool open;     /* ended with the log */
    int32_t code;
    unsigned bytes; /* of parameters */
    size_t parent;  /* NO_CALL: none */
};

enum row_kind { CALL_ROW, STRAY_ROW, DATA_ROW };

/* A row of the table of events. */
struct row {
    enum row_kind kind;
    enum function function;
    unsigned thread;
    uint64_t time, position;
    size_t call; /* CALL_ROW */
};

/* A record that is in the log. */
struct happening {
    unsigned type, thread;
    enum function function;
    uint64_t time;
};

struct return_code {
    enum function function;
    int32_t code;
};

/* Sums of the calls of a function. */
struct figures {
    uint64_t calls, known, total, self, sum, minimum, maximum;
    uint64_t outermost; /* calls that total is of */
};

struct open_call {
    enum function function;
    uint64_t start, callees;
    size_t call;
};

struct account {
    bool keep; /* calls, rows and so on one by one; else the figures only */
    uint64_t records;
    uint64_t origin; /* time of the first record */
    uint64_t latest; /* of any */
    struct open_call stack[THREADS][DEPTH];
    unsigned depth[THREADS];
    unsigned open[THREADS][FUNCTIONS]; /* of stack */
    struct figures figures[FUNCTIONS];
    struct call *calls;
    size_t call_count, call_capacity;
    struct row *rows;
    size_t row_count, row_capacity;
    struct happening *happenings;
    size_t happening_count, happening_capacity;
    struct return_code *codes; /* not 0 */
    size_t code_count, code_capacity;
};

struct account *account_new(bool keep);
void account_free(struct account *account);

void account_entry(struct account *account, unsigned thread, enum function function, uint64_t time,
                   unsigned bytes);
/* The innermost call but `vanished`, which are left without an exit. */
void account_exit(struct account *account, unsigned thread, unsigned vanished, uint64_t time,
                  int32_t code, unsigned bytes);
void account_stray(struct account *account, unsigned thread, enum function function, uint64_t time,
                   int32_t code);
void account_data(struct account *account, unsigned thread, enum function function, uint64_t time);
/* The log has ended: calls that are open end with it. */
void account_end(struct account *account);

#endif
