/* Files that the build puts into the program (src/build/embed.c): queries, plots, schema, help. */
#ifndef TRACETOOL_RESOURCE_H
#define TRACETOOL_RESOURCE_H

struct resource {
    const char *name; /* name of the file, without folder and extension */
    const char *text; /* contents of the file, NUL-terminated */
};

/* The lists of files. Each list ends with an element whose name is NULL. */
extern const struct resource query_resources[];
extern const struct resource plot_resources[];
/* Scripts of plots for gnuplot. */
extern const struct resource script_resources[];
/* Style sheet and script of HTML pages, and the digests of both. */
extern const struct resource web_resources[];
/* Files that queries include. */
extern const struct resource query_include_resources[];
/* The findings that report `findings` looks for. */
extern const struct resource finding_resources[];
extern const struct resource plot_include_resources[];
extern const struct resource schema_resources[];
/* Topics of `tracetool help`; the first line of each sums it up. */
extern const struct resource help_resources[];
/* Help for logs of a tracer: how to record them, and what to ask. A line `also:` with other names
 * comes first, then a description of the log. */
extern const struct resource log_help_resources[];
extern const struct resource format_resources[];

/* Returns the contents of the file with this name in a list; NULL if there is none. */
const char *resource_find(const struct resource *resources, const char *name);

#endif
