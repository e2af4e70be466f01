-- The usual questions. `export datasette` and `export superset` write them, `doctor` checks their plans, and the
-- article "Questions and queries" shows them with answers. A question is a comment and a query: the comment's first
-- line is the question, the others explain it. Days and deliveries are the parameters :from, :to and :delivery_id.

-- What became of our messages?
SELECT day, sum(messages) messages, sum(impressed) impressed, sum(clicked) clicked, sum(opened) opened,
       round(1.0 * sum(opened) / sum(messages), 3) opened_of_messages
FROM daily_totals WHERE day BETWEEN :from AND :to GROUP BY day;

-- Can yesterday be compared yet?
-- A day grows while hits come late. later_log_dates is how many log dates after it are loaded. From 2 on, nearly all
-- hits of the first 24 hours are there, unless a log date between them is missing. final is 1 when the day's events
-- stand. What became of its messages may still grow a little, until twice window_days after the day.
SELECT day, messages, later_log_dates, final FROM days WHERE day >= :from ORDER BY day;

-- Which platform opens more?
-- The open rate depends on what is known of a message. iOS reports arrivals, and Android does not, so that iOS has
-- messages that nobody saw. opened_of_impressed takes only messages that were shown, and can be compared.
SELECT platform, sum(messages) messages, sum(impressed) impressed,
       round(1.0 * sum(opened) / sum(messages), 3) opened_of_messages,
       round(1.0 * sum(opened_impressed) / sum(impressed), 3) opened_of_impressed
FROM daily_totals GROUP BY platform;

-- Does a platform get worse?
-- The rates of each day, side by side. Look for a platform that falls while the other stays.
SELECT day, round(1.0 * sum(opened_impressed) FILTER (WHERE platform = 'android')
         / sum(impressed) FILTER (WHERE platform = 'android'), 3) android,
       round(1.0 * sum(opened_impressed) FILTER (WHERE platform = 'ios')
         / sum(impressed) FILTER (WHERE platform = 'ios'), 3) ios
FROM daily_totals WHERE day BETWEEN :from AND :to GROUP BY day;

-- How soon do people open?
-- Of the opened messages that were seen before, the share that was opened within a time. A message that is known only
-- by its open tells no time. It is not in opened_seen.
SELECT platform, sum(opened_seen) opened_seen,
       round(1.0 * sum(opened_10s) / sum(opened_seen), 3) "10 s",
       round(1.0 * sum(opened_5m) / sum(opened_seen), 3) "5 min",
       round(1.0 * sum(opened_1h) / sum(opened_seen), 3) "1 h",
       round(1.0 * sum(opened_24h) / sum(opened_seen), 3) "24 h"
FROM daily_totals GROUP BY platform;

-- How many opens happened on a day?
-- The funnel counts messages by their first day. daily_actions counts what happened on a day, whenever the message was
-- sent.
SELECT day, sum(events) opens FROM daily_actions
WHERE action = 'open' AND day BETWEEN :from AND :to GROUP BY day;

-- At which hour do people open?
-- Hours are those of the pipeline's time zone.
SELECT hour, sum(events) opens FROM hourly_actions
WHERE action = 'open' GROUP BY hour ORDER BY opens DESC, hour LIMIT 5;

-- On which weekdays?
-- calendar has every day, with its week, month and weekday. 1 is Monday.
SELECT calendar.weekday, count(DISTINCT calendar.day) days, sum(events) opens
FROM calendar JOIN hourly_actions USING (day)
WHERE action = 'open' GROUP BY weekday;

-- How do the weeks compare?
-- Compare what is of the same age: here, the opens within 24 hours, on loaded days with at least two later log dates.
-- week_start is the Monday, and days is how many such days the week has. Divide by it where weeks have different
-- numbers.
SELECT iso_week, week_start, count(DISTINCT day) days, sum(messages) messages, sum(opened_24h) opened_24h,
       round(1.0 * sum(opened_24h) / sum(messages), 3) opened_24h_of_messages
FROM calendar JOIN daily_totals USING (day)
WHERE day IN (SELECT day FROM days WHERE later_log_dates >= 2) AND day IN (SELECT log_date FROM partitions)
GROUP BY iso_week;

-- Which deliveries were opened most?
-- deliveries has the names of the delivery files. Without a file, leave the join out.
SELECT delivery_id, label, sum(messages) messages, sum(opened) opened,
       round(1.0 * sum(opened) / sum(messages), 3) opened_of_messages
FROM daily_funnel JOIN deliveries USING (delivery_id) WHERE day BETWEEN :from AND :to
GROUP BY delivery_id ORDER BY opened DESC, delivery_id LIMIT 5;

