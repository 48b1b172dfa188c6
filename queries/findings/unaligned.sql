-- report: findings
-- title: writes that are not aligned
-- kinds: io
-- needs: address=sector
-- tally: alignment
-- weight: weight calls
-- say: {unaligned} of {writes} {noun} not begin and end at multiples of {unit}
-- look: report alignment --class write,writesync
-- why: For such a write the device reads the rest of the unit, and writes the whole unit.
-- unless: The device uses sectors of 512 bytes internally.
-- source: Drishti's triggers P07 and P08 fire from 10 % of misaligned requests on; 5 % is tracetool's own choice.
-- parameter: unaligned-share real 0.05 "share of writes"
-- parameter: unaligned-unit integer 4096 "bytes to whose multiples writes align: 4096, 8192, 16384 or 524288"
-- parameter: unaligned-writes integer 20 "least number of writes"
-- column: fires int
-- column: value share
-- column: threshold share
-- column: weight share
-- column: unaligned int
-- column: writes int
-- column: noun text
-- column: unit bytes
WITH item AS (
    SELECT writes, writes - writes_both AS unaligned, transfers, unit
    FROM temp.tally_alignment
    WHERE unit = :unaligned_unit
)
SELECT 1.0 * unaligned / writes > :unaligned_share AND writes >= :unaligned_writes AS fires, 1.0 * unaligned / writes AS value,
    :unaligned_share AS threshold, 1.0 * unaligned / transfers AS weight, unaligned, writes,
    iif(writes = 1, 'write does', 'writes do') AS noun, unit
FROM item
WHERE writes > 0
