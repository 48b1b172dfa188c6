/* Prints results of contracts for people and for test runners. */
#ifndef TRACETOOL_CONTRACT_PRINT_H
#define TRACETOOL_CONTRACT_PRINT_H

#include <stdio.h>

#include "contract/contract.h"
#include "output/printer.h"

enum outcome_form {
    OUTCOMES_PLAIN, /* a line for each contract, after it the places of a broken one */
    OUTCOMES_TAP,   /* the Test Anything Protocol, version 13 */
    OUTCOMES_JUNIT, /* JUnit XML: broken contracts are failures, undecided ones errors */
    OUTCOMES_GITHUB /* workflow commands of GitHub Actions for all contracts that do not hold */
};

struct outcome_style {
    enum outcome_form form;
    const char *suite; /* subject of the assertions: the logs as typed */
    bool lenient;      /* undecided contracts do not count as failures */
    bool quiet;        /* plain lines only of contracts that do not hold */
};

void outcomes_print(const struct outcomes *outcomes, const struct outcome_style *style, FILE *file);

/* Prints a table: broken, undecided and fulfilled contracts. Markdown has ten lines for a pull
 * request, with at most six rows of contracts that do not hold. */
bool outcomes_print_rows(const struct outcomes *outcomes, const struct outcome_style *style,
                         struct printer *printer, struct error *error);

#endif
