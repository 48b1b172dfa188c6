-- The tables of a tracetool database; tracetool-schema(7) explains them.
-- The ids of a trace's events are a range, in order of time.
--
-- From the first release on: a database of an earlier version is first changed by migrate-N.sql, one
-- after another (schema.h); then this file adds the tables that are missing. So columns are only
-- added at the end.
--
-- `tracetool sql .schema` reads this file (schema.c): the comment right above a table or view, and
-- the one at the end of the line that names each column.

-- Traces.
CREATE TABLE IF NOT EXISTS trace (
    id INTEGER PRIMARY KEY,        -- trace.id
    name TEXT NOT NULL UNIQUE,     -- as commands take it
    kind TEXT NOT NULL,            -- calls, io, spans, samples, results, states
    format TEXT NOT NULL,          -- the importer
    variant TEXT NOT NULL,         -- variant of the format: pdb, text, …
    device TEXT,                   -- label given at import
    user TEXT,                     -- label given at import
    start INTEGER,                 -- wall clock of time 0, ns since 1970 UTC; NULL: not known
    utc_offset INTEGER,            -- minutes east of UTC; NULL: not known
    clock_unit TEXT NOT NULL,      -- of times and durations: ns, counter units or records
    sessions INTEGER NOT NULL,     -- boots
    events INTEGER NOT NULL,       -- the ledger: records kept
    merged INTEGER NOT NULL,       -- the ledger: records that only continue another
    ignored INTEGER NOT NULL,      -- the ledger: records not of interest, by rule
    rejected INTEGER NOT NULL,     -- the ledger: damaged records
    lost_bytes INTEGER NOT NULL,   -- bytes lost by damage
    first_event INTEGER,           -- first event.id; NULL: no events
    last_event INTEGER,            -- last event.id; all in between are of this trace
    first_time INTEGER,            -- smallest event.time
    last_time INTEGER,             -- largest event.time; for spans, of the last record
    rollups TEXT NOT NULL,         -- complete rollup tables, blank-separated
    resume TEXT,                   -- state of the importer for import --append
    clocks TEXT NOT NULL DEFAULT 'wall', -- wall, cpu, wall cpu; empty: none
    clock_hz INTEGER,              -- of a counter converted to ns; NULL: none
    paired INTEGER NOT NULL DEFAULT 0, -- events without a row: they complete the row of another
    study TEXT,                    -- study of the trace
    round INTEGER,                 -- round in the study
    call_overhead INTEGER,         -- ns that measuring a call cost, if the log has it
    log TEXT                       -- name of the log, if several traces were made of it
);

-- Files that traces were imported from.
CREATE TABLE IF NOT EXISTS source (
    id INTEGER PRIMARY KEY,        -- source.id
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    name TEXT NOT NULL,            -- as given to import
    hash TEXT NOT NULL,            -- XXH3, 128 bits, of the unpacked content
    size INTEGER NOT NULL,         -- bytes, unpacked
    packing TEXT NOT NULL,         -- gzip, xz, zstd or empty
    events INTEGER NOT NULL,       -- records kept
    first_event INTEGER,           -- first event.id; NULL: no events, or mixed with other files
    last_event INTEGER             -- last event.id of its events
);
CREATE INDEX IF NOT EXISTS source_by_hash ON source (hash);
CREATE INDEX IF NOT EXISTS source_by_trace ON source (trace);

-- Events, by numbers. The views have the same in words.
CREATE TABLE IF NOT EXISTS event (
    id INTEGER PRIMARY KEY,        -- in order of time; the ids of a trace are one range
    time INTEGER NOT NULL,         -- ns (trace.clock_unit) since the start of the trace
    duration INTEGER,              -- of a call; for an I/O, from issue to completion
    operation INTEGER,             -- name.id of the operation
    actor INTEGER,                 -- actor.id of the process or thread
    object INTEGER,                -- object.id of the file or device
    flags INTEGER,                 -- class and flags of an I/O, marks of a span
    address INTEGER,               -- first sector
    size INTEGER,                  -- bytes
    value INTEGER,                 -- return value or error number
    parent INTEGER,                -- event.id of the caller
    depth INTEGER,                 -- of nesting, from 0; for an I/O, the hardware queue
    arguments BLOB,                -- raw argument bytes; a number: they are in argument_pack
    self INTEGER,                  -- duration without the callees'; NULL: all of it. For an I/O, the time in the device
    issuer INTEGER,                -- actor.id of the dispatcher of an I/O; NULL: the same as actor
    response INTEGER,              -- of a completed I/O: time since it was queued (Q)
    error INTEGER,                 -- name.id (kind error) of a failed call
    source INTEGER,                -- object.id of the file copied from, to `object`
    source_address INTEGER         -- offset in it, bytes
);

-- A second clock: the thread's CPU time of calls, in traces whose clocks are "wall cpu".
CREATE TABLE IF NOT EXISTS cpu_time (
    event INTEGER PRIMARY KEY,     -- event.id
    duration INTEGER NOT NULL,     -- by the CPU clock
    self INTEGER                   -- without the callees'; NULL: the same as duration
);

-- Calls that were open after the last record end with it (docs/spans.md).
-- In `event` they have no duration. None where times are positions.
CREATE TABLE IF NOT EXISTS open_call (
    event INTEGER PRIMARY KEY,     -- event.id
    duration INTEGER NOT NULL,     -- from entry to the end of the log
    self INTEGER,                  -- without the callees'; NULL: the same as duration
    cpu_duration INTEGER,          -- by the second clock; NULL: none, or not known
    cpu_self INTEGER               -- by the second clock
);

