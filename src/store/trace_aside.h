/* Events that wait aside. Where several traces are written in one transaction, only the first grows
 * at the end of `event`; as the ids of a trace are one range, the events of the others wait in
 * temporary tables until all of them are known. */
#ifndef TRACETOOL_TRACE_ASIDE_H
#define TRACETOOL_TRACE_ASIDE_H

#include "store/store.h"

/* Makes the tables of a trace, whose `number` tells them from those of others; its ids are from 1
 * on until store_place(). */
bool trace_aside_make(struct store *store, unsigned number, struct error *error);

/* Puts the events of a joined trace, which has all of them, behind those that are there. */
bool store_place(struct store *store, struct error *error);

/* Drops them, where they were not placed. */
void trace_aside_drop(struct store *store);

#endif
