#include "fit.h"

/* Few I/Os leave some claims none at all. */
static double factor(int64_t target, double sum) {
    return sum > 0.0 ? (double)target / sum : 0.0;
}

/* Scales the cells that a claim is about to its target, and all others to the rest, claim by claim,
 * until all claims fit (iterative proportional fitting). No product is added to anything in one
 * expression, so that no compiler can fuse the two and round differently.
 */
static void scale(Problem *problem) {
    enum { ROUNDS = 1000 };
    for (unsigned step = 0; step < ROUNDS * MAX_CLAIMS; step++) {
        unsigned claim = step % MAX_CLAIMS;
        double parts[2] = {0}, factors[2];
        if (!(problem->claimed & BIT(claim))) {
            continue;
        }
        for (unsigned i = 0; i < problem->count; i++) {
            parts[problem->cells[i].claims >> claim & 1] += problem->cells[i].wanted;
        }
        factors[0] = factor(problem->target[0] - problem->target[claim], parts[0]);
        factors[1] = factor(problem->target[claim], parts[1]);
        for (unsigned i = 0; i < problem->count; i++) {
            problem->cells[i].wanted *= factors[problem->cells[i].claims >> claim & 1];
        }
    }
}

static void round_cells(Problem *problem) {
    double sum = 0.0;
    int64_t before = 0;
    for (unsigned i = 0; i < problem->count; i++) {
        int64_t after;
        sum += problem->cells[i].wanted;
        after = i + 1 == problem->count ? problem->target[0] : (int64_t)(sum + 0.5);
        problem->cells[i].count = after - before;
        before = after;
    }
}

/* How many I/Os each claim has too many. */
typedef struct {
    int64_t of[MAX_CLAIMS];
} Excess;

static Excess excess_of(const Problem *problem) {
    Excess excess = {{0}};
    for (unsigned i = 0; i < MAX_CLAIMS; i++) {
        excess.of[i] = problem->claimed & BIT(i) ? -problem->target[i] : 0;
        for (unsigned j = 0; j < problem->count; j++) {
            if (problem->cells[j].claims & BIT(i)) {
                excess.of[i] += problem->cells[j].count;
            }
        }
    }
    return excess;
}

static int64_t squares(const Excess *excess) {
    int64_t sum = 0;
    for (unsigned i = 0; i < MAX_CLAIMS; i++) {
        sum += excess->of[i] * excess->of[i];
    }
    return sum;
}

/* By how much the squares become less when an I/O leaves these claims and enters those. */
static int64_t gain_of_move(const Excess *excess, uint64_t leaves, uint64_t enters) {
    int64_t gain = 0;
    uint64_t changed = leaves ^ enters;
    for (unsigned i = 0; changed; i++, changed >>= 1) {
        if (changed & 1) {
            gain += (leaves >> i & 1 ? 2 : -2) * excess->of[i] - 1;
        }
    }
    return gain;
}

/* Whether that alone brings a claim nearer. */
static int mends(const Excess *excess, uint64_t leaves, uint64_t enters) {
    for (unsigned i = 0; i < MAX_CLAIMS; i++) {
        if ((excess->of[i] > 0 && leaves & ~enters & BIT(i)) ||
            (excess->of[i] < 0 && enters & ~leaves & BIT(i))) {
            return 1;
        }
    }
    return 0;
}

static void move(Problem *problem, Excess *excess, unsigned from, unsigned to) {
    problem->cells[from].count--;
    problem->cells[to].count++;
    for (unsigned i = 0; i < MAX_CLAIMS; i++) {
        excess->of[i] += (int)(problem->cells[to].claims >> i & 1);
        excess->of[i] -= (int)(problem->cells[from].claims >> i & 1);
    }
}

/* Moves single I/Os, always that which helps most, until none helps. */
static void settle(Problem *problem, Excess *excess) {
    int64_t best;
    do {
        unsigned from = 0, to = 0;
        best = 0;
        for (unsigned i = 0; i < problem->count; i++) {
            for (unsigned j = 0; problem->cells[i].count && j < problem->count; j++) {
                int64_t gain =
                    gain_of_move(excess, problem->cells[i].claims, problem->cells[j].claims);
                if (gain > best) {
                    best = gain;
                    from = i;
                    to = j;
                }
            }
        }
        if (best > 0) {
            move(problem, excess, from, to);
        }
    } while (best > 0);
}

/* Moves an I/O that mends one claim at the cost of others, and settles what it brought about; 0
 * when no such move ends nearer to the targets.
 */
static int mend(Problem *problem, Excess *excess) {
    static Problem before;
    Excess excess_before = *excess;
    before = *problem;
    for (unsigned i = 0; i < before.count; i++) {
        for (unsigned j = 0; before.cells[i].count && j < before.count; j++) {
            if (mends(&excess_before, before.cells[i].claims, before.cells[j].claims)) {
                move(problem, excess, i, j);
                settle(problem, excess);
                if (squares(excess) < squares(&excess_before)) {
                    return 1;
                }
                *problem = before;
                *excess = excess_before;
            }
        }
    }
    return 0;
}

/* Rounding leaves claims a few I/Os off. */
static void repair(Problem *problem) {
    Excess excess;
    problem->claimed &= ~problem->loose;
    for (unsigned i = 0; i < problem->count; i++) {
        problem->cells[i].claims &= problem->claimed;
    }
    excess = excess_of(problem);
    settle(problem, &excess);
    while (squares(&excess) > 0 && mend(problem, &excess)) {
    }
}

void fit(Problem *problem) {
    scale(problem);
    round_cells(problem);
    repair(problem);
}