-- The same events by columns, for fast scans. A row has one field of several
-- consecutive events; if none of them has the field, there is no row. A trace
-- has all of its columns or none. tracetool-schema(7) explains the bytes.
CREATE TABLE IF NOT EXISTS event_column (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    field TEXT NOT NULL,           -- time, another column of event, cpu_duration or cpu_self
    first INTEGER NOT NULL,        -- position of the first event in the trace, from 0
    count INTEGER NOT NULL,        -- number of events
    least INTEGER NOT NULL,        -- smallest value
    most INTEGER NOT NULL,         -- largest value
    sum INTEGER NOT NULL,          -- checksum of the row, see tracetool-schema(7)
    fields INTEGER,                -- if field is time: the fields that these events have
    data BLOB NOT NULL             -- the values, see tracetool-schema(7)
);
CREATE UNIQUE INDEX IF NOT EXISTS event_column_by_trace
ON event_column (trace, field, first, count, least, most, sum, fields);
CREATE INDEX IF NOT EXISTS trace_by_event ON trace (first_event);

-- Packed arguments of calls, of traces with more than 16,384. `event.arguments` is the position of
-- the call; `tracetool sql` shows the arguments. tracetool-schema(7) explains the bytes.
CREATE TABLE IF NOT EXISTS argument_pack (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    first INTEGER NOT NULL,        -- position of the first call
    count INTEGER NOT NULL,        -- number of positions
    data BLOB NOT NULL             -- Zstandard: arguments of each position, and a NUL
);
CREATE UNIQUE INDEX IF NOT EXISTS argument_pack_by_trace ON argument_pack (trace, first, count);
CREATE INDEX IF NOT EXISTS trace_by_log ON trace (log) WHERE log IS NOT NULL;

-- If another program changes events, the columns and rollups of their trace are invalid: these
-- triggers remove them. tracetool's own connections run no triggers and keep both up to date.
CREATE TRIGGER IF NOT EXISTS event_inserted AFTER INSERT ON event
BEGIN
    DELETE FROM event_column WHERE trace = (SELECT id FROM trace
        WHERE first_event <= new.id ORDER BY first_event DESC LIMIT 1);
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = (SELECT id FROM trace
        WHERE first_event <= new.id ORDER BY first_event DESC LIMIT 1);
END;
CREATE TRIGGER IF NOT EXISTS event_updated AFTER UPDATE ON event
BEGIN
    DELETE FROM event_column WHERE trace = (SELECT id FROM trace
        WHERE first_event <= old.id ORDER BY first_event DESC LIMIT 1);
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = (SELECT id FROM trace
        WHERE first_event <= old.id ORDER BY first_event DESC LIMIT 1);
END;
CREATE TRIGGER IF NOT EXISTS event_deleted AFTER DELETE ON event
BEGIN
    DELETE FROM event_column WHERE trace = (SELECT id FROM trace
        WHERE first_event <= old.id ORDER BY first_event DESC LIMIT 1);
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = (SELECT id FROM trace
        WHERE first_event <= old.id ORDER BY first_event DESC LIMIT 1);
END;
CREATE TRIGGER IF NOT EXISTS cpu_time_inserted AFTER INSERT ON cpu_time
BEGIN
    DELETE FROM event_column WHERE trace = (SELECT id FROM trace
        WHERE first_event <= new.event ORDER BY first_event DESC LIMIT 1);
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = (SELECT id FROM trace
        WHERE first_event <= new.event ORDER BY first_event DESC LIMIT 1);
END;
CREATE TRIGGER IF NOT EXISTS cpu_time_updated AFTER UPDATE ON cpu_time
BEGIN
    DELETE FROM event_column WHERE trace = (SELECT id FROM trace
        WHERE first_event <= old.event ORDER BY first_event DESC LIMIT 1);
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = (SELECT id FROM trace
        WHERE first_event <= old.event ORDER BY first_event DESC LIMIT 1);
END;
CREATE TRIGGER IF NOT EXISTS cpu_time_deleted AFTER DELETE ON cpu_time
BEGIN
    DELETE FROM event_column WHERE trace = (SELECT id FROM trace
        WHERE first_event <= old.event ORDER BY first_event DESC LIMIT 1);
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = (SELECT id FROM trace
        WHERE first_event <= old.event ORDER BY first_event DESC LIMIT 1);
END;

-- Operations and components.
CREATE TABLE IF NOT EXISTS name (
    id INTEGER PRIMARY KEY,        -- name.id
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    kind TEXT NOT NULL,            -- trap, action, …
    code INTEGER,                  -- the number of the name
    text TEXT NOT NULL,            -- the name
    component INTEGER              -- name.id of its component or class
);
CREATE INDEX IF NOT EXISTS name_by_trace ON name (trace);

-- Processes, threads and applications.
CREATE TABLE IF NOT EXISTS actor (
    id INTEGER PRIMARY KEY,        -- actor.id
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    session INTEGER NOT NULL,      -- boot, from 1
    pid INTEGER,                   -- process
    tid INTEGER,                   -- thread
    code INTEGER,                  -- application (database) ID
    name TEXT                      -- process, application or thread
);
CREATE INDEX IF NOT EXISTS actor_by_trace ON actor (trace);

-- Files, devices and other objects of events.
CREATE TABLE IF NOT EXISTS object (
    id INTEGER PRIMARY KEY,        -- object.id
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    name TEXT,                     -- file
    type TEXT,                     -- file type
    device INTEGER,                -- major << 20 | minor
    inode INTEGER,                 -- of a file that `tracetool map` found by its blocks
    generation INTEGER             -- of the inode: distinguishes the files that had it
);
CREATE INDEX IF NOT EXISTS object_by_trace ON object (trace);

