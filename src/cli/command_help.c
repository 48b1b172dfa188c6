/* tracetool help: commands and topics. */
#include <string.h>

#include "base/resource.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/help.h"

/* The command or topic that was meant. */
static const char *choose(const char *typed, struct error *error) {
    struct word_list names = {0};
    struct text otherwise = {0};
    const char *chosen;

    text_append_string(&otherwise, "`tracetool help` lists the commands; topics are ");
    for (const struct command *command = commands; command->name != NULL; command++) {
        word_list_add(&names, command->name);
    }
    for (const struct resource *topic = help_resources; topic->name != NULL; topic++) {
        word_list_add_once(&names, topic->name);
        text_append_format(&otherwise, "%s%s", topic == help_resources ? "" : ", ", topic->name);
    }
    chosen = word_list_choose(&names, "command or topic", command_name_of(typed),
                              text_string(&otherwise), error);
    text_free(&otherwise);
    word_list_free(&names);
    return chosen;
}

bool command_help(struct session *session, struct error *error) {
    const struct command *command;
    const char *name;

    if (session->arguments->word_count == 0) {
        help_command(NULL);
        return true;
    }
    name = choose(session->arguments->words[0], error);
    if (name == NULL) {
        return false;
    }
    command = command_find(name);
    if (command != NULL) {
        help_command(command);
    } else {
        fputs(resource_find(help_resources, name), stdout);
    }
    return true;
}
