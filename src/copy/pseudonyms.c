#include "copy/pseudonyms.h"

#include <endian.h>
#include <nettle/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "copy/pseudonym_parts.h"
#include "model/event.h"
#include "model/linux.h"
#include "base/memory.h"

enum {
    CODE_LENGTH = 12, /* characters of a pseudonym */
};

/* What an SQL function is given. */
struct pseudonym_function {
    const struct pseudonyms *pseudonyms;
    enum pseudonym_role role;
};

struct pseudonyms {
    struct hmac_sha256_ctx keyed; /* copied for each text */
    struct pseudonym_function functions[PSEUDONYM_ROLES];
};

/* What tells texts of one kind from the same of another, before each text. Strings in arguments and
 * names in remarks are paths. */
static const char tags[PSEUDONYM_ROLES] = {
    [PSEUDONYM_PATH] = PSEUDONYM_PATH_TAG,
    [PSEUDONYM_PROCESS] = 'p',
    [PSEUDONYM_TRACE] = 't',
    [PSEUDONYM_DEVICE] = 'd',
    [PSEUDONYM_USER] = 'u',
    [PSEUDONYM_STUDY] = 's',
    [PSEUDONYM_WORDS] = 'w',
    [PSEUDONYM_HASH] = 'h',
    [PSEUDONYM_UUID] = 'i',
};
static const char number_tag = 'n', code_tag = 'c';

/* Kinds of names that are words of a format; system calls and errors, which logs tell by name, only
 * where they are known. */
static const char spared[] =
    "trap action lifespan suspend sqlite error syscall android_fs ext4 f2fs jbd2 unit measure";

/* --- one name -----------------------------------------------------------------------------------
 */

static void digest(const struct pseudonyms *pseudonyms, char tag, const char *bytes, size_t length,
                   uint8_t result[SHA256_DIGEST_SIZE]) {
    struct hmac_sha256_ctx context = pseudonyms->keyed;

    hmac_sha256_update(&context, 1, (const uint8_t *)&tag);
    hmac_sha256_update(&context, length, (const uint8_t *)bytes);
    hmac_sha256_digest(&context, SHA256_DIGEST_SIZE, result);
}

/* The first is a letter, so that nobody takes it for a number: 4 bits, and 5 of each other one. */
void pseudonym_append_name(const struct pseudonyms *pseudonyms, char tag, struct word name,
                           struct text *out) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    uint8_t result[SHA256_DIGEST_SIZE];
    char code[CODE_LENGTH];
    uint64_t bits;

    if (name.length == 0) {
        return;
    }
    digest(pseudonyms, tag, name.bytes, name.length, result);
    memcpy(&bits, result, sizeof bits);
    bits = le64toh(bits);
    code[0] = letters[bits & 15];
    bits >>= 4;
    for (size_t i = 1; i < CODE_LENGTH; i++, bits >>= 5) {
        code[i] = letters[bits & 31];
    }
    text_append(out, code, sizeof code);
}

static int64_t make_number(const struct pseudonyms *pseudonyms, char tag, int64_t number) {
    uint8_t result[SHA256_DIGEST_SIZE];
    char digits[32];
    uint32_t bits;
    int length = snprintf(digits, sizeof digits, "%lld", (long long)number);

    digest(pseudonyms, tag, digits, (size_t)length, result);
    memcpy(&bits, result, sizeof bits);
    bits = le32toh(bits) >> 1;
    return bits == 0 ? 1 : bits;
}

/* A number from 1 to 2^31 - 1 for a number that names something: the ID of an application. */
static int64_t pseudonyms_number(const struct pseudonyms *pseudonyms, int64_t number) {
    return make_number(pseudonyms, number_tag, number);
}

/* The same of the number behind a name: of a function, a component. */
static int64_t pseudonyms_code(const struct pseudonyms *pseudonyms, int64_t code) {
    return make_number(pseudonyms, code_tag, code);
}

static void append_hash(const struct pseudonyms *pseudonyms, struct word name, struct text *out) {
    uint8_t result[SHA256_DIGEST_SIZE];

    digest(pseudonyms, tags[PSEUDONYM_HASH], name.bytes, name.length, result);
    text_append_hex(out, result, 16);
}

