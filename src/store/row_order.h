/* Sorts the events of a trace by time. */
#ifndef TRACETOOL_ROW_ORDER_H
#define TRACETOOL_ROW_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct store;

/* Maximum number of late rows, which are earlier than a row before them. */
#define ROW_ORDER_LATE 16384

/* Sorts the events of the store's trace by time, stably, with new ids. If few rows are late, copies
 * rows and columns in order. With many late rows, or dependent rows in other tables, SQLite sorts:
 * store_sort(). */
bool row_order_sort(struct store *store, struct error *error);

#endif
