/* Contracts: requirements on a trace, with a name and a reason. A contract is a condition on a
 * figure, a number of the trace (condition.h); or, in a file (--contracts), one of these:
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
 * The file is a mapping with a sequence of these under the key `contracts`. */
#ifndef TRACETOOL_CONTRACT_H
#define TRACETOOL_CONTRACT_H

#include "config/yaml.h"
#include "contract/condition.h"
#include "contract/measure.h"

enum contract_type { CONTRACT_CONDITION, CONTRACT_ROWS, CONTRACT_COUNT, CONTRACT_ORDER };

/* One part of an order, CALL [FILE], such as "write *.db". */
struct order_part {
    const char *operation, *file; /* `file` NULL: any file; both may have wildcards */
};
enum { ORDER_WHAT, ORDER_AFTER, ORDER_SINCE, ORDER_PARTS };

struct contract {
    enum contract_type type;
    const char *name; /* name for messages: the given name, else the text of the contract */
    const char *why;  /* reason for the contract, as given; NULL: none */
    const char *file; /* borrowed; file with the contract; NULL: from the command line */
    /* line: of the contract in `file`; where_line: of its `where` condition */
    size_t line, where_line;
    /* For contracts on rows and counts, only the bound and the filters of the figure are used. */
    struct condition condition;
    const char *where; /* for rows and counts: SQL condition; NULL: all rows */
    bool needs_files;  /* true: the count or order depends on file names */
    struct order_part order[ORDER_PARTS];
};

struct contracts {
    struct contract *contracts; /* owned */
    size_t count, capacity;
    struct pool pool;
    const struct query_set *queries; /* borrowed; queries of all reports */
    bool (*take_options)(void *context, const char *report, const struct figure_option *given,
                         size_t count, struct figure *figure, struct error *error); /* figure.h */
    void *context;
    const char *file; /* borrowed; the file being read; NULL: none */
};

/* Adds a condition from the command line, or from line `line` of a file. */
bool contracts_add(struct contracts *contracts, const char *text, size_t line, struct error *error);

/* Adds a condition of `compare --fail-if`, negated: the contract holds if it is false. */
bool contracts_add_limit(struct contracts *contracts, const char *text, struct error *error);

/* Adds the contracts of a file. Returns false with the error set if it has none, or is wrong. */
bool contracts_read(struct contracts *contracts, const char *path, struct error *error);
void contracts_free(struct contracts *contracts);

/* Limit of listed places of a broken contract. A place is a call and its line in the log. */
#define CONTRACT_PLACES 3

/* A call that breaks a contract, and its line in the log. */
struct violating_call {
    int64_t event, time;
    char *file;   /* owned; log file; NULL: file and line are unknown */
    int64_t line; /* line in `file`; 0: the log is binary */
    int64_t offset;
};

/* Result of a contract in a trace. */
struct outcome {
    const struct contract *contract;
    const struct catalog_trace *trace; /* NULL: no trace has a suitable kind */
    enum contract_state state;
    struct text number; /* owned, like `why` and `places`; measured number; "": unknown */
    struct text why;
    struct text places; /* listed places, one per line, then the number of further ones */
    double counted;     /* number of all places; 0: not counted */
    /* Calls at the first listed places, whose log file and line are looked up. */
    struct violating_call calls[CONTRACT_PLACES];
    size_t call_count;
};

/* Calls that a pass over the events found for a contract on an order or a count in a trace. */
struct calls_found {
    bool is_searched;               /* true: the calls below are known, by a pass over the events */
    const char *why;                /* reason if the result is unknown; else NULL */
    int64_t matches;                /* of an order: number of calls that its first part restricts */
    int64_t count;                  /* number of calls that break the order, or match `count` */
    int64_t calls[CONTRACT_PLACES]; /* event ids of the first calls counted */
    /* For each of `calls`, event id of the last `since` call before it; EVENT_NONE: none. */
    int64_t since[CONTRACT_PLACES];
};

struct outcomes {
    struct outcome *outcomes; /* owned; sorted by contract, then by trace */
    size_t count, capacity;
    /* Number of contracts in each state. A contract is broken if it is broken in any trace, else
     * undecided if it is undecided in any trace. */
    size_t states[3];
};

/* Arguments of contracts_judge(). */
struct judging {
    struct workspace *workspace;           /* after workspace_begin() */
    const struct report_request *request;  /* selects the traces to be judged */
    const struct report_request *baseline; /* selects the traces of the baseline; NULL: none */
    bool point;
};

/* Judges all contracts in each trace. Returns false only after an SQL error or an interruption. */
bool contracts_judge(const struct contracts *contracts, const struct judging *judging,
                     struct outcomes *outcomes, struct error *error);
void outcomes_free(struct outcomes *outcomes);

/* --- contracts on orders and counts (contract_events.c) --------------------------------------- */

/* Finds the calls for contract `first`, which is an order or a count of calls, and for all later
 * contracts with the same filter, in one pass over events. Sets `found[INDEX * stride]` for each of
 * these contracts. */
bool calls_find(const struct contracts *contracts, size_t first, struct workspace *workspace,
                const struct catalog_trace *trace, struct calls_found *found, size_t stride,
                struct error *error);

#endif
