/* Contracts: what must be true of a trace, with a name and a reason.
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
 * The file is a mapping with a sequence of these as `contracts`.
 */
#ifndef TRACETOOL_CONTRACT_H
#define TRACETOOL_CONTRACT_H

#include "config/yaml.h"
#include "contract/condition.h"
#include "contract/measure.h"

enum contract_type { CONTRACT_CONDITION, CONTRACT_ROWS, CONTRACT_COUNT, CONTRACT_ORDER };

/* The calls of an order: OP [FILE]. */
struct order_part {
    const char *operation, *file; /* file: NULL: any */
};
enum { ORDER_WHAT, ORDER_AFTER, ORDER_SINCE, ORDER_PARTS };

struct contract {
    enum contract_type type;
    const char *name; /* what it is called in messages: its name, else what it says */
    const char *why;  /* NULL: not said */
    const char *file; /* where it stands, and in which line; NULL: on the command line */
    size_t line;
    struct condition condition; /* rows and counts: only the bound, with filters in the figure */
    const char *where;          /* SQL of rows and counts; NULL: all */
    bool needs_files;           /* counts and orders: it is of files */
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
    const char *file; /* that is being read, borrowed; NULL: none */
};

/* Adds a condition of the command line, or of a line of a file. */
bool contracts_add(struct contracts *contracts, const char *text, size_t line, struct error *error);

/* Adds the opposite of a condition of `compare --fail-if`. */
bool contracts_add_limit(struct contracts *contracts, const char *text, struct error *error);

/* Adds what is in a file. */
bool contracts_read(struct contracts *contracts, const char *path, struct error *error);
void contracts_free(struct contracts *contracts);

/* Places that are told of a broken contract. */
#define CONTRACT_PLACES 3

/* What came of a contract in a trace. */
struct outcome {
    const struct contract *contract;
    const struct catalog_trace *trace; /* NULL: no trace is of its kind */
    enum contract_state state;
    struct text number; /* owned, as the next two; "" where it is not known */
    struct text why;
    struct text places; /* a line each */
};

struct outcomes {
    struct outcome *outcomes; /* owned; by contract, then by trace */
    size_t count, capacity;
    size_t states[3]; /* how many contracts: broken if in any trace, else undecided if in any */
};

/* How they are judged. */
struct judging {
    struct workspace *workspace;           /* begun */
    const struct report_request *request;  /* which traces */
    const struct report_request *baseline; /* which are the baseline; NULL: none */
    bool point;
};

/* Judges all. False where that cannot be: a mistake in SQL, an interruption. */
bool contracts_judge(const struct contracts *contracts, const struct judging *judging,
                     struct outcomes *outcomes, struct error *error);
void outcomes_free(struct outcomes *outcomes);

/* --- what events say (contract_events.c) --------------------------------------------------------
 */

/* Counts what the contract is of, in a trace, and appends its first places. */
bool contract_count_events(const struct contract *contract, struct workspace *workspace,
                           const struct catalog_trace *trace, double *count, struct text *places,
                           struct error *error);

/* Appends the first places of what the figure counts, or its longest calls. */
bool contract_append_places(const struct figure *figure, struct workspace *workspace,
                            const struct catalog_trace *trace, struct text *places,
                            struct error *error);

#endif