-- Remaps of I/Os to the device below (action A of the log).
CREATE TABLE IF NOT EXISTS remap (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    "from" INTEGER NOT NULL,       -- device above: major << 20 | minor
    device INTEGER NOT NULL,       -- device below
    shift INTEGER,                 -- sector below minus sector above; NULL: many different ones
    first INTEGER NOT NULL,        -- lowest sector below
    last INTEGER NOT NULL,         -- highest sector below
    count INTEGER NOT NULL         -- remaps
);
CREATE INDEX IF NOT EXISTS remap_by_trace ON remap (trace);

-- Devices with events missing from the log, and how many of their requests
-- have both ends. Other devices have no rows. A trace of calls without their
-- begins or ends has a row without device: issues are its events, completions the ends in the log,
-- pairs the calls with a duration; `open` and `unissued` are proven by other lines of their thread.
CREATE TABLE IF NOT EXISTS pairing (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    device INTEGER,                -- major << 20 | minor; NULL: not known
    issues INTEGER NOT NULL,       -- issues (D), without requeued ones (R)
    completions INTEGER NOT NULL,  -- completions (C); for a request in parts, the last
    pairs INTEGER NOT NULL,        -- issues and completions of one request
    open INTEGER NOT NULL,         -- issues without a completion; 0 if the device has only issues
    unissued INTEGER NOT NULL,     -- completions without an issue; 0 if it has only completions
    unbelieved INTEGER NOT NULL,   -- pairs with an implausibly long time
    proven INTEGER NOT NULL,       -- 1: requests of the device prove that events are missing
    told INTEGER NOT NULL          -- 1: the log reports missing events
);
CREATE INDEX IF NOT EXISTS pairing_by_trace ON pairing (trace);

-- Results of `tracetool map`, which finds the files of block I/O by their
-- blocks. Counts are of I/Os at one action; each step of an I/O is mapped separately.
CREATE TABLE IF NOT EXISTS map (
    trace INTEGER PRIMARY KEY REFERENCES trace (id), -- trace.id
    image TEXT NOT NULL,           -- the image, as given
    uuid TEXT NOT NULL,            -- of its file system
    device INTEGER,                -- of the image: major << 20 | minor; NULL: the log has none
    "offset" INTEGER,              -- bytes of the device before the file system; NULL: by remaps
    horizon INTEGER,               -- event.time from which the journal has owners; NULL: not read
    transactions INTEGER NOT NULL, -- transactions of the journal with a time
    proven INTEGER NOT NULL,       -- I/Os with a file proven by the image or the log itself
    journal INTEGER NOT NULL,      -- I/Os with a file proven by the journal
    likely INTEGER NOT NULL,       -- I/Os with a likely file
    unmapped INTEGER NOT NULL,     -- I/Os in blocks without an owner
    several INTEGER NOT NULL,      -- I/Os on several files among these: see io_part
    outside INTEGER NOT NULL,      -- I/Os beyond the file system
    before TEXT,                   -- the image from before the trace, as given; NULL: none
    journals INTEGER NOT NULL      -- copies of the journal that were read
);

-- Parts of I/Os on several files, in mapped traces. Other I/Os have no rows.
CREATE TABLE IF NOT EXISTS io_part (
    event INTEGER NOT NULL,        -- event.id
    number INTEGER NOT NULL,       -- 0: the part with which the I/O is counted; others by position
    object INTEGER,                -- object.id of the file, or of other contents of the blocks
    flags INTEGER NOT NULL,        -- event.flags, with block type, class and evidence of the part
    bytes INTEGER NOT NULL,        -- of the part; their sum over all parts is event.size
    PRIMARY KEY (event, number)
) WITHOUT ROWID;

-- Owners of blocks by events of the file system in the log of a block I/O
-- trace, for `tracetool map`.
CREATE TABLE IF NOT EXISTS allocation (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    number INTEGER NOT NULL,       -- from 0, in the order of the log
    time INTEGER NOT NULL,         -- as event.time
    device INTEGER NOT NULL,       -- of the file system: major << 20 | minor
    what TEXT NOT NULL,            -- data, metadata, held, freed, created, deleted, lost, regained
    inode INTEGER NOT NULL,        -- 0: not known
    mode INTEGER,                  -- of the inode; NULL: not known
    block INTEGER NOT NULL,        -- the first, in blocks of the file system
    count INTEGER NOT NULL,        -- blocks; for data and metadata, clusters
    PRIMARY KEY (trace, number)
) WITHOUT ROWID;

-- Missing and logged events of each CPU, if the log reports losses. Other
-- logs have no rows.
CREATE TABLE IF NOT EXISTS loss (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    cpu INTEGER NOT NULL,          -- -1: events and losses without a CPU in the log
    lost INTEGER NOT NULL,         -- missing events, by the log
    uncounted INTEGER NOT NULL,    -- losses reported without a number
    overwritten INTEGER NOT NULL,  -- lost events before the log's first event, on any CPU
    events INTEGER NOT NULL,       -- events of this CPU in the log, with any outcome
    first INTEGER,                 -- their smallest time, as event.time; NULL: none
    last INTEGER,                  -- their largest time
    PRIMARY KEY (trace, cpu)
) WITHOUT ROWID;

-- Meanings of the columns of `event` in a trace; with an empty "column", facts its log cannot state.
CREATE TABLE IF NOT EXISTS meaning (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    "column" TEXT NOT NULL,        -- of event
    kind TEXT NOT NULL,            -- name.kind of the operations it applies to; empty: all
    what TEXT NOT NULL,            -- sector, offset, arguments, transfer, result, error, …
    unit TEXT NOT NULL,            -- 512 bytes, bytes, clock (trace.clock_unit); empty: no quantity
    PRIMARY KEY (trace, "column", kind, what)
) WITHOUT ROWID;

-- Operations that could have been logged.
CREATE TABLE IF NOT EXISTS loggable (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    code INTEGER NOT NULL,         -- name.code
    by_default INTEGER NOT NULL,   -- 1: the configuration does not mention it
    PRIMARY KEY (trace, code)
) WITHOUT ROWID;