static void append_uuid(const struct pseudonyms *pseudonyms, struct word name, struct text *out) {
    static const size_t groups[] = {4, 2, 2, 2, 6};
    uint8_t result[SHA256_DIGEST_SIZE];
    size_t at = 0;

    digest(pseudonyms, tags[PSEUDONYM_UUID], name.bytes, name.length, result);
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; at += groups[i++]) {
        text_append_string(out, i == 0 ? "" : "-");
        text_append_hex(out, result + at, groups[i]);
    }
}

/* Whether names of a kind (name.kind) are words of the format, as those of system calls are, and
 * stay with their numbers. NULL: not. */
static bool pseudonyms_spare(const char *kind) {
    return kind != NULL && word_in(spared, kind);
}

/* ENOENT; ERRNO_4000, which importers call what has no name. */
static bool is_error(struct word name) {
    int64_t number;

    return linux_error_number(name) != EVENT_NONE ||
           (word_accept(&name, "ERRNO_") && word_number(name, INT32_MAX, &number));
}

/* Whether this name of the kind stays: of system calls and errors those that Linux has, for a log
 * may call one anything. */
static bool pseudonyms_spare_name(const char *kind, struct word name) {
    if (!pseudonyms_spare(kind)) {
        return false;
    }
    if (strcmp(kind, "syscall") == 0) {
        return linux_call_is_known(name);
    }
    return strcmp(kind, "error") != 0 || is_error(name);
}

/* --- words of code ------------------------------------------------------------------------------
 */

static bool is_number(struct word word) {
    for (size_t i = 0; i < word.length; i++) {
        if (!word_is_digit(word.bytes[i])) {
            return false;
        }
    }
    return true;
}

static void append_words(const struct pseudonyms *pseudonyms, struct word rest, struct text *out) {
    while (rest.length > 0) {
        struct word word = {rest.bytes, 0};

        while (word.length < rest.length && is_name_byte(word.bytes[word.length])) {
            word.length++;
        }
        if (word.length == 0) {
            word.length = 1;
            text_append_char(out, *word.bytes);
        } else if ((word.length == 1 && (unsigned char)*word.bytes < 0x80) ||
                   (word.length <= 3 && is_number(word))) {
            text_append(out, word.bytes, word.length);
        } else {
            pseudonym_append_name(pseudonyms, tags[PSEUDONYM_WORDS], word, out);
        }
        word_skip(&rest, word.length);
    }
}

/* --- all of them --------------------------------------------------------------------------------
 */

void pseudonyms_append(const struct pseudonyms *pseudonyms, enum pseudonym_role role,
                       const char *bytes, size_t length, struct text *out) {
    const struct word text = {bytes, length};

    if (length == 0) {
        return;
    }
    switch (role) {
    case PSEUDONYM_PATH:
        pseudonym_append_path(pseudonyms, text, out);
        break;
    case PSEUDONYM_WORDS:
        append_words(pseudonyms, text, out);
        break;
    case PSEUDONYM_ARGUMENTS:
        pseudonym_append_arguments(pseudonyms, text, out);
        break;
    case PSEUDONYM_REMARK:
        pseudonym_append_remark(pseudonyms, text, out);
        break;
    case PSEUDONYM_HASH:
        append_hash(pseudonyms, text, out);
        break;
    case PSEUDONYM_UUID:
        append_uuid(pseudonyms, text, out);
        break;
    default:
        pseudonym_append_name(pseudonyms, tags[role], text, out);
        break;
    }
}

struct pseudonyms *pseudonyms_open(const char *path, struct error *error) {
    struct pseudonyms *pseudonyms = xcalloc(1, sizeof *pseudonyms);
    uint8_t key[PSEUDONYM_KEY_SIZE];

    if (!(path == NULL ? pseudonym_key_make(key, error) : pseudonym_key_load(path, key, error))) {
        free(pseudonyms);
        return NULL;
    }
    hmac_sha256_set_key(&pseudonyms->keyed, PSEUDONYM_KEY_SIZE, key);
    explicit_bzero(key, sizeof key);
    return pseudonyms;
}

void pseudonyms_close(struct pseudonyms *pseudonyms) {
    if (pseudonyms != NULL) {
        explicit_bzero(pseudonyms, sizeof *pseudonyms);
        free(pseudonyms);
    }
}

/* --- in SQL -------------------------------------------------------------------------------------
 */

