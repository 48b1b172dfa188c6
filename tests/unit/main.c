/* Runs all unit tests. The last line is what tests/check.sh adds up. */
#include <stdio.h>
#include <stdlib.h>

#include "unit.h"

int main(void) {
    SRunner *runner;
    int failed, run;

    setenv("CK_DEFAULT_TIMEOUT", "60", 0); /* seconds a test: Check's 4 are few on a busy machine */
    runner = srunner_create(base_suite());
    srunner_add_suite(runner, annotate_suite());
    srunner_add_suite(runner, bar_suite());
    srunner_add_suite(runner, block_io_suite());
    srunner_add_suite(runner, call_stacks_suite());
    srunner_add_suite(runner, catalog_suite());
    srunner_add_suite(runner, changes_suite());
    srunner_add_suite(runner, columns_suite());
    srunner_add_suite(runner, compare_suite());
    srunner_add_suite(runner, config_suite());
    srunner_add_suite(runner, copy_suite());
    srunner_add_suite(runner, declared_suite());
    srunner_add_suite(runner, distribution_suite());
    srunner_add_suite(runner, dump_suite());
    srunner_add_suite(runner, dwtrace_suite());
    srunner_add_suite(runner, event_scan_suite());
    srunner_add_suite(runner, every_suite());
    srunner_add_suite(runner, functions_suite());
    srunner_add_suite(runner, html_suite());
    srunner_add_suite(runner, id_set_suite());
    srunner_add_suite(runner, import_suite());
    srunner_add_suite(runner, input_suite());
    srunner_add_suite(runner, merge_suite());
    srunner_add_suite(runner, palm_database_suite());
    srunner_add_suite(runner, palmos_suite());
    srunner_add_suite(runner, picture_suite());
    srunner_add_suite(runner, print_suite());
    srunner_add_suite(runner, latency_buckets_suite());
    srunner_add_suite(runner, layout_suite());
    srunner_add_suite(runner, printer_suite());
    srunner_add_suite(runner, order_suite());
    srunner_add_suite(runner, providers_suite());
    srunner_add_suite(runner, query_suite());
    srunner_add_suite(runner, queue_sweep_suite());
    srunner_add_suite(runner, ranking_suite());
    srunner_add_suite(runner, remote_suite());
    srunner_add_suite(runner, report_suite());
    srunner_add_suite(runner, scan_suite());
    srunner_add_suite(runner, scratch_suite());
    srunner_add_suite(runner, section_suite());
    srunner_add_suite(runner, selection_suite());
    srunner_add_suite(runner, span_suite());
    srunner_add_suite(runner, span_walk_suite());
    srunner_add_suite(runner, allocations_suite());
    srunner_add_suite(runner, commits_suite());
    srunner_add_suite(runner, io_parts_suite());
    srunner_add_suite(runner, file_map_suite());
    srunner_add_suite(runner, numbers_suite());
    srunner_add_suite(runner, spool_suite());
    srunner_add_suite(runner, store_suite());
    srunner_add_suite(runner, stores_suite());
    srunner_add_suite(runner, syscalls_suite());
    srunner_add_suite(runner, strace_suite());
    srunner_add_suite(runner, word_suite());
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
