/* The configuration, and the YAML layer below it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "config/config.h"
#include "config/yaml.h"
#include "dwtrace_settings.h"
#include "palmist_settings.h"
#include "rmp_settings.h"
#include "unit.h"

/* ---- helpers ---- */

/* Each test works in a folder of its own, which is its current directory and its HOME. */
static char folder[64];

static void set_up(void) {
    snprintf(folder, sizeof folder, "/tmp/test-config-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    setenv("HOME", folder, 1);
    unsetenv("XDG_CONFIG_HOME");
}

static void tear_down(void) {
    char command[96];

    ck_assert_int_eq(chdir("/"), 0);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

static void write_bytes(const char *path, const char *bytes, size_t length) {
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static void write_string(const char *path, const char *string) {
    write_bytes(path, string, strlen(string));
}

static struct config read_good(const char *yaml) {
    struct error error = {0};
    struct config config;

    write_string("c.yaml", yaml);
    ck_assert_msg(config_read("c.yaml", &config, &error), "%s", error.message);
    return config;
}

static void check_bad(const char *yaml, const char *message) {
    struct error error = {0};
    struct config config;

    write_string("c.yaml", yaml);
    ck_assert(!config_read("c.yaml", &config, &error));
    ck_assert_str_eq(error.message, message);
    ck_assert_int_eq(error.status, EXIT_FAILED);
}

/* ---- what is read ---- */

START_TEST(everything) {
    struct config config = read_good("applications:\n"
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
    config_free(&config);
    config_free(&config);
}
END_TEST

START_TEST(empty_files) {
    static const char *const files[] = {
        "",
        "# nothing\n",
        "---\n",
        "~\n",
        "{}\n",
        "applications:\npalmist:\nqueries: ~\n",
        "palmist: {loggable: , record_size: null}\nfile_types:\n",
    };

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct config config = read_good(files[i]);

        ck_assert_uint_eq(config.application_count, 0);
        ck_assert(!palmist_settings(&config)->loggable.given);
        ck_assert_ptr_null(config.file_type_list);
        ck_assert_ptr_null(config.queries);
        config_free(&config);
    }
}
END_TEST

START_TEST(empty_lists_count) {
    struct config config = read_good("palmist: {loggable: [], not_logged: []}\n"
                                     "file_types: realtime\n");

    ck_assert(palmist_settings(&config)->loggable.given &&
              palmist_settings(&config)->not_logged.given);
    ck_assert_uint_eq(palmist_settings(&config)->loggable.count, 0);
    ck_assert_str_eq(config.file_type_list, "realtime");
    config_free(&config);
}
END_TEST

START_TEST(many_applications) {
    struct text yaml = {0};
    struct config config;

    text_append_string(&yaml, "applications:\n");
    for (int i = 0; i < 20000; i++) {
        text_append_format(&yaml, "  %d/0x%x: a%d\n", i % 3 + 1, 50000 - i, i);
    }
    config = read_good(text_string(&yaml));
    ck_assert_uint_eq(config.application_count, 20000);
    ck_assert_str_eq(config_application_name(&config, 1, 50000), "a0");
    ck_assert_str_eq(config_application_name(&config, 2, 30001), "a19999");
    ck_assert_ptr_null(config_application_name(&config, 3, 30001));
    config_free(&config);
    text_free(&yaml);
}
END_TEST

/* ---- where it is looked for ---- */

static void check_found(const char *path) {
    struct error error = {0};
    struct config config;

    ck_assert_msg(config_read(NULL, &config, &error), "%s", error.message);
    if (path == NULL) {
        ck_assert_ptr_null(config.path);
    } else {
        ck_assert_str_eq(config.path, path);
    }
    config_free(&config);
}

START_TEST(places) {
    char path[128];

    check_found(NULL);
    ck_assert_int_eq(mkdir(".config", 0700), 0);
    ck_assert_int_eq(mkdir(".config/tracetool", 0700), 0);
    check_found(NULL);
    write_string(".config/tracetool/config.yaml", "");
    snprintf(path, sizeof path, "%s/.config/tracetool/config.yaml", folder);
    check_found(path);
    setenv("XDG_CONFIG_HOME", "relative", 1);
    check_found(path);
    setenv("XDG_CONFIG_HOME", "/nowhere", 1);
    check_found(NULL);
    snprintf(path, sizeof path, "%s/.config", folder);
    setenv("XDG_CONFIG_HOME", path, 1);
    unsetenv("HOME");
    snprintf(path, sizeof path, "%s/.config/tracetool/config.yaml", folder);
    check_found(path);
    unsetenv("XDG_CONFIG_HOME");
    check_found(NULL);
    write_string("tracetool.yaml", "");
    check_found("tracetool.yaml");
}
END_TEST

START_TEST(queries_are_relative_to_the_file) {
    struct error error = {0};
    struct config config;

    ck_assert_int_eq(mkdir("sub", 0700), 0);
    write_string("sub/c.yaml", "queries: ../mine\n");
    ck_assert(config_read("sub/c.yaml", &config, &error));
    ck_assert_str_eq(config.queries, "sub/../mine");
    config_free(&config);
    write_string("sub/c.yaml", "queries: /mine\n");
    ck_assert(config_read("sub/c.yaml", &config, &error));
    ck_assert_str_eq(config.queries, "/mine");
    config_free(&config);
}
END_TEST

START_TEST(unreadable_files) {
    struct error error = {0};
    struct config config;

    ck_assert(!config_read("none.yaml", &config, &error));
    ck_assert_str_eq(error.message, "cannot open none.yaml: No such file or directory");
    ck_assert_int_eq(mkdir("tracetool.yaml", 0700), 0);
    ck_assert(!config_read(NULL, &config, &error));
    ck_assert_str_eq(error.message,
                     "tracetool.yaml is a folder, not a file; name another configuration with -c");
    ck_assert_int_eq(rmdir("tracetool.yaml"), 0);
    ck_assert_int_eq(mkfifo("tracetool.yaml", 0600), 0);
    ck_assert(!config_read(NULL, &config, &error));
    ck_assert_str_eq(error.message,
                     "tracetool.yaml is a FIFO, not a file; name another configuration with -c");
    ck_assert_int_eq(unlink("tracetool.yaml"), 0);
    ck_assert_int_eq(symlink("/dev/zero", "tracetool.yaml"), 0);
    ck_assert(!config_read(NULL, &config, &error));
    ck_assert_str_eq(
        error.message,
        "tracetool.yaml is a device or socket, not a file; name another configuration with -c");
}
END_TEST

/* ---- the current folder's file ---- */

/* Reads ./tracetool.yaml, whose third line has the queries; whether they were regarded. */
static bool is_regarded(void) {
    struct error error = {0};
    struct config config;
    bool regarded;

    ck_assert_msg(config_read(NULL, &config, &error), "%s", error.message);
    ck_assert_str_eq(config.path, "tracetool.yaml");
    ck_assert_str_eq(config.file_type_list, "realtime");
    regarded = config.queries != NULL;
    ck_assert((config.distrusted == NULL) == regarded);
    if (!regarded) {
        ck_assert_msg(strstr(config.distrusted, "tracetool.yaml:3: ignored 'queries'") ==
                              config.distrusted &&
                          strstr(config.distrusted, "/.config/tracetool/config.yaml") != NULL,
                      "%s", config.distrusted);
    }
    config_free(&config);
    return regarded;
}

/* Lists a folder, in `folder`, in the user's own configuration. */
static void trust(const char *listed) {
    char yaml[256];

    snprintf(yaml, sizeof yaml, "trusted_folders:\n  - /nowhere\n  - %s/%s\n", folder, listed);
    write_string(".config/tracetool/config.yaml", yaml);
}

START_TEST(folders_are_trusted_when_listed) {
    struct error error = {0};
    struct config config;
    char path[128];

    ck_assert_int_eq(mkdir(".config", 0700), 0);
    ck_assert_int_eq(mkdir(".config/tracetool", 0700), 0);
    ck_assert_int_eq(mkdir("here", 0700), 0);
    ck_assert_int_eq(mkdir("here/below", 0700), 0);
    ck_assert_int_eq(symlink("here", "link"), 0);
    write_string("here/tracetool.yaml",
                 "file_types: realtime\ntrusted_folders: [/]\nqueries: mine\n");
    ck_assert_int_eq(symlink("../tracetool.yaml", "here/below/tracetool.yaml"), 0);
    ck_assert_int_eq(chdir("here"), 0);
    ck_assert(!is_regarded());
    ck_assert_int_eq(chdir(".."), 0);
    trust("here/../here/");
    ck_assert_int_eq(chdir("here"), 0);
    ck_assert(is_regarded());
    /* Only that folder, even when a link leads to its file. */
    ck_assert_int_eq(chdir("below"), 0);
    ck_assert(!is_regarded());
    ck_assert_int_eq(chdir("../../link"), 0);
    ck_assert(is_regarded());
    ck_assert_int_eq(chdir(".."), 0);
    trust("link");
    ck_assert_int_eq(chdir("here"), 0);
    ck_assert(is_regarded());
    ck_assert_int_eq(chdir(".."), 0);
    trust("");
    ck_assert_int_eq(chdir("here"), 0);
    ck_assert(!is_regarded());
    /* With -c the user says so. */
    ck_assert(config_read("tracetool.yaml", &config, &error));
    ck_assert_str_eq(config.queries, "mine");
    config_free(&config);
    /* No home: nothing is trusted. */
    unsetenv("HOME");
    ck_assert(!is_regarded());
    /* The user's own configuration is wrong: that is said, not guessed. */
    setenv("HOME", folder, 1);
    snprintf(path, sizeof path, "%s/.config/tracetool/config.yaml", folder);
    write_string(path, "trusted_folders: [here]\n");
    ck_assert(!config_read(NULL, &config, &error));
    ck_assert_ptr_nonnull(strstr(error.message, ":1: a trusted folder must be an absolute path"));
}
END_TEST

/* ---- mistakes ---- */

static void append_times(struct text *text, const char *part, int times) {
    for (int i = 0; i < times; i++) {
        text_append_string(text, part);
    }
}

/* Each took a minute or more when it was not bounded. */
START_TEST(deep_nesting_is_refused_at_once) {
    static const char *const openings[] = {"[", "{a: ", "[\n", "- ", "? ", "[a, "};
    struct text yaml = {0};

    for (size_t i = 0; i < sizeof openings / sizeof openings[0]; i++) {
        struct error error = {0};
        struct config config;

        text_clear(&yaml);
        append_times(&yaml, openings[i], 200000);
        write_string("c.yaml", text_string(&yaml));
        ck_assert(!config_read("c.yaml", &config, &error));
        ck_assert_msg(strstr(error.message, ": nested more than 64 deep") != NULL, "%s",
                      error.message);
    }
    check_bad("queries: [[]]\n", "c.yaml:1: queries must be a single value");
    text_clear(&yaml);
    text_append_string(&yaml, "a: [");
    for (int i = 0; i < 200000; i++) {
        text_append_format(&yaml, "&a%d x,\n", i);
    }
    check_bad(text_string(&yaml), "c.yaml:257: more than 256 anchors");
    text_clear(&yaml);
    for (int i = 0; i < 200000; i++) {
        text_append_format(&yaml, "%%TAG !a%d! b\n", i);
    }
    check_bad(text_string(&yaml), "c.yaml:65: more than 64 %TAG lines");
    text_free(&yaml);
}
END_TEST

START_TEST(unknown_keys) {
    check_bad("aplications: {}\n",
              "c.yaml:1: unknown key 'aplications'; known are applications, "
              "palmist, file_types, partitions, components, dwtrace, formatters, rmp, formats, "
              "overhead, modules, process_names, kernel_threads, queries, trusted_folders");
    check_bad("\npalmist:\n  logable: []\n",
              "c.yaml:3: unknown key 'logable'; known are loggable, not_logged, record_size");
}
END_TEST

START_TEST(duplicate_keys) {
    check_bad("queries: a\npalmist: {}\nqueries: b\n",
              "c.yaml:3: the key 'queries' is there already, in line 1");
    check_bad("applications:\n  0x10: a\n  17: b\n  16: c\n",
              "c.yaml:4: application 0x00000010 has a name already, in line 2");
    check_bad("applications: {&a 0x10: a, *a : b}\n",
              "c.yaml:1: the key '0x10' is there already, in line 1");
}
END_TEST

START_TEST(wrong_shapes) {
    check_bad("- a\n", "c.yaml:1: the configuration must be a map, lines of 'key: value'");
    check_bad("text\n", "c.yaml:1: the configuration must be a map, lines of 'key: value'");
    check_bad("palmist: 3\n", "c.yaml:1: palmist must be a map, lines of 'key: value'");
    check_bad("palmist: {loggable: 0xA000}\n",
              "c.yaml:1: loggable must be a list, [a, b] or lines of '- a'");
    check_bad("palmist: {loggable: [[1]]}\n", "c.yaml:1: a trap must be a single value");
    check_bad("queries: [a]\n", "c.yaml:1: queries must be a single value");
    check_bad("queries: ''\n", "c.yaml:1: queries must not be empty");
    check_bad("queries: \"a\\0b\"\n", "c.yaml:1: queries must not hold a NUL character");
    check_bad("? [a]\n: b\n", "c.yaml:1: a key must be a single value");
    check_bad("file_types: [a]\n", "c.yaml:1: file_types must be a map, lines of 'key: value'");
    check_bad("\nfile_types: {}\n", "c.yaml:2: file_types has no extension; write 'file_types: "
                                    "most' or lines of 'type: [extension, …]'");
    check_bad("applications: {1: }\n", "c.yaml:1: the name of an application must not be empty");
}
END_TEST

START_TEST(wrong_applications) {
    static const char *const ids[] = {
        "00012345",       "0x", "x",  "0x100000000", "4294967296", "-1", "0/1",
        "2/0x1234567890", "/1", "1/", "1/2/3",       "0x12 34",    "''", "1000000001/1",
    };
    char yaml[128];
    struct text message = {0};

    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        text_clear(&message);
        text_append_format(&message,
                           "c.yaml:2: '%s' is not the ID of an application; write 0x00012345, a "
                           "decimal number without leading zeros, or 2/0x00012345 for session 2 "
                           "alone",
                           strcmp(ids[i], "''") == 0 ? "" : ids[i]);
        snprintf(yaml, sizeof yaml, "applications:\n  %s: a\n", ids[i]);
        check_bad(yaml, text_string(&message));
    }
    text_free(&message);
}
END_TEST

START_TEST(wrong_traps) {
    static const char *const traps[] = {"0x10000", "0xA000-", "-0xA000",           "''",
                                        "Evt Get", "1-2-3",   "0xA000-EvtGetEvent"};
    char yaml[128];
    struct text message = {0};

    for (size_t i = 0; i < sizeof traps / sizeof traps[0]; i++) {
        text_clear(&message);
        text_append_format(&message,
                           "c.yaml:1: '%s' is not a trap; write an ID like 0xA0A2, a range like "
                           "0xA0A2-0xA0B0, or a name like EvtGetEvent",
                           strcmp(traps[i], "''") == 0 ? "" : traps[i]);
        snprintf(yaml, sizeof yaml, "palmist: {not_logged: [good, %s]}\n", traps[i]);
        check_bad(yaml, text_string(&message));
    }
    check_bad("palmist: {loggable: [0xA001-0xA000]}\n",
              "c.yaml:1: the range '0xA001-0xA000' ends before it begins");
    check_bad("palmist: {record_size: big}\n",
              "c.yaml:1: record_size must be a number from 0 to 262144, decimal without leading "
              "zeros or hex after 0x, not 'big'");
    text_free(&message);
}
END_TEST

START_TEST(wrong_yaml) {
    struct error error = {0};
    struct config config;

    check_bad("a: b: c\n", "c.yaml:1: not valid YAML: mapping values are not allowed in this "
                           "context");
    check_bad("a: [\n", "c.yaml:2: not valid YAML: did not find expected node content while "
                        "parsing a flow node");
    check_bad("queries: *nobody\n", "c.yaml:1: not valid YAML: found undefined alias");
    check_bad("queries: a\n---\nqueries: b\n",
              "c.yaml: more than one YAML document; only one can be read");
    write_bytes("c.yaml", "queries: \xff\n", 11);
    ck_assert(!config_read("c.yaml", &config, &error));
    ck_assert_str_eq(error.message,
                     "c.yaml: not valid text at byte 9: invalid leading UTF-8 octet");
    write_bytes("c.yaml", "queries: a\0b\n", 13);
    ck_assert(!config_read("c.yaml", &config, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "control characters are not allowed"));
}
END_TEST

START_TEST(too_large) {
    size_t size = YAML_FILE_LIMIT + 1;
    char *bytes = malloc(size);
    struct error error = {0};
    struct config config;

    memset(bytes, '\n', size);
    write_bytes("c.yaml", bytes, size - 1);
    ck_assert(config_read("c.yaml", &config, &error));
    config_free(&config);
    write_bytes("c.yaml", bytes, size);
    ck_assert(!config_read("c.yaml", &config, &error));
    ck_assert_str_eq(error.message, "c.yaml is larger than 16 MiB, which no such file should be");
    free(bytes);
}
END_TEST

/* A place that fails after something was allocated in each section. */
START_TEST(nothing_leaks) {
    check_bad("applications: {1: a, 2: b, x: c}\n",
              "c.yaml:1: 'x' is not the ID of an application; write 0x00012345, a decimal number "
              "without leading zeros, or 2/0x00012345 for session 2 alone");
    check_bad("applications: {1: a}\npalmist: {loggable: [A, B]}\nfile_types: {t: [a, b]}\n"
              "queries: q\nx: y\n",
              "c.yaml:5: unknown key 'x'; known are applications, palmist, file_types, partitions, "
              "components, dwtrace, formatters, rmp, formats, overhead, modules, "
              "process_names, kernel_threads, queries, trusted_folders");
    check_bad("file_types: {t: [a, '']}\n", "c.yaml:1: an extension must not be empty");
}
END_TEST

/* ---- components ---- */

static void check_function(const struct config *config, uint32_t component, uint32_t function,
                           const char *name) {
    struct text text = {0};

    ck_assert_int_eq(dwtrace_function_name(config, component, function, &text), name != NULL);
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

START_TEST(components) {
    struct config config = read_good(symbols);
    char yaml[512];

    ck_assert(dwtrace_has_components(&config));
    ck_assert_str_eq(dwtrace_component_name(&config, 2), "Storage");
    ck_assert_str_eq(dwtrace_component_name(&config, 3), "Network");
    ck_assert_ptr_null(dwtrace_component_name(&config, 4));
    ck_assert_ptr_null(dwtrace_component_name(&config, 6));
    /* Two of one component may have one name: it is still that component's. */
    check_function(&config, 2, 0x12, "read");
    check_function(&config, 2, 0x13, "read");
    check_function(&config, 2, 0x11, "Storage:open");
    check_function(&config, 4, 0, "0004:open");
    check_function(&config, 4, 0x7fffffff, "close");
    check_function(&config, 4, 1, NULL);
    check_function(&config, 3, 0x11, NULL);
    config_free(&config);
    snprintf(yaml, sizeof yaml, "%sdwtrace: {component_bits: 9}\n", symbols);
    config = read_good(yaml);
    check_function(&config, 4, 0, "004:open");
    config_free(&config);
    config = read_good("");
    ck_assert(!dwtrace_has_components(&config));
    check_function(&config, 4, 0, NULL);
    ck_assert_ptr_null(dwtrace_component_name(&config, 4));
    config_free(&config);
}
END_TEST

/* A file of symbols may leave `components:` out. */
START_TEST(components_at_the_top) {
    struct config config = read_good("0x10: {name: A}\n2: B\ncomponents: {3: C}\nqueries: q\n");

    ck_assert_str_eq(dwtrace_component_name(&config, 16), "A");
    ck_assert_str_eq(dwtrace_component_name(&config, 2), "B");
    ck_assert_str_eq(dwtrace_component_name(&config, 3), "C");
    config_free(&config);
}
END_TEST

START_TEST(many_functions) {
    struct text yaml = {0};
    struct config config;

    for (int component = 99; component >= 0; component--) {
        text_append_format(&yaml, "%d:\n  functions:\n", component);
        for (int function = 0; function < 100; function++) {
            text_append_format(&yaml, "    0x%X: f%d\n", function,
                               function == 50 ? 50 : component * 100 + function + 100);
        }
    }
    config = read_good(text_string(&yaml));
    text_free(&yaml);
    check_function(&config, 0, 0, "f100");
    check_function(&config, 99, 99, "f10099");
    check_function(&config, 7, 50, "0007:f50");
    config_free(&config);
}
END_TEST

START_TEST(wrong_components) {
    check_bad("components: [a]\n", "c.yaml:1: components must be a map, lines of 'key: value'");
    check_bad("components: {x: a}\n",
              "c.yaml:1: 'x' is not the number of a component; write 0x2, or a decimal number "
              "without leading zeros, up to 2147483647");
    check_bad("2147483648: a\n",
              "c.yaml:1: '2147483648' is not the number of a component; write 0x2, or a decimal "
              "number without leading zeros, up to 2147483647");
    check_bad("1: a\n2: [b]\n", "c.yaml:2: the name of a component must be a single value");
    check_bad("1:\n", "c.yaml:1: the name of a component must not be empty");
    check_bad("1: {name: [x]}\n", "c.yaml:1: the name of a component must be a single value");
    check_bad("1:\n  nam: x\n", "c.yaml:2: unknown key 'nam'; known are name, functions");
    check_bad("1: {functions: {a: b}}\n",
              "c.yaml:1: 'a' is not the number of a function; write 0x2, or a decimal number "
              "without leading zeros, up to 2147483647");
    check_bad("1: {functions: {1: }}\n", "c.yaml:1: the name of a function must not be empty");
    check_bad("1: {functions: 5}\n", "c.yaml:1: functions must be a map, lines of 'key: value'");
    check_bad("components:\n  1: a\n0x1: b\n",
              "c.yaml:3: component 0x1 is there already, in line 2");
    check_bad("1:\n  functions:\n    0x10: a\n    3: b\n    16: c\n",
              "c.yaml:5: function 0x10 of component 0x1 is there already, in line 3");
    check_bad(
        "01: a\n",
        "c.yaml:1: unknown key '01'; known are applications, palmist, file_types, "
        "partitions, components, dwtrace, formatters, "
        "rmp, formats, overhead, modules, process_names, kernel_threads, queries, trusted_folders");
}
END_TEST

/* ---- dwtrace ---- */

START_TEST(dwtrace) {
    struct config config = read_good("dwtrace:\n  byte_order: big\n  component_bits: 8\n"
                                     "  timestamp_bits: 0\n  clock_hz: 1000000000000\n"
                                     "  header_size: 4096\n");

    ck_assert_int_eq(dwtrace_settings(&config)->byte_order, DWTRACE_BIG_ENDIAN);
    ck_assert_uint_eq(dwtrace_settings(&config)->component_bits, 8);
    ck_assert_uint_eq(dwtrace_settings(&config)->timestamp_bits, 0);
    ck_assert_int_eq(dwtrace_settings(&config)->clock_hz, INT64_C(1000000000000));
    ck_assert_uint_eq(dwtrace_settings(&config)->header_size, 4096);
    config_free(&config);
    config = read_good("dwtrace: {byte_order: auto}\n");
    ck_assert_int_eq(dwtrace_settings(&config)->byte_order, DWTRACE_BY_MAGIC);
    ck_assert_uint_eq(dwtrace_settings(&config)->component_bits, 16);
    ck_assert(dwtrace_settings(&config)->timestamp_bits == -1);
    config_free(&config);
}
END_TEST

START_TEST(wrong_dwtrace) {
    check_bad("dwtrace: {byte_order: middle}\n",
              "c.yaml:1: byte_order must be auto, little or big, not 'middle'");
    check_bad("dwtrace: {byte_order: []}\n", "c.yaml:1: byte_order must be a single value");
    check_bad("dwtrace: {component_bits: 0}\n", "c.yaml:1: component_bits must be from 1 to 31");
    check_bad("dwtrace: {component_bits: 32}\n",
              "c.yaml:1: component_bits must be a number from 0 to 31, decimal without leading "
              "zeros or hex after 0x, not '32'");
    check_bad("dwtrace: {timestamp_bits: 16}\n", "c.yaml:1: timestamp_bits must be 0, 32 or 64");
    check_bad("dwtrace: {clock_hz: 0}\n", "c.yaml:1: clock_hz must not be 0");
    check_bad("dwtrace: {clock_hz: 1000000000001}\n",
              "c.yaml:1: clock_hz must be a number from 0 to 1000000000000, decimal without "
              "leading zeros or hex after 0x, not '1000000000001'");
    check_bad("dwtrace: {header_size: 15}\n", "c.yaml:1: header_size must be from 16 to 4096");
    check_bad("dwtrace: {clock: 5}\n",
              "c.yaml:1: unknown key 'clock'; known are byte_order, component_bits, "
              "timestamp_bits, clock_hz, header_size, structures");
}
END_TEST

/* ---- rmp ---- */

static void check_columns(struct rmp_columns columns, char separator, const char *order) {
    ck_assert_int_eq(columns.separator, separator);
    ck_assert_uint_eq(columns.count, strlen(order));
    for (size_t i = 0; i < columns.count; i++) {
        ck_assert_int_eq(columns.order[i], order[i] - '0');
    }
}

START_TEST(rmp) {
    struct config config = {0};

    check_columns(rmp_settings(&config)->events, '\t', "012345");
    check_columns(rmp_settings(&config)->probes, '\t', "0123");
    config = read_good("rmp:\n"
                       "  columns: [caller, probe, skip, tid, time, point, skip]\n"
                       "  separator: ','\n"
                       "  probe_columns: [origin, name]\n");
    check_columns(rmp_settings(&config)->events, ',', "5462036");
    check_columns(rmp_settings(&config)->probes, '\t', "20");
    config_free(&config);
    config = read_good("rmp: {separator: \"\\t\", probe_separator: ' '}\n");
    check_columns(rmp_settings(&config)->events, '\t', "012345");
    check_columns(rmp_settings(&config)->probes, ' ', "0123");
    config_free(&config);
}
END_TEST

START_TEST(wrong_rmp) {
    static const char *const separators[] = {"''", "ab", "a", "7", "'#'", ".", "'-'", "\\t", "€"};
    struct text yaml = {0};

    check_bad("rmp: {colums: []}\n", "c.yaml:1: unknown key 'colums'; known are columns, "
                                     "separator, probe_columns, probe_separator");
    check_bad("rmp:\n  columns: [time, name]\n",
              "c.yaml:2: 'name' is not a column; known are time, pid, tid, point, probe, caller, "
              "skip");
    check_bad(
        "rmp: {probe_columns: [name, probe]}\n",
        "c.yaml:1: 'probe' is not a column; known are name, resolution, origin, status, skip");
    check_bad("rmp: {columns: [time, tid, time]}\n", "c.yaml:1: the column time is there already");
    check_bad("rmp: {columns: [pid, tid, caller]}\n",
              "c.yaml:1: columns must have time, point, probe, too");
    check_bad("rmp: {probe_columns: []}\n", "c.yaml:1: probe_columns must have name, too");
    check_bad("rmp: {columns: time}\n",
              "c.yaml:1: columns must be a list, [a, b] or lines of '- a'");
    text_append_string(&yaml, "rmp: {probe_columns: [name");
    for (int i = 0; i < RMP_MOST_COLUMNS; i++) {
        text_append_string(&yaml, ", skip");
    }
    text_append_string(&yaml, "]}\n");
    check_bad(text_string(&yaml), "c.yaml:1: more than 32 columns");
    for (size_t i = 0; i < sizeof separators / sizeof separators[0]; i++) {
        struct error error = {0};
        struct config config;

        text_clear(&yaml);
        text_append_format(&yaml, "rmp: {separator: %s}\n", separators[i]);
        write_string("c.yaml", text_string(&yaml));
        ck_assert_msg(!config_read("c.yaml", &config, &error), "%s", separators[i]);
        ck_assert_ptr_nonnull(strstr(error.message, "c.yaml:1: separator must be \"\\t\", \" \" or "
                                                    "one of !\"%&'*+,/:;=?@\\^`|~, not '"));
    }
    text_free(&yaml);
}
END_TEST

/* ---- overhead ---- */

static void check_overhead(const char *text, int64_t nanoseconds) {
    char yaml[128];
    struct config config;

    snprintf(yaml, sizeof yaml, "overhead: {app: %s}\n", text);
    config = read_good(yaml);
    ck_assert_int_eq(config_probe_overhead(&config, "app"), nanoseconds);
    ck_assert_int_eq(config_probe_overhead(&config, "framework"), 631000);
    config_free(&config);
}

START_TEST(overhead) {
    struct config config = {0};

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
    config = read_good("overhead: {framework: 2us}\n");
    ck_assert_int_eq(config_probe_overhead(&config, "app"), 488000);
    ck_assert_int_eq(config_probe_overhead(&config, "framework"), 2000);
    config_free(&config);
}
END_TEST

START_TEST(wrong_overhead) {
    static const char *const texts[] = {
        "-1",     "1 m",   "1h",     ".5ms",          "1.ms",        "1.0000000000s",
        "0.5",    "0.5ns", "60.1s",  "61s",           "60000000001", "99999999999999999999",
        "1ms ms", "1  ms", "0x10ns", "0.0000000001s", "1e3",         "0.0000005ms",
    };
    char yaml[128];
    struct text message = {0};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        text_clear(&message);
        text_append_format(&message,
                           "c.yaml:1: '%s' is not an overhead; write 0.488ms or 488000, with a "
                           "unit ns, us, ms or s, in whole nanoseconds up to 60s",
                           texts[i]);
        snprintf(yaml, sizeof yaml, "overhead: {framework: %s}\n", texts[i]);
        check_bad(yaml, text_string(&message));
    }
    text_free(&message);
    check_bad("overhead: {kernel: 1}\n",
              "c.yaml:1: unknown key 'kernel'; known are app, framework");
    check_bad("overhead: 3\n", "c.yaml:1: overhead must be a map, lines of 'key: value'");
}
END_TEST

/* ---- modules ---- */

static void check_module(const struct config *config, const char *name, const char *module) {
    ck_assert_str_eq(config_module(config, name, strlen(name)), module);
}

START_TEST(modules) {
    struct config config = {0};

    check_module(&config, "com.android.A", "other");
    config = read_good("modules:\n"
                       "  framework: [android., java.]\n"
                       "  browser: [com.android.browser.]\n"
                       "  loop:\n"
                       "    - com.android.browser.Tab.f#loop1\n"
                       "  tabs: [com.android.browser.Tab., com.android.browser.TabControl]\n"
                       "  empty: []\n"
                       "  äpfel: ['ä']\n");
    check_module(&config, "", "other");
    check_module(&config, "android", "other");
    check_module(&config, "android.", "framework");
    check_module(&config, "android.app.Activity.run", "framework");
    check_module(&config, "androie", "other");
    check_module(&config, "zoo", "other");
    check_module(&config, "com.android.browser.Zoo", "browser");
    check_module(&config, "com.android.browser.Tab", "browser");
    check_module(&config, "com.android.browser.Tab.a", "tabs");
    check_module(&config, "com.android.browser.Tab.f#loop", "tabs");
    check_module(&config, "com.android.browser.Tab.f#loop1", "loop");
    check_module(&config, "com.android.browser.Tab.f#loop12", "loop");
    check_module(&config, "com.android.browser.TabControl", "tabs");
    check_module(&config, "ä", "äpfel");
    ck_assert_str_eq(config_module(&config, "android.x", 7), "other");
    ck_assert_str_eq(config_module(&config, "java.\0x", 7), "framework");
    config_free(&config);
}
END_TEST

/* ---- process_names, kernel_threads ---- */

static void check_application(const struct config *config, const char *process,
                              const char *application) {
    const char *found = config_process_application(config, process, strlen(process));

    if (application == NULL) {
        ck_assert_ptr_null(found);
    } else {
        ck_assert_str_eq(found, application);
    }
}

START_TEST(applications_of_processes) {
    struct config config = {0};

    check_application(&config, "kworker/u:3", NULL);
    check_application(&config, "jbd2/sda1-8", NULL);
    check_application(&config, "[scsi]", NULL);
    check_application(&config, "loop7", NULL);
    check_application(&config, "looper", "looper");
    check_application(&config, "kworker", "kworker");
    check_application(&config, "", "");
    config = read_good("process_names:\n"
                       "  kworker/u:9: Flusher\n"
                       "  'com.*.katana': Facebook\n"
                       "  'com.*': Other\n"
                       "  'a?c*e': Letters\n"
                       "kernel_threads: [zygote, 'm*']\n");
    check_application(&config, "kworker/u:9", "Flusher");
    check_application(&config, "kworker/u:3", "kworker/u:3");
    check_application(&config, "zygote", NULL);
    check_application(&config, "m", NULL);
    check_application(&config, "com.facebook.katana", "Facebook");
    check_application(&config, "com.katana.katana", "Facebook");
    check_application(&config, "com.facebook.katana2", "Other");
    check_application(&config, "com", "com");
    check_application(&config, "abcdede", "Letters");
    check_application(&config, "abce", "Letters");
    check_application(&config, "ace", "ace");
    check_application(&config, "abcd", "abcd");
    check_application(&config, "", "");
    config_free(&config);
    config = read_good("kernel_threads: []\n");
    check_application(&config, "kworker/u:3", "kworker/u:3");
    config_free(&config);
    check_bad("process_names: {a: [b]}\n",
              "c.yaml:1: the application of a process must be a single value");
    check_bad("process_names: [a]\n",
              "c.yaml:1: process_names must be a map, lines of 'key: value'");
    check_bad("kernel_threads: a\n",
              "c.yaml:1: kernel_threads must be a list, [a, b] or lines of '- a'");
}
END_TEST

/* Against trying all prefixes. */
START_TEST(modules_nest) {
    static const char *const prefixes[] = {"a", "ab", "aba", "abab", "abb", "b", "bba", "bbab"};
    struct text yaml = {0};
    struct config config;
    size_t count = sizeof prefixes / sizeof prefixes[0];

    text_append_string(&yaml, "modules:\n");
    for (size_t i = 0; i < count; i++) {
        text_append_format(&yaml, "  in-%s: [%s]\n", prefixes[i], prefixes[i]);
    }
    config = read_good(text_string(&yaml));
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
                longest = config.modules[i];
            }
        }
        check_module(&config, name, longest);
    }
    config_free(&config);
    text_free(&yaml);
}
END_TEST

