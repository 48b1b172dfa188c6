/* The configuration, and the YAML layer below it. */
#include "config/config.h"
#include "config/yaml.h"
#include "dwtrace_settings.h"
#include "palmist_settings.h"
#include "rmp_settings.h"
#include "unit.h"

/* ---- helpers ---- */

/* Each test runs in its own directory. */
static void set_up(void) {
    folder_make();
    ck_assert_int_eq(chdir(folder_path(".")), 0);
}

static void tear_down(void) {
    ck_assert_int_eq(chdir("/"), 0);
    config_free(&config);
    folder_remove();
}

static void write_string(const char *path, const char *string) {
    folder_write(path, string, strlen(string));
}

static bool reads(const char *path) {
    config_free(&config);
    return config_read(path, &config, &error);
}

static void read_good(const char *yaml) {
    write_string("c.yaml", yaml);
    assert_done(reads("c.yaml"));
}

/* ---- contents ---- */

UNIT_CASE("config", set_up, tear_down);

UNIT_TEST(everything) {
    read_good("applications:\n"
              "  0x00012345: Memo Pad\n"
              "  74566: \"Caf\\u00e9\"\n"
              "  2/0x00012345: Date Book\n"
              "palmist:\n"
              "  loggable: [0xA0A2, 0xA0A2-0xA0B0, EvtGetEvent]\n"
              "  not_logged:\n"
              "    - 0xa000 - 0xA001\n"
              "  record_size: 32\n"
              "file_types:\n"
              "  sqlite: [db, db-j$6]\n"
              "  picture: [jpg]\n"
              "queries: mine\n");
    ck_assert_str_eq(config.path, "c.yaml");
    ck_assert_uint_eq(config.application_count, 3);
    ck_assert_str_eq(config_application_name(&config, 1, 0x12345), "Memo Pad");
    ck_assert_str_eq(config_application_name(&config, 2, 0x12345), "Date Book");
    ck_assert_str_eq(config_application_name(&config, 2, 0x12346), "Caf\xc3\xa9");
    ck_assert_ptr_null(config_application_name(&config, 2, 0x12347));
    ck_assert(palmist_settings(&config)->loggable.given &&
              palmist_settings(&config)->not_logged.given);
    ck_assert_uint_eq(palmist_settings(&config)->loggable.count, 3);
    ck_assert_uint_eq(palmist_settings(&config)->loggable.traps[0].first, 0xA0A2);
    ck_assert_uint_eq(palmist_settings(&config)->loggable.traps[0].last, 0xA0A2);
    ck_assert_uint_eq(palmist_settings(&config)->loggable.traps[1].last, 0xA0B0);
    ck_assert_str_eq(palmist_settings(&config)->loggable.traps[2].name, "EvtGetEvent");
    ck_assert_uint_eq(palmist_settings(&config)->not_logged.count, 1);
    ck_assert_uint_eq(palmist_settings(&config)->not_logged.traps[0].first, 0xA000);
    ck_assert_uint_eq(palmist_settings(&config)->not_logged.traps[0].last, 0xA001);
    ck_assert_int_eq(palmist_settings(&config)->record_size, 32);
    ck_assert_uint_eq(config.file_type_count, 3);
    ck_assert_str_eq(config.file_types[1].type, "sqlite");
    ck_assert_str_eq(config.file_types[1].extension, "db-j$6");
    ck_assert_str_eq(config.file_types[2].type, "picture");
    ck_assert_ptr_null(config.file_type_list);
    ck_assert_str_eq(config.queries, "mine");
}

UNIT_TEST(empty_files) {
    static const char *const files[] = {
        "",
        "# nothing\n",
        "---\n",
        "~\n",
        "{}\n",
        "applications:\npalmist:\nqueries: ~\n",
        "palmist: {loggable: , record_size: null}\nfile_types:\n",
    };

    for (size_t i = 0; i < COUNT(files); i++) {
        read_good(files[i]);

        ck_assert_uint_eq(config.application_count, 0);
        ck_assert(!palmist_settings(&config)->loggable.given);
        ck_assert_ptr_null(config.file_type_list);
        ck_assert_ptr_null(config.queries);
    }
}

