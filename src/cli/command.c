#include "cli/command.h"

#include <string.h>

#include "base/words.h"

const struct command commands[] = {
#define COMMAND(ID, NAME, WORDS, FEWEST, MOST, RUN, EXPLAIN, SUMMARY, DESCRIPTION)                 \
    [COMMAND_##ID] = {NAME, SUMMARY, WORDS, FEWEST, MOST, DESCRIPTION, RUN, EXPLAIN},
#include "cli/commands.def"
#undef COMMAND
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL},
};

command_set command_bit(const struct command *command) {
    return command == NULL ? 0 : INT64_C(1) << (command - commands);
}

const struct command *command_find(const char *name) {
    for (const struct command *command = commands; command->name != NULL; command++) {
        if (strcmp(command->name, name) == 0) {
            return command;
        }
    }
    return NULL;
}

bool command_has_two_words(const struct command *command) {
    return strchr(command->name, ' ') != NULL;
}

void command_list_names(struct word_list *names) {
    for (const struct command *command = commands; command->name != NULL; command++) {
        if (!command_has_two_words(command)) {
            word_list_add(names, command->name);
        }
    }
}

/* Other names of commands that users may type. */
static const struct alias {
    const char *name, *command;
} aliases[] = {
    {"list", "traces"}, {"ls", "traces"}, {"rm", "remove"}, {"info", "show"}, {"mv", "rename"},
};

const char *command_name_of(const char *typed) {
    const struct alias *alias =
        find_named(aliases, sizeof aliases / sizeof aliases[0], sizeof aliases[0], typed);

    return alias == NULL ? typed : alias->command;
}

bool command_takes(const struct command *command, const struct option_row *option) {
    return option->commands == ON_ALL || (option->commands & command_bit(command)) != 0;
}

bool command_takes_parameters(const struct command *command) {
    return (command_bit(command) & MAKING_ROWS) != 0;
}

const char *command_synonym(const char *option) {
    static const struct alias synonyms[] = {
        {"limit", "top"},           {"disk", "device"},
        {"longer", "min-duration"}, {"slower", "min-duration"},
        {"larger", "min-size"},     {"smaller", "max-size"},
        {"pid", "process"},         {"tid", "thread"},
        {"syscall", "op"},          {"name", "op"},
        {"since", "from"},          {"until", "to"},
        {"order", "sort"},          {"order-by", "sort"},
    };

    const struct alias *synonym =
        find_named(synonyms, sizeof synonyms / sizeof synonyms[0], sizeof synonyms[0], option);

    return synonym == NULL ? NULL : synonym->command;
}

bool command_refuse_option(const struct command *command, const char *option, struct error *error) {
    struct word_list names = {0};
    const char *synonym = command_synonym(option), *near = NULL;

    for (int i = 0; i < option_count(); i++) {
        const struct option_row *row = option_row(i);

        if (!row->hidden && (command == NULL || command_takes(command, row))) {
            word_list_add(&names, row->name);
            near = synonym != NULL && strcmp(row->name, synonym) == 0 ? synonym : near;
        }
    }
    if (near == NULL) {
        near = word_list_nearest(&names, option);
    }
    if (command == NULL) {
        error_usage(error, "there is no option --%s%s%s%s", option,
                    near == NULL ? "" : ": did you mean --", near == NULL ? "" : near,
                    near == NULL ? "" : "?");
        word_list_free(&names);
        return false;
    }
    error_usage(error, "%s has no --%s%s%s%s `tracetool %s --help` lists the options",
                command->name, option, near == NULL ? "" : ": did you mean --",
                near == NULL ? "" : near, near == NULL ? ";" : "?", command->name);
    word_list_free(&names);
    return false;
}
