-- The ledger: what each log date contributes to the tables of push.db, in the columns of push.db. No row has an id.
--
-- `part` is 0 for what the log date would contribute if it were alone, and 1 for what changes in that because other log dates
-- have some of its messages too. Rows of part 1 may be negative. A log date that is settled has rows of part 0 alone.

-- What the rows follow from. `output` identifies the output, `settings` are those of publishing, `deliveries` is the version of
-- the list of deliveries. `all` is there while all rows of push.db are to be compared, and `unpublished` while it may lack what
-- was written here, be it only a setting. The others are for `about`.
CREATE TABLE facts (
  key TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- The log dates that have rows, as push.db has them but for the warnings, and more: `version` is that of their partition,
-- `shared` the hash of the file with the messages that it shares with others: empty if it shares none, NULL if nobody has
-- looked. `stamp` is that of the partition's file when it was found whole.
CREATE TABLE partitions (
  log_date TEXT PRIMARY KEY NOT NULL,
  status TEXT NOT NULL,
  files INTEGER NOT NULL,
  records INTEGER NOT NULL,
  accepted INTEGER NOT NULL,
  filtered INTEGER NOT NULL,
  rejected INTEGER NOT NULL,
  events INTEGER NOT NULL,
  duplicates INTEGER NOT NULL,
  clock_fallback INTEGER NOT NULL,
  pipeline TEXT NOT NULL,
  version TEXT NOT NULL,
  is_settled INTEGER NOT NULL,
  shared TEXT,
  stamp TEXT
) WITHOUT ROWID;

-- The history. It cannot be made again. A row of loads also has the codes of the load's warnings, and the version of its
-- partition if that stands.
CREATE TABLE runs (
  started_at TEXT NOT NULL,
  finished_at TEXT NOT NULL,
  command TEXT NOT NULL,
  log_dates TEXT NOT NULL,
  exit_code INTEGER NOT NULL,
  records INTEGER NOT NULL,
  seconds REAL NOT NULL,
  version TEXT NOT NULL,
  PRIMARY KEY (started_at, finished_at, command, log_dates, seconds)
) WITHOUT ROWID;
CREATE TABLE changes (
  number INTEGER NOT NULL,
  published_at TEXT NOT NULL,
  log_dates TEXT NOT NULL,
  day TEXT NOT NULL,
  events_before INTEGER NOT NULL,
  events_after INTEGER NOT NULL,
  messages_before INTEGER NOT NULL,
  messages_after INTEGER NOT NULL,
  opened_before INTEGER NOT NULL,
  opened_after INTEGER NOT NULL,
  PRIMARY KEY (number, day)
) WITHOUT ROWID;
CREATE TABLE loads (
  log_date TEXT NOT NULL,
  started_at TEXT NOT NULL,
  finished_at TEXT NOT NULL,
  verdict TEXT NOT NULL,
  detail TEXT,
  files INTEGER NOT NULL,
  records INTEGER NOT NULL,
  accepted INTEGER NOT NULL,
  filtered INTEGER NOT NULL,
  rejected INTEGER NOT NULL,
  events INTEGER,
  duplicates INTEGER,
  warnings TEXT,
  version TEXT,
  PRIMARY KEY (log_date, started_at, finished_at)
) WITHOUT ROWID;

-- The versions of the log dates and the sums of the days that push.db shows, for the next rows of changes.
CREATE TABLE published_versions (
  log_date TEXT PRIMARY KEY NOT NULL,
  version TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE published (
  day TEXT PRIMARY KEY NOT NULL,
  events INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  opened INTEGER NOT NULL
) WITHOUT ROWID;

-- For the tables of the same names.
CREATE TABLE files (
  log_date TEXT NOT NULL,
  source TEXT NOT NULL,
  path TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  status TEXT NOT NULL,
  records INTEGER NOT NULL,
  accepted INTEGER NOT NULL,
  filtered INTEGER NOT NULL,
  rejected INTEGER NOT NULL,
  PRIMARY KEY (log_date, source, path)
) WITHOUT ROWID;
CREATE TABLE outcomes (
  log_date TEXT NOT NULL,
  source TEXT NOT NULL,
  outcome TEXT NOT NULL,
  reason TEXT NOT NULL,
  records INTEGER NOT NULL,
  PRIMARY KEY (log_date, source, outcome, reason)
) WITHOUT ROWID;

-- For daily_actions.
CREATE TABLE actions (
  day TEXT NOT NULL,
  delivery_id TEXT NOT NULL,
  platform TEXT NOT NULL,
  source TEXT NOT NULL,
  action TEXT NOT NULL,
  log_date TEXT NOT NULL,
  part INTEGER NOT NULL,
  events INTEGER NOT NULL,
  duplicates INTEGER NOT NULL,
  PRIMARY KEY (day, delivery_id, platform, source, action, log_date, part)
) WITHOUT ROWID;
CREATE INDEX actions_by_log_date ON actions (log_date, part);

-- For daily_funnel.
CREATE TABLE funnel (
  day TEXT NOT NULL,
  delivery_id TEXT NOT NULL,
  platform TEXT NOT NULL,
  log_date TEXT NOT NULL,
  part INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  arrived INTEGER NOT NULL,
  impressed INTEGER NOT NULL,
  clicked INTEGER NOT NULL,
  opened INTEGER NOT NULL,
  dismissed INTEGER NOT NULL,
  opened_without_click INTEGER NOT NULL,
  opened_without_impression INTEGER NOT NULL,
  opened_impressed INTEGER NOT NULL,
  opened_seen INTEGER NOT NULL,
  arrived_unseen INTEGER NOT NULL,
  opened_10s INTEGER NOT NULL,
  opened_1m INTEGER NOT NULL,
  opened_5m INTEGER NOT NULL,
  opened_15m INTEGER NOT NULL,
  opened_30m INTEGER NOT NULL,
  opened_1h INTEGER NOT NULL,
  opened_2h INTEGER NOT NULL,
  opened_6h INTEGER NOT NULL,
  opened_12h INTEGER NOT NULL,
  opened_24h INTEGER NOT NULL,
  opened_72h INTEGER NOT NULL,
  opened_7d INTEGER NOT NULL,
  PRIMARY KEY (day, delivery_id, platform, log_date, part)
) WITHOUT ROWID;
CREATE INDEX funnel_by_log_date ON funnel (log_date, part);

-- For hourly_actions, daily_lateness and daily_totals.
CREATE TABLE hours (
  day TEXT NOT NULL,
  hour INTEGER NOT NULL,
  hour_epoch INTEGER NOT NULL,
  source TEXT NOT NULL,
  platform TEXT NOT NULL,
  action TEXT NOT NULL,
  log_date TEXT NOT NULL,
  part INTEGER NOT NULL,
  events INTEGER NOT NULL,
  duplicates INTEGER NOT NULL,
  PRIMARY KEY (day, hour, hour_epoch, source, platform, action, log_date, part)
) WITHOUT ROWID;
CREATE INDEX hours_by_log_date ON hours (log_date, part);

-- For daily_paths and daily_totals.
CREATE TABLE paths (
  day TEXT NOT NULL,
  platform TEXT NOT NULL,
  has_arrival INTEGER NOT NULL,
  has_impression INTEGER NOT NULL,
  has_click INTEGER NOT NULL,
  has_open INTEGER NOT NULL,
  log_date TEXT NOT NULL,
  part INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  opened_seen INTEGER NOT NULL,
  opened_10s INTEGER NOT NULL,
  opened_1m INTEGER NOT NULL,
  opened_5m INTEGER NOT NULL,
  opened_15m INTEGER NOT NULL,
  opened_30m INTEGER NOT NULL,
  opened_1h INTEGER NOT NULL,
  opened_2h INTEGER NOT NULL,
  opened_6h INTEGER NOT NULL,
  opened_12h INTEGER NOT NULL,
  opened_24h INTEGER NOT NULL,
  opened_72h INTEGER NOT NULL,
  opened_7d INTEGER NOT NULL,
  PRIMARY KEY (day, platform, has_arrival, has_impression, has_click, has_open, log_date, part)
) WITHOUT ROWID;
CREATE INDEX paths_by_log_date ON paths (log_date, part);

-- For the three tables by delivery. The days are those of the log date's rows in actions. The delivery files have rows too, so
-- that each delivery that they name is here: without counts, with an empty log date and without a platform, or of a platform.
CREATE TABLE by_delivery (
  delivery_id TEXT NOT NULL,
  platform TEXT NOT NULL,
  log_date TEXT NOT NULL,
  part INTEGER NOT NULL,
  first_day TEXT,
  last_day TEXT,
  messages INTEGER NOT NULL,
  arrived INTEGER NOT NULL,
  impressed INTEGER NOT NULL,
  clicked INTEGER NOT NULL,
  opened INTEGER NOT NULL,
  dismissed INTEGER NOT NULL,
  opened_without_click INTEGER NOT NULL,
  opened_without_impression INTEGER NOT NULL,
  opened_impressed INTEGER NOT NULL,
  opened_seen INTEGER NOT NULL,
  arrived_unseen INTEGER NOT NULL,
  opened_10s INTEGER NOT NULL,
  opened_1m INTEGER NOT NULL,
  opened_5m INTEGER NOT NULL,
  opened_15m INTEGER NOT NULL,
  opened_30m INTEGER NOT NULL,
  opened_1h INTEGER NOT NULL,
  opened_2h INTEGER NOT NULL,
  opened_6h INTEGER NOT NULL,
  opened_12h INTEGER NOT NULL,
  opened_24h INTEGER NOT NULL,
  opened_72h INTEGER NOT NULL,
  opened_7d INTEGER NOT NULL,
  PRIMARY KEY (delivery_id, platform, log_date, part)
) WITHOUT ROWID;
CREATE INDEX by_delivery_by_log_date ON by_delivery (log_date, part);

-- The platforms of which a log date has arrivals.
CREATE TABLE arrivals (
  platform TEXT NOT NULL,
  log_date TEXT NOT NULL,
  PRIMARY KEY (platform, log_date)
) WITHOUT ROWID;

-- What the delivery files say, merged by delivery. `sent` and `delivered` are of all platforms.
CREATE TABLE listed (
  delivery_id TEXT PRIMARY KEY NOT NULL,
  label TEXT,
  campaign TEXT,
  variant TEXT,
  sent_at TEXT,
  sent_day TEXT,
  sent INTEGER,
  delivered INTEGER
) WITHOUT ROWID;

-- The same by platform, where the files split it.
CREATE TABLE listed_platforms (
  delivery_id TEXT NOT NULL,
  platform TEXT NOT NULL,
  sent INTEGER,
  delivered INTEGER,
  PRIMARY KEY (delivery_id, platform)
) WITHOUT ROWID;

-- What is still to be written to push.db: keys of daily_actions and of daily_funnel, days of the other tables by day,
-- deliveries, and log dates of files and outcomes. Other tables are small, and compared whole.
CREATE TABLE touched_actions (
  day TEXT NOT NULL,
  delivery_id TEXT NOT NULL,
  platform TEXT NOT NULL,
  source TEXT NOT NULL,
  action TEXT NOT NULL,
  PRIMARY KEY (day, delivery_id, platform, source, action)
) WITHOUT ROWID;
CREATE TABLE touched_funnel (
  day TEXT NOT NULL,
  delivery_id TEXT NOT NULL,
  platform TEXT NOT NULL,
  PRIMARY KEY (day, delivery_id, platform)
) WITHOUT ROWID;
CREATE TABLE touched_days (day TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
CREATE TABLE touched_deliveries (delivery_id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
CREATE TABLE touched_log_dates (log_date TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
