/* A call tree as a flame graph, an SVG of our own: a frame for each path of calls, as wide as the
 * self times of it and of all beneath it are together, standing on its caller, the roots on "all".
 * Callees stand side by side in the order of the rows, which is the largest first; the axis is an
 * amount of time, not its course.
 *
 * Each frame is
 *
 *     <g class="frame"><title>NAME
 *     TIME, SHARE, …</title><rect …/><text …>NAME</text></g>
 *
 * and each result a <g class="flame">, whose first frame is "all". It stands as it is: a script
 * (plots/flame-graph.js) adds zoom and search where scripts are allowed. There is no style sheet,
 * no id and no address in it, so that it can stand in a page as it is.
 *
 * The rows are those of a report with the columns depth, name and self, depth first; with a column
 * self_share upside down, where a row's self time is also that of the rows beneath it (as in
 * printer_folded.c). The whole tree is held in memory.
 */
#ifndef TRACETOOL_FLAME_GRAPH_H
#define TRACETOOL_FLAME_GRAPH_H

#include "output/printer.h"

/* Two trees are one where there are the columns calls_a, calls_b, total_a, total_b, ratio, status
 * and verdict, of a comparison of call trees: `self` then only says how wide a frame is. Its colour
 * is the ratio of the totals, from blue, a quarter, over white to red, four times; what has changed
 * has a sign before its name, and what only one has is striped.
 *
 *     <g class="frame"><title>+ NAME
 *     a: TIME in N calls; b: …</title><rect …/><line …/><text …>+ NAME</text></g>
 */

/* Limit of rows of a result; no report has more paths. */
#define FLAME_GRAPH_ROWS (1 << 20)

/* Limits of a result: frames drawn (the widest), levels, and the smallest width of a frame: half a
 * pixel of 1200. A note gives the number of omitted frames. */
#define FLAME_GRAPH_FRAMES 20000
#define FLAME_GRAPH_LEVELS 1000
/* Limit of results; each is a panel. */
#define FLAME_GRAPH_PANELS 20
#define FLAME_GRAPH_LEAST  (0.5 / 1200)

/* Style of flame graphs. It uses only the options title and look; the look's height only sets the
 * displayed size. It is not in the list of printer_style_find(). */
extern const struct printer_style printer_style_flame_graph;

#endif
