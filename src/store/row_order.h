/* Puts the events of a trace in order of time. */
#ifndef TRACETOOL_ROW_ORDER_H
#define TRACETOOL_ROW_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct store;

/* Rows, at most, that are earlier than one before them. */
#define ROW_ORDER_LATE 16384

/* Puts the events of the store's trace in order of time, those of equal times as they were; they
 * get new ids. Rows of which few are late are copied in order, with their columns. Others, and
 * those that other tables have more of, are sorted by SQLite: store_sort(). */
bool row_order_sort(struct store *store, struct error *error);

#endif
