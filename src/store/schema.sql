-- The tables of a tracetool database; tracetool-schema(7) explains them.
-- The ids of a trace's events are a range, in order of time.
--
-- From the first release on: a database of an earlier version is first changed by migrate-N.sql, one
-- after another (schema.h); then this file adds the tables that are missing. So columns are only
-- added at the end.
--
-- `tracetool sql .schema` reads this file (schema.c): the comment right above a table or view, and
-- the one behind each column, where the line ends that names it.

-- Traces, one a row.
CREATE TABLE IF NOT EXISTS trace (
    id INTEGER PRIMARY KEY,        -- trace.id
    name TEXT NOT NULL UNIQUE,     -- as commands take it
    kind TEXT NOT NULL,            -- calls, io, spans, samples, results, states
    format TEXT NOT NULL,          -- the importer
    variant TEXT NOT NULL,         -- how the format was written: pdb, text, …
    device TEXT,                   -- label given at import
    user TEXT,                     -- label given at import
    start INTEGER,                 -- wall clock of time 0, ns since 1970 UTC; NULL: not known
    utc_offset INTEGER,            -- minutes east of UTC; NULL: not known
    clock_unit TEXT NOT NULL,      -- of times and durations: ns, or counter units
    sessions INTEGER NOT NULL,     -- boots
    events INTEGER NOT NULL,       -- the ledger: records kept
    merged INTEGER NOT NULL,       -- the ledger: records that only continue another
    ignored INTEGER NOT NULL,      -- the ledger: records not of interest, by rule
    rejected INTEGER NOT NULL,     -- the ledger: damaged records
    lost_bytes INTEGER NOT NULL,   -- bytes that damage took away
    first_event INTEGER,           -- first event.id; NULL: no events
    last_event INTEGER,            -- last event.id; all between are of this trace
    first_time INTEGER,            -- smallest event.time
    last_time INTEGER,             -- largest event.time; of spans, of the last record
    rollups TEXT NOT NULL,         -- which rollup tables are complete, blank-separated
    resume TEXT,                   -- what the importer needs to go on with import --append
    clocks TEXT NOT NULL DEFAULT 'wall', -- wall, cpu, wall cpu; empty: times are positions
    clock_hz INTEGER,              -- of a counter whose units were made ns; NULL: there was none
    paired INTEGER NOT NULL DEFAULT 0, -- of `events`, those without a row: they complete another's
    study TEXT,                    -- that the trace belongs to
    round INTEGER,                 -- of the study
    call_overhead INTEGER,         -- ns that measuring a call cost, where the log says so
    log TEXT                       -- of one log with several kinds of events: its name, in each trace
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
    first_event INTEGER,           -- first event.id of the range its events lie in; NULL: none
    last_event INTEGER             -- last event.id of it
);
CREATE INDEX IF NOT EXISTS source_by_hash ON source (hash);
CREATE INDEX IF NOT EXISTS source_by_trace ON source (trace);

-- What was logged. The views say the same in words.
CREATE TABLE IF NOT EXISTS event (
    id INTEGER PRIMARY KEY,        -- in order of time; those of a trace are one range
    time INTEGER NOT NULL,         -- ns (trace.clock_unit) since the start of the trace
    duration INTEGER,              -- of a call; of an I/O from issue to completion
    operation INTEGER,             -- name.id of what was done
    actor INTEGER,                 -- actor.id of who did it
    object INTEGER,                -- object.id of what it was done to
    flags INTEGER,                 -- class and flags of an I/O, marks of a span
    address INTEGER,               -- first sector
    size INTEGER,                  -- bytes
    value INTEGER,                 -- return value or error number
    parent INTEGER,                -- event.id of the caller
    depth INTEGER,                 -- of nesting, from 0; of an I/O the hardware queue
    arguments BLOB,                -- raw argument bytes
    self INTEGER,                  -- duration without the callees'; NULL: the same as duration. Of an I/O the device's
    issuer INTEGER,                -- actor.id of who dispatched an I/O; NULL: the same as actor
    response INTEGER,              -- of a completed I/O: since it was asked for (Q)
    error INTEGER,                 -- name.id (kind error) of what a call failed with
    source INTEGER,                -- object.id of the file that a call copied from, to `object`
    source_address INTEGER         -- where in it, bytes
);

