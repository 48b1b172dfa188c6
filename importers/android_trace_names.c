#include "android_trace_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "input/word.h"

const char android_bad_method[] = "not a method: value, class, method, signature";
const char android_bad_thread[] = "not a thread: ID, name";
const char android_long_line[] = "name line longer than 65535 bytes";
const char android_too_many_names[] = "more names than 2097152 methods or 128 MB";

/* Form of the name that the import has for a method. UNNAMED: its number; PLAIN: as in
 * java.lang.Object.wait; SIGNED: with the signature; OUTDATED: the log has renamed it since. */
enum form { UNNAMED, PLAIN, SIGNED, OUTDATED };

void android_names_init(struct android_names *names) {
    names->pid = EVENT_NONE;
    for (size_t i = 0; i < ANDROID_THREADS; i++) {
        names->threads[i].cpu = -1;
        names->threads[i].tid = (uint32_t)i;
    }
}

void android_names_free(struct android_names *names) {
    free(names->methods);
    pair_numbers_free(&names->numbers);
    text_free(&names->texts);
    text_free(&names->scratch);
}

/* --- table of methods ------------------------------------------------------------------------- */

static struct android_method *android_trace_names_find_method(const struct android_names *names,
                                                              uint32_t value) {
    uint32_t number = pair_numbers_find(&names->numbers, value, 0);

    return number == 0 ? NULL : &names->methods[number - 1];
}

/* Finds a method by its number, or adds it. NULL if there are too many. */
static struct android_method *find_or_add_method(struct android_names *names, uint32_t value) {
    struct android_method *method = android_trace_names_find_method(names, value);

    if (method != NULL || names->method_count == ANDROID_METHODS) {
        return method;
    }
    method = ARRAY_NEW(names->methods, names->method_count, names->method_capacity);
    pair_numbers_add(&names->numbers, value, 0, (uint32_t)names->method_count);
    *method = (struct android_method){.value = value};
    return method;
}

/* --- lines with names in the key section ------------------------------------------------------ */

static bool android_trace_names_has_room(const struct android_names *names, size_t length) {
    return names->texts.length + length <= ANDROID_NAME_BYTES;
}

/* Returns whether the method already has this name. `class_name` is already in dotted form. */
static bool android_trace_names_is_called(const struct android_names *names,
                                          const struct android_method *method,
                                          const struct word *fields, const char *text,
                                          size_t length) {
    return method->class_length == fields[0].length && method->method_length == fields[1].length &&
           method->signature_length == fields[2].length &&
           (length == 0 || memcmp(text_string(&names->texts) + method->text, text, length) == 0);
}

static const char *name_method(struct android_names *names, uint32_t value,
                               const struct word *fields) {
    struct android_method *method = find_or_add_method(names, value);
    struct text *text = &names->scratch;

    text_clear(text);
    for (int i = 0; i < 3; i++) {
        text_append(text, fields[i].bytes, fields[i].length);
    }
    if (method == NULL || !android_trace_names_has_room(names, text->length)) {
        return android_too_many_names;
    }
    for (size_t i = 0; i < fields[0].length; i++) {
        text->bytes[i] = text->bytes[i] == '/' ? '.' : text->bytes[i];
    }
    if (!android_trace_names_is_called(names, method, fields, text_string(text), text->length)) {
        method->text = (uint32_t)names->texts.length;
        text_append(&names->texts, text_string(text), text->length);
        method->class_length = (uint32_t)fields[0].length;
        method->method_length = (uint32_t)fields[1].length;
        method->signature_length = (uint32_t)fields[2].length;
        method->sent = method->id == 0 ? UNNAMED : OUTDATED;
    }
    return NULL;
}

const char *android_names_read_method(struct android_names *names, const char *line,
                                      size_t length) {
    struct word rest = {line, length}, value = word_field(&rest, '\t'), fields[3];
    uint64_t number;

    if (length > ANDROID_LINE) {
        return android_long_line;
    }
    if (memchr(line, '\0', length) != NULL || !word_hex(value, UINT32_MAX, &number) ||
        (number & 3) != 0) {
        return android_bad_method;
    }
    for (int i = 0; i < 3; i++) {
        fields[i] = word_field(&rest, '\t');
    }
    return name_method(names, (uint32_t)number, fields);
}

const char *android_names_add_thread(struct android_names *names, uint32_t tid, const char *name,
                                     size_t length) {
    struct android_thread *thread = &names->threads[tid & ANDROID_THREADS_MASK];

    if (length > ANDROID_LINE) {
        return android_long_line;
    }
    if (memchr(name, '\0', length) != NULL) {
        return android_bad_thread;
    }
    /* Records have only the lower 16 bits of a thread number. If two threads have the same bits,
     * the first one's name is used for both. */
    if ((thread->listed && thread->tid != tid) ||
        (thread->listed && thread->name_length == length &&
         (length == 0 || memcmp(text_string(&names->texts) + thread->name, name, length) == 0))) {
        return NULL;
    }
    if (!android_trace_names_has_room(names, length)) {
        return android_too_many_names;
    }
    thread->listed = true;
    thread->tid = tid;
    thread->name = (uint32_t)names->texts.length;
    thread->name_length = (uint32_t)length;
    thread->renamed = thread->actor != 0;
    text_append(&names->texts, name, length);
    return NULL;
}

const char *android_names_read_thread(struct android_names *names, const char *line,
                                      size_t length) {
    struct word rest = {line, length}, number = word_field(&rest, '\t');
    int64_t tid;

    if (number.length == length || !word_number(number, UINT32_MAX, &tid)) {
        return android_bad_thread;
    }
    return android_names_add_thread(names, (uint32_t)tid, rest.bytes, rest.length);
}

