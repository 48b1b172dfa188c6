/* Compiles importers/palmos.table to C at build time:
 *
 *     palmos_table importers/palmos.table > build/palmos_table.c
 *
 * The form of the table is described at its top, that of the result in importers/palmos.h. The
 * first thing that is wrong is reported with its line, and the exit status is 1; nothing is
 * written then. Being a program that runs once and ends, it frees nothing. */
#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "palmos.h"

/* A word of the table or one character of punctuation; the end of the file has length 0. */
struct word {
    const char *start; /* in the file's text */
    size_t length;
    unsigned line;
};

static const char *file_name;
static const char *position; /* what comes after `next` */
static const char *file_end;
static unsigned line = 1;
static struct word next; /* read but not yet taken */

/* An opaque type or a structure. */
struct type {
    struct word name;
    unsigned long size; /* bytes, 0 when unknown */
    bool opaque;
    size_t index; /* among the structures */
    size_t first_member;
    size_t member_count;
};

struct field {
    struct word name;
    enum palmos_kind kind;
    const struct type *structure;
    unsigned long width, count, offset, bit, bits;
    bool by_address;
};

struct parameters {
    size_t first;
    size_t count;
};

struct selector {
    struct word name;
    unsigned long number;
    struct parameters parameters;
};

struct trap {
    struct word name, name_sdk35;
    unsigned long id;
    unsigned long since;
    unsigned flags;
    struct parameters parameters;
    size_t first_selector;
    size_t selector_count;
    const struct category *category;
};

/* A prefix of the names of a category's traps. */
struct category {
    struct word name, prefix;
    bool used;
};

struct name {
    struct word word;
    size_t trap;
};

/* Types are pointed to, and must not move when more come. */
static struct type **types;
static size_t type_count;
static size_t structure_count;
static struct field *fields;
static size_t field_count;
static struct selector *selectors;
static size_t selector_count;
static struct trap *traps;
static size_t trap_count;
static struct category *categories;
static size_t category_count;
static struct name *names;
static size_t name_count;

/* ---- errors and memory ---- */