UNIT_TEST(empty_lists_count) {
    read_good("palmist: {loggable: [], not_logged: []}\n"
              "file_types: realtime\n");
    ck_assert(palmist_settings(&config)->loggable.given &&
              palmist_settings(&config)->not_logged.given);
    ck_assert_uint_eq(palmist_settings(&config)->loggable.count, 0);
    ck_assert_str_eq(config.file_type_list, "realtime");
}

UNIT_TEST(many_applications) {
    struct text yaml = {0};

    text_append_string(&yaml, "applications:\n");
    for (int i = 0; i < 20000; i++) {
        text_append_format(&yaml, "  %d/0x%x: a%d\n", i % 3 + 1, 50000 - i, i);
    }
    read_good(text_string(&yaml));
    ck_assert_uint_eq(config.application_count, 20000);
    ck_assert_str_eq(config_application_name(&config, 1, 50000), "a0");
    ck_assert_str_eq(config_application_name(&config, 2, 30001), "a19999");
    ck_assert_ptr_null(config_application_name(&config, 3, 30001));
    text_free(&yaml);
}

/* ---- components ---- */

static void check_function(uint32_t component, uint32_t function, const char *name) {
    struct text text = {0};

    ck_assert_int_eq(dwtrace_function_name(&config, component, function, &text), name != NULL);
    ck_assert_str_eq(text_string(&text), name == NULL ? "" : name);
    text_free(&text);
}

static const char symbols[] = "components:\n"
                              "  0x2:\n"
                              "    name: Storage\n"
                              "    functions:\n"
                              "      18: read\n"
                              "      0x11: open\n"
                              "      0x13: read\n"
                              "  3: Network\n"
                              "  4: {functions: {0: open, 2147483647: close}}\n"
                              "  5:\n"
                              "    functions:\n";

UNIT_TEST(components) {
    read_good(symbols);
    char yaml[512];

    ck_assert(dwtrace_has_components(&config));
    ck_assert_str_eq(dwtrace_component_name(&config, 2), "Storage");
    ck_assert_str_eq(dwtrace_component_name(&config, 3), "Network");
    ck_assert_ptr_null(dwtrace_component_name(&config, 4));
    ck_assert_ptr_null(dwtrace_component_name(&config, 6));
    /* Two functions of a component may share a name: it is still that component's. */
    check_function(2, 0x12, "read");
    check_function(2, 0x13, "read");
    check_function(2, 0x11, "Storage:open");
    check_function(4, 0, "0004:open");
    check_function(4, 0x7fffffff, "close");
    check_function(4, 1, NULL);
    check_function(3, 0x11, NULL);
    snprintf(yaml, sizeof yaml, "%sdwtrace: {component_bits: 9}\n", symbols);
    read_good(yaml);
    check_function(4, 0, "004:open");
    read_good("");
    ck_assert(!dwtrace_has_components(&config));
    check_function(4, 0, NULL);
    ck_assert_ptr_null(dwtrace_component_name(&config, 4));
}

/* A file of symbols may omit `components:`. */
UNIT_TEST(components_at_the_top) {
    read_good("0x10: {name: A}\n2: B\ncomponents: {3: C}\nqueries: q\n");
    ck_assert_str_eq(dwtrace_component_name(&config, 16), "A");
    ck_assert_str_eq(dwtrace_component_name(&config, 2), "B");
    ck_assert_str_eq(dwtrace_component_name(&config, 3), "C");
}

UNIT_TEST(many_functions) {
    struct text yaml = {0};

    for (int component = 99; component >= 0; component--) {
        text_append_format(&yaml, "%d:\n  functions:\n", component);
        for (int function = 0; function < 100; function++) {
            text_append_format(&yaml, "    0x%X: f%d\n", function,
                               function == 50 ? 50 : component * 100 + function + 100);
        }
    }
    read_good(text_string(&yaml));
    text_free(&yaml);
    check_function(0, 0, "f100");
    check_function(99, 99, "f10099");
    check_function(7, 50, "0007:f50");
}

/* ---- dwtrace ---- */

