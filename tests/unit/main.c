/* Runs all unit tests, or the suites in the arguments. tests/check.sh adds up the last line. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

/* UNIT_SUITES: X(NAME) for each test_NAME.c, from tests/tests.mk. */
#define X(name) void name##_tests(TCase *cases);
UNIT_SUITES
#undef X

static bool is_chosen(const char *suite, int count, char *const *names) {
    for (int i = 0; i < count; i++) {
        if (strcmp(suite, names[i]) == 0) {
            return true;
        }
    }
    return count == 0;
}

int main(int argc, char **argv) {
    SRunner *runner;
    int failed, run, chosen = 0;

    setenv("CK_DEFAULT_TIMEOUT", "60",
           0); /* seconds per test: Check's default of 4 is too short on a busy machine */
    runner = srunner_create(NULL);
#define X(name)                                                                                    \
    if (is_chosen(#name, argc - 1, argv + 1)) {                                                    \
        srunner_add_suite(runner, unit_suite(#name, name##_tests));                                \
        chosen++;                                                                                  \
    }
    UNIT_SUITES
#undef X
    if (argc > 1 && chosen != argc - 1) {
        fprintf(stderr, "unit: %d of %d suites found\n", chosen, argc - 1);
        return EXIT_FAILURE;
    }
    srunner_run_all(runner, CK_ENV);
    run = srunner_ntests_run(runner);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    printf("unit: %d passed, %d failed", run - failed, failed);
    if (unit_skipped > 0) {
        printf(", %d skipped", unit_skipped);
    }
    puts("");
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