-- Partitions, by device or by a range of sectors (on any device if that is NULL).
CREATE TABLE IF NOT EXISTS partition (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    number INTEGER NOT NULL,       -- the first that contains an I/O is its partition
    name TEXT NOT NULL,            -- several may share it
    device INTEGER,                -- major << 20 | minor; NULL: any
    first_sector INTEGER,          -- of 512 bytes; NULL: the whole device
    sectors INTEGER,               -- number of sectors; NULL: the whole device
    PRIMARY KEY (trace, number)
) WITHOUT ROWID;

-- Counts of records that are not events, and the reasons.
CREATE TABLE IF NOT EXISTS ledger (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    source INTEGER NOT NULL REFERENCES source (id), -- source.id
    outcome TEXT NOT NULL,         -- merged, ignored, rejected, lost, …
    reason TEXT NOT NULL,          -- the reason
    count INTEGER NOT NULL,        -- records
    first_offset INTEGER NOT NULL, -- byte offset of the first one in its unpacked source
    bytes INTEGER NOT NULL,        -- bytes lost with them
    PRIMARY KEY (trace, source, outcome, reason)
) WITHOUT ROWID;

-- How names were measured in profiles, also names without events.
CREATE TABLE IF NOT EXISTS probe (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    name INTEGER NOT NULL,         -- name.id
    resolution TEXT NOT NULL,      -- process, thread, method, loop
    origin TEXT NOT NULL,          -- app, framework
    enabled INTEGER NOT NULL,      -- 1: enabled in this round
    PRIMARY KEY (trace, name)
) WITHOUT ROWID;

-- Notes for readers of a trace's reports.
CREATE TABLE IF NOT EXISTS remark (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    number INTEGER NOT NULL,       -- from 1
    text TEXT NOT NULL,            -- the remark
    PRIMARY KEY (trace, number)
) WITHOUT ROWID;

-- Rollups: counts by few dimensions. They exist for a trace if trace.rollups names them.

-- Events by hour.
CREATE TABLE IF NOT EXISTS rollup_hour (
    trace INTEGER,                 -- trace.id
    action INTEGER,                -- name.id of an I/O, else 0
    class INTEGER,                 -- of an I/O, else 0
    hour INTEGER,                  -- since 1970 at the device; without wall clock, since the start
    count INTEGER,                 -- events
    bytes INTEGER,                 -- sum of event.size
    PRIMARY KEY (trace, action, class, hour)
) WITHOUT ROWID;
-- Events by operation and actor.
CREATE TABLE IF NOT EXISTS rollup_operation (
    trace INTEGER,                 -- trace.id
    operation INTEGER,             -- name.id
    actor INTEGER,                 -- actor.id; 0 for I/O
    count INTEGER,                 -- events
    bytes INTEGER,                 -- sum of event.size
    PRIMARY KEY (trace, operation, actor)
) WITHOUT ROWID;
-- Events by size.
CREATE TABLE IF NOT EXISTS rollup_size (
    trace INTEGER,                 -- trace.id
    action INTEGER,                -- name.id of an I/O, else 0
    class INTEGER,                 -- of an I/O, else 0
    size INTEGER,                  -- event.size
    count INTEGER,                 -- events
    bytes INTEGER,                 -- sum of event.size
    PRIMARY KEY (trace, action, class, size)
) WITHOUT ROWID;
-- I/Os by block type, partition and file type.
CREATE TABLE IF NOT EXISTS rollup_block (
    trace INTEGER,                 -- trace.id
    action INTEGER,                -- name.id of an I/O, else 0
    class INTEGER,                 -- of an I/O, else 0
    block_type INTEGER,            -- 0 none, 1 data, 2 journal, 3 metadata, 4 anonymous
    partition TEXT,                -- its name; unmapped: none
    file_type TEXT,                -- object.type
    count INTEGER,                 -- events
    bytes INTEGER,                 -- sum of event.size
    PRIMARY KEY (trace, action, class, block_type, partition, file_type)
) WITHOUT ROWID;
-- I/Os by process.
CREATE TABLE IF NOT EXISTS rollup_process (
    trace INTEGER,                 -- trace.id
    action INTEGER,                -- name.id of an I/O, else 0
    class INTEGER,                 -- of an I/O, else 0
    process TEXT,                  -- its name
    count INTEGER,                 -- events
    bytes INTEGER,                 -- sum of event.size
    PRIMARY KEY (trace, action, class, process)
) WITHOUT ROWID;
-- I/Os by the source of their process.
CREATE TABLE IF NOT EXISTS rollup_origin (
    trace INTEGER,                 -- trace.id
    action INTEGER,                -- name.id of an I/O, else 0
    origin INTEGER,                -- the bits of the flags for the source
    count INTEGER,                 -- events
    bytes INTEGER,                 -- sum of event.size
    PRIMARY KEY (trace, action, origin)
) WITHOUT ROWID;
-- I/Os by their letters.
CREATE TABLE IF NOT EXISTS rollup_letters (
    trace INTEGER,                 -- trace.id
    action INTEGER,                -- name.id of an I/O, else 0
    letters INTEGER,               -- the bits of the flags for class and letters
    count INTEGER,                 -- events
    bytes INTEGER,                 -- sum of event.size
    PRIMARY KEY (trace, action, letters)
) WITHOUT ROWID;
-- Rows of spans by depth.
CREATE TABLE IF NOT EXISTS rollup_depth (
    trace INTEGER,                 -- trace.id
    marks INTEGER,                 -- event.flags of a span
    depth INTEGER,                 -- of nesting, from 0; for an I/O, the hardware queue
    count INTEGER,                 -- events
    bytes INTEGER,                 -- sum of event.size
    PRIMARY KEY (trace, marks, depth)
) WITHOUT ROWID;
-- Durations of I/Os that agree in their 12 highest bits, or of calls that have the same number of bits.
-- Rows of an action and class do not overlap; each percentile of reports has a row of its own.
CREATE TABLE IF NOT EXISTS rollup_latency (
    trace INTEGER,                 -- trace.id
    action INTEGER,                -- name.id of an I/O, or of a call
    class INTEGER,                 -- of an I/O, else 0
    least INTEGER,                 -- smallest duration, ns; -1: no durations
    most INTEGER NOT NULL,         -- largest duration, ns; -1: no durations
    count INTEGER NOT NULL,        -- events
    sum INTEGER NOT NULL,          -- of their durations, ns
    PRIMARY KEY (trace, action, class, least)
) WITHOUT ROWID;
-- Calls by name, error and sign of their result.
CREATE TABLE IF NOT EXISTS rollup_call (
    trace INTEGER,                 -- trace.id
    operation INTEGER,             -- name.id
    error INTEGER,                 -- name.id of the error; 0: none
    result INTEGER,                -- value: 0 at least 0, 1 negative; no value: 2 with, 3 without duration
    calls INTEGER NOT NULL,        -- number of calls
    bytes INTEGER NOT NULL,        -- sum of event.size
    timed INTEGER NOT NULL,        -- calls with a duration
    total INTEGER,                 -- sum of the durations; NULL, as the next two: none
    least INTEGER,                 -- smallest duration
    most INTEGER,                  -- largest duration
    first INTEGER NOT NULL,        -- event.time of the first
    last INTEGER NOT NULL,         -- end of the last
    PRIMARY KEY (trace, operation, error, result)
) WITHOUT ROWID;
-- Times of calls by function and thread; NULL without timed calls.
CREATE TABLE IF NOT EXISTS rollup_span (
    trace INTEGER,                 -- trace.id
    operation INTEGER,             -- name.id
    actor INTEGER,                 -- actor.id
    calls INTEGER,                 -- number of calls
    timed INTEGER,                 -- calls with a duration
    total INTEGER,                 -- durations of the outermost calls
    sum INTEGER,                   -- durations of all
    self INTEGER,                  -- self times of all
    least INTEGER,                 -- smallest duration
    most INTEGER,                  -- largest duration
    cpu_timed INTEGER,             -- the same by the second clock: timed
    cpu_total INTEGER,             -- total
    cpu_sum INTEGER,               -- sum
    cpu_self INTEGER,              -- self
    cpu_least INTEGER,             -- least
    cpu_most INTEGER,              -- most
    PRIMARY KEY (trace, operation, actor)
) WITHOUT ROWID;

