#include "account.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 512 };

static const char *const resolution_names[RESOLUTIONS] = {"process", "thread", "method", "loop"};

int64_t overhead_of(const struct play *play, int function) {
    return play->program->functions[function].framework ? OVERHEAD_FRAMEWORK : OVERHEAD_APP;
}

static int64_t on(const struct moment *moment, enum clock clock) {
    return clock == WALL ? moment->wall : moment->cpu;
}

/* When calls end that are open behind the last record: with it, for all threads are of one process;
 * but each thread has a CPU time of its own. */
static int64_t end_of_log(const struct play *play, int thread, enum clock clock) {
    int64_t end = 0;

    for (size_t i = 0; i < play->event_count; i++) {
        const struct event *event = &play->events[i];

        if ((clock == WALL || event->thread == thread) && on(&event->at, clock) > end) {
            end = on(&event->at, clock);
        }
    }
    return end;
}

void account_open(struct account *account, const struct play *play, enum clock clock) {
    *account = (struct account){.play = play,
                                .clock = clock,
                                .duration = allocate(play->count, sizeof(int64_t)),
                                .self = allocate(play->count, sizeof(int64_t))};
    for (size_t i = 0; i < play->count; i++) {
        const struct call *call = &play->calls[i];

        account->duration[i] = account->self[i] =
            (call->state == OPEN ? end_of_log(play, call->thread, clock) : on(&call->end, clock)) -
            on(&call->begin, clock);
    }
    for (size_t i = 0; i < play->count; i++) {
        int parent = play->calls[i].parent;

        if (parent >= 0 && account->duration[i] != UNKNOWN &&
            account->duration[parent] != UNKNOWN) {
            account->self[parent] -= account->duration[i];
        }
    }
    for (size_t i = 0; i < play->count; i++) {
        account->all_self += account->self[i] == UNKNOWN ? 0 : account->self[i];
    }
}

void account_free(struct account *account) {
    free(account->duration);
    free(account->self);
}

/* --- fields ----------------------------------------------------------------------------------- */

static void field(FILE *file, const char *text) {
    if (*text == '#') {
        fputs("\\x23", file);
        text++;
    }
    for (; *text != '\0'; text++) {
        if (*text == '\\') {
            fputc('\\', file);
        }
        fputc(*text, file);
    }
}

static void name_field(FILE *file, const struct play *play, int function) {
    char name[NAME_SIZE];

    function_name(play->program, function, name, sizeof name);
    field(file, name);
}

static void number_field(FILE *file, int64_t number) {
    fputc('\t', file);
    if (number != UNKNOWN) {
        fprintf(file, "%" PRId64, number);
    }
}

static void share_field(FILE *file, int64_t part, int64_t whole) {
    fputc('\t', file);
    if (part != UNKNOWN && whole > 0) {
        fprintf(file, "%.6f", (double)part / (double)whole);
    }
}

void thread_label(const struct program *program, int thread, char *label, size_t size) {
    const struct thread *one = &program->threads[thread];

    if (program->unnamed_threads || one->name == NULL || one->name[0] == '\0') {
        snprintf(label, size, "%d", program->unnamed_threads ? one->tid : one->id);
    } else {
        snprintf(label, size, "%s/%d", one->name, one->id);
    }
}

/* --- functions, hotspots ---------------------------------------------------------------------- */

struct row {
    const struct play *play;
    int thread, function;
    int64_t calls, known; /* known: those with a duration */
    int64_t total, self, min, sum, max;
    int64_t corrected;
};

/* UNKNOWN is below every time, so those come last. */
static int compare_times(int64_t left, int64_t right) {
    return left == right ? 0 : left > right ? -1 : 1;
}

static int compare_names(const struct play *play, int left, int right) {
    char one[NAME_SIZE], other[NAME_SIZE];

    function_name(play->program, left, one, sizeof one);
    function_name(play->program, right, other, sizeof other);
    return strcmp(one, other);
}

static int compare_rows(const void *left, const void *right) {
    const struct row *one = left, *other = right;
    int order = one->thread - other->thread;

    if (order == 0) {
        order = compare_times(one->self, other->self);
    }
    return order != 0 ? order : compare_names(one->play, one->function, other->function);
}

static int compare_hotspots(const void *left, const void *right) {
    const struct row *one = left, *other = right;
    int order = compare_times(one->total, other->total);

    return order != 0 ? order : compare_names(one->play, one->function, other->function);
}

