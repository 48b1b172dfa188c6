/* Whether what svg_filter() wrote is what it promises: a reader of its own, which takes nothing but
 * well-formed markup. Included by the unit tests and by the fuzz target. */
#ifndef TRACETOOL_SVG_JUDGE_H
#define TRACETOOL_SVG_JUDGE_H

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

struct svg_judge {
    const char *at;
    const char *prefix;
    struct text ids; /* owned: |ID|ID| */
    const char *open[256];
    size_t lengths[256], depth;
    bool is_collecting;
};

/* Text between tags or quotes, up to `stop`. NULL: it is as it must be. */
static const char *svg_judge_text(struct svg_judge *judge, char stop) {
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};

    for (; *judge->at != stop; judge->at++) {
        const unsigned char byte = (unsigned char)*judge->at;
        bool known = byte != '&';

        for (size_t i = 0; i < 5 && !known; i++) {
            known = strncmp(judge->at, entities[i], strlen(entities[i])) == 0;
        }
        if (!known) {
            return "a bare &";
        }
        if (byte == '\0') {
            return stop == '<' ? NULL : "the end within a tag";
        }
        if (byte == '<' || byte == '>' || byte == '"' || byte == 0x7F ||
            (byte < 0x20 && byte != '\n' && byte != '\t')) {
            return "a character that must not stand there";
        }
    }
    return NULL;
}

static bool svg_judge_knows(const struct svg_judge *judge, const char *id, size_t length) {
    struct text word = {0};
    bool known;

    text_append_char(&word, '|');
    text_append(&word, id, length);
    text_append_char(&word, '|');
    known = strstr(text_string(&judge->ids), text_string(&word)) != NULL;
    text_free(&word);
    return known;
}

static const char *svg_judge_value(struct svg_judge *judge, const char *name, size_t name_length,
                                   const char *value, size_t length) {
    const char *url = memmem(value, length, "url", 3);
    const bool is_href = name_length == 4 && memcmp(name, "href", 4) == 0;

    if (name_length == 2 && memcmp(name, "id", 2) == 0) {
        if (strncmp(value, judge->prefix, strlen(judge->prefix)) != 0) {
            return "an id without the prefix";
        }
        if (judge->is_collecting && svg_judge_knows(judge, value, length)) {
            return "an id twice";
        }
        if (judge->is_collecting) {
            text_append(&judge->ids, value, length);
            text_append_char(&judge->ids, '|');
        }
        return NULL;
    }
    if (judge->is_collecting) {
        return NULL;
    }
    if (is_href && *value == '#') {
        return svg_judge_knows(judge, value + 1, length - 1) ? NULL : "href of no id";
    }
    if (is_href) {
        return strncmp(value, "data:image/png;base64,", 22) == 0 ? NULL : "href to the outside";
    }
    if (url != NULL) {
        return strncmp(value, "url(#", 5) == 0 && value[length - 1] == ')' &&
                       svg_judge_knows(judge, value + 5, length - 6)
                   ? NULL
                   : "url of no id";
    }
    return NULL;
}

static const char *svg_judge_attributes(struct svg_judge *judge) {
    const char *fault = NULL;

    while (fault == NULL && *judge->at == ' ') {
        const char *name = ++judge->at, *value;
        size_t length;

        while (isalnum((unsigned char)*judge->at) || *judge->at == '-' || *judge->at == ':') {
            judge->at++;
        }
        length = (size_t)(judge->at - name);
        if (length == 0 || strncmp(judge->at, "=\"", 2) != 0) {
            return "an attribute that is none";
        }
        if ((length > 1 && strncasecmp(name, "on", 2) == 0) ||
            (length == 5 && strncasecmp(name, "style", 5) == 0)) {
            return "an attribute that must not be";
        }
        value = judge->at += 2;
        fault = svg_judge_text(judge, '"');
        if (fault == NULL) {
            fault = svg_judge_value(judge, name, length, value, (size_t)(judge->at - value));
            judge->at++;
        }
    }
    return fault;
}

static const char *svg_judge_tag(struct svg_judge *judge) {
    const bool is_end = judge->at[1] == '/';
    const char *name = judge->at + 1 + is_end, *fault;
    size_t length = 0;

    while (isalpha((unsigned char)name[length])) {
        length++;
    }
    judge->at = name + length;
    if (is_end) {
        if (judge->depth == 0 || judge->lengths[judge->depth - 1] != length ||
            memcmp(judge->open[judge->depth - 1], name, length) != 0 || *judge->at++ != '>') {
            return "an end tag that closes nothing";
        }
        judge->depth--;
        return NULL;
    }
    if (length == 0 || (length == 6 && strncasecmp(name, "script", 6) == 0) ||
        (length == 13 && strncasecmp(name, "foreignObject", 13) == 0)) {
        return "an element that must not be";
    }
    fault = svg_judge_attributes(judge);
    if (fault != NULL) {
        return fault;
    }
    if (*judge->at == '/' && judge->at[1] == '>') {
        judge->at += 2;
        return NULL;
    }
    if (*judge->at++ != '>' || judge->depth == 256) {
        return "a tag without end";
    }
    judge->open[judge->depth] = name;
    judge->lengths[judge->depth++] = length;
    return NULL;
}

static const char *svg_judge_pass(struct svg_judge *judge, const char *svg) {
    const char *fault = NULL;

    judge->at = svg;
    if (strncmp(svg, "<svg", 4) != 0) {
        return "no <svg";
    }
    while (fault == NULL && *judge->at != '\0') {
        fault = *judge->at == '<' ? svg_judge_tag(judge) : svg_judge_text(judge, '<');
        if (fault == NULL && judge->depth == 0 && *judge->at != '\0') {
            fault = "something behind the end";
        }
    }
    return fault == NULL && judge->depth > 0 ? "an element without end" : fault;
}

/* NULL when all is as it must be, else what is not. */
static const char *svg_judge(const char *svg, const char *prefix) {
    struct svg_judge judge = {.prefix = prefix, .is_collecting = true};
    const char *fault;

    text_append_char(&judge.ids, '|');
    fault = svg_judge_pass(&judge, svg);
    judge.is_collecting = false;
    if (fault == NULL) {
        fault = svg_judge_pass(&judge, svg);
    }
    text_free(&judge.ids);
    return fault;
}

#endif
