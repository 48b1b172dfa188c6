#include "config/yaml.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "base/memory.h"

/* --- reading a YAML file ---------------------------------------------------------------------- */

static bool yaml_read_stream(FILE *stream, const char *path, struct text *text,
                             struct error *error) {
    while (text->length <= YAML_FILE_LIMIT) {
        char *end = text_reserve(text, BUFSIZ);
        size_t size;

        size = fread(end, 1, BUFSIZ, stream);
        text->length += size;
        if (ferror(stream)) {
            return error_set(error, "cannot read %s: %s", path, strerror(errno));
        }
        if (size == 0) {
            return true;
        }
    }
    return error_set(error, "%s is larger than %u MiB; such a file should be small", path,
                     YAML_FILE_LIMIT >> 20);
}

/* Opens a file; returns NULL with `error` set on failure. Opening a file that the program found
 * never blocks, even on a FIFO. A file named by the user may be a pipe (`-c <(…)`), and may block.
 */
static FILE *yaml_open_stream(const char *path, enum yaml_origin origin, struct error *error) {
    int flags = O_RDONLY | (origin == YAML_FOUND ? O_NONBLOCK | O_NOCTTY : 0);
    int descriptor = file_open(path, flags);
    struct stat status;
    FILE *stream;

    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        error_set(error, "cannot open %s: %s", path, file_strerror(errno));
    } else if (origin == YAML_FOUND && !S_ISREG(status.st_mode)) {
        error_set(error, "%s is %s, not a file; name another configuration with -c", path,
                  S_ISDIR(status.st_mode)    ? "a folder"
                  : S_ISFIFO(status.st_mode) ? "a FIFO"
                                             : "a device or socket");
    } else if ((stream = fdopen(descriptor, "r")) != NULL) {
        return stream;
    } else {
        out_of_memory();
    }
    file_close(descriptor);
    return NULL;
}

static bool yaml_read_text(const char *path, enum yaml_origin origin, struct text *text,
                           struct error *error) {
    FILE *stream = yaml_open_stream(path, origin, error);
    bool done;

    if (stream == NULL) {
        return false;
    }
    done = yaml_read_stream(stream, path, text, error);
    fclose(stream);
    return done;
}

/* Counts of constructs that make libyaml slow: its time grows with their square. */
struct shape {
    size_t depth, anchors, tags;
};

static void count_token(struct shape *shape, yaml_token_type_t type) {
    switch (type) {
    case YAML_BLOCK_SEQUENCE_START_TOKEN:
    case YAML_BLOCK_MAPPING_START_TOKEN:
    case YAML_FLOW_SEQUENCE_START_TOKEN:
    case YAML_FLOW_MAPPING_START_TOKEN:
        shape->depth++;
        break;
    case YAML_BLOCK_END_TOKEN:
    case YAML_FLOW_SEQUENCE_END_TOKEN:
    case YAML_FLOW_MAPPING_END_TOKEN:
        shape->depth -= shape->depth > 0;
        break;
    case YAML_ANCHOR_TOKEN:
        shape->anchors++;
        break;
    case YAML_TAG_DIRECTIVE_TOKEN:
        shape->tags++;
        break;
    default:
        break;
    }
}

static bool check_token(const struct shape *shape, const char *path, size_t line,
                        struct error *error) {
    if (shape->depth > YAML_DEPTH_LIMIT) {
        return error_set(error, "%s:%zu: nested more than %d deep", path, line, YAML_DEPTH_LIMIT);
    }
    if (shape->anchors > YAML_ANCHOR_LIMIT) {
        return error_set(error, "%s:%zu: more than %d anchors", path, line, YAML_ANCHOR_LIMIT);
    }
    if (shape->tags > YAML_TAG_LIMIT) {
        return error_set(error, "%s:%zu: more than %d %%TAG lines", path, line, YAML_TAG_LIMIT);
    }
    return true;
}

