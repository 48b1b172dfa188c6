#include "expect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Which calls a report is of; -1: whichever. */
struct choice {
    int under, component, operation; /* enum function, number, enum function */
    bool per_thread;
};

static const struct choice all = {-1, -1, -1, false};

/* The calls of a report. */
struct chosen {
    const struct account *account;
    struct view view;
    bool per_thread;
    bool *is;       /* chosen, by call */
    size_t *parent; /* nearest ancestor that is; NO_CALL: none */
    uint64_t all_self;
    uint64_t outer; /* time of chosen calls that are in no other one */
};

static uint64_t self_of(const struct call *call) {
    return call->known ? call->duration - call->callees : 0;
}

/* Returns whether the call is in a chosen one with a duration. */
static bool is_inner(const struct chosen *chosen, size_t at) {
    size_t i = chosen->parent[at];

    while (i != NO_CALL && !chosen->account->calls[i].known) {
        i = chosen->parent[i];
    }
    return i != NO_CALL;
}

static void choose(struct chosen *chosen, const struct account *account, const struct view *view,
                   const struct choice *choice) {
    bool *inside = allocate(account->call_count, sizeof *inside);

    *chosen = (struct chosen){.account = account, .view = *view, .per_thread = choice->per_thread};
    chosen->is = allocate(account->call_count, sizeof *chosen->is);
    chosen->parent = allocate(account->call_count, sizeof *chosen->parent);
    for (size_t i = 0; i < account->call_count; i++) {
        const struct call *call = &account->calls[i];
        size_t parent = call->parent;

        inside[i] = choice->under < 0 || (int)call->function == choice->under ||
                    (parent != NO_CALL && inside[parent]);
        chosen->is[i] =
            inside[i] &&
            (choice->component < 0 || (int)component_of(call->function) == choice->component) &&
            (choice->operation < 0 || (int)call->function == choice->operation);
        chosen->parent[i] =
            parent == NO_CALL || chosen->is[parent] ? parent : chosen->parent[parent];
        chosen->all_self += chosen->is[i] ? self_of(call) : 0;
        chosen->outer += chosen->is[i] && call->known && !is_inner(chosen, i) ? call->duration : 0;
    }
    free(inside);
}

static void choose_free(struct chosen *chosen) {
    free(chosen->is);
    free(chosen->parent);
}

static bool is_outermost(const struct chosen *chosen, size_t at) {
    const struct call *calls = chosen->account->calls;

    for (size_t i = chosen->parent[at]; i != NO_CALL; i = chosen->parent[i]) {
        if (calls[i].function == calls[at].function) {
            return false;
        }
    }
    return true;
}

static uint64_t unit_of(const struct view *view) {
    return view->nanoseconds > 0 ? view->nanoseconds : 1;
}

/* Numbers behind a TAB. Of times, also in the unit of the view; an unknown one is an empty field.
 */
static void put_time(FILE *file, const struct view *view, bool known, uint64_t units) {
    if (known && view->timed) {
        fprintf(file, "\t%" PRIu64, units * unit_of(view));
    } else {
        fputc('\t', file);
    }
}

static void put_share(FILE *file, bool known, uint64_t part, uint64_t whole) {
    require(!known || whole > 0, "shares of something");
    if (known) {
        fprintf(file, "\t%.6f", (double)part / (double)whole);
    } else {
        fputc('\t', file);
    }
}

/* --- functions -------------------------------------------------------------------------------- */

struct function_row {
    char label[64];
    unsigned thread;
    struct figures figures;
};

static int by_self(const void *left, const void *right) {
    const struct function_row *a = left, *b = right;

    if (thread_numbers[a->thread] != thread_numbers[b->thread]) {
        return thread_numbers[a->thread] < thread_numbers[b->thread] ? -1 : 1;
    }
    if ((a->figures.known > 0) != (b->figures.known > 0)) {
        return a->figures.known > 0 ? -1 : 1;
    }
    if (a->figures.self != b->figures.self) {
        return a->figures.self > b->figures.self ? -1 : 1;
    }
    return strcmp(a->label, b->label);
}

