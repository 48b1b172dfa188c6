-- report: alignment
-- question: Do transfers begin and end at page boundaries?
-- plot: none
-- compare: rows key=unit value=count,start_share,both_share,touched alone
-- worth: unit count start_share both_share touched start_bytes
-- part: calls
-- title: Alignment of transfers
-- kinds: calls
-- needs: address=offset
-- tally: alignment
-- part: io
-- title: Alignment of I/Os
-- kinds: io
-- needs: address=sector
-- tally: alignment size
-- fact: reads-and-writes report
-- fact: sizes report
-- part: all
-- column: unit bytes bytes - unit of alignment
-- column: count int - - number of events, or of references, in the row
-- column: start int - - transfers that begin at a multiple of the unit
-- column: start_share share fraction - share of all transfers
-- column: both int - - transfers that begin and end at a multiple of the unit
-- column: both_share share fraction - share of all transfers
-- column: touched real - - bytes of all units touched, divided by the bytes transferred; 1: none is touched in part
-- column: start_bytes bytes bytes - bytes at the start of transfers in units that they cover only partly
-- column: end_bytes bytes bytes - bytes at the end of transfers in units that they cover only partly
--
-- Row per size of a unit: transfers that begin, or begin and end, at a multiple of the unit. Also
-- the bytes of all touched units relative to the transferred bytes, and the transferred bytes that
-- lie in partly transferred units, at the start or at the end.
SELECT
    unit,
    transfers,
    start,
    1.0 * start / nullif(transfers, 0),
    both,
    1.0 * both / nullif(transfers, 0),
    1.0 * touched / nullif(bytes, 0),
    start_bytes,
    end_bytes
FROM temp.tally_alignment
ORDER BY unit;
-- part: io
-- include: without-data
-- include: neither-remark
-- part: all
-- remark excluded
SELECT printf('excluded: %s without a known file or offset', counted(unplaced, 'transfer{s}'))
FROM temp.tally_alignment
WHERE unplaced > 0
LIMIT 1;