/* Checks the limits before libyaml parses the text. Syntax errors are left to libyaml. */
static bool check_shape(const struct text *text, const char *path, struct error *error) {
    yaml_parser_t parser;
    yaml_token_t token;
    struct shape shape = {0};
    bool done = true, more = true;

    if (!yaml_parser_initialize(&parser)) {
        out_of_memory();
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text_string(text), text->length);
    while (done && more && yaml_parser_scan(&parser, &token)) {
        count_token(&shape, token.type);
        done = check_token(&shape, path, token.start_mark.line + 1, error);
        more = token.type != YAML_STREAM_END_TOKEN;
        yaml_token_delete(&token);
    }
    yaml_parser_delete(&parser);
    return done;
}

static bool yaml_parse_error(const yaml_parser_t *parser, const char *path, struct error *error) {
    const char *problem = parser->problem != NULL ? parser->problem : "cannot be parsed";

    if (parser->error == YAML_MEMORY_ERROR) {
        out_of_memory();
    }
    if (parser->error == YAML_READER_ERROR) {
        return error_set(error, "%s: not valid text at byte %zu: %s", path, parser->problem_offset,
                         problem);
    }
    return error_set(error, "%s:%zu: not valid YAML: %s%s%s", path, parser->problem_mark.line + 1,
                     problem, parser->context != NULL ? " " : "",
                     parser->context != NULL ? parser->context : "");
}

static bool check_single(yaml_parser_t *parser, const char *path, struct error *error) {
    yaml_document_t second;
    bool is_single;

    if (!yaml_parser_load(parser, &second)) {
        return yaml_parse_error(parser, path, error);
    }
    is_single = yaml_document_get_root_node(&second) == NULL;
    yaml_document_delete(&second);
    return is_single ||
           error_set(error, "%s: more than one YAML document; only one can be read", path);
}

static bool parse_text(const struct text *text, const char *path, yaml_document_t *document,
                       struct error *error) {
    yaml_parser_t parser;
    bool done;

    if (!yaml_parser_initialize(&parser)) {
        out_of_memory();
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text_string(text), text->length);
    done = yaml_parser_load(&parser, document) || yaml_parse_error(&parser, path, error);
    /* After an empty file, there can be no second document. */
    if (done && yaml_document_get_root_node(document) != NULL &&
        !check_single(&parser, path, error)) {
        yaml_document_delete(document);
        done = false;
    }
    yaml_parser_delete(&parser);
    return done;
}

static bool read_document(const struct text *text, const char *path, struct yaml_file *file,
                          struct error *error) {
    const yaml_document_t *nodes;

    if (!check_shape(text, path, error) || !parse_text(text, path, &file->document, error)) {
        return false;
    }
    nodes = &file->document;
    file->path = xstrdup(path);
    file->reached =
        xcalloc((size_t)(nodes->nodes.top - nodes->nodes.start) + 1, sizeof file->reached[0]);
    return true;
}

bool yaml_file_read(const char *path, enum yaml_origin origin, struct yaml_file *file,
                    struct error *error) {
    struct text text = {0};
    bool done;

    *file = (struct yaml_file){0};
    done = yaml_read_text(path, origin, &text, error) && read_document(&text, path, file, error);
    text_free(&text);
    return done;
}

bool yaml_text_read(const char *text, const char *path, struct yaml_file *file,
                    struct error *error) {
    struct text copy = {0};
    bool done;

    *file = (struct yaml_file){0};
    text_append_string(&copy, text);
    done = read_document(&copy, path, file, error);
    text_free(&copy);
    return done;
}

void yaml_file_free(struct yaml_file *file) {
    yaml_document_delete(&file->document);
    free(file->path);
    free(file->reached);
    pool_free(&file->pool);
    *file = (struct yaml_file){0};
}

/* --- getting a value and its line for messages ------------------------------------------------ */

struct yaml_value yaml_root(struct yaml_file *file) {
    return (struct yaml_value){file, yaml_document_get_root_node(&file->document)};
}

size_t yaml_line(struct yaml_value value) {
    return value.node == NULL ? 1 : value.node->start_mark.line + 1;
}

