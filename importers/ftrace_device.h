/* Commands to a device, as UFS and SCSI drivers log them, as requests of a device below that of the
 * block layer:
 *
 *     ufshcd_command: send_req: 1d84000.ufshc: tag: 7, DB: 0x0, size: 4096, IS: 0, LBA: 6221511,
 *         opcode: 0x28 (READ_10), group_id: 0x0, hwq_id: 1         then complete_rsp: …
 *     scsi_dispatch_cmd_start: host_no=0 channel=0 id=0 lun=3 … driver_tag=14 scheduler_tag=2
 *         cmnd=(WRITE_10 lba=4922384 txlen=16 protect=0 raw=2a 00 …)   then _done: … result=(…)
 *
 * Where UFS has the host's name, newer kernels have the numbers of the SCSI device, and some logs
 * nothing; size, LBA, group_id and hwq_id may lack; -1, also as 2^64-1, is none. Each name is a
 * device, 4095:0, 4095:1, …
 *
 * An end is that of the command with its device and tag. A command is of the block request that is
 * on its way, by direction and sector; of those that neither read nor write, by order. It has the
 * flags and the process of that request, and IO_FLAG_BELOW. What is of none is the device's own.
 *
 * LBA counts logical blocks, in older kernels sectors of 512 bytes: which of them, a request with
 * that place tells, or an LBA that is no multiple of 8. Else it is assumed.
 *
 * Sources: the kernel's ufs_trace.h, include/trace/events/scsi.h and ufshcd.c; logs in patches.
 */
#ifndef TRACETOOL_FTRACE_DEVICE_H
#define TRACETOOL_FTRACE_DEVICE_H

#include "device_names.h"
#include "ftrace_block.h"
#include "pending.h"

enum ftrace_device_layer { FTRACE_SCSI, FTRACE_UFS };
#define FTRACE_DEVICE_LAYERS 2

/* A zeroed one is ready. */
struct ftrace_device {
    /* Block requests that were issued; those that a SCSI command has handed on. */
    struct pending_table asked, handed;
    struct pending_table sent;     /* commands on their way */
    struct pending_table answered; /* block requests of which the command has completed */
    struct device_names names;
    uint8_t units[DEVICE_NAMES + 1]; /* sectors of an LBA, by number of the name; 0: not known */
    bool assumed[FTRACE_DEVICE_LAYERS];
    bool queues;             /* the log tells hardware queues */
    bool matched;            /* a command is of a block request */
    int64_t reused, endless; /* commands without an end, ends without a command */
};

/* Takes a line of a command, and makes its event in the trace of block I/O. `*reason` is why it is
 * ignored or damaged. */
enum ftrace_taken ftrace_device_take(struct import *io, struct ftrace_device *state,
                                     struct block_trace *trace, const struct ftrace_line *line,
                                     const char **reason);

/* A block request and its event, which gets what of its time the device took (`self`). */
void ftrace_device_request(struct ftrace_device *state, const struct block_request *request,
                           struct event *event);

/* Remarks unless `failed`, and frees the state; before block_trace_end(). */
void ftrace_device_end(struct import *io, struct ftrace_device *state, bool failed);

#endif