-- Views: events in words, without tracetool's functions. NULL: not known.
--
-- CROSS JOIN: SQLite goes from a trace to its range of events, not from each event through the traces.
-- Rarely used columns are subqueries, since a sum over a view goes through all its joins.

-- Rollups also depend on names, processes, files, partitions and parts of I/Os.
CREATE TRIGGER IF NOT EXISTS open_call_inserted AFTER INSERT ON open_call
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = (SELECT id FROM trace
        WHERE first_event <= new.event ORDER BY first_event DESC LIMIT 1);
END;
CREATE TRIGGER IF NOT EXISTS open_call_updated AFTER UPDATE ON open_call
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = (SELECT id FROM trace
        WHERE first_event <= old.event ORDER BY first_event DESC LIMIT 1);
END;
CREATE TRIGGER IF NOT EXISTS open_call_deleted AFTER DELETE ON open_call
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = (SELECT id FROM trace
        WHERE first_event <= old.event ORDER BY first_event DESC LIMIT 1);
END;
CREATE TRIGGER IF NOT EXISTS io_part_inserted AFTER INSERT ON io_part
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = (SELECT id FROM trace
        WHERE first_event <= new.event ORDER BY first_event DESC LIMIT 1);
END;
CREATE TRIGGER IF NOT EXISTS io_part_updated AFTER UPDATE ON io_part
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = (SELECT id FROM trace
        WHERE first_event <= old.event ORDER BY first_event DESC LIMIT 1);
END;
CREATE TRIGGER IF NOT EXISTS io_part_deleted AFTER DELETE ON io_part
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = (SELECT id FROM trace
        WHERE first_event <= old.event ORDER BY first_event DESC LIMIT 1);
END;
CREATE TRIGGER IF NOT EXISTS name_inserted AFTER INSERT ON name
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = new.trace;
END;
CREATE TRIGGER IF NOT EXISTS name_updated AFTER UPDATE ON name
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = old.trace;
END;
CREATE TRIGGER IF NOT EXISTS name_deleted AFTER DELETE ON name
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = old.trace;
END;
CREATE TRIGGER IF NOT EXISTS actor_inserted AFTER INSERT ON actor
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = new.trace;
END;
CREATE TRIGGER IF NOT EXISTS actor_updated AFTER UPDATE ON actor
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = old.trace;
END;
CREATE TRIGGER IF NOT EXISTS actor_deleted AFTER DELETE ON actor
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = old.trace;
END;
CREATE TRIGGER IF NOT EXISTS object_inserted AFTER INSERT ON object
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = new.trace;
END;
CREATE TRIGGER IF NOT EXISTS object_updated AFTER UPDATE ON object
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = old.trace;
END;
CREATE TRIGGER IF NOT EXISTS object_deleted AFTER DELETE ON object
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = old.trace;
END;
CREATE TRIGGER IF NOT EXISTS partition_inserted AFTER INSERT ON partition
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = new.trace;
END;
CREATE TRIGGER IF NOT EXISTS partition_updated AFTER UPDATE ON partition
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = old.trace;
END;
CREATE TRIGGER IF NOT EXISTS partition_deleted AFTER DELETE ON partition
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = old.trace;
END;
CREATE TRIGGER IF NOT EXISTS meaning_inserted AFTER INSERT ON meaning
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = new.trace;
END;
CREATE TRIGGER IF NOT EXISTS meaning_updated AFTER UPDATE ON meaning
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = old.trace;
END;
CREATE TRIGGER IF NOT EXISTS meaning_deleted AFTER DELETE ON meaning
BEGIN
    UPDATE trace SET rollups = '' WHERE rollups <> '' AND id = old.trace;
