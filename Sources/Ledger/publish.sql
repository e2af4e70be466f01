-- The tables of push.db, as they follow from the ledger. Each statement gives all rows of the table that its comment names.
-- A publishing runs it on what is touched: then the names of the ledger's tables stand for their touched rows.

-- daily_actions: what happened on a day. A row of which no event counts stays, for its duplicates.
SELECT
  day, day || ' 00:00:00' AS day_start, unixepoch(day) AS day_epoch,
  source, platform, delivery_id, action,
  sum(events) AS events, sum(duplicates) AS duplicates
FROM actions
GROUP BY day, delivery_id, platform, source, action;

-- daily_funnel: what became of the messages that were first seen on a day.
SELECT
  *,
  1.0 * clicked / messages AS clicked_of_messages,
  1.0 * opened / messages AS opened_of_messages,
  1.0 * dismissed / messages AS dismissed_of_messages,
  1.0 * opened_impressed / nullif(impressed, 0) AS opened_of_impressed
FROM (
  SELECT
    day, day || ' 00:00:00' AS day_start, unixepoch(day) AS day_epoch,
    platform, delivery_id,
    sum(messages) AS messages, sum(arrived) AS arrived, sum(impressed) AS impressed, sum(clicked) AS clicked,
    sum(opened) AS opened, sum(dismissed) AS dismissed, sum(opened_without_click) AS opened_without_click,
    sum(opened_without_impression) AS opened_without_impression, sum(opened_impressed) AS opened_impressed,
    sum(opened_seen) AS opened_seen, sum(arrived_unseen) AS arrived_unseen, sum(opened_10s) AS opened_10s,
    sum(opened_1m) AS opened_1m, sum(opened_5m) AS opened_5m, sum(opened_15m) AS opened_15m,
    sum(opened_30m) AS opened_30m, sum(opened_1h) AS opened_1h, sum(opened_2h) AS opened_2h,
    sum(opened_6h) AS opened_6h, sum(opened_12h) AS opened_12h, sum(opened_24h) AS opened_24h,
    sum(opened_72h) AS opened_72h, sum(opened_7d) AS opened_7d
  FROM funnel
  GROUP BY day, delivery_id, platform
)
WHERE messages > 0;

-- daily_totals: the two tables above by day and platform. The smaller tables of the ledger give the same sums.
SELECT
  day, day || ' 00:00:00' AS day_start, unixepoch(day) AS day_epoch,
  platform,
  sum(events) AS events, sum(duplicates) AS duplicates, sum(messages) AS messages,
  sum(messages * has_arrival) AS arrived, sum(messages * has_impression) AS impressed,
  sum(messages * has_click) AS clicked, sum(messages * has_open) AS opened,
  sum(messages * (has_click AND NOT has_open)) AS dismissed,
  sum(messages * (has_open AND NOT has_click)) AS opened_without_click,
  sum(messages * (has_open AND NOT has_impression)) AS opened_without_impression,
  sum(messages * (has_open AND has_impression)) AS opened_impressed,
  sum(opened_seen) AS opened_seen,
  sum(messages * (has_arrival AND NOT (has_impression OR has_click OR has_open))) AS arrived_unseen,
  sum(opened_10s) AS opened_10s, sum(opened_1m) AS opened_1m, sum(opened_5m) AS opened_5m,
  sum(opened_15m) AS opened_15m, sum(opened_30m) AS opened_30m, sum(opened_1h) AS opened_1h,
  sum(opened_2h) AS opened_2h, sum(opened_6h) AS opened_6h, sum(opened_12h) AS opened_12h,
  sum(opened_24h) AS opened_24h, sum(opened_72h) AS opened_72h, sum(opened_7d) AS opened_7d
FROM (
  SELECT
    day, platform, sum(events) AS events, sum(duplicates) AS duplicates,
    0 AS has_arrival, 0 AS has_impression, 0 AS has_click, 0 AS has_open, 0 AS messages, 0 AS opened_seen,
    0 AS opened_10s, 0 AS opened_1m, 0 AS opened_5m, 0 AS opened_15m, 0 AS opened_30m, 0 AS opened_1h, 0 AS opened_2h,
    0 AS opened_6h, 0 AS opened_12h, 0 AS opened_24h, 0 AS opened_72h, 0 AS opened_7d
  FROM hours
  GROUP BY day, platform
  UNION ALL
  SELECT
    day, platform, 0, 0,
    has_arrival, has_impression, has_click, has_open, messages, opened_seen,
    opened_10s, opened_1m, opened_5m, opened_15m, opened_30m, opened_1h, opened_2h, opened_6h, opened_12h, opened_24h,
    opened_72h, opened_7d
  FROM paths
)
GROUP BY day, platform;

