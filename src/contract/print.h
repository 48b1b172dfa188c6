/* What came of contracts, for people and for programs that run tests. */
#ifndef TRACETOOL_CONTRACT_PRINT_H
#define TRACETOOL_CONTRACT_PRINT_H

#include <stdio.h>

#include "contract/contract.h"
#include "output/printer.h"

enum outcome_form {
    OUTCOMES_PLAIN, /* a line each, and below it the places of what is broken */
    OUTCOMES_TAP,   /* the Test Anything Protocol, version 13 */
    OUTCOMES_JUNIT, /* XML as JUnit's: what is broken is a failure, what is undecided an error */
    OUTCOMES_GITHUB /* workflow commands of GitHub Actions for all that does not hold */
};

struct outcome_style {
    enum outcome_form form;
    const char *suite; /* what was asserted: the logs as typed */
    bool lenient;      /* what is undecided is no failure */
};

void outcomes_print(const struct outcomes *outcomes, const struct outcome_style *style, FILE *file);

/* A table of them: what is broken, what is undecided, what holds. Markdown is ten lines for a pull
 * request, with six rows at most of what does not hold. */
bool outcomes_print_rows(const struct outcomes *outcomes, const struct outcome_style *style,
                         struct printer *printer, struct error *error);

#endif