static void put_figures(FILE *file, const struct view *view, const struct figures *figures,
                        uint64_t all_self) {
    bool known = figures->known > 0;

    /* docs/spans.md does not say what the total is then. */
    require(!known || figures->outermost > 0, "a known total where self is known");
    put_time(file, view, known, figures->total);
    put_time(file, view, known, figures->self);
    put_time(file, view, known, figures->minimum);
    if (known && view->timed) {
        uint64_t mean = (2 * figures->sum * unit_of(view) + figures->known) /
                        (2 * figures->known); /* half up */

        fprintf(file, "\t%" PRIu64, mean);
    } else {
        fputc('\t', file);
    }
    put_time(file, view, known, figures->maximum);
    put_share(file, known && view->timed, figures->self, all_self);
    fputc('\n', file);
}

static void add_to(struct figures *figures, const struct call *call, bool outermost) {
    figures->calls++;
    if (!call->known) {
        return;
    }
    if (figures->known++ == 0 || call->duration < figures->minimum) {
        figures->minimum = call->duration;
    }
    if (call->duration > figures->maximum) {
        figures->maximum = call->duration;
    }
    figures->sum += call->duration;
    figures->self += self_of(call);
    figures->total += outermost ? call->duration : 0;
    figures->outermost += outermost;
}

/* Rows from sums by thread and function; without durations the names alone give the order. */
static void put_functions(FILE *file, const char *prefix, const struct view *view,
                          const struct figures sums[][FUNCTIONS], unsigned threads,
                          uint64_t all_self, bool per_thread) {
    struct function_row rows[THREADS * FUNCTIONS];
    size_t count = 0;

    for (unsigned i = 0; i < threads * FUNCTIONS; i++) {
        struct function_row *row = &rows[count];

        row->thread = i / FUNCTIONS;
        row->figures = sums[i / FUNCTIONS][i % FUNCTIONS];
        row->figures.known = view->timed ? row->figures.known : 0;
        row->figures.self = view->timed ? row->figures.self : 0;
        strcpy(row->label, function_label((enum function)(i % FUNCTIONS), view->names));
        count += row->figures.calls > 0;
    }
    qsort(rows, count, sizeof rows[0], by_self);
    for (size_t i = 0; i < count; i++) {
        fputs(prefix, file);
        if (per_thread) {
            fprintf(file, "%" PRIu32 "\t", thread_numbers[rows[i].thread]);
        }
        fprintf(file, "%s\t%" PRIu64, rows[i].label, rows[i].figures.calls);
        put_figures(file, view, &rows[i].figures, all_self);
    }
}

static void put_chosen_functions(FILE *file, const struct chosen *chosen) {
    struct figures sums[THREADS][FUNCTIONS] = {{{0}}};

    for (size_t i = 0; i < chosen->account->call_count; i++) {
        const struct call *call = &chosen->account->calls[i];

        if (chosen->is[i]) {
            add_to(&sums[chosen->per_thread ? call->thread : 0][call->function], call,
                   is_outermost(chosen, i));
        }
    }
    put_functions(file, "", &chosen->view, (const struct figures(*)[FUNCTIONS])sums,
                  chosen->per_thread ? THREADS : 1, chosen->all_self, chosen->per_thread);
}

void write_functions(FILE *file, const char *prefix, const struct account *account, bool timed) {
    const struct view view = {.timed = timed};
    uint64_t all_self = 0;

    for (unsigned i = 0; i < FUNCTIONS; i++) {
        all_self += account->figures[i].self;
    }
    put_functions(file, prefix, &view, &account->figures, 1, all_self, false);
}

/* --- calltree --------------------------------------------------------------------------------- */

struct node {
    enum function function;
    char label[64];
    uint64_t calls, known, total, self;
    struct node *first, *next; /* callee, sibling */
};

static struct node *callee_node(struct node *parent, enum function function, bool names) {
    struct node *node = parent->first;

    while (node != NULL && node->function != function) {
        node = node->next;
    }
    if (node == NULL) {
        node = allocate(1, sizeof *node);
        node->function = function;
        strcpy(node->label, function_label(function, names));
        node->next = parent->first;
        parent->first = node;
    }
    return node;
}

/* Nodes without a total stand last. */
static int by_total(const void *left, const void *right) {
    const struct node *a = *(struct node *const *)left, *b = *(struct node *const *)right;

    if ((a->known > 0) != (b->known > 0)) {
        return a->known > 0 ? -1 : 1;
    }
    if (a->total != b->total) {
        return a->total > b->total ? -1 : 1;
    }
    return strcmp(a->label, b->label);
}

