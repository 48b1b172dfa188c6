#include "cli/command.h"

#include <string.h>

#include "base/words.h"
#include "report/query_set.h"

const struct command commands[] = {
#define COMMAND(ID, NAME, WORDS, FEWEST, MOST, RUN, EXPLAIN, SUMMARY, DESCRIPTION)                 \
    [COMMAND_##ID] = {NAME, SUMMARY, WORDS, FEWEST, MOST, DESCRIPTION, RUN, EXPLAIN},
#include "cli/commands.def"
#undef COMMAND
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL},
};

int command_bit(const struct command *command) {
    return command == NULL ? 0 : 1 << (command - commands);
}

const struct command *command_find(const char *name) {
    for (const struct command *command = commands; command->name != NULL; command++) {
        if (strcmp(command->name, name) == 0) {
            return command;
        }
    }
    return NULL;
}

bool command_is_within(const struct command *command) {
    return strchr(command->name, ' ') != NULL;
}

/* Other names that people try. */
static const struct {
    const char *name, *command;
} aliases[] = {
    {"list", "traces"}, {"ls", "traces"}, {"rm", "remove"}, {"info", "show"}, {"mv", "rename"},
};

const char *command_name_of(const char *typed) {
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        if (strcmp(aliases[i].name, typed) == 0) {
            return aliases[i].command;
        }
    }
    return typed;
}

bool command_reads_stores(const struct command *command) {
    return command_takes(command, option_row(OPTION_MOST_ROWS));
}

bool command_takes(const struct command *command, const struct option_row *option) {
    return option->commands == ON_ALL || (option->commands & command_bit(command)) != 0;
}

bool command_takes_others(const struct command *command) {
    return (command_bit(command) & MAKING_ROWS) != 0;
}

const char *command_synonym(const char *option) {
    return strcmp(option, "limit") == 0 ? "top" : strcmp(option, "disk") == 0 ? "device" : NULL;
}

bool command_has_no(const struct command *command, const char *option, struct error *error) {
    struct word_list names = {0};
    const char *near;

    if (command == NULL) {
        return error_usage(error, "there is no option --%s", option);
    }
    for (int i = 0; i < option_count(); i++) {
        const struct option_row *row = option_row(i);

        if (!row->hidden && command_takes(command, row)) {
            word_list_add(&names, row->name);
        }
    }
    near = command_synonym(option) != NULL ? command_synonym(option)
                                           : word_list_nearest(&names, option);
    error_usage(error, "%s has no --%s%s%s%s `tracetool %s --help` lists what it has",
                command->name, option, near == NULL ? "" : ": did you mean --",
                near == NULL ? "" : near, near == NULL ? ";" : "?", command->name);
    word_list_free(&names);
    return false;
}
