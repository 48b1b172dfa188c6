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
/* Findings, of which the report `findings` is made. */
extern const struct resource finding_resources[];
extern const struct resource plot_include_resources[];
extern const struct resource schema_resources[];
/* Topics of `tracetool help`; the first line of each says what it is about. */
extern const struct resource help_resources[];
/* How logs of a program are recorded, and what to ask them: behind a line `also:` with further
 * words for it, that says what the log is. */
extern const struct resource log_help_resources[];
extern const struct resource format_resources[];

/* The text of a resource, NULL when there is none of that name. */
const char *resource_find(const struct resource *resources, const char *name);

#endif