END;

-- Block I/O, all steps; action 'C' has each I/O once, at its completion.
DROP VIEW IF EXISTS io;
CREATE VIEW io AS
SELECT
    trace.name AS trace,           -- name of the trace
    event.id,                      -- event.id
    event.time / 1e9 AS time,      -- seconds since the start of the trace
    action.text AS action,         -- Q queued, D issued, C completed, …
    CASE event.flags & 7 WHEN 0 THEN 'read' WHEN 1 THEN 'readsync' WHEN 2 THEN 'write'
        WHEN 3 THEN 'writesync' WHEN 5 THEN 'flush' ELSE 'other'
        END AS class,              -- read, readsync, write, writesync, flush, other
    CASE event.flags >> 3 & 7 WHEN 1 THEN 'data' WHEN 2 THEN 'journal' WHEN 3 THEN 'metadata'
        WHEN 4 THEN 'anonymous' ELSE 'none'
        END AS block_type,         -- none, data, journal, metadata, anonymous
    event.address AS sector,       -- first sector, of 512 bytes
    event.size AS bytes,           -- of the I/O; for a deleted file, its size
    actor.pid,                     -- of the process that asked
    actor.name AS process,         -- the process that asked, if known; see origin
    object.name AS file,           -- file
    object.type AS file_type,      -- file type
    issuer.pid AS issuer_pid,      -- of the process that dispatched it
    issuer.name AS issuer,         -- the process that dispatched it
    action.kind AS kind,           -- action: an I/O; else a record of another kind: lifespan, …
    CASE WHEN action.kind = 'action' THEN event.duration / 1e9
        END AS latency,            -- seconds from issue (D) to completion (C)
    event.response / 1e9 AS response, -- seconds from queueing (Q) to completion (C)
    CASE WHEN action.kind = 'lifespan' THEN event.duration / 1e9
        END AS age,                -- age of a deleted file, seconds
    (object.device >> 20) || ':' || (object.device & 1048575)
        AS device,                 -- block device, MAJOR:MINOR
    CASE WHEN action.kind = 'action' THEN ifnull((
            SELECT p.name FROM partition AS p
            WHERE p.trace = trace.id AND (p.device IS NULL OR p.device = object.device)
                AND (p.sectors IS NULL
                    OR event.address BETWEEN p.first_sector AND p.first_sector + p.sectors - 1)
            ORDER BY p.number LIMIT 1), 'unmapped')
        END AS partition,          -- its name; unmapped: none
    substr(iif(event.flags & 64, ', flush', '') || iif(event.flags & 128, ', fua', '')
        || iif(event.flags & 256, ', discard', '') || iif(event.flags & 512, ', metadata', '')
        || iif(event.flags & 1024, ', read-ahead', '') || iif(event.flags & 2048, ', barrier', '')
        || iif(event.flags & 4096, ', fsync', '') || iif(event.flags & 8192, ', fdatasync', '')
        || iif(event.flags & 16384, ', sqlite sync', '')
        || iif(event.flags & 131072, ', unissued', '') || iif(event.flags & 262144, ', shared', '')
        || iif(event.flags & 524288, ', flush write', '')
        || iif(event.flags & 1048576, ', flush sync', '')
        || iif(event.flags & 2097152, ', flush asked', '')
        || iif(event.flags & 1073741824, ', below', ''), 3)
        AS flags,                  -- further letters and causes, by comma: flush, fua, discard, …
    CASE WHEN EXISTS (
            SELECT 1 FROM meaning AS m WHERE m.trace = trace.id AND m."column" = 'issuer')
        THEN CASE event.flags >> 15 & 3 WHEN 0 THEN 'queued' WHEN 1 THEN 'issued'
            WHEN 2 THEN 'completed' ELSE 'unknown' END
        END AS origin,             -- source of the process: queued, issued, completed, unknown
    event.value,                   -- error number, number of requests, …: see meaning
    actor.session,                 -- boot, from 1
    actor.tid,                     -- thread that asked
    issuer.tid AS issuer_tid,      -- thread that dispatched
    strftime('%Y-%m-%d %H:%M:%S', (trace.start + event.time) / 1000000000
            + 60 * ifnull(trace.utc_offset, 0), 'unixepoch')
        || printf('.%09d', (trace.start + event.time) % 1000000000)
        AS wall_clock,             -- date and time at the device
    object.inode,                  -- of the file, if `tracetool map` found it by its blocks
    CASE event.flags >> 25 & 31 WHEN 1 THEN 'data' WHEN 2 THEN 'directory'
        WHEN 3 THEN 'symbolic link' WHEN 4 THEN 'unwritten' WHEN 5 THEN 'extent tree'
        WHEN 6 THEN 'extended attributes' WHEN 7 THEN 'journal' WHEN 8 THEN 'superblock'
        WHEN 9 THEN 'group descriptors' WHEN 10 THEN 'reserved descriptors'
        WHEN 11 THEN 'block bitmap' WHEN 12 THEN 'inode bitmap' WHEN 13 THEN 'inode table'
        WHEN 14 THEN 'quota' WHEN 15 THEN 'orphan file' WHEN 16 THEN 'multiple-mount protection'
        WHEN 17 THEN 'bad blocks' WHEN 18 THEN 'inode' WHEN 19 THEN 'checkpoint'
        WHEN 20 THEN 'node address table' WHEN 21 THEN 'segment information table'
        WHEN 22 THEN 'segment summaries' ELSE iif(event.flags >> 22 & 7, 'free', NULL)
        END AS block_class,        -- contents of its blocks, by the map: data, directory, journal, …
    CASE event.flags >> 22 & 7 WHEN 1 THEN 'image' WHEN 2 THEN 'journal'
        WHEN 3 THEN 'journal-over-image' WHEN 4 THEN 'both-images' WHEN 5 THEN 'likely-image'
        WHEN 6 THEN 'likely-journal' WHEN 7 THEN 'none'
        END AS evidence            -- evidence for the file: image, journal, …, none; NULL: no map
