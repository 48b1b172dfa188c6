-- remark
-- Out of temp.tally_file_locality.
SELECT 'sequential: begins where the one before of the same direction and file ended, the first one of '
    || 'a file at its beginning' || iif(sum(unplaced) > 0, printf('; %d of %d transfers are neither, for '
    || 'their place or that of the one before is not known', sum(unplaced),
    sum(sequential + random + unplaced)), '')
FROM temp.tally_file_locality
HAVING count(*) > 0;