static _Noreturn void fail(unsigned at, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static _Noreturn void fail(unsigned at, const char *format, ...) {
    va_list arguments;

    fprintf(stderr, "%s:%u: ", file_name, at);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

static _Noreturn void fail_file(const char *what) {
    fprintf(stderr, "palmos_table: ");
    perror(what);
    exit(EXIT_FAILURE);
}

/* Room for one more item in an array that holds `count`. */
static void *grow(void *items, size_t count, size_t size) {
    if (count > 0 && (count & (count - 1)) != 0) {
        return items;
    }
    items = realloc(items, (count == 0 ? 1 : 2 * count) * size);
    if (items == NULL) {
        fail_file("memory");
    }
    return items;
}

static int length_of(struct word word) {
    return word.length > INT_MAX ? INT_MAX : (int)word.length;
}

/* ---- words ---- */

static bool is_word_character(char character) {
    return isalnum((unsigned char)character) || character == '_' || character == '.';
}

static void skip_blanks(void) {
    while (position < file_end && (isspace((unsigned char)*position) || *position == '#')) {
        if (*position == '#') {
            while (position < file_end && *position != '\n') {
                position++;
            }
        } else {
            line += *position++ == '\n';
        }
    }
}

/* Reads the next word. */
static void advance(void) {
    skip_blanks();
    next = (struct word){position, 0, line};
    while (position < file_end && is_word_character(*position)) {
        position++;
    }
    if (position == next.start && position < file_end) {
        if (*position == '\0' || strchr(":,()[]{}*@/=", *position) == NULL) {
            fail(line, "unexpected byte 0x%02x", (unsigned)(unsigned char)*position);
        }
        position++;
    }
    next.length = (size_t)(position - next.start);
}

static bool is_word(struct word word, const char *text) {
    return word.length == strlen(text) && memcmp(word.start, text, word.length) == 0;
}

static bool same_word(struct word one, struct word other) {
    return one.length == other.length && memcmp(one.start, other.start, one.length) == 0;
}

/* Takes the next word if it is this one. */
static bool accept(const char *text) {
    if (!is_word(next, text)) {
        return false;
    }
    advance();
    return true;
}

static _Noreturn void fail_expected(const char *what) {
    if (next.length == 0) {
        fail(next.line, "expected %s, found the end of the file", what);
    }
    fail(next.line, "expected %s, found \"%.*s\"", what, length_of(next), next.start);
}

static void expect(const char *text) {
    if (!accept(text)) {
        char what[32];

        snprintf(what, sizeof what, "\"%s\"", text);
        fail_expected(what);
    }
}

static struct word take(void) {
    struct word word = next;

    advance();
    return word;
}

/* A name; those of types may have a dot in them. */
static struct word take_name(const char *what) {
    if (next.length == 0 || (!isalpha((unsigned char)next.start[0]) && next.start[0] != '_')) {
        fail_expected(what);
    }
    return take();
}

/* Digits at `*at`, as many as there are. */
static bool read_digits(const char **at, const char *end, int base, unsigned long *value) {
    const char *start = *at;

    *value = 0;
    while (*at < end && isxdigit((unsigned char)**at)) {
        int digit =
            isdigit((unsigned char)**at) ? **at - '0' : tolower((unsigned char)**at) - 'a' + 10;

        if (digit >= base || *value > UINT16_MAX) {
            return false;
        }
        *value = *value * (unsigned)base + (unsigned)digit;
        (*at)++;
    }
    return *at > start && *value <= UINT16_MAX;
}

static unsigned long take_number(const char *what, int base) {
    const char *at = next.start;
    unsigned long value;

    if (!read_digits(&at, next.start + next.length, base, &value) ||
        at != next.start + next.length) {
        fail_expected(what);
    }
    advance();
    return value;
}

static unsigned long take_size(const char *what) {
    unsigned at = next.line;
    unsigned long value = take_number(what, 10);

    if (value == 0) {
        fail(at, "%s must not be 0", what);
    }
    return value;
}

/* ---- types ---- */

static const struct {
    const char *name;
    enum palmos_kind kind;
    unsigned width;
} builtin_types[] = {
    {"u8", PALMOS_UNSIGNED, 1},    {"u16", PALMOS_UNSIGNED, 2},     {"u32", PALMOS_UNSIGNED, 4},
    {"i8", PALMOS_SIGNED, 1},      {"i16", PALMOS_SIGNED, 2},       {"i32", PALMOS_SIGNED, 4},
    {"bool", PALMOS_BOOLEAN, 1},   {"string", PALMOS_STRING, 0},    {"pointer", PALMOS_ADDRESS, 4},
    {"handle", PALMOS_ADDRESS, 4}, {"callback", PALMOS_ADDRESS, 4}, {"char", PALMOS_CHARS, 0},
    {"byte", PALMOS_BYTES, 0},
};

static bool find_builtin_type(struct word name, struct field *field) {
    for (size_t i = 0; i < sizeof builtin_types / sizeof builtin_types[0]; i++) {
        if (is_word(name, builtin_types[i].name)) {
            field->kind = builtin_types[i].kind;
            field->width = builtin_types[i].width;
            return true;
        }
    }
    return false;
}

static const struct type *find_type(struct word name) {
    for (size_t i = 0; i < type_count; i++) {
        if (same_word(types[i]->name, name)) {
            return types[i];
        }
    }
    return NULL;
}

/* A value of a declared type. Of an opaque one there are only the bytes or the address. */
static void set_declared_type(struct field *field, const struct type *type) {
    field->width = type->size;
    if (!type->opaque) {
        field->kind = PALMOS_STRUCT;
        field->structure = type;
    } else if (type->size > 0) {
        field->kind = PALMOS_BYTES;
    } else if (field->by_address && !is_word(next, "[")) {
        field->kind = PALMOS_ADDRESS;
        field->width = 4;
        field->by_address = false;
    } else {
        fail(next.line, "the size of type \"%.*s\" is not known", length_of(type->name),
             type->name.start);
    }
}

static unsigned long take_brackets(void) {
    unsigned long count;

    expect("[");
    count = take_size("a number of elements");
    expect("]");
    return count;
}

static void parse_dimensions(struct field *field) {
    if ((field->kind == PALMOS_CHARS || field->kind == PALMOS_BYTES) && field->width == 0) {
        field->width = take_brackets();
    }
    if (is_word(next, "[")) {
        field->count = take_brackets();
    }
    if (field->kind == PALMOS_STRING && (field->by_address || field->count > 0)) {
        fail(next.line, "a string cannot be part of an array or behind another address");
    }
    if (field->width * (field->count == 0 ? 1 : field->count) > UINT16_MAX) {
        fail(next.line, "the type is too large");
    }
}

static void parse_type(struct field *field) {
    struct word name;
    const struct type *type;

    field->by_address = accept("*");
    name = take_name("a type");
    if (!find_builtin_type(name, field)) {
        type = find_type(name);
        if (type == NULL) {
            fail(name.line, "unknown type \"%.*s\"", length_of(name), name.start);
        }
        set_declared_type(field, type);
    }
    parse_dimensions(field);
}

static void add_field(const struct field *field) {
    fields = grow(fields, field_count, sizeof *fields);
    fields[field_count++] = *field;
}

static struct type *declare_type(bool opaque) {
    struct field builtin;
    struct type *type = calloc(1, sizeof *type);

    if (type == NULL) {
        fail_file("memory");
    }
    type->name = take_name("the name of a type");
    type->opaque = opaque;
    if (find_type(type->name) != NULL || find_builtin_type(type->name, &builtin)) {
        fail(type->name.line, "type \"%.*s\" is declared twice", length_of(type->name),
             type->name.start);
    }
    return type;
}

/* From here on the type can be used. */
static void add_type(struct type *type) {
    types = grow(types, type_count, sizeof(struct type *));
    types[type_count++] = type;
}

static void parse_opaque(void) {
    struct type *type = declare_type(true);

    if (next.length > 0 && isdigit((unsigned char)next.start[0])) {
        type->size = take_size("a size");
    }
    add_type(type);
}

/* ---- structures ---- */

/* Where a member is: BYTE, or BYTE.BIT of a bit-field. */
static void parse_place(struct field *member) {
    const char *at = next.start;
    const char *end = next.start + next.length;
    bool good = read_digits(&at, end, 10, &member->offset);

    if (member->bits > 0) {
        good = good && at < end && *at++ == '.' && read_digits(&at, end, 10, &member->bit) &&
               member->bit < 8;
    }
    if (!good || at != end) {
        fail_expected(member->bits > 0 ? "BYTE.BIT" : "an offset");
    }
    advance();
}

static void parse_member(struct field *member) {
    *member = (struct field){.name = take_name("a member or \"}\"")};
    expect(":");
    parse_type(member);
    if (member->by_address) {
        fail(member->name.line, "an address in a structure is a \"pointer\"");
    }
    if (accept("/")) {
        member->bits = take_size("a number of bits");
        if (member->kind != PALMOS_UNSIGNED || member->count > 0 ||
            member->bits > 8 * member->width) {
            fail(member->name.line, "a bit-field must fit an unsigned number");
        }
    }
    expect("@");
    parse_place(member);
    if (member->kind == PALMOS_STRING) {
        member->kind = PALMOS_ADDRESS;
        member->width = 4;
    }
}

static unsigned long first_bit(const struct field *member) {
    return 8 * member->offset + member->bit;
}

static unsigned long bit_count(const struct field *member) {
    return member->bits > 0 ? member->bits
                            : 8 * member->width * (member->count == 0 ? 1 : member->count);
}

/* The type is declared only after its members: none can be of that type itself. */
static void parse_struct(void) {
    struct type *type = declare_type(false);
    unsigned long end = 0;

    type->size = take_size("a size");
    type->first_member = field_count;
    expect("{");
    while (!accept("}")) {
        struct field member;

        parse_member(&member);
        if (first_bit(&member) < end || first_bit(&member) + bit_count(&member) > 8 * type->size) {
            fail(member.name.line, "member \"%.*s\" overlaps another or the end",
                 length_of(member.name), member.name.start);
        }
        end = first_bit(&member) + bit_count(&member);
        add_field(&member);
    }
    type->member_count = field_count - type->first_member;
    type->index = structure_count++;
    add_type(type);
}

/* ---- traps ---- */

static void parse_parameter(void) {
    struct field parameter = {.name = next, .kind = PALMOS_REST};

    if (!accept("...")) {
        take_name("a parameter");
        expect(":");
        parse_type(&parameter);
    }
    add_field(&parameter);
}

static struct parameters parse_parameters(void) {
    struct parameters parameters = {.first = field_count};

    expect("(");
    while (!is_word(next, ")")) {
        if (field_count > parameters.first) {
            if (fields[field_count - 1].kind == PALMOS_REST) {
                fail(next.line, "nothing can follow \"...\"");
            }
            expect(",");
        }
        parse_parameter();
    }
    parameters.count = field_count - parameters.first;
    if (parameters.count > PALMOS_MAX_PARAMETERS) {
        fail(next.line, "more than %d parameters", PALMOS_MAX_PARAMETERS);
    }
    expect(")");
    return parameters;
}

/* "3.5" is 35. What follows the second digit is for the reader. */
static unsigned long take_release(void) {
    const char *start = next.start;
    bool good = next.length >= 3 && isdigit((unsigned char)start[0]) && start[1] == '.' &&
                (isdigit((unsigned char)start[2]) || start[2] == 'x') &&
                (next.length == 3 || !isdigit((unsigned char)start[3]));
    unsigned long release;

    if (!good) {
        fail_expected("a release");
    }
    release = 10 * (unsigned long)(start[0] - '0');
    release += start[2] == 'x' ? 0 : (unsigned long)(start[2] - '0');
    advance();
    return release;
}

/* Takes one flag; 0 when the next word is none. */
static unsigned accept_flag(void) {
    static const struct {
        const char *name;
        enum palmos_flag flag;
    } known[] = {{"reserved", PALMOS_RESERVED},     {"obsolete", PALMOS_OBSOLETE},
                 {"dispatcher", PALMOS_DISPATCHER}, {"late", PALMOS_LATE},
                 {"reused", PALMOS_REUSED},         {"void", PALMOS_VOID}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (accept(known[i].name)) {
            return known[i].flag;
        }
    }
    return 0;
}

static unsigned take_flags(void) {
    unsigned flags = 0;
    unsigned flag;

    while ((flag = accept_flag()) != 0) {
        flags |= flag;
    }
    return flags;
}

static void parse_trap(void) {
    unsigned at = next.line;
    struct trap trap = {.id = take_number("a trap ID", 16)};

    if (trap.id < PALMOS_FIRST_TRAP) {
        fail(at, "trap IDs begin at %04X", (unsigned)PALMOS_FIRST_TRAP);
    }
    if (trap_count > 0 && trap.id <= traps[trap_count - 1].id) {
        fail(at, "trap %04lX is %s", trap.id,
             trap.id == traps[trap_count - 1].id ? "there twice" : "not in ascending order");
    }
    trap.since = take_release();
    trap.name = take_name("the name of the trap");
    if (accept("=")) {
        trap.name_sdk35 = take_name("the SDK 3.5 name of the trap");
    }
    trap.flags = take_flags();
    if (is_word(next, "(")) {
        trap.flags |= PALMOS_PROTOTYPE;
        trap.parameters = parse_parameters();
    } else if ((trap.flags & PALMOS_VOID) != 0) {
        fail(at, "what returns nothing must have a prototype");
    }
    traps = grow(traps, trap_count, sizeof *traps);
    traps[trap_count++] = trap;
}

static struct trap *take_dispatcher(void) {
    unsigned at = next.line;
    unsigned long id = take_number("a trap ID", 16);

    for (size_t i = 0; i < trap_count; i++) {
        if (traps[i].id != id) {
            continue;
        }
        if ((traps[i].flags & PALMOS_DISPATCHER) == 0 || traps[i].selector_count > 0) {
            fail(at, "trap %04lX is no dispatcher or has its selectors already", id);
        }
        return &traps[i];
    }
    fail(at, "there is no trap %04lX", id);
}

static void parse_selector(const struct trap *trap) {
    unsigned at = next.line;
    struct selector selector = {.number = take_number("a selector or \"}\"", 10)};

    if (selector_count > trap->first_selector &&
        selector.number < selectors[selector_count - 1].number) {
        fail(at, "selector %lu is not in ascending order", selector.number);
    }
    selector.name = take_name("the name of a function");
    selector.parameters = parse_parameters();
    selectors = grow(selectors, selector_count, sizeof *selectors);
    selectors[selector_count++] = selector;
}

static void parse_selectors(void) {
    struct trap *trap = take_dispatcher();

    if (accept("stack16")) {
        trap->flags |= PALMOS_ON_STACK;
    } else if (!accept("D2")) {
        fail_expected("D2 or stack16");
    }
    trap->first_selector = selector_count;
    expect("{");
    while (!accept("}")) {
        parse_selector(trap);
    }
    trap->selector_count = selector_count - trap->first_selector;
}

static void parse_unlogged(void) {
    expect("{");
    while (!accept("}")) {
        struct word name = take_name("a trap or \"}\"");
        bool found = false;

        for (size_t i = 0; i < trap_count; i++) {
            if (same_word(traps[i].name, name) || same_word(traps[i].name_sdk35, name)) {
                traps[i].flags |= PALMOS_UNLOGGED;
                found = true;
            }
        }
        if (!found) {
            fail(name.line, "unknown trap \"%.*s\"", length_of(name), name.start);
        }
    }
}

static void parse_category(void) {
    struct word name = take_name("the name of a category");

    expect("{");
    while (!accept("}")) {
        struct category category = {.name = name, .prefix = take_name("a prefix or \"}\"")};

        for (size_t i = 0; i < category_count; i++) {
            if (same_word(categories[i].prefix, category.prefix)) {
                fail(category.prefix.line, "prefix \"%.*s\" is there twice",
                     length_of(category.prefix), category.prefix.start);
            }
        }
        categories = grow(categories, category_count, sizeof *categories);
        categories[category_count++] = category;
    }
}

static bool has_prefix(struct word word, struct word prefix) {
    return prefix.length <= word.length && memcmp(prefix.start, word.start, prefix.length) == 0;
}

/* When all have been read: the longest prefix tells. */
static void find_category(struct trap *trap) {
    struct category *found = NULL;

    for (size_t i = 0; i < category_count; i++) {
        if (has_prefix(trap->name, categories[i].prefix) &&
            (found == NULL || categories[i].prefix.length > found->prefix.length)) {
            found = &categories[i];
        }
    }
    if (found == NULL) {
        fail(trap->name.line, "trap \"%.*s\" is of no category", length_of(trap->name),
             trap->name.start);
    }
    found->used = true;
    trap->category = found;
}

static void find_categories(void) {
    for (size_t i = 0; i < trap_count; i++) {
        find_category(&traps[i]);
    }
    for (size_t i = 0; i < category_count; i++) {
        if (!categories[i].used) {
            fail(categories[i].prefix.line, "no trap begins with \"%.*s\"",
                 length_of(categories[i].prefix), categories[i].prefix.start);
        }
    }
}

static void parse_table(void) {
    static const struct {
        const char *word;
        void (*parse)(void);
    } statements[] = {{"opaque", parse_opaque},     {"struct", parse_struct},
                      {"trap", parse_trap},         {"selectors", parse_selectors},
                      {"category", parse_category}, {"unlogged", parse_unlogged}};
    size_t i = 0;

    advance();
    while (next.length > 0) {
        for (i = 0; i < sizeof statements / sizeof statements[0]; i++) {
            if (accept(statements[i].word)) {
                statements[i].parse();
                break;
            }
        }
        if (i == sizeof statements / sizeof statements[0]) {
            fail_expected("a statement");
        }
    }
    if (trap_count == 0) {
        fail(line, "there are no traps");
    }
    find_categories();
}

/* ---- writing ---- */

static const char *kind_name(enum palmos_kind kind) {
    static const char *const kind_names[] = {
        [PALMOS_UNSIGNED] = "PALMOS_UNSIGNED", [PALMOS_SIGNED] = "PALMOS_SIGNED",
        [PALMOS_BOOLEAN] = "PALMOS_BOOLEAN",   [PALMOS_ADDRESS] = "PALMOS_ADDRESS",
        [PALMOS_STRING] = "PALMOS_STRING",     [PALMOS_CHARS] = "PALMOS_CHARS",
        [PALMOS_BYTES] = "PALMOS_BYTES",       [PALMOS_STRUCT] = "PALMOS_STRUCT",
        [PALMOS_REST] = "PALMOS_REST",
    };

    return kind_names[kind];
}

static void write_name(struct word name) {
    printf("\"%.*s\", ", length_of(name), name.start);
}

/* A pointer to the item of an array, or NULL when it would point to none. */
static void write_pointer(const char *array, size_t index, bool any) {
    if (any) {
        printf("&%s[%zu], ", array, index);
    } else {
        printf("NULL, ");
    }
}

/* Every array ends with an empty item, so that none has no items. */
static void write_fields(void) {
    printf("static const struct palmos_field fields[] = {\n");
    for (size_t i = 0; i < field_count; i++) {
        const struct field *field = &fields[i];
        const struct type *structure = field->structure;

        printf("    {");
        write_name(field->name);
        write_pointer("structs", structure == NULL ? 0 : structure->index, structure != NULL);
        printf("%lu, %lu, %lu, %s, %lu, %lu, %d},\n", field->width, field->count, field->offset,
               kind_name(field->kind), field->bit, field->bits, field->by_address);
    }
    printf("    {0},\n};\n\n");
}

static void write_structs(void) {
    printf("static const struct palmos_struct structs[%zu] = {\n", structure_count + 1);
    for (size_t i = 0; i < type_count; i++) {
        const struct type *type = types[i];

        if (!type->opaque) {
            printf("    {");
            write_name(type->name);
            write_pointer("fields", type->first_member, type->member_count > 0);
            printf("%zu, %lu},\n", type->member_count, type->size);
        }
    }
    printf("    {0},\n};\n\n");
}

static void write_selectors(void) {
    printf("static const struct palmos_selector selectors[] = {\n");
    for (size_t i = 0; i < selector_count; i++) {
        const struct selector *selector = &selectors[i];

        printf("    {");
        write_name(selector->name);
        write_pointer("fields", selector->parameters.first, selector->parameters.count > 0);
        printf("%lu, %zu},\n", selector->number, selector->parameters.count);
    }
    printf("    {0},\n};\n\n");
}

/* A blank stands for "_". */
static void write_category(const struct category *category) {
    putchar('"');
    for (size_t i = 0; i < category->name.length; i++) {
        putchar(category->name.start[i] == '_' ? ' ' : category->name.start[i]);
    }
    printf("\", ");
}

static void write_traps(void) {
    printf("const struct palmos_trap palmos_traps[] = {\n");
    for (size_t i = 0; i < trap_count; i++) {
        const struct trap *trap = &traps[i];

        printf("    {");
        write_name(trap->name);
        if (trap->name_sdk35.length > 0) {
            write_name(trap->name_sdk35);
        } else {
            printf("NULL, ");
        }
        write_pointer("fields", trap->parameters.first, trap->parameters.count > 0);
        write_pointer("selectors", trap->first_selector, trap->selector_count > 0);
        write_category(trap->category);
        printf("0x%04lX, %zu, %zu, %lu, %u},\n", trap->id, trap->selector_count,
               trap->parameters.count, trap->since, trap->flags);
    }
    printf("};\n\nconst size_t palmos_trap_count = %zu;\n\n", trap_count);
}

static void add_name(struct word word, size_t trap) {
    if (word.length > 0) {
        names = grow(names, name_count, sizeof *names);
        names[name_count++] = (struct name){word, trap};
    }
}

/* As strcmp(); equal names by the trap, that is by ID. */
static int compare_names(const void *left, const void *right) {
    const struct name *one = left;
    const struct name *other = right;
    size_t length = one->word.length < other->word.length ? one->word.length : other->word.length;
    int order = memcmp(one->word.start, other->word.start, length);

    if (order == 0) {
        order = (one->word.length > other->word.length) - (one->word.length < other->word.length);
    }
    return order != 0 ? order : (one->trap > other->trap) - (one->trap < other->trap);
}

static void write_names(void) {
    for (size_t i = 0; i < trap_count; i++) {
        add_name(traps[i].name, i);
        add_name(traps[i].name_sdk35, i);
    }
    qsort(names, name_count, sizeof *names, compare_names);
    printf("const struct palmos_name palmos_names[] = {\n");
    for (size_t i = 0; i < name_count; i++) {
        printf("    {");
        write_name(names[i].word);
        printf("%zu},\n", names[i].trap);
    }
    printf("};\n\nconst size_t palmos_name_count = %zu;\n", name_count);
}

static void write_table(void) {
    printf("/* Written by src/build/palmos_table.c: change importers/palmos.table instead. */\n"
           "#include \"palmos.h\"\n\n"
           "static const struct palmos_struct structs[%zu];\n\n",
           structure_count + 1);
    write_fields();
    write_structs();
    write_selectors();
    write_traps();
    write_names();
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fail_file("standard output");
    }
}

/* ---- reading ---- */

static void read_table(void) {
    FILE *file = fopen(file_name, "rb");
    char *text = NULL;
    size_t length = 0;
    int character;

    if (file == NULL) {
        fail_file(file_name);
    }
    while ((character = getc(file)) != EOF) {
        text = grow(text, length, 1);
        text[length++] = (char)character;
    }
    if (ferror(file)) {
        fail_file(file_name);
    }
    fclose(file);
    position = text == NULL ? "" : text;
    file_end = position + length;
}

int main(int argument_count, char **arguments) {
    if (argument_count != 2) {
        fprintf(stderr, "usage: palmos_table TABLE > FILE.c\n");
        return EXIT_FAILURE;
    }
    file_name = arguments[1];
    read_table();
    parse_table();
    write_table();
    return EXIT_SUCCESS;
}