UNIT_TEST(dwtrace) {
    read_good("dwtrace:\n  byte_order: big\n  component_bits: 8\n"
              "  timestamp_bits: 0\n  clock_hz: 1000000000000\n"
              "  header_size: 4096\n");
    ck_assert_int_eq(dwtrace_settings(&config)->byte_order, DWTRACE_BIG_ENDIAN);
    ck_assert_uint_eq(dwtrace_settings(&config)->component_bits, 8);
    ck_assert_uint_eq(dwtrace_settings(&config)->timestamp_bits, 0);
    ck_assert_int_eq(dwtrace_settings(&config)->clock_hz, INT64_C(1000000000000));
    ck_assert_uint_eq(dwtrace_settings(&config)->header_size, 4096);
    read_good("dwtrace: {byte_order: auto}\n");
    ck_assert_int_eq(dwtrace_settings(&config)->byte_order, DWTRACE_BY_MAGIC);
    ck_assert_uint_eq(dwtrace_settings(&config)->component_bits, 16);
    ck_assert(dwtrace_settings(&config)->timestamp_bits == -1);
}

/* ---- rmp ---- */

static void check_columns(struct rmp_columns columns, char separator, const char *order) {
    ck_assert_int_eq(columns.separator, separator);
    ck_assert_uint_eq(columns.count, strlen(order));
    for (size_t i = 0; i < columns.count; i++) {
        ck_assert_int_eq(columns.order[i], order[i] - '0');
    }
}

UNIT_TEST(rmp) {
    check_columns(rmp_settings(&config)->events, '\t', "012345");
    check_columns(rmp_settings(&config)->probes, '\t', "0123");
    read_good("rmp:\n"
              "  columns: [caller, probe, skip, tid, time, point, skip]\n"
              "  separator: ','\n"
              "  probe_columns: [origin, name]\n");
    check_columns(rmp_settings(&config)->events, ',', "5462036");
    check_columns(rmp_settings(&config)->probes, '\t', "20");
    read_good("rmp: {separator: \"\\t\", probe_separator: ' '}\n");
    check_columns(rmp_settings(&config)->events, '\t', "012345");
    check_columns(rmp_settings(&config)->probes, ' ', "0123");
}

/* ---- overhead ---- */

static void check_overhead(const char *text, int64_t nanoseconds) {
    char yaml[128];

    snprintf(yaml, sizeof yaml, "overhead: {app: %s}\n", text);
    read_good(yaml);
    ck_assert_int_eq(config_probe_overhead(&config, "app"), nanoseconds);
    ck_assert_int_eq(config_probe_overhead(&config, "framework"), 631000);
}

UNIT_TEST(overhead) {
    ck_assert_int_eq(config_probe_overhead(&config, "app"), 488000);
    ck_assert_int_eq(config_probe_overhead(&config, "framework"), 631000);
    ck_assert_int_eq(config_probe_overhead(&config, "?"), 488000);
    check_overhead("0", 0);
    check_overhead("7", 7);
    check_overhead("12ns", 12);
    check_overhead("1.5us", 1500);
    check_overhead("1.5\xc2\xb5s", 1500);
    check_overhead("1.5\xce\xbcs", 1500);
    check_overhead("0.488ms", 488000);
    check_overhead("0.488 ms", 488000);
    check_overhead("0.000001ms", 1);
    check_overhead("0.100000000ms", 100000);
    check_overhead("0.000000001s", 1);
    check_overhead("60s", INT64_C(60000000000));
    check_overhead("60000000000", INT64_C(60000000000));
    read_good("overhead: {framework: 2us}\n");
    ck_assert_int_eq(config_probe_overhead(&config, "app"), 488000);
    ck_assert_int_eq(config_probe_overhead(&config, "framework"), 2000);
}

/* ---- modules ---- */

static void check_module(const char *name, const char *module) {
    ck_assert_str_eq(config_module_of_name(&config, name, strlen(name)), module);
}

UNIT_TEST(modules) {
    check_module("com.android.A", "other");
    read_good("modules:\n"
              "  framework: [android., java.]\n"
              "  browser: [com.android.browser.]\n"
              "  loop:\n"
              "    - com.android.browser.Tab.f#loop1\n"
              "  tabs: [com.android.browser.Tab., com.android.browser.TabControl]\n"
              "  empty: []\n"
              "  äpfel: ['ä']\n");
    check_module("", "other");
    check_module("android", "other");
    check_module("android.", "framework");
    check_module("android.app.Activity.run", "framework");
    check_module("androie", "other");
    check_module("zoo", "other");
    check_module("com.android.browser.Zoo", "browser");
    check_module("com.android.browser.Tab", "browser");
    check_module("com.android.browser.Tab.a", "tabs");
    check_module("com.android.browser.Tab.f#loop", "tabs");
    check_module("com.android.browser.Tab.f#loop1", "loop");
    check_module("com.android.browser.Tab.f#loop12", "loop");
    check_module("com.android.browser.TabControl", "tabs");
    check_module("ä", "äpfel");
    ck_assert_str_eq(config_module_of_name(&config, "android.x", 7), "other");
    ck_assert_str_eq(config_module_of_name(&config, "java.\0x", 7), "framework");
}

