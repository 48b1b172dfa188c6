/* Commands to a device, logged by UFS and SCSI drivers, as requests of a device below the block
 * layer:
 *
 *     ufshcd_command: send_req: 1d84000.ufshc: tag: 7, DB: 0x0, size: 4096, IS: 0, LBA: 6221511,
 *         opcode: 0x28 (READ_10), group_id: 0x0, hwq_id: 1         then complete_rsp: …
 *     scsi_dispatch_cmd_start: host_no=0 channel=0 id=0 lun=3 … driver_tag=14 scheduler_tag=2
 *         cmnd=(WRITE_10 lba=4922384 txlen=16 protect=0 raw=2a 00 …)   then _done: … result=(…)
 *
 * In place of UFS's host name, newer kernels print the numbers of the SCSI device; some logs have
 * neither. size, LBA, group_id and hwq_id are optional; -1, also as 2^64-1, means none. Each name
 * becomes a device: 4095:0, 4095:1, …
 *
 * The end of a command is matched with its start by device and tag. A command is matched with the
 * block request in flight that has its direction and sector; one that neither reads nor writes,
 * with the oldest request that does neither. It gets the request's flags and process, and
 * IO_FLAG_BELOW. A command without a block request comes from the driver or the device itself.
 *
 * scsi_dispatch_cmd_error reports a command that the driver refused: its event is R, and its block
 * request waits for the next command. scsi_dispatch_cmd_timeout ends a command with the error
 * ETIMEDOUT.
 *
 * LBA counts logical blocks of 4096 bytes, in older kernels sectors of 512 bytes. The unit is known
 * from a block request at the same sectors, or from an LBA that is not a multiple of 8 (blocks).
 * Otherwise blocks are assumed for UFS, sectors for SCSI.
 *
 * Sources: the kernel's ufs_trace.h, include/trace/events/scsi.h and ufshcd.c; logs in patches. */
#ifndef TRACETOOL_FTRACE_DEVICE_H
#define TRACETOOL_FTRACE_DEVICE_H

#include "device_names.h"
#include "ftrace_block.h"
#include "pending.h"

enum ftrace_device_layer { FTRACE_SCSI, FTRACE_UFS };
#define FTRACE_DEVICE_LAYERS 2

/* State of commands to devices. Initialise with zeros. */
struct ftrace_device {
    /* asked: issued block requests without a command so far; handed: those whose SCSI command was
     * logged, but not the UFS command that it becomes. */
    struct pending_table asked, handed;
    struct pending_table sent;     /* commands in flight: sent, not completed */
    struct pending_table answered; /* completed commands, by their block request */
    struct device_names names;
    /* sectors per LBA of each device, by the number of its name; 0: unknown */
    uint8_t units[DEVICE_NAMES + 1];
    bool assumed[FTRACE_DEVICE_LAYERS];
    bool queues;             /* true: the log has numbers of hardware queues */
    bool matched;            /* true: a command was matched with a block request */
    int64_t reused, endless; /* number of commands without an end, and of ends without a start */
};

/* Reads a line of a SCSI or UFS command, and adds the command's event to the trace of block I/O. */
struct ftrace_outcome ftrace_device_handle(struct import *io, struct ftrace_device *state,
                                           struct block_trace *trace,
                                           const struct ftrace_line *line);

/* Handles the issue, requeue or completion of a block request, so that commands can be matched with
 * that request. Sets `self` of a completion's event to the duration of the command that executed
 * the request. */
void ftrace_device_follow_request(struct ftrace_device *state, const struct block_request *request,
                                  struct event *event);

/* Adds remarks unless `failed`, and frees the state. Call before block_trace_end(). */
void ftrace_device_end(struct import *io, struct ftrace_device *state, bool failed);

#endif
