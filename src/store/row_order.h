/* Sorts the events of a trace by time. */
#ifndef TRACETOOL_ROW_ORDER_H
#define TRACETOOL_ROW_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct store;

/* Limit of late rows (those with an earlier time than a row before them) for copying in order. */
#define ROW_ORDER_LATE 16384

/* Sorts the events of the store's trace by time and gives them new ids; events of equal times keep
 * their order. If few rows are late, copies rows and columns in order. If many are, or rows of
 * other tables refer to the events, SQLite sorts: store_sort(). */
bool row_order_sort(struct store *store, struct error *error);

#endif
