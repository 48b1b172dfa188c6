/* What the texts of block I/O have in common that the kernel and blkparse print: devices, sectors,
 * what stands in brackets, and the lines of blktrace's actions from their letters on.
 *
 * Functions that return a string return NULL for what is good, else the reason why it is not, for
 * the ledger. They cut what they read off `rest`. */
#ifndef TRACETOOL_BLOCK_TEXT_H
#define TRACETOOL_BLOCK_TEXT_H

#include "block_request.h"

/* A request of which nothing is known yet. */
struct block_request block_text_request(void);

/* `major,minor`, as a device_number(). */
bool block_text_device(struct word *rest, int64_t *device);

/* A sector, EVENT_NONE for the -1 that the kernel prints of a request without one. */
bool block_text_sector(struct word *rest, int64_t *sector);

/* `[process]`, or of the actions C and R `[error]`, behind which a number may stand for plugs and
 * nothing else. It reaches to the last bracket on the line, for names may contain some. An error
 * takes the place of the process: who was running then has nothing to do with the request. */
const char *block_text_bracket(struct word *rest, struct block_request *request);

/* `(8,1) 99`, the device and sector before a remap; nothing behind it but, with `counted`, a number
 * of I/Os. */
const char *block_text_origin(struct word *rest, bool counted, struct block_request *request);

/* A line from the action on: `D  WS 123 + 8 [process]`. `*is_message` for action m, of which
 * nothing more is read. */
const char *block_text_action(struct word *rest, struct block_request *request, bool *is_message);

#endif
