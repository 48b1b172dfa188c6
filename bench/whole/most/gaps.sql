-- trace: most
-- report: gaps --by completion --top 20
-- columns: start duration
WITH successive AS (
    SELECT lag(time) OVER (ORDER BY time) AS begin, time FROM io
)
SELECT begin, time - begin AS duration
FROM successive
WHERE time > begin
ORDER BY duration DESC, begin
LIMIT 20;
