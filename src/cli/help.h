/* Help that fits a terminal of HELP_WIDTH columns. */
#ifndef TRACETOOL_HELP_H
#define TRACETOOL_HELP_H

#include "cli/command.h"

#define HELP_WIDTH 80

/* Prints a paragraph on stdout, broken between its words; newlines in it are blanks. */
void help_paragraph(const char *words);

/* Prints an item of a list on stdout: what it is called, and from column `indent` on what is said
 * of it, broken so that all lines stand there. */
void help_item(const char *name, size_t indent, const char *words);

/* Column of the help of an option, or of a column of a report. */
#define HELP_INDENT 29

/* Prints the line of an option, with `more` behind its help. */
void help_option(const struct option_row *row, const char *more);

/* Prints the help of the program (command NULL) or of a command on stdout, and behind it the topic
 * that is called as the command is. */
void help_command(const struct command *command);

#endif
