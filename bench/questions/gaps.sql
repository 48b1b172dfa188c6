-- trace: most-binary
-- report: gaps --by completion --top 20
-- columns: start duration
-- reads: all
WITH successive AS (
    SELECT lag(time) OVER (ORDER BY id) AS begin, time FROM event
)
SELECT begin, time - begin AS duration
FROM successive
WHERE time > begin
ORDER BY duration DESC, begin
LIMIT 20;