-- A second clock: the thread's CPU time of calls, in traces whose clocks are "wall cpu".
CREATE TABLE IF NOT EXISTS cpu_time (
    event INTEGER PRIMARY KEY,     -- event.id
    duration INTEGER NOT NULL,     -- by the CPU clock
    self INTEGER                   -- without the callees'; NULL: the same as duration
);

-- Calls that were open behind the last record end with it, by docs/spans.md.
-- In `event` they have no duration. None where times are positions.
CREATE TABLE IF NOT EXISTS open_call (
    event INTEGER PRIMARY KEY,     -- event.id
    duration INTEGER NOT NULL,     -- from entry to the end of the log
    self INTEGER,                  -- without the callees'; NULL: the same as duration
    cpu_duration INTEGER,          -- of the second clock; NULL: there is none, or it is not known
    cpu_self INTEGER               -- of the second clock
);

-- The same events by columns, for those who pass over many of them. A row is
-- a field of some events that follow one another; a field that none of them has has no row. A trace
-- has all of its columns or none. tracetool-schema(7) explains the bytes.
CREATE TABLE IF NOT EXISTS event_column (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    field TEXT NOT NULL,           -- time, another column of event, cpu_duration or cpu_self
    first INTEGER NOT NULL,        -- the first of the events; the first one of the trace is 0
    count INTEGER NOT NULL,        -- how many events they are
    least INTEGER NOT NULL,        -- smallest of the values
    most INTEGER NOT NULL,         -- the largest
    sum INTEGER NOT NULL,          -- of the bytes of the row, as tracetool-schema(7) has it
    fields INTEGER,                -- where field is time: which fields these events have
    data BLOB NOT NULL             -- the values, as tracetool-schema(7) has it
);
CREATE UNIQUE INDEX IF NOT EXISTS event_column_by_trace
ON event_column (trace, field, first, count, least, most, sum, fields);
CREATE INDEX IF NOT EXISTS trace_by_event ON trace (first_event);
CREATE INDEX IF NOT EXISTS trace_by_log ON trace (log) WHERE log IS NOT NULL;

-- Where another program changes events, the columns and rollups of their trace are invalid: these
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
    code INTEGER,                  -- the number behind the name
    text TEXT NOT NULL,            -- the name
    component INTEGER              -- name.id of the component or class it belongs to
);
CREATE INDEX IF NOT EXISTS name_by_trace ON name (trace);

-- Who did it: processes, threads, applications.
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

-- What it was done to: files, devices.
CREATE TABLE IF NOT EXISTS object (
    id INTEGER PRIMARY KEY,        -- object.id
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    name TEXT,                     -- file
    type TEXT,                     -- file type
    device INTEGER,                -- major << 20 | minor
    inode INTEGER,                 -- of a file that `tracetool map` found by its blocks
    generation INTEGER             -- of the inode: tells files apart that had it one after another
);
CREATE INDEX IF NOT EXISTS object_by_trace ON object (trace);

-- How I/Os of a device went on to the one below it, by the log's remaps
-- (action A).
CREATE TABLE IF NOT EXISTS remap (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    "from" INTEGER NOT NULL,       -- device above: major << 20 | minor
    device INTEGER NOT NULL,       -- device below
    shift INTEGER,                 -- sector below less sector above; NULL: many different ones
    first INTEGER NOT NULL,        -- least sector below
    last INTEGER NOT NULL,         -- last sector below
    count INTEGER NOT NULL         -- remaps
);
CREATE INDEX IF NOT EXISTS remap_by_trace ON remap (trace);

-- Devices of which events are missing from the log, and how many of their
-- requests have both ends, as far as a latency is said of them. Other devices have no rows. A trace
-- of calls that lack begins or ends has a row without device: issues are its events, completions the
-- ends in the log, pairs the calls with a duration, `open` and `unissued` those that other lines of
-- their thread prove.
CREATE TABLE IF NOT EXISTS pairing (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    device INTEGER,                -- major << 20 | minor; NULL: not known
    issues INTEGER NOT NULL,       -- issues (D), but for those that were requeued (R)
    completions INTEGER NOT NULL,  -- completions (C), of parts the last
    pairs INTEGER NOT NULL,        -- issues and completions of one request
    open INTEGER NOT NULL,         -- issues without a completion; 0 of a device that has only issues
    unissued INTEGER NOT NULL,     -- completions without an issue; 0 of one that has only completions
    unbelieved INTEGER NOT NULL,   -- pairs that would have taken too long
    proven INTEGER NOT NULL,       -- 1: requests of the device prove that events are missing
    told INTEGER NOT NULL          -- 1: the log tells of events that are missing
);
CREATE INDEX IF NOT EXISTS pairing_by_trace ON pairing (trace);