/* Is a call of `function` among the callers of `call`? */
static bool inside(const struct play *play, int call, int function) {
    for (int at = play->calls[call].parent; at >= 0; at = play->calls[at].parent) {
        if (play->calls[at].function == function) {
            return true;
        }
    }
    return false;
}

static void add_times(struct row *row, int64_t duration, int64_t self, bool outermost) {
    row->calls++;
    if (duration == UNKNOWN) {
        return;
    }
    row->min = row->known == 0 || duration < row->min ? duration : row->min;
    row->max = duration > row->max ? duration : row->max;
    row->self += self;
    row->sum += duration;
    row->total += outermost ? duration : 0;
    row->known++;
}

static void function_row(FILE *file, const struct account *account, const struct row *row) {
    int64_t mean = row->known == 0 ? UNKNOWN : (2 * row->sum + row->known) / (2 * row->known);

    name_field(file, account->play, row->function);
    number_field(file, row->calls);
    number_field(file, row->total);
    number_field(file, row->self);
    number_field(file, row->min);
    number_field(file, mean);
    number_field(file, row->max);
    share_field(file, row->self, account->all_self);
    fputc('\n', file);
}

/* Threads are numbered in order of their IDs, so rows sort by number. */
static void check_threads(const struct program *program) {
    for (size_t i = 1; i < program->thread_count; i++) {
        if (program->threads[i].id <= program->threads[i - 1].id) {
            die("threads are not in order");
        }
    }
}

static size_t used_rows(struct row *rows, size_t count) {
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        if (rows[i].calls > 0) {
            rows[used] = rows[i];
            if (rows[used].known == 0) {
                rows[used].total = rows[used].self = rows[used].min = rows[used].max = UNKNOWN;
            }
            used++;
        }
    }
    return used;
}

void write_functions(FILE *file, const struct account *account, bool per_thread) {
    const struct play *play = account->play;
    size_t functions = play->program->function_count;
    size_t count = functions * (per_thread ? play->program->thread_count : 1);
    struct row *rows = allocate(count, sizeof *rows);
    char label[NAME_SIZE];

    check_threads(play->program);
    for (size_t i = 0; i < play->count; i++) {
        const struct call *call = &play->calls[i];
        int thread = per_thread ? call->thread : 0;
        struct row *row = &rows[(size_t)thread * functions + (size_t)call->function];

        row->play = play;
        row->thread = thread;
        row->function = call->function;
        add_times(row, account->duration[i], account->self[i],
                  !inside(play, (int)i, call->function));
    }
    count = used_rows(rows, count);
    qsort(rows, count, sizeof *rows, compare_rows);
    for (size_t i = 0; i < count; i++) {
        if (per_thread) {
            thread_label(play->program, rows[i].thread, label, sizeof label);
            field(file, label);
            fputc('\t', file);
        }
        function_row(file, account, &rows[i]);
    }
    free(rows);
}

static bool inside_resolution(const struct play *play, int call, enum resolution resolution) {
    for (int at = play->calls[call].parent; at >= 0; at = play->calls[at].parent) {
        if (play->program->functions[play->calls[at].function].resolution == resolution) {
            return true;
        }
    }
    return false;
}

/* What the shares are of: the time of the chosen item, else of the outermost items. */
static int64_t whole_time(const struct account *account, enum resolution resolution, int within) {
    const struct play *play = account->play;
    int64_t whole = 0;

    for (size_t i = 0; i < play->count; i++) {
        int function = play->calls[i].function;

        if (account->duration[i] == UNKNOWN) {
            continue;
        }
        if (within >= 0 ? function == within && !inside(play, (int)i, within)
                        : play->program->functions[function].resolution == resolution &&
                              !inside_resolution(play, (int)i, resolution)) {
            whole += account->duration[i];
        }
    }
    return whole;
}

/* By call: what the probes that fired inside of it added. */
static int64_t *overheads_inside(const struct play *play) {
    int64_t *added = allocate(play->count, sizeof *added);

    for (size_t i = play->count; i-- > 0;) {
        int parent = play->calls[i].parent;

        if (parent >= 0) {
            added[parent] += added[i] + overhead_of(play, play->calls[i].function);
        }
    }
    return added;
}

