/* Runs all unit tests, or with an argument every second suite: from the first (1) or the second (2)
 * on. The last line is what tests/check.sh adds up. */
#include <stdio.h>
#include <stdlib.h>

#include "unit.h"

/* UNIT_SUITES: X(NAME) for each test_NAME.c, by tests/tests.mk. */
#define X(name) void name##_tests(TCase *cases);
UNIT_SUITES
#undef X

int main(int argc, char **argv) {
    SRunner *runner;
    int failed, run, suite = 1;

    setenv("CK_DEFAULT_TIMEOUT", "60", 0); /* seconds a test: Check's 4 are few on a busy machine */
    runner = srunner_create(NULL);
#define X(name)                                                                                    \
    if (argc < 2 || (suite++ - atoi(argv[1])) % 2 == 0) {                                          \
        srunner_add_suite(runner, unit_suite(#name, name##_tests));                                \
    }
    UNIT_SUITES
#undef X
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
