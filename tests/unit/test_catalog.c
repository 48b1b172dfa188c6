/* store/catalog, store/trace_label, store/trace_hash: selection of a trace, in a database and among
 * traces with equal names. */
#include "store/catalog.h"
#include "store/trace_label.h"
#include "unit.h"

static void load(void) {
    assert_done(catalog_load(&catalog, &database, &error));
}

/* Imports two logs, and one of them twice. */
static void set_up(void) {
    database_make();
    unit_import(&database, "most", "one", "1.000000000\tC\tR\t1\t8\t1\tp\tM\n");
    unit_import(&database, "most", "two", "2.000000000\tC\tR\t1\t8\t1\tp\tM\n");
    unit_import(&database, "most", "again", "1.000000000\tC\tR\t1\t8\t1\tp\tM\n");
    load();
}

/* Renames the first trace. */
static void rename_first(const char *name) {
    ck_assert(database_run_bound(&database, &error, "UPDATE trace SET name = ?1 WHERE id = 1", "s",
                                 name));
    catalog_free(&catalog);
    load();
}

static int64_t choose(const char *typed, struct error *error) {
    const struct catalog_trace *trace = catalog_choose(&catalog, typed, error);

    return trace == NULL ? 0 : trace->id;
}

static int64_t chosen(const char *typed) {
    const int64_t id = choose(typed, &error);

    ck_assert_msg(id != 0, "%s: %s", typed, error.message);
    return id;
}

UNIT_CASE("catalog", set_up, unit_close);

/* test_remote.c checks the input of the hash. */
UNIT_TEST(hashes_of_all_are_those_of_each) {
    char hash[TRACE_HASH_LENGTH + 1];

    for (size_t i = 0; i < catalog.count; i++) {
        ck_assert(trace_hash(&database, catalog.traces[i].id, hash, &error));
        ck_assert_str_eq(hash, catalog.traces[i].hash);
    }
    ck_assert_str_ne(catalog.traces[0].hash, catalog.traces[1].hash);
    ck_assert(trace_hash(&database, 77, hash, &error));
    ck_assert_str_eq(hash, "");
}

UNIT_TEST(a_hash_begins_a_trace) {
    char typed[TRACE_HASH_LENGTH + 1];

    strcpy(typed, catalog.traces[1].hash);
    ck_assert_int_eq(chosen(typed), 2);
    typed[4] = '\0';
    ck_assert_int_eq(chosen(typed), 2);
    typed[3] = '\0';
    ck_assert_int_eq(choose(typed, &error), 0);
    assert_message(&error, "there is no trace");
}

UNIT_TEST(what_changes_wants_twelve_digits) {
    const struct catalog_trace *meant;
    char typed[TRACE_HASH_LENGTH + 1];

    strcpy(typed, catalog.traces[1].hash);
    for (size_t digits = TRACE_HASH_LENGTH; digits >= 12; digits -= 10) {
        typed[digits] = '\0';
        ck_assert(catalog_choose_to_change(&catalog, typed, &error) == &catalog.traces[1]);
        ck_assert(catalog_find_exact(&catalog, typed, &meant, &error));
        ck_assert(meant == &catalog.traces[1]);
    }
    typed[11] = '\0';
    ck_assert(catalog_find_exact(&catalog, typed, &meant, &error) && meant == NULL);
    ck_assert(catalog_choose_to_change(&catalog, typed, &error) == NULL);
    assert_message(&error, "there is no trace");
    ck_assert(catalog_choose_to_change(&catalog, "tw", &error) == &catalog.traces[1]);
    ck_assert(catalog_find_exact(&catalog, "tw", &meant, &error) && meant == NULL);
    ck_assert(!catalog_find_exact(&catalog, catalog.traces[0].hash, &meant, &error));
}