FROM trace
CROSS JOIN event ON event.id BETWEEN trace.first_event AND trace.last_event
LEFT JOIN name AS action ON action.id = event.operation
LEFT JOIN actor ON actor.id = event.actor
LEFT JOIN object ON object.id = event.object
LEFT JOIN actor AS issuer ON issuer.id = ifnull(event.issuer, event.actor)
WHERE trace.kind = 'io';

-- System calls.
DROP VIEW IF EXISTS call;
CREATE VIEW call AS
SELECT
    trace.name AS trace,           -- name of the trace
    event.id,                      -- event.id
    event.time / 1e9 AS time,      -- seconds since the start of the trace
    operation.text AS name,        -- of the call
    operation.code,                -- the number of the name: trap ID
    actor.session,                 -- boot, from 1
    ifnull(actor.name, printf('0x%08x', actor.code))
        AS application,            -- application, process or thread; its ID if it has no name
    event.size AS bytes,           -- of the arguments; for reads and writes, transferred
    iif(typeof(event.arguments) = 'integer', 'packed: give the query to tracetool sql', event.arguments)
        AS arguments,              -- raw argument bytes
    operation.kind AS kind,        -- trap, syscall, …
    actor.code AS application_id,  -- the number of the application
    actor.pid,                     -- process
    actor.tid,                     -- thread
    (SELECT object.name FROM object WHERE object.id = event.object)
        AS file,                   -- file of the call
    event.address AS "offset",     -- in the file, bytes
    event.value AS result,         -- descriptor, number of bytes, or error
    CASE WHEN EXISTS (
            SELECT 1 FROM meaning AS m
            WHERE m.trace = trace.id AND m."column" = 'arguments' AND m.what = 'text')
        THEN iif(typeof(event.arguments) = 'integer', 'packed: give the query to tracetool sql',
                CAST(event.arguments AS TEXT))
        END AS arguments_text,     -- arguments if the log has them as text
    event.duration / 1e9 AS duration, -- seconds from entry to exit, if the log has both
    event.parent,                  -- id of the calling call
    event.depth,                   -- of nesting, from 0; for an I/O, the hardware queue
    strftime('%Y-%m-%d %H:%M:%S', (trace.start + event.time) / 1000000000
            + 60 * ifnull(trace.utc_offset, 0), 'unixepoch')
        || printf('.%09d', (trace.start + event.time) % 1000000000)
        AS wall_clock,             -- date and time at the device
    (SELECT name.text FROM name WHERE name.id = event.error)
        AS error,                  -- error of a failed call: ENOENT, …
    (SELECT object.name FROM object WHERE object.id = event.source)
        AS source,                 -- the file copied from, to `file`
    event.source_address AS source_offset -- in it, bytes
FROM trace
CROSS JOIN event ON event.id BETWEEN trace.first_event AND trace.last_event
LEFT JOIN name AS operation ON operation.id = event.operation
LEFT JOIN actor ON actor.id = event.actor
WHERE trace.kind = 'calls';

-- Calls with a duration. Times are in trace.clock_unit: ns, or units of the device's counter.
DROP VIEW IF EXISTS span;
CREATE VIEW span AS
SELECT
    trace.name AS trace,           -- name of the trace
    event.id,                      -- event.id
    event.parent,                  -- id of the caller
    event.depth,                   -- of nesting, from 0; for an I/O, the hardware queue
    event.time,                    -- of the entry, since the start of the trace
    ifnull(event.duration, open_call.duration)
        AS duration,               -- from entry to exit
    coalesce(event.self, event.duration, open_call.self, open_call.duration)
        AS self,                   -- duration without the durations of direct callees
    ifnull(cpu_time.duration, open_call.cpu_duration)
        AS cpu_duration,           -- the same by the CPU clock of the thread
    coalesce(cpu_time.self, cpu_time.duration, open_call.cpu_self, open_call.cpu_duration)
        AS cpu_self,               -- cpu_duration without the cpu_durations of direct callees
    operation.text AS name,        -- of the function
    component.text AS component,   -- component or class of the function
    actor.pid,                     -- process
    actor.tid,                     -- thread
    actor.name AS thread,          -- its name
    event.value AS return,         -- return code
    event.size AS bytes,           -- of the arguments
    CASE WHEN event.flags & 1 THEN 'data' WHEN event.flags & 2 THEN 'stray exit'
        WHEN event.flags & 4 THEN 'open' WHEN event.flags & 8 THEN 'exit missing'
        ELSE ''
        END AS mark,               -- data, stray exit: no call; open, exit missing; or empty
    substr(iif(event.flags & 1, ', data', '') || iif(event.flags & 2, ', stray exit', '')
        || iif(event.flags & 4, ', open', '') || iif(event.flags & 8, ', exit missing', '')
        || iif(event.flags & 16, ', recursive', '') || iif(event.flags & 32, ', exception', ''), 3)
        AS flags,                  -- all flags, by comma: the marks, recursive, exception
    operation.kind AS kind,        -- function, method, probe, …
    operation.code,                -- the number of the name
    component.code AS component_id, -- the number of the component
    (SELECT name.text FROM event AS parent JOIN name ON name.id = parent.operation
            WHERE parent.id = event.parent)
        AS parent_name,            -- name of the caller
    (SELECT object.name FROM object WHERE object.id = event.object)
        AS object,                 -- the caller, in RMP logs
    (SELECT p.resolution FROM probe AS p WHERE p.trace = trace.id AND p.name = event.operation)
        AS resolution,             -- of the probe: process, thread, method, loop
    (SELECT p.origin FROM probe AS p WHERE p.trace = trace.id AND p.name = event.operation)
        AS origin,                 -- of the probe: app, framework
    actor.session,                 -- boot, from 1
    event.arguments,               -- raw argument bytes
    trace.clock_unit,              -- of the times: ns, counter units, or records (positions)
    CASE WHEN trace.clock_unit = 'ns'
        THEN strftime('%Y-%m-%d %H:%M:%S', (trace.start + event.time) / 1000000000
                + 60 * ifnull(trace.utc_offset, 0), 'unixepoch')
            || printf('.%09d', (trace.start + event.time) % 1000000000)
        END AS wall_clock          -- date and time at the device