/* Prints what is below the node, and frees it. */
static void put_callees(FILE *file, const struct chosen *chosen, struct node *parent,
                        unsigned depth) {
    struct node *callees[FUNCTIONS];
    size_t count = 0;

    for (struct node *node = parent->first; node != NULL; node = node->next) {
        callees[count++] = node;
    }
    qsort(callees, count, sizeof callees[0], by_total);
    for (size_t i = 0; i < count; i++) {
        bool known = callees[i]->known > 0;

        fprintf(file, "%u\t%s\t%" PRIu64, depth, callees[i]->label, callees[i]->calls);
        put_time(file, &chosen->view, known, callees[i]->total);
        put_time(file, &chosen->view, known, callees[i]->self);
        put_share(file, known, callees[i]->total, chosen->outer);
        fputc('\n', file);
        put_callees(file, chosen, callees[i], depth + 1);
        free(callees[i]);
    }
}

static void put_calltree(FILE *file, const struct chosen *chosen) {
    const struct account *account = chosen->account;
    struct node **nodes = allocate(account->call_count, sizeof *nodes);
    struct node root = {0};

    for (size_t i = 0; i < account->call_count; i++) {
        const struct call *call = &account->calls[i];
        size_t parent = chosen->parent[i];

        if (chosen->is[i]) {
            nodes[i] = callee_node(parent == NO_CALL ? &root : nodes[parent], call->function,
                                   chosen->view.names);
            nodes[i]->calls++;
            if (call->known && chosen->view.timed) {
                nodes[i]->known++;
                nodes[i]->total += call->duration;
                nodes[i]->self += self_of(call);
            }
        }
    }
    put_callees(file, chosen, &root, 0);
    free(nodes);
}

/* --- calls ------------------------------------------------------------------------------------ */

struct call_row {
    uint64_t start;
    size_t call;
};

static int by_start(const void *left, const void *right) {
    const struct call_row *a = left, *b = right;

    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    return a->call < b->call ? -1 : 1;
}

static void put_start(FILE *file, const struct view *view, uint64_t start) {
    bool has_clock = view->timed && view->nanoseconds > 0;

    fprintf(file, "\t%" PRIu64, has_clock ? start * view->nanoseconds : start);
}

static void put_calls(FILE *file, const struct chosen *chosen) {
    const struct account *account = chosen->account;
    struct call_row *rows = allocate(account->call_count, sizeof *rows);
    size_t count = 0;

    for (size_t i = 0; i < account->call_count; i++) {
        const struct call *call = &account->calls[i];

        if (chosen->is[i]) {
            rows[count++] = (struct call_row){chosen->view.timed ? call->start : call->position, i};
        }
    }
    qsort(rows, count, sizeof rows[0], by_start);
    for (size_t i = 0; i < count; i++) {
        const struct call *call = &account->calls[rows[i].call];

        fprintf(file, "%zu", i + 1);
        put_start(file, &chosen->view, rows[i].start);
        put_time(file, &chosen->view, call->known, call->duration);
        fprintf(file, "\t%" PRIu32 "\t%s\t", thread_numbers[call->thread],
                function_label(call->function, chosen->view.names));
        if (call->returned) {
            fprintf(file, "%" PRId32, call->code);
        }
        fputc('\n', file);
    }
    free(rows);
}

/* --- counts ----------------------------------------------------------------------------------- */

struct count {
    char label[64];
    int64_t number; /* return code or size */
    uint64_t count;
};

/* An upper bound of different counts: calls and codes of the largest play. */
enum { COUNTS = 8192 };

struct counts {
    struct count row[COUNTS];
    size_t rows;
    uint64_t all;
};

static void count_one(struct counts *counts, const char *label, int64_t number) {
    size_t i = 0;

    while (i < counts->rows &&
           (counts->row[i].number != number || strcmp(counts->row[i].label, label) != 0)) {
        i++;
    }
    require(i < COUNTS, "few enough different counts");
    strcpy(counts->row[i].label, label);
    counts->row[i].number = number;
    counts->row[i].count++;
    counts->rows += i == counts->rows;
    counts->all++;
}

static int by_count(const void *left, const void *right) {
    const struct count *a = left, *b = right;
    int names = strcmp(a->label, b->label);

    if (a->count != b->count) {
        return a->count > b->count ? -1 : 1;
    }
    return names != 0 ? names : (a->number > b->number) - (a->number < b->number);
}

static int by_number(const void *left, const void *right) {
    const struct count *a = left, *b = right;

    return (a->number > b->number) - (a->number < b->number);
}

