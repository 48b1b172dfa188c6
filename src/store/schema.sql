-- The tables of a tracetool database; tracetool-schema(7) explains them.
-- The ids of a trace's events are a range, in order of time.
--
-- A database of an earlier version is first changed by migrate-N.sql, one after another; then this
-- file adds the tables that are missing. So columns are only ever added at the end.

CREATE TABLE IF NOT EXISTS trace (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,            -- calls, io, spans, samples
    format TEXT NOT NULL,          -- the importer
    variant TEXT NOT NULL,         -- how the format was written: pdb, text, …
    device TEXT,
    user TEXT,
    start INTEGER,                 -- wall clock of time 0, ns since 1970 UTC; NULL: not known
    utc_offset INTEGER,            -- minutes east of UTC; NULL: not known
    clock_unit TEXT NOT NULL,      -- of times and durations: ns, or counter units
    sessions INTEGER NOT NULL,     -- boots
    events INTEGER NOT NULL,       -- the ledger: records read and kept …
    merged INTEGER NOT NULL,       -- … whose content only continues another …
    ignored INTEGER NOT NULL,      -- … not of interest, by rule …
    rejected INTEGER NOT NULL,     -- … damaged
    lost_bytes INTEGER NOT NULL,   -- bytes that damage took away
    first_event INTEGER,           -- range of event.id; NULL: no events
    last_event INTEGER,
    first_time INTEGER,            -- smallest and largest event.time
    last_time INTEGER,
    rollups TEXT NOT NULL,         -- which rollup tables are complete, blank-separated
    resume TEXT,                   -- what the importer needs to go on with import --append
    -- Since schema version 2:
    clocks TEXT NOT NULL DEFAULT 'wall', -- wall, cpu, wall cpu; empty: times are positions
    clock_hz INTEGER,              -- of a counter whose units were made ns; NULL: there was none
    paired INTEGER NOT NULL DEFAULT 0, -- of `events`, those without a row: they complete another's
    study TEXT,                    -- profiling rounds of one study
    round INTEGER,
    call_overhead INTEGER,         -- ns that measuring a call cost, where the log says so
    -- Since schema version 3:
    log TEXT                       -- of one log with several kinds of events: its name, in each trace
);

CREATE TABLE IF NOT EXISTS source (
    id INTEGER PRIMARY KEY,
    trace INTEGER NOT NULL REFERENCES trace (id),
    name TEXT NOT NULL,            -- as given to import
    hash TEXT NOT NULL,            -- XXH3, 128 bits, of the unpacked content
    size INTEGER NOT NULL,         -- bytes, unpacked
    packing TEXT NOT NULL,         -- gzip, xz, zstd or empty
    events INTEGER NOT NULL,       -- records kept
    first_event INTEGER,           -- event.id range its events lie in; NULL: none
    last_event INTEGER
);
CREATE INDEX IF NOT EXISTS source_by_hash ON source (hash);
CREATE INDEX IF NOT EXISTS source_by_trace ON source (trace);

CREATE TABLE IF NOT EXISTS event (
    id INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,         -- ns (trace.clock_unit) since the start of the trace
    duration INTEGER,
    operation INTEGER,             -- name.id
    actor INTEGER,                 -- actor.id
    object INTEGER,                -- object.id
    flags INTEGER,                 -- class and flags of an I/O
    address INTEGER,               -- first sector
    size INTEGER,                  -- bytes
    value INTEGER,                 -- return value or error number
    parent INTEGER,                -- event.id of the caller
    depth INTEGER,
    arguments BLOB,                -- raw argument bytes
    self INTEGER,                  -- duration without the callees'; NULL: the same as duration
    -- Since schema version 4:
    issuer INTEGER,                -- actor.id of who dispatched an I/O; NULL: the same as actor
    response INTEGER               -- of a completed I/O: since it was asked for (Q)
);

-- A second clock: the thread's CPU time of calls, in traces whose clocks are "wall cpu".
CREATE TABLE IF NOT EXISTS cpu_time (
    event INTEGER PRIMARY KEY,     -- event.id
    duration INTEGER NOT NULL,
    self INTEGER                   -- NULL: the same as duration
);

-- Since schema version 4: calls that were open behind the last record end with it, by docs/spans.md.
-- In `event` they have no duration. None where times are positions.
CREATE TABLE IF NOT EXISTS open_call (
    event INTEGER PRIMARY KEY,     -- event.id
    duration INTEGER NOT NULL,
    self INTEGER,                  -- NULL: the same as duration
    cpu_duration INTEGER,          -- of the second clock; NULL: there is none, or it is not known
    cpu_self INTEGER
);

CREATE TABLE IF NOT EXISTS name (
    id INTEGER PRIMARY KEY,
    trace INTEGER NOT NULL REFERENCES trace (id),
    kind TEXT NOT NULL,            -- trap, action, …
    code INTEGER,                  -- the number behind the name
    text TEXT NOT NULL,
    component INTEGER              -- name.id of the component or class it belongs to
);
CREATE INDEX IF NOT EXISTS name_by_trace ON name (trace);

