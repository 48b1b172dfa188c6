/* Runs all unit tests, or the suites in the arguments. tests/check.sh adds up the last line. */
#include "unit.h"

int main(int argc, char **argv) {
    SRunner *runner;
    int chosen, failed, run;

    /* Seconds per test: Check's default of 4 is too short on a busy machine. */
    setenv("CK_DEFAULT_TIMEOUT", "120", 0);
    database_skip_memory_counts(); /* as the program does */
    runner = srunner_create(NULL);
    chosen = unit_suites(runner, argc - 1, argv + 1);
    if (argc > 1 && chosen != argc - 1) {
        fprintf(stderr, "unit: %d of %d suites found\n", chosen, argc - 1);
        return EXIT_FAILURE;
    }
    srunner_run_all(runner, CK_ENV);
    run = srunner_ntests_run(runner);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    printf("unit: %d passed, %d failed\n", run - failed, failed);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
