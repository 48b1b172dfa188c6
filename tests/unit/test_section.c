/* Sections of the configuration: declarations of importers and other parts agree with
 * tracetool-config(5), and configurations are merged. */
#include <limits.h>

#include "dwtrace_dump.h"
#include "config/section.h"
#include "dwtrace_settings.h"
#include "palmist_settings.h"
#include "rmp_settings.h"
#include "unit.h"

/* --- the manual page -------------------------------------------------------------------------- */

/* Reads the section KEYS of the page, each line preceded by a newline. The source is next to this
 * file, since the tests may run anywhere. */
static void read_page(struct text *page) {
    char path[PATH_MAX] = __FILE__;
    char *end = strstr(path, "tests/unit/");
    bool within = false;
    char line[1024];
    FILE *file;

    ck_assert_ptr_nonnull(end);
    strcpy(end, "man/tracetool-config.5");
    file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s is not there", path);
    text_append_char(page, '\n');
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, ".Sh ", 4) == 0) {
            within = strcmp(line, ".Sh KEYS\n") == 0;
        }
        if (within) {
            text_append_string(page, line);
        }
    }
    fclose(file);
}

/* Returns the start of a key's entry: a line `.It Cm NAME :`, optionally followed by text. NULL if
 * there is none. */
static const char *find_entry(const char *page, const char *name) {
    struct text item = {0};
    const char *found = page;

    text_append_format(&item, "\n.It Cm %s :", name);
    do {
        found = strstr(found + 1, text_string(&item));
    } while (found != NULL && strchr(" \n", found[item.length]) == NULL);
    text_free(&item);
    return found == NULL ? NULL : found + 1;
}

/* Returns the text of an entry up to the next one, or the end of its list. */
static char *copy_entry(const char *entry) {
    const char *next = strstr(entry + 1, "\n.It "), *end = strstr(entry + 1, "\n.El");

    ck_assert_ptr_nonnull(end);
    if (next == NULL || end < next) {
        next = end;
    }
    return strndup(entry, (size_t)(next - entry));
}

static void check_says(const char *entry, const char *key, const char *what) {
    ck_assert_msg(strstr(entry, what) != NULL, "the page does not say '%s' of %s:\n%s", what, key,
                  entry);
}

static void check_says_number(const char *entry, const char *key, int64_t number) {
    char digits[32];

    snprintf(digits, sizeof digits, "%lld", (long long)number);
    check_says(entry, key, digits);
}

/* Checks that limits and default of a key are in its entry. A lower limit of 0 or 1 may be
 * omitted. */
static void check_key(const struct config_section *section, const struct yaml_key *key,
                      const char *text) {
    char *entry = copy_entry(text);
    const char *place = (const char *)section->defaults + key->place;
    int64_t number = 0;
    unsigned choice = 0;

    ck_assert_msg(key->help != NULL && *key->help != '\0', "%s has no help", key->name);
    ck_assert_int_eq(key->type <= YAML_ITEMS, key->read != NULL);
    if (key->type == YAML_NUMBER) {
        memcpy(&number, place, sizeof number);
        ck_assert_msg(key->least <= key->most && key->place < section->size, "%s", key->name);
        if (key->least > 1) {
            check_says_number(entry, key->name, key->least);
        }
        if (key->otherwise != NULL) {
            check_says(entry, key->name, key->otherwise);
        } else {
            check_says_number(entry, key->name, number);
        }
        /* Buffer limits of a reader need not be in the page. */
        if (section != &palmist_section) {
            check_says_number(entry, key->name, key->most);
        }
    } else if (key->type == YAML_CHOICE) {
        memcpy(&choice, place, sizeof choice);
        for (size_t i = 0; key->choices[i] != NULL; i++) {
            check_says(entry, key->name, key->choices[i]);
        }
        check_says(entry, key->name, "the default");
        check_says(strstr(entry, "\n") + 1, key->name, key->choices[choice]);
    }
    free(entry);
}

/* Counts the entries of keys in the page's outermost list, or within an entry. */
static size_t count_entries(const char *from, const char *to, int wanted) {
    size_t count = 0;
    int depth = 0;

    for (const char *line = from; line != NULL && line < to; line = strchr(line + 1, '\n')) {
        line += *line == '\n';
        if (strncmp(line, ".Bl ", 4) == 0) {
            depth++;
        } else if (strncmp(line, ".El", 3) == 0) {
            depth--;
            if (depth < wanted && count > 0 && wanted > 0) {
                break;
            }
        } else if (depth == wanted && strncmp(line, ".It Cm ", 7) == 0) {
            count++;
        }
    }
    return count;
}