-- hourly_actions: daily_actions by the hour, without the delivery.
SELECT
  day, day || ' 00:00:00' AS day_start, unixepoch(day) AS day_epoch,
  hour, hour_epoch, day || printf(' %02d:00:00', hour) AS hour_start,
  source, platform, action,
  sum(events) AS events, sum(duplicates) AS duplicates
FROM hours
GROUP BY day, hour, hour_epoch, source, platform, action;

-- daily_lateness: daily_actions by the log date that brought the event.
SELECT
  day, day || ' 00:00:00' AS day_start, unixepoch(day) AS day_epoch,
  log_date, unixepoch(log_date) / 86400 - unixepoch(day) / 86400 AS days_late, source,
  sum(events) AS events, sum(duplicates) AS duplicates
FROM hours
GROUP BY day, log_date, source;

-- daily_paths: the messages of daily_funnel by which of the four happened.
SELECT
  day, day || ' 00:00:00' AS day_start, unixepoch(day) AS day_epoch,
  platform, has_arrival, has_impression, has_click, has_open,
  sum(messages) AS messages
FROM paths
GROUP BY day, platform, has_arrival, has_impression, has_click, has_open
HAVING sum(messages) > 0;

-- deliveries: every delivery that the logs or the delivery files name.
SELECT
  delivery_id, label, campaign, variant, sent_at,
  listed.delivery_id IS NOT NULL AS in_file, min(first_day) AS first_day, max(last_day) AS last_day
FROM by_delivery LEFT JOIN listed USING (delivery_id)
GROUP BY delivery_id;

-- delivery_results: what became of all messages of a delivery, beside what was sent.
SELECT
  *,
  CASE WHEN EXISTS (SELECT 1 FROM arrivals) THEN 1.0 * arrived / nullif(sent, 0) END AS arrived_of_sent,
  1.0 * impressed / nullif(sent, 0) AS impressed_of_sent,
  1.0 * clicked / nullif(sent, 0) AS clicked_of_sent,
  1.0 * opened / nullif(sent, 0) AS opened_of_sent
FROM (
  SELECT
    delivery_id, label, campaign, variant, sent_at, sent_day,
    min(first_day) AS first_day, max(last_day) AS last_day, sent, delivered,
    sum(messages) AS messages, sum(arrived) AS arrived, sum(impressed) AS impressed, sum(clicked) AS clicked,
    sum(opened) AS opened, sum(dismissed) AS dismissed, sum(opened_without_click) AS opened_without_click,
    sum(opened_without_impression) AS opened_without_impression, sum(opened_impressed) AS opened_impressed,
    sum(opened_seen) AS opened_seen, sum(arrived_unseen) AS arrived_unseen, sum(opened_10s) AS opened_10s,
    sum(opened_1m) AS opened_1m, sum(opened_5m) AS opened_5m, sum(opened_15m) AS opened_15m,
    sum(opened_30m) AS opened_30m, sum(opened_1h) AS opened_1h, sum(opened_2h) AS opened_2h,
    sum(opened_6h) AS opened_6h, sum(opened_12h) AS opened_12h, sum(opened_24h) AS opened_24h,
    sum(opened_72h) AS opened_72h, sum(opened_7d) AS opened_7d
  FROM by_delivery LEFT JOIN listed USING (delivery_id)
  GROUP BY delivery_id
);

-- delivery_platforms: the same by platform, where there are messages or the delivery files split what was sent.
SELECT
  *,
  CASE WHEN platform IN (SELECT platform FROM arrivals) THEN 1.0 * arrived / nullif(sent, 0) END AS arrived_of_sent,
  1.0 * impressed / nullif(sent, 0) AS impressed_of_sent,
  1.0 * clicked / nullif(sent, 0) AS clicked_of_sent,
  1.0 * opened / nullif(sent, 0) AS opened_of_sent
