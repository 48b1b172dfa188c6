/* Contracts: requirements on a trace, with a name and a reason.
 *
 * A condition on a figure (condition.h); or, in a file (--contracts),
 *
 *     - name: the log is safe before the database is written
 *       why: a power cut would lose a transaction
 *       order: write *.db after fdatasync *.db-wal since write *.db-wal
 *     - report: files
 *       expect: none where fsyncs > 3
 *       filters: {process: sqlite*, from: 1s}
 *     - count: op = 'openat' and file not like '/srv/%'
 *       expect: = 0
 *     - condition: p99(openat) < 2ms
 *
 * The file is a mapping with a sequence of these as `contracts`. */
#ifndef TRACETOOL_CONTRACT_H
#define TRACETOOL_CONTRACT_H

#include "config/yaml.h"
#include "contract/condition.h"
#include "contract/measure.h"

enum contract_type { CONTRACT_CONDITION, CONTRACT_ROWS, CONTRACT_COUNT, CONTRACT_ORDER };

/* Calls of an order contract: OP [FILE]. */
struct order_part {
    const char *operation, *file; /* file: NULL: any file */
};
enum { ORDER_WHAT, ORDER_AFTER, ORDER_SINCE, ORDER_PARTS };

struct contract {
    enum contract_type type;
    const char *name;           /* label for messages: its name, else its text */
    const char *why;            /* reason for the contract; NULL: not given */
    const char *file;           /* source file and line; NULL: the command line */
    size_t line, where_line;    /* where_line: that of `where` */
    struct condition condition; /* rows and counts: only the bound; the filters are in the figure */
    const char *where;          /* SQL condition for rows and counts; NULL: all rows */
    bool needs_files;           /* true: the count or order refers to files */
    struct order_part order[ORDER_PARTS];
};

struct contracts {
    struct contract *contracts; /* owned */
    size_t count, capacity;
    struct pool pool;
    const struct query_set *queries; /* borrowed: all */
    bool (*take_options)(void *context, const char *report, const struct figure_option *given,
                         size_t count, struct figure *figure, struct error *error); /* figure.h */
    void *context;
    const char *file; /* file that is being read, borrowed; NULL: none */
};

/* Adds a condition from the command line, or from a line of a file. */
bool contracts_add(struct contracts *contracts, const char *text, size_t line, struct error *error);

/* Adds the opposite of a condition of `compare --fail-if`. */
bool contracts_add_limit(struct contracts *contracts, const char *text, struct error *error);

/* Adds the contracts of a file. */
bool contracts_read(struct contracts *contracts, const char *path, struct error *error);
void contracts_free(struct contracts *contracts);

/* Limit of places that are printed for a broken contract. */
#define CONTRACT_PLACES 3

/* A call that breaks a contract, and the line of the log that records the call. */
struct outcome_call {
    int64_t event, time;
    char *file;   /* owned; NULL: file and line are unknown */
    int64_t line; /* line in the file; 0: the log is binary */
    int64_t offset;
};

/* Result of a contract in a trace. */
struct outcome {
    const struct contract *contract;
    const struct catalog_trace *trace; /* NULL: no trace has the right kind */
    enum contract_state state;
    struct text number; /* owned, as the next two; "" if unknown */
    struct text why;
    struct text places; /* places of calls, one per line, and the number of places left out */
    double counted;     /* number of places; 0: they are not counted */
    struct outcome_call calls[CONTRACT_PLACES]; /* the calls of the first places */
    size_t call_count;
};

/* What is found of a contract on orders or counts in a trace. */
struct calls_found {
    bool is_searched, matches;      /* matches: a call is of the order's first part */
    const char *why;                /* reason why the result is unknown; NULL: it is known */
    int64_t count;                  /* calls that break the order, or are counted */
    int64_t calls[CONTRACT_PLACES]; /* event ids of the first ones */
    int64_t since[CONTRACT_PLACES]; /* last call of `since` before each; EVENT_NONE: none */
};

struct outcomes {
    struct outcome *outcomes; /* owned; sorted by contract, then by trace */
    size_t count, capacity;
    size_t states[3]; /* numbers of contracts: broken if in any trace, else undecided if in any */
};

/* Input of the judgement. */
struct judging {
    struct workspace *workspace;           /* a workspace that was begun */
    const struct report_request *request;  /* selects the traces */
    const struct report_request *baseline; /* selects the baseline's traces; NULL: none */
    bool point;
};

/* Judges all contracts. False if that is impossible: an error in SQL, or an interruption. */
bool contracts_judge(const struct contracts *contracts, const struct judging *judging,
                     struct outcomes *outcomes, struct error *error);
void outcomes_free(struct outcomes *outcomes);

/* --- contracts on events (contract_events.c) -------------------------------------------------- */

/* Finds the calls that matter to the contract with index `first`, on a count or an order, and to
 * others with the same filter, in one pass. Sets `found[INDEX * stride]` of each. */
bool calls_find(const struct contracts *contracts, size_t first, struct workspace *workspace,
                const struct catalog_trace *trace, struct calls_found *found, size_t stride,
                struct error *error);

#endif
