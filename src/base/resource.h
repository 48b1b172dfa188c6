/* Files that the build embeds in the program (src/build/embed.c): queries, plots, schema, help. */
#ifndef TRACETOOL_RESOURCE_H
#define TRACETOOL_RESOURCE_H

struct resource {
    const char *name; /* name of the file, without directory and extension */
    const char *text; /* contents of the file, NUL-terminated */
};

/* Lists of files; the last element of each has the name NULL. */
extern const struct resource query_resources[];
extern const struct resource plot_resources[];
/* Scripts for gnuplot that draw plots. */
extern const struct resource script_resources[];
/* Style sheet and script of HTML pages, and their digests. */
extern const struct resource web_resources[];
/* Files that queries include. */
extern const struct resource query_include_resources[];
/* Definitions of the findings that report `findings` looks for. */
extern const struct resource finding_resources[];
extern const struct resource plot_include_resources[];
extern const struct resource schema_resources[];
/* Topics of `tracetool help`; the first line of each is its summary. */
extern const struct resource help_resources[];
/* Help for the logs of a tracer: how to record and analyse them. A line `also:` with other names
 * comes first, then a description of the log. */
extern const struct resource log_help_resources[];
extern const struct resource format_resources[];

/* Returns the contents of the file with this name in a list; NULL if there is none. */
const char *resource_find(const struct resource *resources, const char *name);

#endif