/* ---- process_names, kernel_threads ---- */

static void check_application(const char *process, const char *application) {
    const char *found = config_process_application(&config, process, strlen(process));

    if (application == NULL) {
        ck_assert_ptr_null(found);
    } else {
        ck_assert_str_eq(found, application);
    }
}

UNIT_TEST(applications_of_processes) {
    check_application("kworker/u:3", NULL);
    check_application("jbd2/sda1-8", NULL);
    check_application("[scsi]", NULL);
    check_application("loop7", NULL);
    check_application("looper", "looper");
    check_application("kworker", "kworker");
    check_application("", "");
    read_good("process_names:\n"
              "  kworker/u:9: Flusher\n"
              "  'com.*.katana': Facebook\n"
              "  'com.*': Other\n"
              "  'a?c*e': Letters\n"
              "kernel_threads: [zygote, 'm*']\n");
    check_application("kworker/u:9", "Flusher");
    check_application("kworker/u:3", "kworker/u:3");
    check_application("zygote", NULL);
    check_application("m", NULL);
    check_application("com.facebook.katana", "Facebook");
    check_application("com.katana.katana", "Facebook");
    check_application("com.facebook.katana2", "Other");
    check_application("com", "com");
    check_application("abcdede", "Letters");
    check_application("abce", "Letters");
    check_application("ace", "ace");
    check_application("abcd", "abcd");
    check_application("", "");
    read_good("kernel_threads: {'zyg*': starter, 'z*': other}\n");
    check_application("zygote", NULL);
    check_application("jbd2/sda1-8", NULL);
    ck_assert_str_eq(config_kernel_thread(&config, "zygote", 6), "starter");
    ck_assert_str_eq(config_kernel_thread(&config, "jbd2/sda1-8", 11), "");
    read_good("kernel_threads: []\n");
    check_application("kworker/u:3", "kworker/u:3");
}

/* Compares with trying all prefixes. */
UNIT_TEST(modules_nest) {
    static const char *const prefixes[] = {"a", "ab", "aba", "abab", "abb", "b", "bba", "bbab"};
    struct text yaml = {0};
    size_t count = COUNT(prefixes);

    text_append_string(&yaml, "modules:\n");
    for (size_t i = 0; i < count; i++) {
        text_append_format(&yaml, "  in-%s: [%s]\n", prefixes[i], prefixes[i]);
    }
    read_good(text_string(&yaml));
    for (unsigned bits = 0; bits < 64; bits++) {
        char name[7] = {0};
        const char *longest = "other";

        for (unsigned i = 0; i < 6; i++) {
            name[i] = "ab"[bits >> i & 1];
        }
        for (size_t i = 0; i < count; i++) {
            size_t length = strlen(prefixes[i]);

            if (strncmp(name, prefixes[i], length) == 0 &&
                (strcmp(longest, "other") == 0 || length > strlen(longest) - 3)) {
                longest = config.modules.items[i];
            }
        }
        check_module(name, longest);
    }
    text_free(&yaml);
}

/* ---- more names ---- */