/* Names that selected a file before there were hashes still do. */
UNIT_TEST(names_and_their_beginnings_hide_beginnings_of_hashes) {
    char name[16];

    snprintf(name, sizeof name, "%.6s", catalog.traces[1].hash);
    rename_first(name);
    ck_assert_int_eq(chosen(name), 1);
    name[4] = '\0';
    ck_assert_int_eq(chosen(name), 1);
    snprintf(name, sizeof name, "%.7s", catalog.traces[1].hash);
    ck_assert_int_eq(chosen(name), 2);
}

UNIT_TEST(no_name_hides_a_whole_hash) {
    char name[TRACE_HASH_LENGTH + 1];

    strcpy(name, catalog.traces[1].hash);
    rename_first(name);
    ck_assert_int_eq(chosen(name), 2);
}

/* --- equal names ------------------------------------------------------------------------------ */

static const struct trace_label labels[] = {
    {"log", "phone", "abcd0000000000000000000000000000", 5},
    {"log", "tablet", "abce0000000000000000000000000000", 5},
    {"abcd0", "", "00110000000000000000000000000000", 5},
    {"a/b", "x/y", "00220000000000000000000000000000", 4},
};

enum { LABELS = COUNT(labels) };

/* Returns the position of the selected trace, from 1; 0: none, or several. */
static int find(const char *typed, struct error *error) {
    struct trace_search search = {.typed = typed, .digits = TRACE_LABEL_DIGITS};
    const void *found;

    for (size_t i = 0; i < LABELS; i++) {
        trace_search_match(&search, &labels[i], &labels[i]);
    }
    if (!trace_search_end(&search, &found, error) || found == NULL) {
        return 0;
    }
    return (int)((const struct trace_label *)found - labels) + 1;
}

UNIT_TEST(names_of_several_take_a_device_or_a_hash) {
    ck_assert_int_eq(find("log", &error), 0);
    ck_assert_str_eq(error.message, "'log' is ambiguous: 2 traces match: abcd00000000 (phone/log), "
                                    "abce00000000 (tablet/log)");
    ck_assert_int_eq(find("phone/log", &error), 1);
    ck_assert_int_eq(find("x/y/a/b", &error), 4);
    ck_assert_int_eq(find("abce", &error), 2);
    error = (struct error){0};
    ck_assert_int_eq(find("abc", &error), 0);
    ck_assert_int_eq(find("/abcd0", &error), 0);
    ck_assert_int_eq(find("", &error), 0);
    ck_assert_int_eq(error.status, EXIT_DONE);
    ck_assert_int_eq(find("abcd0", &error), 0);
    assert_message(&error, "abcd00000000 (phone/log), 001100000000 (abcd0)");
    ck_assert_int_eq(find(labels[0].hash, &error), 1);
}

UNIT_TEST(ten_are_listed) {
    struct trace_search search = {.typed = "log"};
    const void *found;

    for (int i = 0; i < 11; i++) {
        trace_search_match(&search, &labels[0], &labels[0]);
    }
    ck_assert(!trace_search_end(&search, &found, &error));
    assert_message(&error, "ambiguous: 11 traces match: ");
    ck_assert_str_eq(error.message + strlen(error.message) - strlen("/log), …"), "/log), …");
}

/* Truncated before an incomplete character of two bytes. */
UNIT_TEST(long_names_hide_no_hash) {
    char name[2000];
    const struct trace_label long_labels[] = {
        {name, "", labels[0].hash, 1},
        {name, "phone", labels[1].hash, 2},
    };
    struct trace_search search = {.typed = name};
    char wanted[1024];
    const void *found;

    memset(name, 'x', sizeof name);
    memcpy(name + 59, "ä", 2);
    name[sizeof name - 1] = '\0';
    for (size_t i = 0; i < 2; i++) {
        trace_search_match(&search, &long_labels[i], &long_labels[i]);
    }
    ck_assert(!trace_search_end(&search, &found, &error));
    snprintf(
        wanted, sizeof wanted,
        "'%.59s…' is ambiguous: 2 traces match: abcd00000000 (%.59s…), abce00000000 (phone/%.59s…)",
        name, name, name);
    ck_assert_str_eq(error.message, wanted);
}