-- What became of one delivery?
SELECT day, platform, messages, arrived, impressed, clicked, opened FROM daily_funnel
WHERE delivery_id = :delivery_id ORDER BY day, platform;

-- What share of what was sent was shown and opened?
-- delivery_results has one row for each delivery, with sent from the delivery files. Where a file has no sent the rates
-- are NULL; leave such deliveries out, or their opens would count without their sends.
SELECT campaign, count(*) deliveries, sum(sent) sent,
       round(1.0 * sum(messages) / sum(sent), 3) known,
       round(1.0 * sum(impressed) / sum(sent), 3) shown,
       round(1.0 * sum(opened) / sum(sent), 3) opened
FROM delivery_results WHERE sent > 0 GROUP BY campaign ORDER BY sum(sent) DESC;

-- What share of what was sent arrived on the devices?
-- delivery_platforms has what was sent by platform, where a file splits it. Here only iOS devices report arrivals, and
-- not all of them do. So arrived_of_sent is what was reported, a lower bound, and NULL for the other platforms. known
-- is the share that any log speaks of: a message that was shown or opened did arrive.
SELECT platform, sum(sent) sent, sum(arrived) arrived,
       round(1.0 * sum(CASE WHEN arrived_of_sent IS NOT NULL THEN arrived END) / sum(sent), 3) arrived_of_sent,
       round(1.0 * sum(messages) / sum(sent), 3) known
FROM delivery_platforms WHERE sent > 0 GROUP BY platform;

-- Which deliveries are best?
-- By the share of what was sent that was opened. A small delivery has a high or a low rate by chance, so ask for a
-- size.
SELECT label, variant, sent, opened, round(opened_of_sent, 3) opened_of_sent
FROM delivery_results WHERE sent >= 100 ORDER BY delivery_results.opened_of_sent DESC, delivery_id LIMIT 5;

-- Which delivery failed?
-- It was sent, and hardly anything of it was shown.
SELECT delivery_id, label, sent, delivered, messages, round(impressed_of_sent, 3) impressed_of_sent
FROM delivery_results WHERE sent >= 100 ORDER BY delivery_results.impressed_of_sent LIMIT 3;

-- Which variant is better?
-- The variants of one campaign, added up over its deliveries. Divide the sums: an average of the deliveries' rates
-- would give a small delivery as much weight as a large one.
SELECT campaign, variant, count(*) deliveries, sum(sent) sent, sum(opened) opened,
       round(1.0 * sum(opened) / sum(sent), 3) opened_of_sent,
       round(1.0 * sum(clicked) / sum(sent), 3) clicked_of_sent
FROM delivery_results WHERE variant <> '' AND sent > 0 GROUP BY campaign, variant;

-- Which deliveries have no name, and which no hits?
SELECT in_file, deliveries.first_day IS NOT NULL in_logs, count(*) deliveries, sum(messages) messages
FROM deliveries JOIN delivery_results USING (delivery_id) GROUP BY 1, 2;

-- Which messages arrived and were never shown?
-- Such a device may have notifications switched off, or its impression was lost. Look for an app version or a delivery
-- in which they are many.
SELECT platform, sum(messages) arrived,
       sum(CASE WHEN has_impression THEN 0 ELSE messages END) never_shown
FROM daily_paths WHERE has_arrival GROUP BY platform;

-- What do the SDKs get wrong?
-- Each open also sends a click, and what was opened was shown. Where many opens lack either, a version of the app sends
-- too little.
SELECT platform, sum(opened) opened, sum(opened_without_click) without_click,
       sum(opened_without_impression) without_impression
FROM daily_totals GROUP BY platform;

-- How much is sent twice?
-- Duplicates are not counted in any figure. Their share tells how often apps send again.
SELECT source, action, sum(events) events, sum(duplicates) duplicates,
       round(1.0 * sum(duplicates) / (sum(events) + sum(duplicates)), 3) share
FROM hourly_actions GROUP BY source, action HAVING sum(duplicates) > 40 ORDER BY share DESC, source, action;

-- How late do hits come?
SELECT days_late, sum(events) events, round(100.0 * sum(events) / (SELECT sum(events) FROM daily_lateness), 2) percent
FROM daily_lateness GROUP BY days_late;

-- Is every day loaded?
-- The calendar ends with the last log date. Nights that are missing since then show in pushetl status --check.
SELECT calendar.day, coalesce(status, 'not loaded') status, records, rejected
FROM calendar LEFT JOIN partitions ON log_date = calendar.day
WHERE calendar.day >= (SELECT value FROM about WHERE key = 'first_log_date');

-- Which records could not be read?
-- pushetl rejects shows them, with the reason and the place.
SELECT source, reason, sum(records) records FROM outcomes
WHERE outcome = 'rejected' GROUP BY source, reason ORDER BY records DESC, source, reason LIMIT 5;