UNIT_TEST(symbols_replace) {
    read_good("applications: {1: a, 2: b}\n1: C\n2: {functions: {3: f}}\n"
              "file_types: most\ndwtrace: {clock_hz: 5, header_size: 20}\n"
              "palmist: {record_size: 10}\n");
    write_string("s.yaml", "applications: {1: z}\ndwtrace: {component_bits: 4, clock_hz: 7}\n"
                           "palmist: {record_size: 99}\nfile_types: {t: [x]}\n"
                           "partitions: [{name: p, device: 1:2}]\n");
    assert_done(config_add_symbols(&config, "s.yaml", &error));
    ck_assert_str_eq(config.path, "c.yaml");
    ck_assert_uint_eq(config.application_count, 1);
    ck_assert_str_eq(config_application_name(&config, 1, 1), "z");
    ck_assert_str_eq(dwtrace_component_name(&config, 1), "C");
    ck_assert_ptr_null(config.file_type_list);
    ck_assert_uint_eq(config.file_type_count, 1);
    ck_assert_uint_eq(config.partition_count, 1);
    ck_assert_int_eq(dwtrace_settings(&config)->clock_hz, 7);
    ck_assert_uint_eq(dwtrace_settings(&config)->component_bits, 4);
    ck_assert_uint_eq(dwtrace_settings(&config)->header_size, 20);
    ck_assert_int_eq(palmist_settings(&config)->record_size, 10);
    write_string("s.yaml", "4: {name: D, functions: {3: g}}\n");
    ck_assert(config_add_symbols(&config, "s.yaml", &error));
    ck_assert_ptr_null(dwtrace_component_name(&config, 1));
    check_function(2, 3, NULL);
    check_function(4, 3, "g");
    write_string("s.yaml", "5: E\nx: 1\n");
    ck_assert(!config_add_symbols(&config, "s.yaml", &error));
    ck_assert_str_eq(dwtrace_component_name(&config, 4), "D");
}

/* ---- aliases ---- */

UNIT_TEST(aliases_are_followed) {
    read_good("file_types:\n  a: &list [x, y]\n  b: *list\n");
    ck_assert_uint_eq(config.file_type_count, 4);
    ck_assert_str_eq(config.file_types[3].type, "b");
    ck_assert_str_eq(config.file_types[3].extension, "y");
}

/* Walks all values at all depths: the worst case of a reader. */
static bool walk(void *context, struct yaml_value key, struct yaml_value value,
                 struct error *error) {
    size_t *count = context;

    (void)key;
    ++*count;
    if (yaml_is_mapping(value)) {
        return yaml_each_pair(value, "it", walk, context, error);
    }
    return !yaml_is_sequence(value) || yaml_each_item(value, "it", walk, context, error);
}

static void check_bomb(const char *yaml) {
    struct yaml_file file;
    size_t count = 0;

    write_string("bomb.yaml", yaml);
    assert_done(yaml_file_read("bomb.yaml", YAML_NAMED, &file, &error));
    ck_assert(!walk(&count, (struct yaml_value){&file, NULL}, yaml_root(&file), &error));
    ck_assert_ptr_nonnull(
        strstr(error.message, "the YAML aliases of this file are followed more than"));
    ck_assert_uint_le(count, YAML_ALIAS_LIMIT + 100);
    yaml_file_free(&file);
}

UNIT_TEST(alias_bombs) {
    struct text yaml = {0};

    text_append_string(&yaml, "a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 10; i++) {
        text_append_format(&yaml, "a%d: &a%d [", i, i);
        for (int j = 0; j < 9; j++) {
            text_append_format(&yaml, "%s*a%d", j > 0 ? ", " : "", i - 1);
        }
        text_append_string(&yaml, "]\n");
    }
    check_bomb(text_string(&yaml));
    text_free(&yaml);
    check_bomb("&loop [*loop]\n");
    check_bomb("&loop {a: *loop, b: *loop}\n");
}

UNIT_TEST(numbers) {
    uint64_t number = 1;

    ck_assert(yaml_parse_unsigned("0", 1, 0, &number));
    ck_assert_uint_eq(number, 0);
    ck_assert(yaml_parse_unsigned("18446744073709551615", 20, UINT64_MAX, &number));
    ck_assert(number == UINT64_MAX);
    ck_assert(!yaml_parse_unsigned("18446744073709551616", 20, UINT64_MAX, &number));
    ck_assert(yaml_parse_unsigned("0XffFFffFFffFFffFF", 18, UINT64_MAX, &number));
    ck_assert(number == UINT64_MAX);
    ck_assert(!yaml_parse_unsigned("0x10000000000000000", 19, UINT64_MAX, &number));
    ck_assert(!yaml_parse_unsigned("7", 1, 5, &number));
    ck_assert(!yaml_parse_unsigned("10", 2, 9, &number));
    ck_assert(!yaml_parse_unsigned("0x", 2, 9, &number));
    ck_assert(!yaml_parse_unsigned("", 0, 9, &number));
    ck_assert(!yaml_parse_unsigned("1a", 2, 99, &number));
}