/* A chosen call that is inside one of the same item which is not chosen cannot be: whatever is
 * inside a chosen call is chosen, too. A caller of the same item, however, may be outside of
 * `within`. */
static bool outermost_within(const struct play *play, int call, int within) {
    int function = play->calls[call].function;

    for (int at = play->calls[call].parent; at >= 0; at = play->calls[at].parent) {
        if (play->calls[at].function == function) {
            return within >= 0 && !inside(play, at, within);
        }
    }
    return true;
}

static void hotspot_rows(struct row *rows, const struct account *account,
                         enum resolution resolution, int within) {
    const struct play *play = account->play;
    int64_t *added = overheads_inside(play);

    for (size_t i = 0; i < play->count; i++) {
        int function = play->calls[i].function;
        struct row *row = &rows[function];
        int64_t duration = account->duration[i];
        bool outermost = outermost_within(play, (int)i, within);

        if (play->program->functions[function].resolution != resolution ||
            (within >= 0 && !inside(play, (int)i, within))) {
            continue;
        }
        row->play = play;
        row->function = function;
        add_times(row, duration, 0, outermost);
        if (outermost && duration != UNKNOWN && duration > added[i]) {
            row->corrected += duration - added[i];
        }
    }
    free(added);
}

void write_hotspots(FILE *file, const struct account *account, enum resolution resolution,
                    int within, int64_t min_calls) {
    size_t count = account->play->program->function_count;
    struct row *rows = allocate(count, sizeof *rows);
    int64_t whole = whole_time(account, resolution, within);

    hotspot_rows(rows, account, resolution, within);
    count = used_rows(rows, count);
    qsort(rows, count, sizeof *rows, compare_hotspots);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].calls < min_calls) {
            continue;
        }
        name_field(file, account->play, rows[i].function);
        fprintf(file, "\t%s", resolution_names[resolution]);
        number_field(file, rows[i].calls);
        number_field(file, rows[i].total);
        number_field(file, rows[i].corrected);
        share_field(file, rows[i].total, whole);
        fputc('\n', file);
    }
    free(rows);
}

/* --- calltree --------------------------------------------------------------------------------- */

struct node {
    int function, depth;
    int first, next; /* first callee; next callee of the same caller; -1 */
    int64_t calls, total, self;
};

struct tree {
    const struct play *play;
    struct node *nodes;
    size_t count, capacity;
};

static int add_node(struct tree *tree, int function, int depth) {
    tree->nodes = grow(tree->nodes, tree->count, &tree->capacity, sizeof *tree->nodes);
    tree->nodes[tree->count] = (struct node){.function = function,
                                             .depth = depth,
                                             .first = -1,
                                             .next = -1,
                                             .total = UNKNOWN,
                                             .self = UNKNOWN};
    return (int)tree->count++;
}

static int callee(struct tree *tree, int parent, int function) {
    int at = tree->nodes[parent].first;

    while (at >= 0 && tree->nodes[at].function != function) {
        at = tree->nodes[at].next;
    }
    if (at < 0) {
        at = add_node(tree, function, tree->nodes[parent].depth + 1);
        tree->nodes[at].next = tree->nodes[parent].first;
        tree->nodes[parent].first = at;
    }
    return at;
}

static void add_known(int64_t *sum, int64_t time) {
    if (time != UNKNOWN) {
        *sum = time + (*sum == UNKNOWN ? 0 : *sum);
    }
}

static void grow_tree(struct tree *tree, const struct account *account) {
    const struct play *play = account->play;
    int *nodes = allocate(play->count, sizeof *nodes);

    add_node(tree, -1, -1);
    for (size_t i = 0; i < play->count; i++) {
        int parent = play->calls[i].parent;
        int at = callee(tree, parent < 0 ? 0 : nodes[parent], play->calls[i].function);

        nodes[i] = at;
        tree->nodes[at].calls++;
        add_known(&tree->nodes[at].total, account->duration[i]);
        add_known(&tree->nodes[at].self, account->self[i]);
    }
    free(nodes);
}

static bool node_before(const struct tree *tree, int left, int right) {
    const struct node *one = &tree->nodes[left], *other = &tree->nodes[right];
    int order = compare_times(one->total, other->total);

    return (order != 0 ? order : compare_names(tree->play, one->function, other->function)) < 0;
}

