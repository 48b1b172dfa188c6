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

/* The calls of one part of an order: OP [FILE]. */
struct order_part {
    const char *operation, *file; /* names or patterns; `file` NULL: any file */
};
enum { ORDER_WHAT, ORDER_AFTER, ORDER_SINCE, ORDER_PARTS };

struct contract {
    enum contract_type type;
    const char *name;        /* what messages call the contract: its name, else its text */
    const char *why;         /* why the contract exists; NULL: not given */
    const char *file;        /* file that has the contract, borrowed; NULL: the command line */
    size_t line, where_line; /* lines of the contract and of its `where` in that file */
    /* For rows and counts, only the bound and the figure's filters are used. */
    struct condition condition;
    const char *where; /* for rows and counts: an SQL condition; NULL: all rows */
    bool needs_files;  /* true: the count or order is about files */
    struct order_part order[ORDER_PARTS];
};

struct contracts {
    struct contract *contracts; /* owned */
    size_t count, capacity;
    struct pool pool;
    const struct query_set *queries; /* borrowed; the queries of all reports */
    bool (*take_options)(void *context, const char *report, const struct figure_option *given,
                         size_t count, struct figure *figure, struct error *error); /* figure.h */
    void *context;
    const char *file; /* borrowed; the file that is being read; NULL: none */
};

/* Adds a condition of the command line, or of a line in a file. */
bool contracts_add(struct contracts *contracts, const char *text, size_t line, struct error *error);

/* Adds the opposite of a condition of `compare --fail-if`. */
bool contracts_add_limit(struct contracts *contracts, const char *text, struct error *error);

/* Adds the contracts of a file. */
bool contracts_read(struct contracts *contracts, const char *path, struct error *error);
void contracts_free(struct contracts *contracts);

/* Limit of places printed for a broken contract; a place is where in the log a call is. */
#define CONTRACT_PLACES 3

/* A call that breaks a contract, and the line of the log that has the call. */
struct outcome_call {
    int64_t event, time;
    char *file;   /* owned; file of the log; NULL: file and line are unknown */
    int64_t line; /* line in `file`; 0: the log is binary */
    int64_t offset;
};

/* The result of a contract in a trace. */
struct outcome {
    const struct contract *contract;
    const struct catalog_trace *trace; /* NULL: no trace has a kind that suits */
    enum contract_state state;
    struct text number; /* owned, like `why` and `places`; the figure's number; "" if unknown */
    struct text why;
    struct text places; /* places of calls, one per line, then how many were left out */
    double counted;     /* number of all places; 0: they are not counted */
    /* Calls of the first places, for which lines are found. */
    struct outcome_call calls[CONTRACT_PLACES];
    size_t call_count;
};

/* What a pass has found for a contract on an order or a count in a trace. */
struct calls_found {
    /* is_searched: the pass has looked for it; matches: it met a call of the order's first part. */
    bool is_searched, matches;
    const char *why;                /* why the result is unknown; NULL: it is known */
    int64_t count;                  /* number of calls that break the order, or match `count` */
    int64_t calls[CONTRACT_PLACES]; /* event ids of the first of these calls */
    /* For each of these calls, the last call of `since` before it; EVENT_NONE: none. */
    int64_t since[CONTRACT_PLACES];
};

struct outcomes {
    struct outcome *outcomes; /* owned; sorted by contract, then by trace */
    size_t count, capacity;
    /* Number of contracts by state: broken if broken in any trace, else undecided if so in any. */
    size_t states[3];
};

/* What contracts_judge() needs. */
struct judging {
    struct workspace *workspace;           /* workspace that was begun */
    const struct report_request *request;  /* selects the traces to judge */
    const struct report_request *baseline; /* selects the traces of the baseline; NULL: none */
    bool point;
};

/* Judges all contracts in each trace. False if that fails: an error in SQL, or an interruption. */
bool contracts_judge(const struct contracts *contracts, const struct judging *judging,
                     struct outcomes *outcomes, struct error *error);
void outcomes_free(struct outcomes *outcomes);

/* --- contracts on orders and counts (contract_events.c) --------------------------------------- */

/* Finds, in one pass, the calls that matter to the contract with index `first`, an order or a
 * count, and to later ones with the same filter. Sets `found[INDEX * stride]` for each of these. */
bool calls_find(const struct contracts *contracts, size_t first, struct workspace *workspace,
                const struct catalog_trace *trace, struct calls_found *found, size_t stride,
                struct error *error);

#endif
