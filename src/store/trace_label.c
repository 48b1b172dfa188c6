#include "store/trace_label.h"

#include <string.h>

/* Digits and traces that a message shows. */
enum { SHOWN_DIGITS = 12, MOST_SHOWN = 10 };

/* How surely a trace is meant. No name can hide a whole hash. */
enum { RANK_NONE, RANK_ANY, RANK_UNIQUE_NAME, RANK_WHOLE_HASH };

int trace_label_compare(const struct trace_label *left, const struct trace_label *right) {
    int order = left->start < right->start ? -1 : left->start > right->start;

    order = order != 0 ? order : strcmp(left->device, right->device);
    order = order != 0 ? order : strcmp(left->name, right->name);
    return order != 0 ? order : strcmp(left->hash, right->hash);
}

/* Either part of DEVICE/NAME may have slashes in it. */
static bool is_device_and_name(const struct trace_label *label, const char *typed) {
    size_t length = strlen(label->device);

    return length > 0 && strncmp(typed, label->device, length) == 0 && typed[length] == '/' &&
           strcmp(typed + length + 1, label->name) == 0;
}

static unsigned rank_of(const struct trace_search *search, const struct trace_label *label) {
    const size_t length = strlen(search->typed);

    if (length > 0 && strcmp(label->hash, search->typed) == 0) {
        return RANK_WHOLE_HASH;
    }
    if (strcmp(label->name, search->typed) == 0) {
        return search->unique_names ? RANK_UNIQUE_NAME : RANK_ANY;
    }
    return is_device_and_name(label, search->typed) ||
                   (!search->whole_hashes && length >= TRACE_LABEL_DIGITS &&
                    strncmp(label->hash, search->typed, length) == 0)
               ? RANK_ANY
               : RANK_NONE;
}

void trace_search_look(struct trace_search *search, const struct trace_label *label,
                       const void *trace) {
    const unsigned rank = rank_of(search, label);

    if (rank > search->rank) {
        search->rank = rank;
        search->count = 0;
        search->first = trace;
        text_clear(&search->listed);
    }
    if (rank == RANK_NONE || rank < search->rank) {
        return;
    }
    if (search->count++ < MOST_SHOWN) {
        text_append_format(&search->listed, "%s%.*s (%s%s%s)", search->count == 1 ? "" : ", ",
                           SHOWN_DIGITS, label->hash, label->device,
                           label->device[0] == '\0' ? "" : "/", label->name);
    }
}

bool trace_search_end(struct trace_search *search, const void **trace, struct error *error) {
    bool done = !search->listed.failed || error_no_memory(error);

    *trace = search->first;
    if (done && search->count > 1) {
        done = error_set(error, "'%s' may be any of %zu traces: %s%s", search->typed, search->count,
                         text_string(&search->listed), search->count > MOST_SHOWN ? ", …" : "");
    }
    text_free(&search->listed);
    return done;
}
