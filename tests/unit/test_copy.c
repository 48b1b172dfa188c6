/* copy: pseudonyms, and the columns that contain names and ids. */
#include <fcntl.h>
#include <regex.h>
#include <sys/stat.h>

#include "copy/combine.h"
#include "copy/pseudonymise.h"
#include "copy/transfer.h"
#include "store/schema.h"
#include "unit.h"

static struct pseudonyms *pseudonyms;

/* Uses a fixed key. */
static void set_up(void) {
    static const char key[] = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n";

    folder_make();
    pseudonyms = pseudonyms_open(folder_write("key", key, sizeof key - 1), &error);
    assert_done(pseudonyms != NULL);
}

static void tear_down(void) {
    pseudonyms_close(pseudonyms);
    folder_remove();
}

static const char *of(enum pseudonym_role role, const char *bytes, size_t length) {
    static struct text text;

    text_clear(&text);
    pseudonyms_append(pseudonyms, role, bytes, length, &text);
    return text_string(&text);
}

static const char *of_string(enum pseudonym_role role, const char *string) {
    return of(role, string, strlen(string));
}

/* Returns the result of a query with the pseudonym functions; NULL: an argument is NULL. */
static const char *of_query(const char *sql, const char *first, const char *second) {
    static struct text text;
    sqlite3 *handle;
    sqlite3_stmt *query;

    text_clear(&text);
    ck_assert_int_eq(sqlite3_open(":memory:", &handle), SQLITE_OK);
    ck_assert(pseudonyms_register(pseudonyms, handle));
    ck_assert_int_eq(sqlite3_prepare_v2(handle, sql, -1, &query, NULL), SQLITE_OK);
    sqlite3_bind_text(query, 1, first, -1, SQLITE_STATIC);
    sqlite3_bind_text(query, 2, second, -1, SQLITE_STATIC);
    ck_assert_int_eq(sqlite3_step(query), SQLITE_ROW);
    text_append_string(&text, (const char *)sqlite3_column_text(query, 0));
    sqlite3_finalize(query);
    sqlite3_close(handle);
    return text_string(&text);
}

/* Checks a whole text against a form, in which @ stands for a pseudonym. */
static void assert_form(const char *form, const char *text) {
    struct text pattern = {0};
    regex_t compiled;

    text_append_string(&pattern, "^");
    for (const char *at = form; *at != '\0'; at++) {
        if (*at == '@') {
            text_append_string(&pattern, "[a-p][a-z2-7]{11}");
        } else {
            text_append_format(&pattern, strchr(".[](){}*+?^$|\\", *at) != NULL ? "\\%c" : "%c",
                               *at);
        }
    }
    text_append_string(&pattern, "$");
    ck_assert_int_eq(regcomp(&compiled, text_string(&pattern), REG_EXTENDED), 0);
    ck_assert_msg(regexec(&compiled, text, 0, NULL, 0) == 0, "%s is not of the form %s", text,
                  form);
    regfree(&compiled);
    text_free(&pattern);
}

UNIT_CASE("copy", set_up, tear_down);

/* From Python: hmac.new(bytes.fromhex(key), b"fsecret", "sha256"). */
UNIT_TEST(test_is_hmac) {
    ck_assert_str_eq(of_string(PSEUDONYM_PATH, "secret"), "mdtkcak552c5");
    ck_assert_str_eq(of_string(PSEUDONYM_HASH, "0123"), "c2f096ff6aed91d5375b36121e44da66");
    ck_assert_str_eq(of_query("SELECT pseudonym_number(42)", NULL, NULL), "252507356");
}

static const struct {
    const char *path, *form;
} paths[] = {
    {"", ""},
    {"/", "/"},
    {"secret", "@"},
    {"/home/nadia/letters.txt", "/@/@/@.txt"},
    {"letters.TXT", "@.TXT"},
    {"com.example.secret", "@.@"},
    {"../x/./.profile", "../@/./.@"},
    {"/data/a.db", "/@/@.db"},
    {"/data/a.db-journal", "/@/@.db-journal"},
    {"/data/cookies-wal", "/@/@-wal"},
    {"-wal", "@"},
    {"a-journal-wal", "@-journal-wal"},
    {"a//b/", "@//@/"},
    {"pipe", "pipe"},
    {"pipe:[1234]", "pipe:[@]"},
    {"TCP:[10.0.0.1:43->10.0.0.2:80]", "TCP:[@]"},
    {"nadia:[x]", "@:[@]"},
    {"anon_inode:[eventpoll", "anon_inode:[@"},
    {"/dev/hwbinder", "/dev/@binder"},
    {"/dev/binder", "/dev/binder"},
    {"dev/ashmem", "dev/@"},
    {"/memfd:nadia (deleted)", "/memfd:@ (deleted)"},
    {"x.", "@."},
    {"a...", "@."},
};

UNIT_LOOP(test_paths_keep_their_form, COUNT(paths)) {
    assert_form(paths[_i].form, of_string(PSEUDONYM_PATH, paths[_i].path));
}

UNIT_TEST(test_same_parts_have_the_same) {
    char database[64], journal[64];

    snprintf(database, sizeof database, "%s", of_string(PSEUDONYM_PATH, "/a/main.db"));
    snprintf(journal, sizeof journal, "%s", of_string(PSEUDONYM_PATH, "/a/main.db-journal"));
    ck_assert_int_eq(strncmp(database, journal, strlen(database)), 0);
    ck_assert_str_eq(journal + strlen(database), "-journal");
    ck_assert_str_ne(of_string(PSEUDONYM_PROCESS, "main"), strchr(database + 1, '/') + 1);
}

