/* Prints results of contracts for people and for test runners. */
#ifndef TRACETOOL_CONTRACT_PRINT_H
#define TRACETOOL_CONTRACT_PRINT_H

#include <stdio.h>

#include "contract/contract.h"
#include "output/printer.h"

enum outcome_form {
    OUTCOMES_PLAIN, /* a line for each contract, followed by the places of a broken one */
    OUTCOMES_TAP,   /* Test Anything Protocol, version 13 */
    OUTCOMES_JUNIT, /* JUnit XML: broken contracts are failures, undecided ones errors */
    OUTCOMES_GITHUB /* workflow commands of GitHub Actions, for all contracts that do not hold */
};

struct outcome_style {
    enum outcome_form form;
    const char *suite; /* what the assertions are about: the logs as typed */
    bool lenient;      /* true: undecided contracts are no failures */
    bool quiet;        /* true: OUTCOMES_PLAIN only has contracts that do not hold */
};

void outcomes_print(const struct outcomes *outcomes, const struct outcome_style *style, FILE *file);

/* Prints a table: broken contracts, undecided ones, and those that hold. Markdown has ten lines for
 * a pull request, with at most six rows of contracts that do not hold. */
bool outcomes_print_rows(const struct outcomes *outcomes, const struct outcome_style *style,
                         struct printer *printer, struct error *error);

#endif