FROM trace
CROSS JOIN event ON event.id BETWEEN trace.first_event AND trace.last_event
LEFT JOIN cpu_time ON cpu_time.event = event.id
LEFT JOIN open_call ON open_call.event = event.id
LEFT JOIN name AS operation ON operation.id = event.operation
LEFT JOIN name AS component ON component.id = operation.component
LEFT JOIN actor ON actor.id = event.actor
WHERE trace.kind = 'spans';

-- CPU load and memory of processes.
DROP VIEW IF EXISTS sample;
CREATE VIEW sample AS
SELECT
    trace.name AS trace,           -- name of the trace
    event.id,                      -- event.id
    event.time / 1e9 AS time,      -- seconds since the start of the trace
    actor.pid,                     -- of the process
    actor.name AS process,         -- its name
    event.value / 1e6 AS load,     -- of one processor: 1 is all of it
    event.size AS memory,          -- bytes
    strftime('%Y-%m-%d %H:%M:%S', (trace.start + event.time) / 1000000000
            + 60 * ifnull(trace.utc_offset, 0), 'unixepoch')
        || printf('.%09d', (trace.start + event.time) % 1000000000)
        AS wall_clock              -- date and time at the device
FROM trace
CROSS JOIN event ON event.id BETWEEN trace.first_event AND trace.last_event
LEFT JOIN actor ON actor.id = event.actor
WHERE trace.kind = 'samples';

-- States of threads, and processors without one.
DROP VIEW IF EXISTS state;
CREATE VIEW state AS
SELECT
    trace.name AS trace,           -- name of the trace
    event.id,                      -- event.id
    event.time,                    -- begin of the state, since the start of the trace
    event.duration,                -- to the next state; NULL: its end is not in the log
    operation.text AS state,       -- running, preempted, woken, sleeping, …
    actor.pid,                     -- process
    actor.tid,                     -- thread
    actor.name AS thread,          -- its name
    event.value AS processor,      -- on which it runs, ran last, or will run
    event.duration - event.self AS interrupts, -- for running: time in interrupts
    CASE event.flags >> 3 & 7 WHEN 1 THEN 'thread' WHEN 2 THEN 'device' WHEN 3 THEN 'network'
        WHEN 4 THEN 'timer' WHEN 5 THEN 'interrupt' END
        AS woken_by,               -- for woken: thread, device, network, timer, interrupt
    coalesce((SELECT waker.name FROM actor AS waker WHERE waker.id = event.issuer),
        (SELECT object.name FROM object WHERE object.id = event.object AND operation.text = 'woken'))
        AS waker,                  -- the thread (ksoftirqd, for a device), or the interrupt
    (SELECT waker.tid FROM actor AS waker WHERE waker.id = event.issuer)
        AS waker_tid,              -- the thread
    event.address AS sector,       -- of the request that completed
    event.size AS bytes,           -- of that request
    iif(operation.text = 'woken', event.response, NULL)
        AS request_time,           -- of that request, from issue to completion
    event.flags >> 13 & 1 AS migrated, -- 1: runs on another processor than before
    iif(operation.text <> 'woken', (SELECT object.name FROM object WHERE object.id = event.object), NULL)
        AS function,               -- for a sleep: the kernel function
    event.flags >> 15 & 1 AS io_wait, -- 1: sleeps until I/O is done
    trace.clock_unit               -- of the times: ns, or units of the device's counter
FROM trace
CROSS JOIN event ON event.id BETWEEN trace.first_event AND trace.last_event
LEFT JOIN name AS operation ON operation.id = event.operation
LEFT JOIN actor ON actor.id = event.actor
WHERE trace.kind = 'states';

-- Results of benchmarks.
DROP VIEW IF EXISTS result;
CREATE VIEW result AS
SELECT
    trace.name AS trace,           -- name of the trace
    event.id,                      -- event.id
    actor.name AS test,            -- mode of the test
    ifnull(event.address, actor.session)
        AS run,                    -- run in the log, or number of the test in the trace, from 1
    operation.text AS measure,     -- the quantity
    unit.text AS unit,             -- as the log has it; NULL: none
    event.value / 1e6 AS value     -- in that unit
FROM trace
CROSS JOIN event ON event.id BETWEEN trace.first_event AND trace.last_event
LEFT JOIN actor ON actor.id = event.actor
LEFT JOIN name AS operation ON operation.id = event.operation
LEFT JOIN name AS unit ON unit.id = operation.component
WHERE trace.kind = 'results';
