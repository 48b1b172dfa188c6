/* Prints the results of contracts for users and for test runners. */
#ifndef TRACETOOL_CONTRACT_PRINT_H
#define TRACETOOL_CONTRACT_PRINT_H

#include <stdio.h>

#include "contract/contract.h"
#include "output/printer.h"

enum outcome_form {
    OUTCOMES_PLAIN, /* a line per contract, followed by the places of a broken one */
    OUTCOMES_TAP,   /* Test Anything Protocol, version 13 */
    OUTCOMES_JUNIT, /* JUnit XML: broken contracts are failures, undecided ones are errors */
    OUTCOMES_GITHUB /* GitHub Actions commands, for contracts that are broken or undecided */
};

struct outcome_style {
    enum outcome_form form;
    const char *suite; /* name of the JUnit test suite: the logs as typed */
    bool lenient;      /* true: an undecided contract is no failure */
    bool quiet;        /* true: OUTCOMES_PLAIN omits contracts that hold */
};

void outcomes_print(const struct outcomes *outcomes, const struct outcome_style *style, FILE *file);

/* Prints a table: first broken contracts, then undecided ones, then those that hold. In Markdown
 * (for a pull request), it has at most ten lines: only contracts that do not hold, at most six. */
bool outcomes_print_rows(const struct outcomes *outcomes, const struct outcome_style *style,
                         struct printer *printer, struct error *error);

#endif
