#include "compare/request.h"

const char *const compare_per_names[COMPARE_PERS] = {"", "none", "second", "call", "io", "run"};
const char *const compare_only_names[COMPARE_ONLYS] = {"", "both", "a", "b", "changed"};
const char *const compare_sort_names[COMPARE_SORTS] = {"",     "part", "delta", "ratio",
                                                       "rank", "a",    "b"};
const char *const compare_widths_names[COMPARE_WIDTHS] = {"max", "a", "b"};
const char *const compare_adjustment_names[ADJUSTMENTS] = {"bh", "holm"};