-- How the files of a trace of block I/O were found by their blocks
-- (`tracetool map`). Counts are of I/Os, of one action: each step of an I/O is mapped by itself.
CREATE TABLE IF NOT EXISTS map (
    trace INTEGER PRIMARY KEY REFERENCES trace (id), -- trace.id
    image TEXT NOT NULL,           -- the image, as given
    uuid TEXT NOT NULL,            -- of its file system
    device INTEGER,                -- that the image is of: major << 20 | minor; NULL: the log has none
    "offset" INTEGER,              -- bytes of the device before the file system; NULL: by remap
    horizon INTEGER,               -- event.time from which the journal tells; NULL: it does not
    transactions INTEGER NOT NULL, -- of the journal, with a time
    proven INTEGER NOT NULL,       -- I/Os of which the image, or the log itself, tells for certain
    journal INTEGER NOT NULL,      -- I/Os of which the journal tells for certain
    likely INTEGER NOT NULL,       -- I/Os that are likely of the file they are said to be of
    unmapped INTEGER NOT NULL,     -- I/Os in blocks that are nobody's
    several INTEGER NOT NULL,      -- I/Os, among these, on several files: see io_part
    outside INTEGER NOT NULL,      -- I/Os beyond the file system
    before TEXT,                   -- the image from before the trace, as given; NULL: none was
    journals INTEGER NOT NULL      -- copies of the journal that were read
);

-- I/Os on several files, of a trace that was mapped, and what each of these
-- has of their bytes. Other I/Os have no rows.
CREATE TABLE IF NOT EXISTS io_part (
    event INTEGER NOT NULL,        -- event.id
    number INTEGER NOT NULL,       -- 0: that which the I/O is counted with; others in order of place
    object INTEGER,                -- object.id of the file, or of what else the blocks hold
    flags INTEGER NOT NULL,        -- event.flags, with block type, class and evidence of the part
    bytes INTEGER NOT NULL,        -- of the I/O; those of all its parts are event.size
    PRIMARY KEY (event, number)
) WITHOUT ROWID;

-- What the log itself tells of whose blocks are, by events of the file
-- system; of traces of block I/O, for `tracetool map`.
CREATE TABLE IF NOT EXISTS allocation (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    number INTEGER NOT NULL,       -- from 0, in the order of the log
    time INTEGER NOT NULL,         -- as event.time
    device INTEGER NOT NULL,       -- of the file system: major << 20 | minor
    what TEXT NOT NULL,            -- data, metadata, held, freed, created, deleted, lost, regained
    inode INTEGER NOT NULL,        -- 0: not told
    mode INTEGER,                  -- of the inode; NULL: not told
    block INTEGER NOT NULL,        -- the first, in blocks of the file system
    count INTEGER NOT NULL,        -- blocks; of data and metadata, clusters
    PRIMARY KEY (trace, number)
) WITHOUT ROWID;

-- Of a log that tells of losses, how many events of each CPU are missing, and
-- which are there. Other logs have no rows.
CREATE TABLE IF NOT EXISTS loss (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    cpu INTEGER NOT NULL,          -- -1: of events and losses of which the log names no CPU
    lost INTEGER NOT NULL,         -- events that are missing, as the log tells
    uncounted INTEGER NOT NULL,    -- losses that are told without a number
    overwritten INTEGER NOT NULL,  -- of those lost, the ones before the log's first event, of any CPU
    events INTEGER NOT NULL,       -- of this CPU that are in the log, whatever became of them
    first INTEGER,                 -- their smallest time, as event.time; NULL: there are none
    last INTEGER,                  -- their largest time
    PRIMARY KEY (trace, cpu)
) WITHOUT ROWID;