/* Callees in the order of the report. */
static void sort_callees(struct tree *tree, int parent) {
    int sorted = -1;

    for (int at = tree->nodes[parent].first, next; at >= 0; at = next) {
        int *place = &sorted;

        next = tree->nodes[at].next;
        while (*place >= 0 && node_before(tree, *place, at)) {
            place = &tree->nodes[*place].next;
        }
        tree->nodes[at].next = *place;
        *place = at;
    }
    tree->nodes[parent].first = sorted;
}

static void write_nodes(FILE *file, struct tree *tree, int parent, int64_t all_self) {
    sort_callees(tree, parent);
    for (int at = tree->nodes[parent].first; at >= 0; at = tree->nodes[at].next) {
        const struct node *node = &tree->nodes[at];

        fprintf(file, "%d\t", node->depth);
        name_field(file, tree->play, node->function);
        number_field(file, node->calls);
        number_field(file, node->total);
        number_field(file, node->self);
        share_field(file, node->total, all_self);
        fputc('\n', file);
        write_nodes(file, tree, at, all_self);
    }
}

void write_calltree(FILE *file, const struct account *account) {
    struct tree tree = {.play = account->play};

    grow_tree(&tree, account);
    write_nodes(file, &tree, 0, account->all_self);
    free(tree.nodes);
}

/* --- calls, modules, overhead ----------------------------------------------------------------- */

void write_calls(FILE *file, const struct account *account, int function, enum clock axis,
                 int64_t origin) {
    const struct play *play = account->play;
    char label[NAME_SIZE];
    int number = 0;

    for (size_t i = 0; i < play->event_count; i++) {
        const struct event *event = &play->events[i];
        int64_t start = on(&event->at, axis) - origin;

        if (event->action != ENTRY || event->function != function) {
            continue;
        }
        thread_label(play->program, event->thread, label, sizeof label);
        fprintf(file, "%d\t%" PRId64, ++number, start);
        number_field(file, account->duration[event->call]);
        fputc('\t', file);
        field(file, label);
        fputc('\t', file);
        name_field(file, play, function);
        fputs("\t\n", file);
    }
}

struct share {
    const char *name;
    int64_t time;
};

static int compare_shares(const void *left, const void *right) {
    const struct share *one = left, *other = right;
    int order = compare_times(one->time, other->time);

    return order != 0 ? order : strcmp(one->name, other->name);
}

static size_t module_of(const struct play *play, int function, const struct module *modules,
                        size_t count) {
    size_t found = count, length = 0;
    char name[NAME_SIZE];

    function_name(play->program, function, name, sizeof name);
    for (size_t i = 0; i < count; i++) {
        size_t prefix = strlen(modules[i].prefix);

        if (prefix > length && strncmp(name, modules[i].prefix, prefix) == 0) {
            found = i;
            length = prefix;
        }
    }
    return found;
}

void write_modules(FILE *file, const struct account *account, const struct module *modules,
                   size_t count) {
    struct share *shares = allocate(count + 1, sizeof *shares);

    for (size_t i = 0; i <= count; i++) {
        shares[i].name = i < count ? modules[i].name : "other";
    }
    for (size_t i = 0; i < account->play->count; i++) {
        int function = account->play->calls[i].function;

        if (account->self[i] != UNKNOWN) {
            shares[module_of(account->play, function, modules, count)].time += account->self[i];
        }
    }
    qsort(shares, count + 1, sizeof *shares, compare_shares);
    for (size_t i = 0; i <= count && shares[i].time > 0; i++) {
        field(file, shares[i].name);
        number_field(file, shares[i].time);
        share_field(file, shares[i].time, account->all_self);
        fputc('\n', file);
    }
    free(shares);
}

void write_overhead(FILE *file, const struct play *play, const char *trace, size_t bytes) {
    int64_t added = 0, first = INT64_MAX, last = 0;

    for (size_t i = 0; i < play->count; i++) {
        added += overhead_of(play, play->calls[i].function);
    }
    for (size_t i = 0; i < play->event_count; i++) {
        int64_t time = play->events[i].at.wall;

        first = time < first ? time : first;
        last = time > last ? time : last;
    }
    fprintf(file, "%s\t%zu\t%zu\t%.6f\t%zu\t%" PRId64 "\t%.6f\n", trace, bytes, play->event_count,
            (double)bytes / (double)play->event_count, play->count, added,
            (double)added / (double)(last - first));
}
