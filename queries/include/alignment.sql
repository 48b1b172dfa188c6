-- column: unit bytes bytes
-- column: count integer
-- column: start integer
-- column: start_share share fraction
-- column: both integer
-- column: both_share share fraction
-- column: touched real
-- column: start_bytes bytes bytes
-- column: end_bytes bytes bytes
-- compare: rows key=unit value=count,start_share,both_share,touched alone
--
-- For units of some sizes: what begins at a unit, and what ends at one, too; how many times the bytes that
-- were transferred all units are that these lie in; and how many of them lie in units of which only a part
-- was transferred, at the start or at the end.
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