UNIT_CASE("section", folder_make, folder_remove);

UNIT_TEST(page_says_what_is_declared) {
    struct text page = {0};
    size_t sections = 0;
    const char *end;

    read_page(&page);
    end = text_string(&page) + page.length;
    for (; config_sections[sections] != NULL; sections++) {
        const struct config_section *section = config_sections[sections];
        const char *entry = find_entry(text_string(&page), section->name);

        ck_assert_msg(entry != NULL, "the page does not know %s", section->name);
        ck_assert_msg(section->help != NULL, "%s has no help", section->name);
        ck_assert_int_eq(section->keys == NULL, section->read != NULL);
        ck_assert_int_eq(section->size > 0, section->defaults != NULL);
        for (size_t i = 0; i < section->key_count; i++) {
            const char *key = find_entry(entry, section->keys[i].name);

            /* `overhead: { app: TIME, … }` has its keys in the same line. */
            if (strcmp(section->name, "overhead") == 0) {
                check_says(entry, section->name, section->keys[i].name);
                continue;
            }
            ck_assert_msg(key != NULL, "the page does not know %s", section->keys[i].name);
            check_key(section, &section->keys[i], key);
        }
        if (section->key_count > 0 && strcmp(section->name, "overhead") != 0) {
            ck_assert_msg(count_entries(entry, end, 1) == section->key_count,
                          "the page has keys that %s does not have", section->name);
        }
    }
    /* file_types and kernel_threads have two entries, one for each form. */
    ck_assert_uint_eq(count_entries(text_string(&page), end, 1), sections + 2);
    text_free(&page);
}

UNIT_TEST(keys_that_name_files) {
    size_t files = 0;

    for (size_t i = 0; config_sections[i] != NULL; i++) {
        files += config_sections[i]->names_file;
        for (size_t j = 0; j < config_sections[i]->key_count; j++) {
            files += config_sections[i]->keys[j].names_file;
        }
    }
    ck_assert(config_queries_section.names_file);
    ck_assert(dwtrace_formatters_section.names_file);
    ck_assert_uint_eq(files, 2);
}

/* --- values ----------------------------------------------------------------------------------- */

static struct config read_config(const char *yaml) {
    assert_done(config_read(folder_write("c.yaml", yaml, strlen(yaml)), &config, &error));
    return config;
}

UNIT_TEST(defaults) {
    const struct config nothing = {0};
    struct config config = read_config("dwtrace: {clock_hz: 5}\nrmp:\n");

    ck_assert_ptr_eq(dwtrace_settings(&nothing), dwtrace_section.defaults);
    ck_assert_ptr_eq(rmp_settings(&config), rmp_section.defaults);
    ck_assert_int_eq(dwtrace_settings(&config)->clock_hz, 5);
    ck_assert_int_eq(dwtrace_settings(&config)->component_bits, 16);
    ck_assert_int_eq(dwtrace_settings(&config)->timestamp_bits, -1);
    config_free(&config);
}

/* Completes only missing values; a value equal to the default is not missing. */
UNIT_TEST(completed) {
    struct config from =
        read_config("dwtrace: {component_bits: 8, clock_hz: 5, header_size: 20}\n");
    struct config config = read_config("dwtrace: {component_bits: 16}\n"), nothing = {0};

    config_copy_missing(&config, &from, &dwtrace_section);
    ck_assert_int_eq(dwtrace_settings(&config)->component_bits, 16);
    ck_assert_int_eq(dwtrace_settings(&config)->clock_hz, 5);
    ck_assert_int_eq(dwtrace_settings(&config)->header_size, 20);
    config_copy_missing(&nothing, &config, &dwtrace_section);
    ck_assert_int_eq(dwtrace_settings(&nothing)->header_size, 20);
    config_copy_missing(&from, &(const struct config){0}, &dwtrace_section);
    ck_assert_int_eq(dwtrace_settings(&from)->component_bits, 8);
    config_free(&nothing);
    config_free(&config);
    config_free(&from);
}