FROM (
  SELECT
    delivery_id, platform, sent, delivered,
    sum(messages) AS messages, sum(arrived) AS arrived, sum(impressed) AS impressed, sum(clicked) AS clicked,
    sum(opened) AS opened, sum(dismissed) AS dismissed, sum(opened_without_click) AS opened_without_click,
    sum(opened_without_impression) AS opened_without_impression, sum(opened_impressed) AS opened_impressed,
    sum(opened_seen) AS opened_seen, sum(arrived_unseen) AS arrived_unseen, sum(opened_10s) AS opened_10s,
    sum(opened_1m) AS opened_1m, sum(opened_5m) AS opened_5m, sum(opened_15m) AS opened_15m,
    sum(opened_30m) AS opened_30m, sum(opened_1h) AS opened_1h, sum(opened_2h) AS opened_2h,
    sum(opened_6h) AS opened_6h, sum(opened_12h) AS opened_12h, sum(opened_24h) AS opened_24h,
    sum(opened_72h) AS opened_72h, sum(opened_7d) AS opened_7d
  FROM by_delivery LEFT JOIN listed_platforms USING (delivery_id, platform)
  GROUP BY delivery_id, platform
  HAVING sum(messages) > 0 OR listed_platforms.delivery_id IS NOT NULL
);

-- days: daily_totals by day, and how much of a day may still be missing.
SELECT
  day, day_start, day_epoch,
  (SELECT status FROM partitions WHERE log_date = day) AS log_date_status,
  sum(events) AS events, sum(messages) AS messages,
  (
    SELECT count(*) FROM partitions
    WHERE log_date > day AND log_date <= date(day, (SELECT value FROM facts WHERE key = 'window_days') || ' days')
  ) AS later_log_dates,
  EXISTS (
    SELECT 1 FROM partitions
    WHERE log_date > date(day, (SELECT value FROM facts WHERE key = 'window_days') || ' days')
  ) AS final
FROM daily_totals
GROUP BY day;

-- partitions: the log dates that are loaded. The warnings are those of the load that stands.
SELECT
  log_date, status, files, records, accepted, filtered, rejected, events, duplicates, clock_fallback,
  (
    SELECT warnings FROM loads
    WHERE loads.log_date = partitions.log_date AND loads.version = partitions.version
    ORDER BY started_at DESC, finished_at DESC LIMIT 1
  ) AS warnings,
  pipeline
FROM partitions;

-- files: what a log date was loaded from.
SELECT log_date, source, path, bytes, fingerprint, status, records, accepted, filtered, rejected
FROM files;

-- outcomes: what became of the records of a log date.
SELECT log_date, source, outcome, reason, records
FROM outcomes;

-- calendar: every day from the first log date to the last, and every other day that has figures. A week belongs to the year of
-- its Thursday. Days before the year 0 have no text: the first two days of it begin their week themselves.
WITH RECURSIVE
  span (day, last) AS (
    SELECT min(log_date), max(log_date) FROM partitions
    UNION ALL
    SELECT date(day, '1 day'), last FROM span WHERE day < last
  ),
  dates (day, week_start) AS (
    SELECT day, date(day, '-' || ((strftime('%w', day) + 6) % 7) || ' days')
    FROM (SELECT day FROM span WHERE day IS NOT NULL UNION SELECT day FROM days)
  )
SELECT
  day, day || ' 00:00:00' AS day_start, unixepoch(day) AS day_epoch,
  (SELECT status FROM partitions WHERE log_date = day) AS log_date_status,
  CAST(strftime('%Y', day) AS INTEGER) AS year, substr(day, 1, 7) AS month,
  max(strftime('%Y', week_start, '3 days'), '0000')
    || printf('-W%02d', (strftime('%j', week_start, '3 days') + 6) / 7) AS iso_week,
  max(week_start, '0000-01-01') AS week_start,
  (strftime('%w', day) + 6) % 7 + 1 AS weekday, strftime('%w', day) IN ('0', '6') AS is_weekend
FROM dates;

-- runs: the commands that loaded, published or held back something.
SELECT started_at, finished_at, command, log_dates, exit_code, records, seconds, version
FROM runs;

-- changes: what each publishing changed.
SELECT
  number, published_at, log_dates, day,
  events_before, events_after, messages_before, messages_after, opened_before, opened_after
FROM changes;

-- loads: the log dates that commands have read.
SELECT
  log_date, started_at, finished_at, verdict, detail,
  files, records, accepted, filtered, rejected, events, duplicates
FROM loads;

-- about: what the figures are about.
SELECT key, value FROM facts
WHERE key IN ('pipeline', 'timezone', 'window_days', 'schema_version', 'version')
UNION ALL SELECT 'first_day', min(day) FROM days
UNION ALL SELECT 'last_day', max(day) FROM days
UNION ALL SELECT 'first_log_date', min(log_date) FROM partitions
UNION ALL SELECT 'last_log_date', max(log_date) FROM partitions;

-- publication: what the figures were made from.
SELECT log_date AS item, version FROM partitions
UNION ALL SELECT key, value FROM facts WHERE key IN ('settings', 'pipeline', 'deliveries', 'checks');