static const char *const function_names[PSEUDONYM_ROLES] = {
    [PSEUDONYM_PATH] = "pseudonym_path",     [PSEUDONYM_PROCESS] = "pseudonym_process",
    [PSEUDONYM_TRACE] = "pseudonym_trace",   [PSEUDONYM_DEVICE] = "pseudonym_device",
    [PSEUDONYM_USER] = "pseudonym_user",     [PSEUDONYM_STUDY] = "pseudonym_study",
    [PSEUDONYM_WORDS] = "pseudonym_words",   [PSEUDONYM_ARGUMENTS] = "pseudonym_arguments",
    [PSEUDONYM_REMARK] = "pseudonym_remark", [PSEUDONYM_HASH] = "pseudonym_hash",
    [PSEUDONYM_UUID] = "pseudonym_uuid",
};

static void give_text(sqlite3_context *context, const struct text *text, bool blob) {
    if (text->failed) {
        sqlite3_result_error_nomem(context);
    } else if (blob) {
        sqlite3_result_blob64(context, text_string(text), text->length, SQLITE_TRANSIENT);
    } else {
        sqlite3_result_text64(context, text_string(text), text->length, SQLITE_TRANSIENT,
                              SQLITE_UTF8);
    }
}

static void give_pseudonym(sqlite3_context *context, enum pseudonym_role role,
                           const struct pseudonyms *pseudonyms, sqlite3_value *value) {
    const int type = sqlite3_value_type(value);
    struct text text = {0};
    const char *bytes =
        type == SQLITE_BLOB ? sqlite3_value_blob(value) : (const char *)sqlite3_value_text(value);

    if (type == SQLITE_NULL) {
        return;
    }
    pseudonyms_append(pseudonyms, role, bytes, (size_t)sqlite3_value_bytes(value), &text);
    give_text(context, &text, type == SQLITE_BLOB);
    text_free(&text);
}

static void pseudonym(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct pseudonym_function *function = sqlite3_user_data(context);

    (void)count;
    give_pseudonym(context, function->role, function->pseudonyms, values[0]);
}

/* pseudonym_operation(kind, text) */
static void pseudonym_of_operation(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct pseudonym_function *function = sqlite3_user_data(context);

    const char *kind = (const char *)sqlite3_value_text(values[0]);
    struct word name = {(const char *)sqlite3_value_text(values[1]), 0};

    (void)count;
    name.length = (size_t)sqlite3_value_bytes(values[1]);
    if (name.bytes != NULL && pseudonyms_spare_name(kind, name)) {
        sqlite3_result_value(context, values[1]);
    } else {
        give_pseudonym(context, function->role, function->pseudonyms, values[1]);
    }
}

static void pseudonym_of_number(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct pseudonym_function *function = sqlite3_user_data(context);

    (void)count;
    if (sqlite3_value_type(values[0]) != SQLITE_NULL) {
        sqlite3_result_int64(
            context, pseudonyms_number(function->pseudonyms, sqlite3_value_int64(values[0])));
    }
}

/* pseudonym_code(kind, code) */
static void pseudonym_of_code(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct pseudonym_function *function = sqlite3_user_data(context);

    (void)count;
    if (pseudonyms_spare((const char *)sqlite3_value_text(values[0]))) {
        sqlite3_result_value(context, values[1]);
    } else if (sqlite3_value_type(values[1]) != SQLITE_NULL) {
        sqlite3_result_int64(context,
                             pseudonyms_code(function->pseudonyms, sqlite3_value_int64(values[1])));
    }
}

bool pseudonyms_register(struct pseudonyms *pseudonyms, sqlite3 *handle) {
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
    struct pseudonym_function *words = &pseudonyms->functions[PSEUDONYM_WORDS];
    bool done = true;

    for (unsigned i = 0; done && i < PSEUDONYM_ROLES; i++) {
        pseudonyms->functions[i] = (struct pseudonym_function){pseudonyms, (enum pseudonym_role)i};
        done =
            sqlite3_create_function(handle, function_names[i], 1, flags, &pseudonyms->functions[i],
                                    pseudonym, NULL, NULL) == SQLITE_OK;
    }
    return done &&
           sqlite3_create_function(handle, "pseudonym_operation", 2, flags, words,
                                   pseudonym_of_operation, NULL, NULL) == SQLITE_OK &&
           sqlite3_create_function(handle, "pseudonym_code", 2, flags, words, pseudonym_of_code,
                                   NULL, NULL) == SQLITE_OK &&
           sqlite3_create_function(handle, "pseudonym_number", 1, flags, words, pseudonym_of_number,
                                   NULL, NULL) == SQLITE_OK;
}
