#include "contract/contract.h"

#include <stdlib.h>
#include <string.h>

/* Copies a text, without the newline that ends a block of YAML. */
static char *copy_block(struct contracts *contracts, const char *text) {
    char *copy = pool_copy(&contracts->pool, text), *last = strrchr(copy, '\n');

    if (last != NULL && last[1] == '\0') {
        *last = '\0';
    }
    return copy;
}

static struct contract *new_contract(struct contracts *contracts, const char *name, size_t line) {
    struct contract *contract =
        ARRAY_NEW(contracts->contracts, contracts->count, contracts->capacity);

    *contract = (struct contract){
        .name = copy_block(contracts, name), .file = contracts->file, .line = line};
    return contract;
}

static struct figure_reader new_figure_reader(struct contracts *contracts, const char *text,
                                              struct error *error) {
    const char *copy = copy_block(contracts, text);

    return (struct figure_reader){.text = copy,
                                  .at = copy,
                                  .queries = contracts->queries,
                                  .pool = &contracts->pool,
                                  .take_options = contracts->take_options,
                                  .context = contracts->context,
                                  .error = error};
}

static bool add_condition(struct contracts *contracts, const char *text, size_t line,
                          bool (*read)(struct figure_reader *, struct condition *),
                          struct error *error) {
    struct figure_reader reader = new_figure_reader(contracts, text + strspn(text, " \t"), error);
    struct contract *contract = new_contract(contracts, reader.text, line);

    return read(&reader, &contract->condition) &&
           figure_finish(&reader, &contract->condition.figure);
}

bool contracts_add(struct contracts *contracts, const char *text, size_t line,
                   struct error *error) {
    return add_condition(contracts, text, line, condition_read, error);
}

bool contracts_add_limit(struct contracts *contracts, const char *text, struct error *error) {
    return add_condition(contracts, text, 0, condition_read_limit, error);
}

void contracts_free(struct contracts *contracts) {
    free(contracts->contracts);
    pool_free(&contracts->pool);
}

/* --- reading files of contracts --------------------------------------------------------------- */

/* A contract as written in a file. The pool of the file owns the strings. */
struct item {
    struct contracts *contracts;
    char *name, *why, *condition, *order, *report, *count, *expect;
    struct report_option filters[FIGURE_MOST];
    size_t filter_count;
};

static bool contract_read_filter(void *context, struct yaml_value key, struct yaml_value value,
                                 struct error *error) {
    struct item *item = context;
    const char *name = yaml_copy(key, "a filter", error);
    const char *text = name == NULL ? NULL : yaml_copy(value, name, error);

    if (text == NULL || item->filter_count == FIGURE_MOST) {
        return text == NULL ? false : yaml_error(key, error, "more than %d filters", FIGURE_MOST);
    }
    item->filters[item->filter_count++] = (struct report_option){name, text, false};
    return true;
}