-- What a column of `event` means in a trace; with an empty "column", what its log does not state.
CREATE TABLE IF NOT EXISTS meaning (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    "column" TEXT NOT NULL,        -- of event
    kind TEXT NOT NULL,            -- name.kind of the operations it holds for; empty: of all
    what TEXT NOT NULL,            -- sector, offset, arguments, transfer, result, error, …
    unit TEXT NOT NULL,            -- 512 bytes, bytes, clock (trace.clock_unit); empty: no quantity
    PRIMARY KEY (trace, "column", kind, what)
) WITHOUT ROWID;

-- Operations that could have been logged.
CREATE TABLE IF NOT EXISTS loggable (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    code INTEGER NOT NULL,         -- name.code
    by_default INTEGER NOT NULL,   -- 1: the configuration did not say
    PRIMARY KEY (trace, code)
) WITHOUT ROWID;

-- Where partitions lie: by device, or by a range of sectors (on any device when that is NULL).
CREATE TABLE IF NOT EXISTS partition (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    number INTEGER NOT NULL,       -- the first that fits an I/O is its partition
    name TEXT NOT NULL,            -- several may share it
    device INTEGER,                -- major << 20 | minor; NULL: any
    first_sector INTEGER,          -- of 512 bytes; NULL: the whole device
    sectors INTEGER,               -- how many; NULL: the whole device
    PRIMARY KEY (trace, number)
) WITHOUT ROWID;

-- What became of records that are not events, and why.
CREATE TABLE IF NOT EXISTS ledger (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    source INTEGER NOT NULL REFERENCES source (id), -- source.id
    outcome TEXT NOT NULL,         -- merged, ignored, rejected
    reason TEXT NOT NULL,          -- why
    count INTEGER NOT NULL,        -- records
    first_offset INTEGER NOT NULL, -- byte offset of the first one in its (unpacked) source
    bytes INTEGER NOT NULL,        -- lost with them
    PRIMARY KEY (trace, source, outcome, reason)
) WITHOUT ROWID;

-- How names were measured, in profiles; whether they occurred or not.
CREATE TABLE IF NOT EXISTS probe (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    name INTEGER NOT NULL,         -- name.id
    resolution TEXT NOT NULL,      -- process, thread, method, loop
    origin TEXT NOT NULL,          -- app, framework
    enabled INTEGER NOT NULL,      -- in this round
    PRIMARY KEY (trace, name)
) WITHOUT ROWID;

-- What a reader of a trace's reports should know.
CREATE TABLE IF NOT EXISTS remark (
    trace INTEGER NOT NULL REFERENCES trace (id), -- trace.id
    number INTEGER NOT NULL,       -- from 1
    text TEXT NOT NULL,            -- the remark
    PRIMARY KEY (trace, number)
) WITHOUT ROWID;

-- Rollups: counts by few dimensions, of traces whose `rollups` names them.