bool yaml_error(struct yaml_value value, struct error *error, const char *format, ...) {
    char message[ERROR_MESSAGE_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_set(error, "%s:%zu: %s", value.file->path, yaml_line(value), message);
}

bool yaml_is_null(struct yaml_value value) {
    const char *string;

    if (value.node == NULL) {
        return true;
    }
    if (value.node->type != YAML_SCALAR_NODE ||
        value.node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) {
        return false;
    }
    string = (const char *)value.node->data.scalar.value;
    return *string == '\0' || strcmp(string, "~") == 0 || strcmp(string, "null") == 0;
}

bool yaml_is_mapping(struct yaml_value value) {
    return value.node != NULL && value.node->type == YAML_MAPPING_NODE;
}

bool yaml_is_sequence(struct yaml_value value) {
    return value.node != NULL && value.node->type == YAML_SEQUENCE_NODE;
}

/* --- parsing texts and numbers ---------------------------------------------------------------- */

const char *yaml_string(struct yaml_value value, const char *what, struct error *error) {
    const char *string;

    if (value.node == NULL || value.node->type != YAML_SCALAR_NODE) {
        yaml_error(value, error, "%s must be a single value", what);
        return NULL;
    }
    string = (const char *)value.node->data.scalar.value;
    if (strlen(string) != value.node->data.scalar.length) {
        yaml_error(value, error, "%s must not hold a NUL character", what);
        return NULL;
    }
    return string;
}

char *yaml_copy(struct yaml_value value, const char *what, struct error *error) {
    const char *string = yaml_string(value, what, error);

    if (string == NULL) {
        return NULL;
    }
    if (*string == '\0') {
        yaml_error(value, error, "%s must not be empty", what);
        return NULL;
    }
    return pool_copy(&value.file->pool, string);
}

void *yaml_grow(struct yaml_file *file, void *array, size_t count, size_t size) {
    void *more = array;

    if ((count & (count - 1)) == 0) {
        more = pool_allocate(&file->pool, (count == 0 ? 1 : 2 * count) * size);
        memcpy(more, count == 0 ? more : array, count * size);
    }
    return more;
}

/* Returns the value of a hexadecimal digit; 16 for any other byte. */
static unsigned digit_value(char digit) {
    if (digit >= '0' && digit <= '9') {
        return (unsigned)(digit - '0');
    }
    if (digit >= 'a' && digit <= 'f') {
        return (unsigned)(digit - 'a') + 10;
    }
    return digit >= 'A' && digit <= 'F' ? (unsigned)(digit - 'A') + 10 : 16;
}

bool yaml_parse_unsigned(const char *digits, size_t length, uint64_t most, uint64_t *number) {
    bool is_hex = length > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    unsigned base = is_hex ? 16 : 10;
    uint64_t sum = 0;

    if (length == 0 || (!is_hex && length > 1 && digits[0] == '0')) {
        return false;
    }
    for (size_t i = is_hex ? 2 : 0; i < length; i++) {
        unsigned digit = digit_value(digits[i]);

        if (digit >= base || digit > most || sum > (most - digit) / base) {
            return false;
        }
        sum = sum * base + digit;
    }
    *number = sum;
    return true;
}

bool yaml_unsigned(struct yaml_value value, const char *what, uint64_t most, uint64_t *number,
                   struct error *error) {
    const char *string = yaml_string(value, what, error);

    if (string == NULL) {
        return false;
    }
    if (!yaml_parse_unsigned(string, strlen(string), most, number)) {
        return yaml_error(value, error,
                          "%s must be a number from 0 to %llu, decimal without leading zeros or "
                          "hex after 0x, not '%s'",
                          what, (unsigned long long)most, string);
    }
    return true;
}

/* --- visiting mappings and sequences ---------------------------------------------------------- */

/* Finds the node with libyaml's index (from 1). Counts in `again` if it was reached before. */
static bool find_yaml_node(struct yaml_value from, int index, struct yaml_value *to,
                           struct error *error) {
    struct yaml_file *file = from.file;

    *to = (struct yaml_value){file, yaml_document_get_node(&file->document, index)};
    if (to->node == NULL) {
        return yaml_error(from, error, "this YAML alias refers to no anchor");
    }
    if (file->reached[index - 1] && ++file->again > YAML_ALIAS_LIMIT) {
        return yaml_error(*to, error,
                          "the YAML aliases of this file are followed more than %d times",
                          YAML_ALIAS_LIMIT);
    }
    file->reached[index - 1] = true;
    return true;
}

static int yaml_compare_keys(const void *left, const void *right) {
    const yaml_node_t *const *a = left;
    const yaml_node_t *const *b = right;
    int order =
        strcmp((const char *)(*a)->data.scalar.value, (const char *)(*b)->data.scalar.value);

    /* Sorts equal keys by position in the file, so that the error names the later one. */
    if (order == 0) {
        order = ((*a)->start_mark.index > (*b)->start_mark.index) -
                ((*a)->start_mark.index < (*b)->start_mark.index);
    }
    return order;
}

static bool find_duplicate(struct yaml_file *file, yaml_node_t **keys, size_t count,
                           struct error *error) {
    qsort(keys, count, sizeof keys[0], yaml_compare_keys);
    for (size_t i = 1; i < count; i++) {
        const char *key = (const char *)keys[i]->data.scalar.value;

        if (strcmp((const char *)keys[i - 1]->data.scalar.value, key) == 0) {
            return yaml_error((struct yaml_value){file, keys[i]}, error,
                              "the key '%s' is defined already, in line %zu", key,
                              keys[i - 1]->start_mark.line + 1);
        }
    }
    return true;
}

static bool check_keys(struct yaml_value mapping, struct error *error) {
    const yaml_node_pair_t *pair = mapping.node->data.mapping.pairs.start;
    size_t count = (size_t)(mapping.node->data.mapping.pairs.top - pair);
    yaml_node_t **keys = xcalloc(count + 1, sizeof keys[0]);
    bool done = true;

    for (size_t i = 0; done && i < count; i++) {
        struct yaml_value key;

        done = find_yaml_node(mapping, pair[i].key, &key, error) &&
               yaml_string(key, "a key", error) != NULL;
        keys[i] = key.node;
    }
    done = done && find_duplicate(mapping.file, keys, count, error);
    free(keys);
    return done;
}

bool yaml_each_pair(struct yaml_value mapping, const char *what, yaml_visit *visit, void *context,
                    struct error *error) {
    const yaml_node_pair_t *pair;

    if (yaml_is_null(mapping)) {
        return true;
    }
    if (!yaml_is_mapping(mapping)) {
        return yaml_error(mapping, error, "%s must be a map, lines of 'key: value'", what);
    }
    if (!check_keys(mapping, error)) {
        return false;
    }
    for (pair = mapping.node->data.mapping.pairs.start; pair < mapping.node->data.mapping.pairs.top;
         pair++) {
        struct yaml_value key = {mapping.file,
                                 yaml_document_get_node(&mapping.file->document, pair->key)};
        struct yaml_value value;

        if (!find_yaml_node(mapping, pair->value, &value, error) ||
            !visit(context, key, value, error)) {
            return false;
        }
    }
    return true;
}

struct yaml_value yaml_find(struct yaml_value mapping, const char *key) {
    yaml_document_t *document = &mapping.file->document;

    if (!yaml_is_mapping(mapping)) {
        return mapping;
    }
    for (const yaml_node_pair_t *pair = mapping.node->data.mapping.pairs.start;
         pair < mapping.node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *name = yaml_document_get_node(document, pair->key);

        if (strcmp((const char *)name->data.scalar.value, key) == 0) {
            return (struct yaml_value){mapping.file, yaml_document_get_node(document, pair->value)};
        }
    }
    return mapping;
}

bool yaml_each_item(struct yaml_value sequence, const char *what, yaml_visit *visit, void *context,
                    struct error *error) {
    const struct yaml_value no_key = {sequence.file, NULL};
    const yaml_node_item_t *item;

    if (yaml_is_null(sequence)) {
        return true;
    }
    if (!yaml_is_sequence(sequence)) {
        return yaml_error(sequence, error, "%s must be a list, [a, b] or lines of '- a'", what);
    }
    for (item = sequence.node->data.sequence.items.start;
         item < sequence.node->data.sequence.items.top; item++) {
        struct yaml_value value;

        if (!find_yaml_node(sequence, *item, &value, error) ||
            !visit(context, no_key, value, error)) {
            return false;
        }
    }
    return true;
}

/* --- reading mappings with known keys --------------------------------------------------------- */

bool yaml_unknown_key(struct yaml_value key, const char *known, struct error *error) {
    return yaml_error(key, error, "unknown key '%.200s'; known are %s",
                      (const char *)key.node->data.scalar.value, known);
}

static const char *words_for_key(const struct yaml_key *known) {
    return known->what == NULL ? known->name : known->what;
}

static bool read_string(const struct yaml_key *known, struct yaml_value value, char **text,
                        struct error *error) {
    *text = yaml_copy(value, words_for_key(known), error);
    return *text != NULL && (known->most == 0 || strlen(*text) <= (size_t)known->most ||
                             yaml_error(value, error, "%s must not be longer than %lld bytes",
                                        words_for_key(known), (long long)known->most));
}

static bool yaml_read_number(const struct yaml_key *known, struct yaml_value value, int64_t *number,
                             struct error *error) {
    uint64_t read = 0;

    if (!yaml_unsigned(value, words_for_key(known), (uint64_t)known->most, &read, error)) {
        return false;
    }
    *number = (int64_t)read;
    if (*number >= known->least && (known->step == 0 || *number % known->step == 0)) {
        return true;
    }
    return known->must != NULL
               ? yaml_error(value, error, "%s %s", words_for_key(known), known->must)
               : yaml_error(value, error, "%s must be from %lld to %lld", words_for_key(known),
                            (long long)known->least, (long long)known->most);
}

static bool read_choice(const struct yaml_key *known, const char *const *choices,
                        struct yaml_value value, unsigned *choice, struct error *error) {
    const char *string = yaml_string(value, words_for_key(known), error);
    struct text list = {0};

    if (string == NULL) {
        return false;
    }
    for (*choice = 0; choices[*choice] != NULL; ++*choice) {
        if (strcmp(choices[*choice], string) == 0) {
            text_free(&list);
            return true;
        }
        text_append_string(&list, *choice == 0                                          ? ""
                                  : choices[*choice + 1] == NULL && known->must == NULL ? " or "
                                                                                        : ", ");
        text_append_string(&list, choices[*choice]);
    }
    yaml_error(value, error, "%s must be %s%s, not '%.100s'", words_for_key(known),
               known->must == NULL ? "" : known->must, text_string(&list), string);
    text_free(&list);
    return false;
}

bool yaml_read_known(const struct yaml_key *known, void *object, struct yaml_value key,
                     struct yaml_value value, struct error *error) {
    static const char *const flags[] = {"no", "yes", NULL};
    void *place = (char *)object + known->place;
    unsigned flag = 0;

    switch (known->type) {
    case YAML_PAIRS:
        return yaml_each_pair(value, words_for_key(known), known->read, object, error);
    case YAML_ITEMS:
        return yaml_each_item(value, words_for_key(known), known->read, object, error);
    case YAML_TEXT:
        return read_string(known, value, place, error);
    case YAML_NUMBER:
        return yaml_read_number(known, value, place, error);
    case YAML_CHOICE:
        return read_choice(known, known->choices, value, place, error);
    case YAML_FLAG:
        if (!read_choice(known, known->choices == NULL ? flags : known->choices, value, &flag,
                         error)) {
            return false;
        }
        *(bool *)place = flag == 1;
        return true;
    case YAML_OWN:
        break;
    }
    return known->read(object, key, value, error);
}

/* State of reading a mapping with known keys. */
struct known_keys {
    const struct yaml_key *keys;
    size_t count;
    void *object;
    uint64_t *given;
};

static bool visit_known(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    const struct known_keys *known = context;
    const char *name = (const char *)key.node->data.scalar.value;
    struct text names = {0};

    for (size_t i = 0; i < known->count; i++) {
        if (strcmp(known->keys[i].name, name) == 0) {
            text_free(&names);
            if (yaml_is_null(value)) {
                return true;
            }
            *known->given |= UINT64_C(1) << i;
            return yaml_read_known(&known->keys[i], known->object, key, value, error);
        }
        text_append_item(&names, known->keys[i].name);
    }
    yaml_unknown_key(key, text_string(&names), error);
    text_free(&names);
    return false;
}

bool yaml_each_key(struct yaml_value mapping, const char *what, const struct yaml_key *keys,
                   size_t key_count, void *object, uint64_t *given, struct error *error) {
    uint64_t ignored = 0;
    struct known_keys known = {keys, key_count, object, given == NULL ? &ignored : given};

    return yaml_each_pair(mapping, what, visit_known, &known, error);
}