/* Of calls and of strays: not only of calls. */
static void put_returns(FILE *file, const struct chosen *chosen) {
    static struct counts counts;
    const struct account *account = chosen->account;

    memset(&counts, 0, sizeof counts);
    for (size_t i = 0; i < account->code_count; i++) {
        count_one(&counts, function_label(account->codes[i].function, chosen->view.names),
                  account->codes[i].code);
    }
    qsort(counts.row, counts.rows, sizeof counts.row[0], by_count);
    for (size_t i = 0; i < counts.rows; i++) {
        fprintf(file, "%s\t%" PRId64 "\t%" PRIu64 "\n", counts.row[i].label, counts.row[i].number,
                counts.row[i].count);
    }
}

static void put_cumulative(FILE *file, const struct counts *counts, size_t at, uint64_t *so_far) {
    *so_far += counts->row[at].count;
    fprintf(file, "\t%" PRIu64, counts->row[at].count);
    put_share(file, true, counts->row[at].count, counts->all);
    put_share(file, true, *so_far, counts->all);
    fputc('\n', file);
}

static void put_sizes(FILE *file, const struct chosen *chosen) {
    static struct counts counts;
    uint64_t so_far = 0;

    memset(&counts, 0, sizeof counts);
    for (size_t i = 0; i < chosen->account->call_count; i++) {
        count_one(&counts, "", chosen->account->calls[i].bytes);
    }
    qsort(counts.row, counts.rows, sizeof counts.row[0], by_number);
    for (size_t i = 0; i < counts.rows; i++) {
        fprintf(file, "%" PRId64, counts.row[i].number);
        put_cumulative(file, &counts, i, &so_far);
    }
}

static void put_popularity(FILE *file, const struct chosen *chosen) {
    static struct counts counts;
    uint64_t so_far = 0;

    memset(&counts, 0, sizeof counts);
    for (size_t i = 0; i < chosen->account->call_count; i++) {
        count_one(&counts, function_label(chosen->account->calls[i].function, chosen->view.names),
                  0);
    }
    qsort(counts.row, counts.rows, sizeof counts.row[0], by_count);
    for (size_t i = 0; i < counts.rows; i++) {
        fprintf(file, "%zu\t%s", i + 1, counts.row[i].label);
        put_cumulative(file, &counts, i, &so_far);
    }
}

/* --- events ----------------------------------------------------------------------------------- */

struct row_order {
    uint64_t time;
    size_t row;
};

static int by_time(const void *left, const void *right) {
    const struct row_order *a = left, *b = right;

    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return a->row < b->row ? -1 : 1;
}

void write_rows(FILE *file, const char *prefix, const struct account *account,
                const struct view *view) {
    struct row_order *order = allocate(account->row_count, sizeof *order);

    for (size_t i = 0; i < account->row_count; i++) {
        order[i] = (struct row_order){
            view->timed ? account->rows[i].time * unit_of(view) : account->rows[i].position, i};
    }
    qsort(order, account->row_count, sizeof order[0], by_time);
    for (size_t i = 0; i < account->row_count; i++) {
        const struct row *row = &account->rows[order[i].row];
        const struct call *call = row->kind == CALL_ROW ? &account->calls[row->call] : NULL;

        fprintf(file, "%s%" PRIu64 "\t%" PRIu32 "\t%" PRIu32, prefix, order[i].time,
                thread_numbers[row->thread], program[row->function].number);
        put_time(file, view, call != NULL && call->known && !call->open,
                 call != NULL ? call->duration : 0);
        fputc('\n', file);
    }
    free(order);
}

/* --- all reports of a log --------------------------------------------------------------------- */

typedef void writer(FILE *file, const struct chosen *chosen);

struct book {
    FILE *file;
    const struct account *account;
    struct view view;
};

/* A component is chosen by its name or number, and the number may be written as it is shown. */
static void put_choice(FILE *file, const struct choice *choice, bool names) {
    if (choice->per_thread) {
        fputs(" --per-thread", file);
    }
    if (choice->under >= 0) {
        fprintf(file, " --under %s", function_label((enum function)choice->under, names));
    }
    if (choice->component >= 0 && names) {
        fprintf(file, " --component %s", component_label((unsigned)choice->component, names));
    } else if (choice->component >= 0) {
        fprintf(file, " --component %d", choice->component);
    }
    if (choice->operation >= 0) {
        fprintf(file, " --op %s", function_label((enum function)choice->operation, names));
    }
}