/* --- overloaded methods ----------------------------------------------------------------------- */

/* A method, for sorting by name. */
struct sorted {
    const char *text;
    uint32_t class_length, method_length, signature_length;
    uint32_t position; /* index in `methods` */
};

static int android_trace_names_compare_names(const struct sorted *one, const struct sorted *other) {
    int order = ORDER(one->class_length, other->class_length);

    order = order != 0 ? order : ORDER(one->method_length, other->method_length);
    return order != 0
               ? order
               : memcmp(one->text, other->text, (size_t)one->class_length + one->method_length);
}

static int compare_signatures(const struct sorted *one, const struct sorted *other) {
    int order = ORDER(one->signature_length, other->signature_length);

    return order != 0 ? order
                      : memcmp(one->text + one->class_length + one->method_length,
                               other->text + other->class_length + other->method_length,
                               one->signature_length);
}

static int android_trace_names_compare_sorted(const void *one, const void *other) {
    int order = android_trace_names_compare_names(one, other);

    return order != 0 ? order : compare_signatures(one, other);
}

static bool android_trace_names_is_named(const struct android_method *method) {
    return method->class_length + method->method_length > 0;
}

void android_names_find_overloads(struct android_names *names) {
    struct sorted *sorted = xcalloc(names->method_count + 1, sizeof *sorted);
    size_t count = 0;

    for (size_t i = 0; i < names->method_count; i++) {
        struct android_method *method = &names->methods[i];

        method->overloaded = false;
        if (android_trace_names_is_named(method)) {
            sorted[count++] =
                (struct sorted){text_string(&names->texts) + method->text, method->class_length,
                                method->method_length, method->signature_length, (uint32_t)i};
        }
    }
    qsort(sorted, count, sizeof *sorted, android_trace_names_compare_sorted);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && android_trace_names_compare_names(
                                                   &sorted[first], &sorted[next]) == 0;) {
            next++;
        }
        /* Signatures are sorted: if the first equals the last, all are equal. */
        if (compare_signatures(&sorted[first], &sorted[next - 1]) != 0) {
            for (size_t i = first; i < next; i++) {
                names->methods[sorted[i].position].overloaded = true;
            }
        }
    }
    free(sorted);
}

/* --- sending names to the import -------------------------------------------------------------- */

static enum form android_trace_names_form_of(const struct android_method *method) {
    return !android_trace_names_is_named(method) ? UNNAMED : method->overloaded ? SIGNED : PLAIN;
}

/* Fills in the entry of a method for import_name(). The text of the name is in names->scratch. */
static void make_entry(struct import *import, struct android_names *names,
                       const struct android_method *method, struct name_entry *entry) {
    struct text *scratch = &names->scratch;
    const char *text =
        text_string(&names->texts) + (android_trace_names_is_named(method) ? method->text : 0);

    *entry = (struct name_entry){.kind = "method", .code = method->value};
    text_clear(scratch);
    if (!android_trace_names_is_named(method)) {
        text_append_format(scratch, "0x%x", (unsigned)method->value);
    } else {
        text_append(scratch, text, method->class_length);
        if (method->class_length > 0 && method->method_length > 0) {
            text_append_char(scratch, '.');
        }
        text_append(scratch, text + method->class_length,
                    method->method_length + (method->overloaded ? method->signature_length : 0));
    }
    if (method->class_length > 0) {
        entry->component =
            import_simple_name(import, "class", (struct word){text, method->class_length});
    }
    entry->text = text_string(scratch);
    entry->length = scratch->length;
}

static uint32_t import_method_name(struct import *import, struct android_names *names,
                                   const struct android_method *method) {
    struct name_entry entry;

    make_entry(import, names, method, &entry);
    return import_name(import, &entry);
}

uint32_t android_names_operation_id(struct import *import, struct android_names *names,
                                    uint32_t value, bool *named) {
    struct android_method *method = android_trace_names_find_method(names, value);

    if (method == NULL && (method = find_or_add_method(names, value)) == NULL) {
        *named = false;
        return import_method_name(import, names, &(struct android_method){.value = value});
    }
    *named = android_trace_names_is_named(method);
    if (method->id == 0) {
        method->sent = (uint8_t)android_trace_names_form_of(method);
        method->id = import_method_name(import, names, method);
    }
    return method->id;
}

static struct actor_entry make_actor(const struct android_names *names,
                                     const struct android_thread *thread) {
    return (struct actor_entry){
        .session = 1,
        .pid = names->pid,
        .tid = thread->tid,
        .code = EVENT_NONE,
        .name = thread->name_length == 0 ? NULL : text_string(&names->texts) + thread->name,
        .length = thread->name_length,
    };
}

uint32_t android_names_thread_id(struct import *import, struct android_names *names,
                                 uint32_t number) {
    struct android_thread *thread = &names->threads[number & ANDROID_THREADS_MASK];

    if (thread->actor == 0) {
        struct actor_entry actor = make_actor(names, thread);

        thread->actor = import_actor(import, &actor);
    }
    return thread->actor;
}

void android_names_rename(struct import *import, struct android_names *names) {
    for (size_t i = 0; i < names->method_count; i++) {
        const struct android_method *method = &names->methods[i];
        struct name_entry entry;

        if (method->id != 0 && method->sent != android_trace_names_form_of(method)) {
            make_entry(import, names, method, &entry);
            import_rename(import, method->id, &entry);
        }
    }
    for (size_t i = 0; i < ANDROID_THREADS; i++) {
        const struct android_thread *thread = &names->threads[i];
        struct actor_entry actor = make_actor(names, thread);

        if (thread->renamed) {
            import_rename_actor(import, thread->actor, &actor);
        }
    }
}
