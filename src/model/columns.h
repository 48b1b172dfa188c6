/* The columns of the table `event` beside its id and time, said once.
 *
 * X(NAME, field, FORM) for each, in the order of the table (src/store/schema.sql), which only ever
 * grows at its end. What is made of the list: the fields of struct event and enum event_column
 * (event.h), the statement that writes events (batch_writer.c) and the virtual table it reads from
 * (batch_table.c), the fields of chunks (event_chunk.h) and the reading of rows (event_rows.c).
 * tests/unit/test_store.c compares it with the schema.
 *
 * FORM says how a value is kept and what stands for NULL:
 *
 *     INTEGER  int64_t, EVENT_NONE
 *     PARENT   the same; of an event that is not written yet a serial number, else an id
 *     ID       uint32_t, 0
 *     FLAGS    uint32_t; an event that is written always has them, 0 when there are none
 *     DEPTH    int32_t, -1
 *     BYTES    a pointer, NULL; the size stands in another field
 */
#ifndef TRACETOOL_COLUMNS_H
#define TRACETOOL_COLUMNS_H

#define EVENT_COLUMNS(X)                                                                           \
    X(DURATION, duration, INTEGER) /* of a call, or issue to completion */                         \
    X(OPERATION, operation, ID)    /* name.id */                                                   \
    X(ACTOR, actor, ID)            /* actor.id */                                                  \
    X(OBJECT, object, ID)          /* object.id */                                                 \
    X(FLAGS, flags, FLAGS)         /* enum io_class … io_flag, or enum span_flag */              \
    X(ADDRESS, address, INTEGER)   /* first sector of 512 bytes */                                 \
    X(SIZE, size, INTEGER)         /* bytes: of the I/O, of the arguments */                       \
    X(VALUE, value, INTEGER)       /* return value, error number */                                \
    X(PARENT, parent, PARENT)      /* the calling event */                                         \
    X(DEPTH, depth, DEPTH)         /* of nesting, from 0 */                                        \
    X(ARGUMENTS, arguments, BYTES) /* as they are in the log; owned by the batch */                \
    X(SELF, self, INTEGER)         /* duration without the callees'; none: the same as duration */ \
    X(ISSUER, issuer, ID)          /* actor.id of who dispatched an I/O; none: who asked */        \
    X(RESPONSE, response, INTEGER) /* of an I/O, from asking for it (Q) to its completion */       \
    X(ERROR, error, ID)            /* name.id of the error that a call failed with; none: none */  \
    X(SOURCE, source, ID)          /* object.id of the file that a call copied from */             \
    X(SOURCE_ADDRESS, source_address, INTEGER) /* where in it, bytes */

#endif