START_TEST(wrong_modules) {
    check_bad("modules: {a: com.}\n",
              "c.yaml:1: the prefixes of a module must be a list, [a, b] or "
              "lines of '- a'");
    check_bad("modules: {a: ['']}\n", "c.yaml:1: a prefix of names must not be empty");
    check_bad("modules: {'': [a]}\n", "c.yaml:1: the name of a module must not be empty");
    check_bad("modules:\n  a: [x, z]\n  b: [y, x]\n",
              "c.yaml:3: the prefix 'x' is there already, in line 2");
    check_bad("modules: [a]\n", "c.yaml:1: modules must be a map, lines of 'key: value'");
}
END_TEST

/* ---- further names ---- */

START_TEST(symbols_replace) {
    struct config config = read_good("applications: {1: a, 2: b}\n1: C\n2: {functions: {3: f}}\n"
                                     "file_types: most\ndwtrace: {clock_hz: 5, header_size: 20}\n"
                                     "palmist: {record_size: 10}\n");
    struct error error = {0};

    write_string("s.yaml", "applications: {1: z}\ndwtrace: {component_bits: 4, clock_hz: 7}\n"
                           "palmist: {record_size: 99}\nfile_types: {t: [x]}\n"
                           "partitions: [{name: p, device: 1:2}]\n");
    ck_assert_msg(config_add_symbols(&config, "s.yaml", &error), "%s", error.message);
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
    check_function(&config, 2, 3, NULL);
    check_function(&config, 4, 3, "g");
    write_string("s.yaml", "5: E\nx: 1\n");
    ck_assert(!config_add_symbols(&config, "s.yaml", &error));
    ck_assert_str_eq(dwtrace_component_name(&config, 4), "D");
    config_free(&config);
}
END_TEST