UNIT_TEST(test_words) {
    assert_form("@.@.@(I)V", of_string(PSEUDONYM_WORDS, "com.nadia.Letters(I)V"));
    assert_form("@$1.@", of_string(PSEUDONYM_WORDS, "Letters$1.run12"));
    assert_form("@:12", of_string(PSEUDONYM_WORDS, "letters:12"));
}

/* A log may use any names for system calls and errors. */
UNIT_TEST(test_known_names_stay) {
    static const struct {
        const char *kind, *name;
        bool stays;
    } names[] = {
        {"syscall", "openat", true},
        {"syscall", "fstatat64", true},
        {"syscall", "syscall_470", true},
        {"syscall", "syscall_0x1d6", true},
        {"syscall", "????", true},
        {"syscall", "nadias_call", false},
        {"syscall", "syscall_eva", false},
        {"syscall", "open", true},
        {"syscall", "ope", false},
        {"error", "ENOENT", true},
        {"error", "ERRNO_4000", true},
        {"error", "ENADIA", false},
        {"error", "ERRNO_", false},
        {"error", "EAGAIN EVA", false},
        {"action", "C", true},
        {"method", "openat", false},
    };

    for (size_t i = 0; i < COUNT(names); i++) {
        const char *shown =
            of_query("SELECT pseudonym_operation(?1, ?2)", names[i].kind, names[i].name);

        ck_assert_msg((strcmp(shown, names[i].name) == 0) == names[i].stays, "%s %s", names[i].kind,
                      names[i].name);
    }
    ck_assert_str_ne(of_query("SELECT pseudonym_operation(?1, ?2)", NULL, "read"), "read");
}

/* Any bytes: no read beyond the end. */
UNIT_TEST(test_any_bytes) {
    static const char signs[] = "\"<>\\/.:[]-a0 \n\xff,(=";
    uint32_t random = 1;
    char bytes[24] = {0};

    for (int i = 0; i < 20000; i++) {
        size_t length = (random >> 16) % sizeof bytes;
        char *exact;

        for (size_t k = 0; k < length; k++) {
            random = random * 1103515245 + 12345;
            bytes[k] = signs[(random >> 16) % sizeof signs];
        }
        random = random * 1103515245 + 12345;
        exact = malloc(length > 0 ? length : 1); /* a sanitizer detects reads beyond it */
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, bytes, length);
        for (unsigned role = 0; role < PSEUDONYM_ROLES; role++) {
            of((enum pseudonym_role)role, exact, length);
        }
        free(exact);
    }
}

UNIT_TEST(test_key) {
    struct pseudonyms *other;
    struct stat status;
    char first[32];
    const char *path = folder_path("new.key");

    other = pseudonyms_open(path, &error);
    assert_done(other != NULL);
    pseudonyms_close(other);
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_int_eq(status.st_mode & 0777, 0600);
    ck_assert_int_eq(status.st_size, 65);
    pseudonyms_close(pseudonyms);
    pseudonyms = pseudonyms_open(path, &error);
    snprintf(first, sizeof first, "%s", of_string(PSEUDONYM_PATH, "x"));
    pseudonyms_close(pseudonyms);
    pseudonyms = pseudonyms_open(path, &error);
    ck_assert_str_eq(of_string(PSEUDONYM_PATH, "x"), first);
    pseudonyms_close(pseudonyms);
    pseudonyms = pseudonyms_open(NULL, &error);
    ck_assert_str_ne(of_string(PSEUDONYM_PATH, "x"), first);
    folder_write("bad.key", "password\n", 9);
    ck_assert_ptr_null(pseudonyms_open(folder_path("bad.key"), &error));
    assert_message(&error, "not a key");
}

/* --- the schema ------------------------------------------------------------------------------- */

/* Columns called an id in the comments of schema.sql are ids for renumbering, too. */
static bool compare_reference(void *context, const struct schema_word *word, struct error *error) {
    enum transfer_id id = transfer_referenced(word->table, word->column);
    bool view = strcmp(word->table, "io") == 0 || strcmp(word->table, "call") == 0 ||
                strcmp(word->table, "span") == 0 || strcmp(word->table, "sample") == 0 ||
                strcmp(word->table, "result") == 0 || strcmp(word->table, "state") == 0;

    (void)error;
    for (int i = 0; i < TRANSFER_IDS && !view && *word->column != '\0'; i++) {
        const char *at;
        char name[32];
        bool said;

        snprintf(name, sizeof name, "%s.id", transfer_table_name((enum transfer_id)i));
        at = strstr(word->what, name);
        said = (at != NULL && (at == word->what || strncmp(word->what, "first ", 6) == 0 ||
                               strncmp(word->what, "last ", 5) == 0)) ||
               (strcmp(word->column, "id") == 0 &&
                strcmp(word->table, transfer_table_name((enum transfer_id)i)) == 0);
        ck_assert_msg(said == (id == (enum transfer_id)i), "%s.%s: schema.sql says %s", word->table,
                      word->column, word->what);
        *(int *)context += said;
    }
    return true;
}

UNIT_TEST(test_ids_are_those_of_the_schema) {
    int count = 0;

    ck_assert(schema_visit(compare_reference, &count, &error));
    ck_assert_int_gt(count, 50);
}