/* A filter by what does not occur is wrong usage, and not asked for. */
static bool occurs(const struct account *account, const struct choice *choice) {
    bool component = choice->component < 0;

    for (unsigned i = 0; i < FUNCTIONS; i++) {
        component |= account->figures[i].calls > 0 &&
                     (int)component_of((enum function)i) == choice->component;
    }
    return component && (choice->under < 0 || account->figures[choice->under].calls > 0) &&
           (choice->operation < 0 || account->figures[choice->operation].calls > 0);
}

static void add_report(struct book *book, const char *report, writer *write,
                       const struct choice *choice) {
    struct chosen chosen;

    if (!occurs(book->account, choice)) {
        return;
    }
    fprintf(book->file, "$ report %s", report);
    put_choice(book->file, choice, book->view.names);
    fputc('\n', book->file);
    choose(&chosen, book->account, &book->view, choice);
    write(book->file, &chosen);
    choose_free(&chosen);
}

static void add_functions(struct book *book) {
    static const struct choice choices[] = {
        {-1, -1, -1, false},      {-1, -1, -1, true},        {ELEMENT, -1, -1, false},
        {HANDLE, -1, -1, true},   {-1, 2, -1, false},        {-1, 3, -1, true},
        {-1, -1, ELEMENT, false}, {ATTRIBUTE, 3, -1, false}, {ELEMENT, -1, READ, false},
    };

    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        add_report(book, "functions", put_chosen_functions, &choices[i]);
    }
}

static void add_calltrees(struct book *book) {
    static const struct choice choices[] = {
        {-1, -1, -1, false}, {ELEMENT, -1, -1, false}, {SEND, -1, -1, false},
        {-1, 2, -1, false},  {-1, 3, -1, false},       {HANDLE, 2, -1, false},
    };

    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        add_report(book, "calltree", put_calltree, &choices[i]);
    }
}

static void add_calls(struct book *book) {
    static const enum function functions[] = {READ, ELEMENT, CLOSE, END_ELEMENT, RUN, PACKET};

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        struct choice choice = {-1, -1, (int)functions[i], false};

        add_report(book, "calls", put_calls, &choice);
    }
}

/* The two ways of adding up agree: at the end of each call, and from the calls kept. */
static void check_figures(const struct account *account) {
    const struct view view = {.timed = true};
    struct figures sums[FUNCTIONS] = {{0}};
    struct chosen chosen;

    choose(&chosen, account, &view, &all);
    for (size_t i = 0; i < account->call_count; i++) {
        add_to(&sums[account->calls[i].function], &account->calls[i], is_outermost(&chosen, i));
    }
    choose_free(&chosen);
    require(memcmp(sums, account->figures, sizeof sums) == 0, "figures that agree");
}

/* How many rows `dump` marks, and how. */
static void put_marks(FILE *file, const struct account *account) {
    uint64_t strays = 0, missing = 0, open = 0;

    for (size_t i = 0; i < account->row_count; i++) {
        strays += account->rows[i].kind == STRAY_ROW;
    }
    for (size_t i = 0; i < account->call_count; i++) {
        missing += !account->calls[i].open && !account->calls[i].returned;
        open += account->calls[i].open;
    }
    fprintf(file, "stray exit\t%" PRIu64 "\nexit missing\t%" PRIu64 "\nopen\t%" PRIu64 "\n", strays,
            missing, open);
}

void write_expected(const char *path, const struct account *account, const struct view *view) {
    struct book book = {.file = create_file(path), .account = account, .view = *view};

    check_figures(account);
    fprintf(book.file, "$ ledger\nevents\t%" PRIu64 "\nrejected\t0\n$ marks\n", account->records);
    put_marks(book.file, account);
    fputs("$ rows\n", book.file);
    write_rows(book.file, "", account, view);
    add_functions(&book);
    add_calltrees(&book);
    add_calls(&book);
    add_report(&book, "returns", put_returns, &all);
    add_report(&book, "popularity", put_popularity, &all);
    add_report(&book, "argsize", put_sizes, &all);
    close_file(book.file);
}

/* --- records
 * -------------------------------------------------------------------------------------- */

void write_records(FILE *file, const char *prefix, const struct account *account, bool timed) {
    static const char *const types[] = {"", "entry", "exit", "data"};

    for (size_t i = 0; i < account->happening_count; i++) {
        const struct happening *happening = &account->happenings[i];

        fprintf(file, "%s%" PRIu64 "\t%" PRIu32 "\t%s\t%s\n", prefix, timed ? happening->time : i,
                thread_numbers[happening->thread], function_label(happening->function, false),
                types[happening->type]);
    }
}
