/* tracetool help: commands, topics and reports. */
#include <string.h>

#include "base/resource.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/help.h"
#include "report/query_set.h"

enum { TOPICS_WITH = 4 }; /* that are named: a word of more says little */

/* Appends the topics that have the word, where there are few. */
static void append_topics_with(struct text *out, const char *word) {
    size_t count = 0;
    struct text found = {0};

    for (const struct resource *topic = help_resources; topic->name != NULL; topic++) {
        if (*word != '\0' && strcasestr(topic->text, word) != NULL) {
            text_append_format(&found, "%s%s", count++ == 0 ? "" : ", ", topic->name);
        }
    }
    if (count > 0 && count <= TOPICS_WITH) {
        text_append_string(out, text_string(&found));
        text_append_string(out, count == 1 ? " has that word; " : " have that word; ");
    }
    text_free(&found);
}

/* The command or topic that was meant. */
static const char *choose(const char *typed, struct error *error) {
    struct word_list names = {0};
    struct text otherwise = {0};
    const char *chosen;

    append_topics_with(&otherwise, typed);
    text_append_string(&otherwise, "`tracetool help` lists the commands; topics are ");
    for (const struct command *command = commands; command->name != NULL; command++) {
        if (!command_is_within(command)) {
            word_list_add(&names, command->name);
        }
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
    name = session->arguments->words[0];
    if (command_find(name) == NULL && resource_find(help_resources, name) == NULL &&
        query_report_exists(session->config.queries, name)) {
        return command_report_help(session, command_find("report"), error);
    }
    name = choose(name, error);
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