-- Events by hour.
CREATE TABLE IF NOT EXISTS rollup_hour (
    trace INTEGER,                 -- trace.id
    action INTEGER,                -- name.id of an I/O, else 0
    class INTEGER,                 -- of an I/O, else 0
    hour INTEGER,                  -- since 1970 at the device; since the start without wall clock
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
-- What the processes of I/Os rest on.
CREATE TABLE IF NOT EXISTS rollup_origin (
    trace INTEGER,                 -- trace.id
    action INTEGER,                -- name.id of an I/O, else 0
    origin INTEGER,                -- those flags that say so
    count INTEGER,                 -- events
    bytes INTEGER,                 -- sum of event.size
    PRIMARY KEY (trace, action, origin)
) WITHOUT ROWID;
-- I/Os by their letters.
CREATE TABLE IF NOT EXISTS rollup_letters (
    trace INTEGER,                 -- trace.id
    action INTEGER,                -- name.id of an I/O, else 0
    letters INTEGER,               -- those flags that say class and letters
    count INTEGER,                 -- events
    bytes INTEGER,                 -- sum of event.size
    PRIMARY KEY (trace, action, letters)
) WITHOUT ROWID;
-- Rows of spans by depth.
CREATE TABLE IF NOT EXISTS rollup_depth (
    trace INTEGER,                 -- trace.id
    marks INTEGER,                 -- event.flags of a span
    depth INTEGER,                 -- of nesting, from 0; of an I/O the hardware queue
    count INTEGER,                 -- events
    bytes INTEGER,                 -- sum of event.size
    PRIMARY KEY (trace, marks, depth)
) WITHOUT ROWID;
-- Durations of I/Os, some to a row: those that agree in their 12 highest bits. Of calls, those that
-- have as many bits.
-- Of each action and class, rows do not overlap; one holds nothing but each percentile of reports.
CREATE TABLE IF NOT EXISTS rollup_latency (
    trace INTEGER,                 -- trace.id
    action INTEGER,                -- name.id of an I/O, or of a call
    class INTEGER,                 -- of an I/O, else 0
    least INTEGER,                 -- smallest duration, ns; -1: these have none
    most INTEGER NOT NULL,         -- largest duration, ns; likewise
    count INTEGER NOT NULL,        -- events
    sum INTEGER NOT NULL,          -- of their durations, ns
    PRIMARY KEY (trace, action, class, least)
) WITHOUT ROWID;
-- Calls by name and error, and by what is known of their result.
CREATE TABLE IF NOT EXISTS rollup_call (
    trace INTEGER,                 -- trace.id
    operation INTEGER,             -- name.id
    error INTEGER,                 -- name.id of what they failed with; 0: none
    result INTEGER,                -- event.value: 0 not below 0, 1 below; 2 only a duration; 3 neither
    calls INTEGER NOT NULL,        -- how many
    bytes INTEGER NOT NULL,        -- sum of event.size
    timed INTEGER NOT NULL,        -- how many of them have a duration
    total INTEGER,                 -- sum of the durations; NULL, as the next two, where there is none
    least INTEGER,                 -- smallest duration
    most INTEGER,                  -- largest duration
    first INTEGER NOT NULL,        -- event.time of the first
    last INTEGER NOT NULL,         -- when the last was over
    PRIMARY KEY (trace, operation, error, result)
) WITHOUT ROWID;
-- Times of calls by function and thread. Those over timed calls are NULL where there are none.
CREATE TABLE IF NOT EXISTS rollup_span (
    trace INTEGER,                 -- trace.id
    operation INTEGER,             -- name.id
    actor INTEGER,                 -- actor.id
    calls INTEGER,                 -- how many
    timed INTEGER,                 -- how many of them have a duration
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

-- Events in words; they need no function of tracetool's. What is NULL is not known.
--
-- CROSS JOIN: SQLite goes from a trace to its range of events, not from each event through the traces.
-- What few queries ask for comes from subqueries, since a sum over a view goes through all its joins.

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

-- Block I/O, all steps of it: action 'C' is each I/O once, as it was completed.
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
    event.address AS sector,       -- first one, of 512 bytes
    event.size AS bytes,           -- of the I/O; of a deleted file, its size
    actor.pid,                     -- of the process that asked
    actor.name AS process,         -- who asked, as far as the log tells; see origin
    object.name AS file,           -- file
    object.type AS file_type,      -- file type
    issuer.pid AS issuer_pid,      -- of the process that dispatched it
    issuer.name AS issuer,         -- who dispatched it
    action.kind AS kind,           -- action: an I/O; else a record of another kind: lifespan, …
    CASE WHEN action.kind = 'action' THEN event.duration / 1e9
        END AS latency,            -- seconds from issue (D) to completion (C)
    event.response / 1e9 AS response, -- seconds from asking (Q) to completion (C)
    CASE WHEN action.kind = 'lifespan' THEN event.duration / 1e9
        END AS age,                -- of a deleted file, seconds
    (object.device >> 20) || ':' || (object.device & 1048575)
        AS device,                 -- block device, MAJOR:MINOR
    CASE WHEN action.kind = 'action' THEN ifnull((
            SELECT p.name FROM partition AS p
            WHERE p.trace = trace.id AND (p.device IS NULL OR p.device = object.device)
                AND (p.sectors IS NULL
                    OR event.address BETWEEN p.first_sector AND p.first_sector + p.sectors - 1)
            ORDER BY p.number LIMIT 1), 'unmapped')
        END AS partition,          -- its name; unmapped: it lies in none
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
        AS flags,                  -- further letters, causes: flush, fua, discard, … by comma
    CASE WHEN EXISTS (
            SELECT 1 FROM meaning AS m WHERE m.trace = trace.id AND m."column" = 'issuer')
        THEN CASE event.flags >> 15 & 3 WHEN 0 THEN 'queued' WHEN 1 THEN 'issued'
            WHEN 2 THEN 'completed' ELSE 'unknown' END
        END AS origin,             -- what the process rests on: queued, issued, completed, unknown
    event.value,                   -- error number, number of requests, …: see meaning
    actor.session,                 -- boot, from 1
    actor.tid,                     -- thread that asked
    issuer.tid AS issuer_tid,      -- thread that dispatched
    strftime('%Y-%m-%d %H:%M:%S', (trace.start + event.time) / 1000000000
            + 60 * ifnull(trace.utc_offset, 0), 'unixepoch')
        || printf('.%09d', (trace.start + event.time) % 1000000000)
        AS wall_clock,             -- date and time at the device
    object.inode,                  -- of the file, where `tracetool map` found it by its blocks
    CASE event.flags >> 25 & 31 WHEN 1 THEN 'data' WHEN 2 THEN 'directory'
        WHEN 3 THEN 'symbolic link' WHEN 4 THEN 'unwritten' WHEN 5 THEN 'extent tree'
        WHEN 6 THEN 'extended attributes' WHEN 7 THEN 'journal' WHEN 8 THEN 'superblock'
        WHEN 9 THEN 'group descriptors' WHEN 10 THEN 'reserved descriptors'
        WHEN 11 THEN 'block bitmap' WHEN 12 THEN 'inode bitmap' WHEN 13 THEN 'inode table'
        WHEN 14 THEN 'quota' WHEN 15 THEN 'orphan file' WHEN 16 THEN 'multiple-mount protection'
        WHEN 17 THEN 'bad blocks' WHEN 18 THEN 'inode' WHEN 19 THEN 'checkpoint'
        WHEN 20 THEN 'node address table' WHEN 21 THEN 'segment information table'
        WHEN 22 THEN 'segment summaries' ELSE iif(event.flags >> 22 & 7, 'free', NULL)
        END AS block_class,        -- what its blocks hold, by the map: data, directory, journal, …
    CASE event.flags >> 22 & 7 WHEN 1 THEN 'image' WHEN 2 THEN 'journal'
        WHEN 3 THEN 'journal-over-image' WHEN 4 THEN 'both-images' WHEN 5 THEN 'likely-image'
        WHEN 6 THEN 'likely-journal' WHEN 7 THEN 'none'
        END AS evidence            -- what the file rests on: image, journal, …, none; NULL: no map
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
    operation.code,                -- the number behind the name: trap ID
    actor.session,                 -- boot, from 1
    ifnull(actor.name, printf('0x%08x', actor.code))
        AS application,            -- application, process or thread; its ID where it has no name
    event.size AS bytes,           -- of the arguments; of reads and writes, transferred
    event.arguments,               -- raw argument bytes
    operation.kind AS kind,        -- trap, syscall, …
    actor.code AS application_id,  -- the number behind the application
    actor.pid,                     -- process
    actor.tid,                     -- thread
    (SELECT object.name FROM object WHERE object.id = event.object)
        AS file,                   -- what it was done to
    event.address AS "offset",     -- in the file, bytes
    event.value AS result,         -- descriptor, number of bytes, or error
    CASE WHEN EXISTS (
            SELECT 1 FROM meaning AS m
            WHERE m.trace = trace.id AND m."column" = 'arguments' AND m.what = 'text')
        THEN CAST(event.arguments AS TEXT)
        END AS arguments_text,     -- arguments where the log has them as text
    event.duration / 1e9 AS duration, -- seconds from entry to exit, where the log has both
    event.parent,                  -- id of the call it was made in
    event.depth,                   -- of nesting, from 0; of an I/O the hardware queue
    strftime('%Y-%m-%d %H:%M:%S', (trace.start + event.time) / 1000000000
            + 60 * ifnull(trace.utc_offset, 0), 'unixepoch')
        || printf('.%09d', (trace.start + event.time) % 1000000000)
        AS wall_clock,             -- date and time at the device
    (SELECT name.text FROM name WHERE name.id = event.error)
        AS error,                  -- what it failed with: ENOENT, …
    (SELECT object.name FROM object WHERE object.id = event.source)
        AS source,                 -- the file that it copied from, to `file`
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
    event.depth,                   -- of nesting, from 0; of an I/O the hardware queue
    event.time,                    -- of the entry, since the start of the trace
    ifnull(event.duration, open_call.duration)
        AS duration,               -- from entry to exit
    coalesce(event.self, event.duration, open_call.self, open_call.duration)
        AS self,                   -- duration without those of the calls it made itself
    ifnull(cpu_time.duration, open_call.cpu_duration)
        AS cpu_duration,           -- the same by the CPU clock of the thread
    coalesce(cpu_time.self, cpu_time.duration, open_call.cpu_self, open_call.cpu_duration)
        AS cpu_self,               -- cpu_duration without those of the calls it made itself
    operation.text AS name,        -- of the function
    component.text AS component,   -- or class that it belongs to
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
        AS flags,                  -- all marks, by comma: those and recursive, exception
    operation.kind AS kind,        -- function, method, probe, …
    operation.code,                -- the number behind the name
    component.code AS component_id, -- the number behind the component
    (SELECT name.text FROM event AS parent JOIN name ON name.id = parent.operation
            WHERE parent.id = event.parent)
        AS parent_name,            -- name of the caller
    (SELECT object.name FROM object WHERE object.id = event.object)
        AS object,                 -- what is named as caller, in RMP logs
    (SELECT p.resolution FROM probe AS p WHERE p.trace = trace.id AND p.name = event.operation)
        AS resolution,             -- of the probe: process, thread, method, loop
    (SELECT p.origin FROM probe AS p WHERE p.trace = trace.id AND p.name = event.operation)
        AS origin,                 -- of the probe: app, framework
    actor.session,                 -- boot, from 1
    event.arguments,               -- raw argument bytes
    trace.clock_unit,              -- of the times: ns, counter units, or records, which are places
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
    event.time,                    -- when the state began, since the start of the trace
    event.duration,                -- to the next one; NULL: not in the log
    operation.text AS state,       -- running, preempted, woken, sleeping, …
    actor.pid,                     -- process
    actor.tid,                     -- thread
    actor.name AS thread,          -- its name
    event.value AS processor,      -- where it runs, ran last, or is to run
    event.duration - event.self AS interrupts, -- of running: time in interrupts
    CASE event.flags >> 3 & 7 WHEN 1 THEN 'thread' WHEN 2 THEN 'device' WHEN 3 THEN 'network'
        WHEN 4 THEN 'timer' WHEN 5 THEN 'interrupt' END
        AS woken_by,               -- of woken: thread, device, network, timer, interrupt
    coalesce((SELECT waker.name FROM actor AS waker WHERE waker.id = event.issuer),
        (SELECT object.name FROM object WHERE object.id = event.object AND operation.text = 'woken'))
        AS waker,                  -- the thread, or the interrupt by its name
    (SELECT waker.tid FROM actor AS waker WHERE waker.id = event.issuer)
        AS waker_tid,              -- the thread
    event.address AS sector,       -- of the request that completed
    event.size AS bytes,           -- of it
    event.response AS request_time, -- from its issue to its completion
    event.flags >> 13 & 1 AS migrated, -- 1: runs on another processor than before
    iif(operation.text <> 'woken', (SELECT object.name FROM object WHERE object.id = event.object), NULL)
        AS function,               -- of a sleep: where in the kernel
    event.flags >> 15 & 1 AS io_wait, -- 1: sleeps until I/O is done
    trace.clock_unit               -- of the times: ns, or units of the device's counter
FROM trace
CROSS JOIN event ON event.id BETWEEN trace.first_event AND trace.last_event
LEFT JOIN name AS operation ON operation.id = event.operation
LEFT JOIN actor ON actor.id = event.actor
WHERE trace.kind = 'states';

-- What benchmarks measured.
DROP VIEW IF EXISTS result;
CREATE VIEW result AS
SELECT
    trace.name AS trace,           -- name of the trace
    event.id,                      -- event.id
    actor.name AS test,            -- its mode
    ifnull(event.address, actor.session)
        AS run,                    -- as the log has it, or which test of the trace, from 1
    operation.text AS measure,     -- what was measured
    unit.text AS unit,             -- as the log has it; NULL: none
    event.value / 1e6 AS value     -- in that unit
FROM trace
CROSS JOIN event ON event.id BETWEEN trace.first_event AND trace.last_event
LEFT JOIN actor ON actor.id = event.actor
LEFT JOIN name AS operation ON operation.id = event.operation
LEFT JOIN name AS unit ON unit.id = operation.component
WHERE trace.kind = 'results';
