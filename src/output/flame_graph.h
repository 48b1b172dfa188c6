/* Renders a call tree as a flame graph, an SVG without gnuplot. Each path of calls is a frame. Its
 * width is the self time of the path and all its descendants, or the total of the call tree if a
 * filter omitted callees. A frame is drawn on top of its caller, the roots on "all". Callees are in
 * the order of the rows, the largest first; the horizontal axis is a sum of times, not the passage
 * of time.
 *
 * Each frame is
 *
 *     <g class="frame"><title>NAME
 *     TIME, SHARE, …</title><rect …/><text …>NAME</text></g>
 *
 * and each result a <g class="flame">, whose first frame is "all". It is complete without a script;
 * plots/flame-graph.js adds zoom and search if scripts are allowed. It has no style sheet, id or
 * address, so that it can be embedded in a page unchanged.
 *
 * The rows are those of a report with the columns depth, name and self, depth first. With a column
 * self_share the tree is inverted, and a row's self time includes that of its descendants (as in
 * printer_folded.c). The whole tree is held in memory. */
#ifndef TRACETOOL_FLAME_GRAPH_H
#define TRACETOOL_FLAME_GRAPH_H

#include "output/printer.h"

/* A comparison of two call trees has the columns calls_a, calls_b, total_a, total_b, ratio, status
 * and verdict, and is drawn in one picture. The column `self` then only sets the width of a frame.
 * A frame's colour is the ratio of the totals, from blue (a quarter) over white to red (four
 * times). Changed frames have a sign before their name; frames of only one tree are striped.
 *
 *     <g class="frame"><title>+ NAME
 *     a: TIME in N calls; b: …</title><rect …/><line …/><text …>+ NAME</text></g> */

/* Limit of rows of a result; reports have no more call paths. */
#define FLAME_GRAPH_ROWS (1 << 20)

/* Limits of a result: number of frames drawn (the widest ones), number of levels, and least width
 * as a fraction of the picture: half a pixel of 1200. A # line says how many frames are omitted. */
#define FLAME_GRAPH_FRAMES 20000
#define FLAME_GRAPH_LEVELS 1000
/* Limit of results in one picture, which are drawn below one another. */
#define FLAME_GRAPH_PANELS 20
#define FLAME_GRAPH_LEAST  (0.5 / 1200)

/* Printer style that draws flame graphs. Uses only the options title and look; the look's height
 * only sets the displayed size. printer_style_find() does not return it. */
extern const struct printer_style printer_style_flame_graph;

#endif