#define TEXT(key)                                                                                  \
    { .name = #key, .type = YAML_TEXT, .place = offsetof(struct item, key) }
static const struct yaml_key keys[] = {
    TEXT(name),      TEXT(why),
    TEXT(condition), TEXT(order),
    TEXT(report),    TEXT(count),
    TEXT(expect),    {.name = "filters", .type = YAML_PAIRS, .read = contract_read_filter},
};

/* Parses `expect`: none, some, or an operator with a number; optionally `where` and an SQL
 * condition. */
static bool read_expect(struct contracts *contracts, struct contract *contract, char *expect,
                        struct error *error) {
    const char *whole = copy_block(contracts, expect);
    char *where = strstr(expect, "where ");
    struct figure_reader reader;

    if (where != NULL && (where == expect || strchr(" \n", where[-1]) != NULL)) {
        contract->where = where + strlen("where ");
        *where = '\0';
    }
    for (size_t end = strlen(expect); end > 0 && strchr(" \n", expect[end - 1]) != NULL; end--) {
        expect[end - 1] = '\0';
    }
    reader = new_figure_reader(contracts,
                               strcmp(expect, "none") == 0   ? "== 0"
                               : strcmp(expect, "some") == 0 ? ">= 1"
                                                             : expect,
                               error);
    if (strcspn(reader.at, "<>=!") > 0 || *reader.at == '\0') {
        return figure_set_error(&reader, reader.at,
                                "expected none, some, or a comparison with <, <=, ==, !=, >= or >");
    }
    if (!condition_read_bound(&reader, COLUMN_INTEGER, &contract->condition)) {
        return false;
    }
    contract->condition.bound_text = whole;
    return true;
}

/* Parses `order`: CALL [FILE] after CALL [FILE] [since CALL [FILE]]. CALL and FILE are words. */
static bool read_order(struct contract *contract, char *order, struct error *error) {
    static const char *const links[] = {"", "after", "since"};
    int part = ORDER_WHAT;

    for (char *word; (word = strsep(&order, " \n")) != NULL;) {
        struct order_part *to = &contract->order[part];

        if (part < ORDER_SINCE && strcmp(word, links[part + 1]) == 0 && to->operation != NULL) {
            part++;
        } else if (*word != '\0' && to->operation == NULL) {
            to->operation = word;
        } else if (*word != '\0' && to->file == NULL) {
            to->file = word;
            contract->needs_files = true;
        } else if (*word != '\0') {
            return error_usage(error, "order: '%s' is one word too many", word);
        }
    }
    contract->condition.comparison = CONDITION_EQUAL;
    contract->condition.bound_text = "none out of order";
    return (part > ORDER_WHAT && contract->order[part].operation != NULL) ||
           error_usage(error, "order must be: CALL [FILE] after CALL [FILE] [since CALL [FILE]]");
}

/* Parses a contract; its YAML keys decide its type. On failure, `*key` is the wrong key, or "". */
static bool read_kind(struct item *item, struct contract *contract, struct figure_reader *reader,
                      const char **key, struct error *error) {
    struct figure *figure = &contract->condition.figure;

    if ((item->condition != NULL) + (item->order != NULL) + (item->report != NULL) +
                (item->count != NULL) !=
            1 ||
        (item->expect != NULL) != (item->report != NULL || item->count != NULL)) {
        return error_usage(error, "give one of condition, order, report and count; the last two, "
                                  "and no others, need expect");
    }
    *key = item->condition != NULL ? "condition" : item->order != NULL ? "order" : "expect";
    if (item->condition != NULL) {
        return condition_read(reader, &contract->condition);
    }
    figure->kind = COLUMN_INTEGER;
    figure->kinds = item->report != NULL ? ~0U : 1U << TRACE_CALLS | 1U << TRACE_SPANS;
    if (item->order != NULL) {
        contract->type = CONTRACT_ORDER;
        return read_order(contract, item->order, error);
    }
    if (!read_expect(item->contracts, contract, item->expect, error)) {
        return false;
    }
    if (item->count != NULL && contract->where != NULL) {
        return error_usage(reader->error,
                           "expect must not have where; put the SQL condition into count");
    }
    contract->type = item->report != NULL ? CONTRACT_ROWS : CONTRACT_COUNT;
    contract->where = item->count != NULL ? item->count : contract->where;
    contract->needs_files = item->count != NULL && strstr(item->count, "file") != NULL;
    figure->sources[0] = (struct figure_source){.keys = "", .column = "_kind", .fold = FOLD_ROWS};
    if (item->report != NULL) {
        *key = "report";
        figure->sources[0].report = figure_find_report(reader, reader->text, item->report);
    }
    return item->report == NULL || figure->sources[0].report != NULL;
}

static bool read_item(void *context, struct yaml_value key, struct yaml_value value,
                      struct error *error) {
    struct item item = {.contracts = context};
    struct contract *contract;
    struct figure_reader reader;
    struct error why = {0};
    const char *says, *key_of_error = "";
    bool done;

    if (!yaml_each_key(value, "a contract", keys, sizeof keys / sizeof keys[0], &item, NULL,
                       error)) {
        return false;
    }
    says = item.condition != NULL ? item.condition
           : item.order != NULL   ? item.order
           : item.report != NULL  ? item.report
           : item.count != NULL   ? item.count
                                  : "";
    reader = new_figure_reader(item.contracts, says, &why);
    contract = new_contract(item.contracts, item.name != NULL ? item.name : says, yaml_line(value));
    contract->why = item.why;
    contract->where_line = yaml_line(yaml_find(value, item.count != NULL ? "count" : "expect"));
    done = read_kind(&item, contract, &reader, &key_of_error, &why);
    key_of_error = done && item.filter_count > 0 ? "filters" : key_of_error;
    for (size_t i = 0; done && i < item.filter_count; i++) {
        done = figure_add_option(&reader, reader.text, &contract->condition.figure,
                                 item.filters[i].name, item.filters[i].value);
    }
    done = done && figure_finish(&reader, &contract->condition.figure);
    return done || yaml_error(yaml_find(value, key_of_error), error, "%s", why.message);
}

static const struct yaml_key top_keys[] = {
    {.name = "contracts", .type = YAML_ITEMS, .read = read_item}};

bool contracts_read(struct contracts *contracts, const char *path, struct error *error) {
    const size_t before = contracts->count;
    struct yaml_file file;
    bool done;

    if (!yaml_file_read(path, YAML_NAMED, &file, error)) {
        return false;
    }
    contracts->file = path;
    done = yaml_each_key(yaml_root(&file), "the file", top_keys, 1, contracts, NULL, error) &&
           (contracts->count > before || error_usage(error, "%s: the file has no contracts", path));
    pool_join(&contracts->pool, &file.pool);
    yaml_file_free(&file);
    contracts->file = NULL;
    return done;
}