CREATE TABLE IF NOT EXISTS actor (
    id INTEGER PRIMARY KEY,
    trace INTEGER NOT NULL REFERENCES trace (id),
    session INTEGER NOT NULL,      -- boot, from 1
    pid INTEGER,
    tid INTEGER,
    code INTEGER,                  -- application (database) ID
    name TEXT                      -- process, application or thread
);
CREATE INDEX IF NOT EXISTS actor_by_trace ON actor (trace);

CREATE TABLE IF NOT EXISTS object (
    id INTEGER PRIMARY KEY,
    trace INTEGER NOT NULL REFERENCES trace (id),
    name TEXT,                     -- file
    type TEXT,                     -- file type
    device INTEGER                 -- major << 20 | minor
);
CREATE INDEX IF NOT EXISTS object_by_trace ON object (trace);

-- What a column of `event` means in a trace.
CREATE TABLE IF NOT EXISTS meaning (
    trace INTEGER NOT NULL REFERENCES trace (id),
    "column" TEXT NOT NULL,        -- of event
    kind TEXT NOT NULL,            -- name.kind of the operations it holds for; empty: of all
    what TEXT NOT NULL,            -- sector, offset, arguments, transfer, result, error, …
    unit TEXT NOT NULL,            -- 512 bytes, bytes, clock (trace.clock_unit); empty: no quantity
    PRIMARY KEY (trace, "column", kind, what)
) WITHOUT ROWID;

-- Operations that could have been logged.
CREATE TABLE IF NOT EXISTS loggable (
    trace INTEGER NOT NULL REFERENCES trace (id),
    code INTEGER NOT NULL,         -- name.code
    by_default INTEGER NOT NULL,   -- 1: the configuration did not say
    PRIMARY KEY (trace, code)
) WITHOUT ROWID;

-- Where partitions lie: by device, or by a range of sectors (on any device when that is NULL).
CREATE TABLE IF NOT EXISTS partition (
    trace INTEGER NOT NULL REFERENCES trace (id),
    number INTEGER NOT NULL,       -- the first that fits an I/O is its partition
    name TEXT NOT NULL,
    device INTEGER,                -- major << 20 | minor
    first_sector INTEGER,          -- NULL: the whole device
    sectors INTEGER,
    PRIMARY KEY (trace, number)
) WITHOUT ROWID;

-- What became of records that are not events, and why.
CREATE TABLE IF NOT EXISTS ledger (
    trace INTEGER NOT NULL REFERENCES trace (id),
    source INTEGER NOT NULL REFERENCES source (id),
    outcome TEXT NOT NULL,         -- merged, ignored, rejected
    reason TEXT NOT NULL,
    count INTEGER NOT NULL,
    first_offset INTEGER NOT NULL, -- byte offset of the first one in its (unpacked) source
    bytes INTEGER NOT NULL,        -- lost with them
    PRIMARY KEY (trace, source, outcome, reason)
) WITHOUT ROWID;