/* ---- aliases ---- */

START_TEST(aliases_are_followed) {
    struct config config = read_good("file_types:\n  a: &list [x, y]\n  b: *list\n");

    ck_assert_uint_eq(config.file_type_count, 4);
    ck_assert_str_eq(config.file_types[3].type, "b");
    ck_assert_str_eq(config.file_types[3].extension, "y");
    config_free(&config);
}
END_TEST

/* Walks whatever stands there, as deep as it goes: the worst a reader could do. */
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
    struct error error = {0};
    struct yaml_file file;
    size_t count = 0;

    write_string("bomb.yaml", yaml);
    ck_assert_msg(yaml_file_read("bomb.yaml", YAML_NAMED, &file, &error), "%s", error.message);
    ck_assert(!walk(&count, (struct yaml_value){&file, NULL}, yaml_root(&file), &error));
    ck_assert_ptr_nonnull(strstr(error.message, "aliases lead here and elsewhere more than"));
    ck_assert_uint_le(count, YAML_ALIAS_LIMIT + 100);
    yaml_file_free(&file);
}

START_TEST(alias_bombs) {
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
END_TEST

START_TEST(numbers) {
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
END_TEST

Suite *config_suite(void) {
    Suite *suite = suite_create("config");
    TCase *cases = tcase_create("config");

    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, everything);
    tcase_add_test(cases, empty_files);
    tcase_add_test(cases, empty_lists_count);
    tcase_add_test(cases, many_applications);
    tcase_add_test(cases, places);
    tcase_add_test(cases, queries_are_relative_to_the_file);
    tcase_add_test(cases, unreadable_files);
    tcase_add_test(cases, folders_are_trusted_when_listed);
    tcase_add_test(cases, unknown_keys);
    tcase_add_test(cases, deep_nesting_is_refused_at_once);
    tcase_add_test(cases, duplicate_keys);
    tcase_add_test(cases, wrong_shapes);
    tcase_add_test(cases, wrong_applications);
    tcase_add_test(cases, wrong_traps);
    tcase_add_test(cases, wrong_yaml);
    tcase_add_test(cases, too_large);
    tcase_add_test(cases, nothing_leaks);
    tcase_add_test(cases, components);
    tcase_add_test(cases, components_at_the_top);
    tcase_add_test(cases, many_functions);
    tcase_add_test(cases, wrong_components);
    tcase_add_test(cases, dwtrace);
    tcase_add_test(cases, wrong_dwtrace);
    tcase_add_test(cases, rmp);
    tcase_add_test(cases, wrong_rmp);
    tcase_add_test(cases, overhead);
    tcase_add_test(cases, wrong_overhead);
    tcase_add_test(cases, applications_of_processes);
    tcase_add_test(cases, modules);
    tcase_add_test(cases, modules_nest);
    tcase_add_test(cases, wrong_modules);
    tcase_add_test(cases, symbols_replace);
    tcase_add_test(cases, aliases_are_followed);
    tcase_add_test(cases, alias_bombs);
    tcase_add_test(cases, numbers);
    suite_add_tcase(suite, cases);
    return suite;
}
