/* Files embedded at build time (src/build/embed.c): queries, plots, schema, help. */
#ifndef TRACETOOL_RESOURCE_H
#define TRACETOOL_RESOURCE_H

struct resource {
    const char *name; /* file name without directory and suffix */
    const char *text; /* content, NUL-terminated */
};

/* Each list ends with a NULL name. */
extern const struct resource query_resources[];
extern const struct resource plot_resources[];
/* Plot scripts. */
extern const struct resource script_resources[];
/* Style sheet and script of HTML pages, and digests of both. */
extern const struct resource web_resources[];
/* Files included by queries. */
extern const struct resource query_include_resources[];
/* Findings of the report `findings`. */
extern const struct resource finding_resources[];
extern const struct resource plot_include_resources[];
extern const struct resource schema_resources[];
/* Topics of `tracetool help`; the first line of each is its summary. */
extern const struct resource help_resources[];
/* How to record a program's logs, and what to ask them. A line `also:` with alternative names comes
 * first, followed by a description of the log. */
extern const struct resource log_help_resources[];
extern const struct resource format_resources[];

/* Returns the text of a resource; NULL if there is none of that name. */
const char *resource_find(const struct resource *resources, const char *name);

#endif