-- How names were measured, in profiles; whether they occurred or not.
CREATE TABLE IF NOT EXISTS probe (
    trace INTEGER NOT NULL REFERENCES trace (id),
    name INTEGER NOT NULL,         -- name.id
    resolution TEXT NOT NULL,      -- process, thread, method, loop
    origin TEXT NOT NULL,          -- app, framework
    enabled INTEGER NOT NULL,      -- in this round
    PRIMARY KEY (trace, name)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS remark (
    trace INTEGER NOT NULL REFERENCES trace (id),
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (trace, number)
) WITHOUT ROWID;

-- Rollups: counts by few dimensions. `action` is name.id for I/O, else 0; `class` is the I/O class.
CREATE TABLE IF NOT EXISTS rollup_hour (
    trace INTEGER, action INTEGER, class INTEGER,
    hour INTEGER,                  -- since 1970 at the device; since the start without wall clock
    count INTEGER, bytes INTEGER,
    PRIMARY KEY (trace, action, class, hour)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rollup_operation (
    trace INTEGER, operation INTEGER, actor INTEGER,
    count INTEGER, bytes INTEGER,
    PRIMARY KEY (trace, operation, actor)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rollup_size (
    trace INTEGER, action INTEGER, class INTEGER, size INTEGER,
    count INTEGER, bytes INTEGER,
    PRIMARY KEY (trace, action, class, size)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rollup_block (
    trace INTEGER, action INTEGER, class INTEGER,
    block_type INTEGER,            -- 0 none, 1 data, 2 journal, 3 metadata, 4 anonymous
    partition TEXT,
    file_type TEXT,
    count INTEGER, bytes INTEGER,
    PRIMARY KEY (trace, action, class, block_type, partition, file_type)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rollup_process (
    trace INTEGER, action INTEGER, class INTEGER, process TEXT,
    count INTEGER, bytes INTEGER,
    PRIMARY KEY (trace, action, class, process)
) WITHOUT ROWID;

-- What the processes of I/Os rest on: `origin` is those flags of theirs that say so.
CREATE TABLE IF NOT EXISTS rollup_origin (
    trace INTEGER, action INTEGER, origin INTEGER,
    count INTEGER, bytes INTEGER,
    PRIMARY KEY (trace, action, origin)
) WITHOUT ROWID;
-- `letters` is those flags that say class and letters.
CREATE TABLE IF NOT EXISTS rollup_letters (
    trace INTEGER, action INTEGER, letters INTEGER,
    count INTEGER, bytes INTEGER,
    PRIMARY KEY (trace, action, letters)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rollup_depth (
    trace INTEGER,
    marks INTEGER,                 -- event.flags of a span
    depth INTEGER,
    count INTEGER, bytes INTEGER,
    PRIMARY KEY (trace, marks, depth)
) WITHOUT ROWID;
-- Times of calls; `timed` of them have a duration. NULL: none has.
CREATE TABLE IF NOT EXISTS rollup_span (
    trace INTEGER, operation INTEGER, actor INTEGER,
    calls INTEGER,
    timed INTEGER,
    total INTEGER,                 -- durations of the outermost calls
    sum INTEGER,                   -- durations of all
    self INTEGER,
    least INTEGER, most INTEGER,   -- durations
    cpu_timed INTEGER, cpu_total INTEGER, cpu_sum INTEGER, cpu_self INTEGER,
    cpu_least INTEGER, cpu_most INTEGER,
    PRIMARY KEY (trace, operation, actor)
) WITHOUT ROWID;

-- Block I/O, in words.
DROP VIEW IF EXISTS io;
CREATE VIEW io AS
SELECT trace.name AS trace, event.id, event.time / 1e9 AS time, action.text AS action,
       CASE event.flags & 7 WHEN 0 THEN 'read' WHEN 1 THEN 'readsync' WHEN 2 THEN 'write'
            WHEN 3 THEN 'writesync' WHEN 5 THEN 'flush' ELSE 'other' END AS class,
       CASE event.flags >> 3 & 7 WHEN 1 THEN 'data' WHEN 2 THEN 'journal' WHEN 3 THEN 'metadata'
            WHEN 4 THEN 'anonymous' ELSE 'none' END AS block_type,
       event.address AS sector, event.size AS bytes, actor.pid, actor.name AS process,
       object.name AS file, object.type AS file_type,
       issuer.pid AS issuer_pid, issuer.name AS issuer
FROM trace
JOIN event ON event.id BETWEEN trace.first_event AND trace.last_event
LEFT JOIN name AS action ON action.id = event.operation
LEFT JOIN actor ON actor.id = event.actor
LEFT JOIN object ON object.id = event.object
LEFT JOIN actor AS issuer ON issuer.id = ifnull(event.issuer, event.actor)
WHERE trace.kind = 'io';

-- System calls, in words.
DROP VIEW IF EXISTS call;
CREATE VIEW call AS
SELECT trace.name AS trace, event.id, event.time / 1e9 AS time, operation.text AS name,
       operation.code, actor.session,
       ifnull(actor.name, printf('0x%08x', actor.code)) AS application,
       event.size AS bytes, event.arguments
FROM trace
JOIN event ON event.id BETWEEN trace.first_event AND trace.last_event
LEFT JOIN name AS operation ON operation.id = event.operation
LEFT JOIN actor ON actor.id = event.actor
WHERE trace.kind = 'calls';

-- Calls with a duration, in words. Times are in trace.clock_unit.
DROP VIEW IF EXISTS span;
CREATE VIEW span AS
SELECT trace.name AS trace, event.id, event.parent, event.depth, event.time,
       ifnull(event.duration, open_call.duration) AS duration,
       coalesce(event.self, event.duration, open_call.self, open_call.duration) AS self,
       ifnull(cpu_time.duration, open_call.cpu_duration) AS cpu_duration,
       coalesce(cpu_time.self, cpu_time.duration, open_call.cpu_self, open_call.cpu_duration)
           AS cpu_self, operation.text AS name,
       component.text AS component, actor.pid, actor.tid, actor.name AS thread,
       event.value AS return, event.size AS bytes,
       CASE WHEN event.flags & 1 THEN 'data' WHEN event.flags & 2 THEN 'stray exit'
            WHEN event.flags & 4 THEN 'open' WHEN event.flags & 8 THEN 'exit missing'
            ELSE '' END AS mark
FROM trace
JOIN event ON event.id BETWEEN trace.first_event AND trace.last_event
LEFT JOIN cpu_time ON cpu_time.event = event.id
LEFT JOIN open_call ON open_call.event = event.id
LEFT JOIN name AS operation ON operation.id = event.operation
LEFT JOIN name AS component ON component.id = operation.component
LEFT JOIN actor ON actor.id = event.actor
WHERE trace.kind = 'spans';
