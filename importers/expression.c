#include "expression.h"

#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/memory.h"

struct expression {
    pcre2_code *code;
    uint32_t groups;
};

struct expression_match {
    pcre2_match_context *limits;
    pcre2_match_data *data;
};

/* --- compiling expressions -------------------------------------------------------------------- */

/* Compiles a pattern. `(*UTF)` and the like are refused: in UTF-8 mode, PCRE2 would fail on invalid
 * UTF-8 in a line. */
static pcre2_code *compile_pattern(const char *pattern, struct text *why) {
    const uint32_t options = PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_NEVER_UTF |
                             PCRE2_NEVER_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY |
                             PCRE2_DOTALL;
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    pcre2_code *code;
    PCRE2_SIZE offset = 0;
    int number;

    if (context == NULL) {
        out_of_memory();
    }
    pcre2_set_max_pattern_length(context, EXPRESSION_LENGTH);
    code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options, &number, &offset,
                         context);
    if (code == NULL) {
        PCRE2_UCHAR message[256];

        pcre2_get_error_message(number, message, sizeof message);
        text_append_format(why, "%s, at character %zu", (const char *)message, offset + 1);
    }
    pcre2_compile_context_free(context);
    return code;
}

struct expression *expression_compile(const char *pattern, struct text *why) {
    struct expression *expression = xcalloc(1, sizeof *expression);

    expression->code = compile_pattern(pattern, why);
    if (expression->code == NULL) {
        free(expression);
        return NULL;
    }
    pcre2_pattern_info(expression->code, PCRE2_INFO_CAPTURECOUNT, &expression->groups);
    if (expression->groups > EXPRESSION_GROUPS) {
        text_append_format(why, "more than %d groups", EXPRESSION_GROUPS);
        expression_free(expression);
        return NULL;
    }
    return expression;
}

void expression_make_machine_code(struct expression *expression) {
    /* If PCRE2 cannot make machine code, matching is slower but gives equal results. */
    pcre2_jit_compile(expression->code, PCRE2_JIT_COMPLETE);
}

void expression_free(struct expression *expression) {
    if (expression != NULL) {
        pcre2_code_free(expression->code);
        free(expression);
    }
}

size_t expression_groups(const struct expression *expression) {
    return expression->groups;
}

int expression_group(const struct expression *expression, const char *name) {
    int number = pcre2_substring_number_from_name(expression->code, (PCRE2_SPTR)name);

    return number > 0 ? number - 1 : -1;
}

/* --- matching lines --------------------------------------------------------------------------- */

struct expression_match *expression_match_new(const struct expression *expression) {
    struct expression_match *match = xcalloc(1, sizeof *match);

    match->limits = pcre2_match_context_create(NULL);
    match->data = pcre2_match_data_create_from_pattern(expression->code, NULL);
    if (match->limits == NULL || match->data == NULL) {
        out_of_memory();
    }
    pcre2_set_match_limit(match->limits, EXPRESSION_STEPS);
    pcre2_set_depth_limit(match->limits, EXPRESSION_STEPS);
    pcre2_set_heap_limit(match->limits, EXPRESSION_HEAP);
    return match;
}

void expression_match_free(struct expression_match *match) {
    if (match != NULL) {
        pcre2_match_data_free(match->data);
        pcre2_match_context_free(match->limits);
        free(match);
    }
}

static void parse_groups(const struct expression *expression, const struct expression_match *match,
                         struct word line, struct word *fields) {
    const PCRE2_SIZE *places = pcre2_get_ovector_pointer(match->data);

    for (uint32_t i = 0; i < expression->groups; i++) {
        PCRE2_SIZE begin = places[2 * i + 2], end = places[2 * i + 3];

        fields[i] = begin == PCRE2_UNSET ? (struct word){line.bytes, 0}
                                         : (struct word){line.bytes + begin, end - begin};
    }
}

enum expression_result expression_run(const struct expression *expression,
                                      struct expression_match *match, struct word line,
                                      struct word fields[EXPRESSION_GROUPS]) {
    int result = pcre2_match(expression->code, (PCRE2_SPTR)line.bytes, line.length, 0, 0,
                             match->data, match->limits);

    if (result == PCRE2_ERROR_NOMATCH) {
        return EXPRESSION_FITS_NOT;
    }
    if (result < 0) {
        return EXPRESSION_GAVE_UP;
    }
    parse_groups(expression, match, line, fields);
    return EXPRESSION_FITS;
}
