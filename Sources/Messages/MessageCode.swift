/// The kind of a message, for programs. Codes are stable across versions.
///
/// Each is one entry: its code, the levels that a message of it may have, and what it means, as the manual lists it.
/// The sentence of a message says more: which file, how many, and what to do.
package enum MessageCode: MessageMeaning, CaseIterable, Sendable {
    // What a command is asked for.
    case usage = "usage (error): the command was given in a wrong way"
    case stopped = "stopped (error): the command was stopped by a signal; what is loaded and published stays"
    case error = "error (error): an error that pushetl does not expect"
    case unexpected = "unexpected (error): a fault of pushetl at work on a file"
    case system = "system (error): a call of the operating system failed"
    case full = "full (error): the disk is full"
    case moreMessages = "more_messages (error, warning): more messages were left out; they are shown elsewhere"
    case noInput = "no_input (error): there are no files for any log date asked for"
    case noDatePlaceholder =
        "no_date_placeholder (error): the files of a source have no date in their names, so past log dates cannot be loaded"
    case temporaryFile = "temporary_file (error): a temporary file cannot be written, or not be read again"
    case unwritableMetrics = "unwritable_metrics (warning): the metrics file cannot be written"
    case unwritablePipeline = "unwritable_pipeline (error): the pipeline file that was drafted cannot be written"
    case unwritableReport = "unwritable_report (error): a page or a file of an export cannot be written"
    case unwritableResult = "unwritable_result (error): the result cannot be written to stdout"
    case noDays = "no_days (error): no day of push.db lies in the range, so nothing was written"
    case notFolder = "not_folder (error): a file stands where a folder is to be written"
    case faults = "faults (error): doctor found faults"

    // The pipeline file.
    case unreadable = "unreadable (error): the pipeline file cannot be read"
    case notRegular = "not_regular (error): the pipeline file is a FIFO, a socket or a device"
    case tooLarge = "too_large (error): the pipeline file has too many bytes"
    case tooManyNodes = "too_many_nodes (error): the pipeline file has too many keys, values and lists"
    case tooDeep = "too_deep (error): lists and mappings are nested too deep"
    case notUtf8 = "not_utf8 (error): the pipeline file is not UTF-8 text"
    case notYaml = "not_yaml (error): the pipeline file is not valid YAML"
    case emptyFile = "empty_file (error): the pipeline file is empty"
    case unknownVersion = "unknown_version (error): the pipeline file is of a version that this program does not read"
    case missingKey = "missing_key (error): a key is missing"
    case unknownKey = "unknown_key (error): a key is unknown"
    case duplicateKey = "duplicate_key (error): a key stands twice in one mapping"
    case foreignKey = "foreign_key (error): a key does not belong to the format or the layout"
    case wrongType = "wrong_type (error): a value is of another type than its key needs"
    case unknownWord = "unknown_word (error): a value is not one of the words that its key allows"
    case outOfRange = "out_of_range (error): a number is too low or too high"
    case tooMany = "too_many (error): a list or a mapping has too many entries"
    case emptyValue = "empty_value (error): a value is empty"
    case controlCharacter = "control_character (error): a value has a line break or another control character"
    case valueTwice = "value_twice (error): two keys tell the same value"
    case missingOutput = "missing_output (warning): there is no 'output', so push.db has its default place"
    case outputAtUri = "output_at_uri (error): the output is at a URI"
    case unknownZone = "unknown_zone (error): the time zone is unknown"
    case unusableZone = "unusable_zone (error): the rules of the time zone cannot be read"
    case zoneOfUtcLayout = "zone_of_utc_layout (error): a source has a 'timezone', and its layout has times in UTC"
    case zoneWithoutTimes = "zone_without_times (warning): a source has a 'timezone', and its layout has no times"
    case shortRetention = "short_retention (error): ids are kept for fewer days than late files need"
    case badCheckName = "bad_check_name (error): the name of a check has other characters than a-z, 0-9 and '_'"
    case badCheckSql = "bad_check_sql (error): the SQL of a check cannot be used"
    case duplicateCheck = "duplicate_check (error): two checks have one name"

    // Sources of a pipeline file.
    case duplicateSource = "duplicate_source (error): two sources have one name"
    case duplicateLayout = "duplicate_layout (error): a list has one layout twice"
    case badActionCode = "bad_action_code (error): a collector's action code is no decimal digit"
    case badActionName = "bad_action_name (error): the name of an action has other characters than a-z, 0-9 and '_'"
    case nearActionName = "near_action_name (warning): an action has nearly the name of one that counts"
    case clicksWithoutOpens = "clicks_without_opens (warning): a source counts clicks, and nothing counts opens"
    case replacedDialect = "replaced_dialect (warning): 'dialect' stands beside 'actions', which replaces it"
    case badFieldPath = "bad_field_path (error): the path of a field is not made of names with dots between them"
    case badPattern = "bad_pattern (error): a pattern of file names cannot be used"
    case patternWithoutDay = "pattern_without_day (warning): a pattern of file names does not tell the day"
    case patternWithoutYear = "pattern_without_year (warning): a pattern of file names does not tell the year"
    case missingFolder = "missing_folder (warning): the folder of a source does not exist"
    case filesAtUri = "files_at_uri (error): files of a source are at a URI, which only a load on Spark reads"
    case deliveriesAtUri = "deliveries_at_uri (error): delivery files are at a URI"
    case datedDeliveries = "dated_deliveries (error): the pattern of delivery files has a date"
    case pathWithoutSlash = "path_without_slash (error): 'path' does not begin with a slash"
    case pathWithBody = "path_with_body (error): 'path' stands beside a layout without requests"
    case skipWithBody = "skip_with_body (error): 'skip' stands beside the layout 'body'"
    case elementsOfRows = "elements_of_rows (error): 'elements' stands beside the layout 'csv'"
    case unwrapOfBodies = "unwrap_of_bodies (error): 'unwrap' stands beside a layout of bodies"
    case dateWithoutTime = "date_without_time (error): 'date' stands without 'time' in 'layout_fields'"
    case layoutFieldsWithoutJson =
        "layout_fields_without_json (error): 'layout_fields' stands beside a layout that has none"

    // Layouts of a pipeline file.
    case unknownLayout = "unknown_layout (error): the layout is unknown"
    case foreignLayout = "foreign_layout (error): the layout does not belong to the format"
    case layoutInList = "layout_in_list (error): a list has a layout that cannot stand in one"
    case secondJsonLayout = "second_json_layout (error): a list has two layouts of JSON"
    case overlappingLayouts = "overlapping_layouts (warning): lines fit two layouts of a list"
    case misspeltVariable = "misspelt_variable (error, warning): a layout has a variable that is unknown"
    case strayDollar = "stray_dollar (error): a '$' stands without the name of a variable"
    case strayPercent = "stray_percent (error): a '%' stands without a directive of Apache"
    case adjacentValues = "adjacent_values (error): nothing stands between two values of a layout"
    case cutValue = "cut_value (warning): a value without quotes ends at its first space"
    case badTimeFormat = "bad_time_format (error): a layout has a conversion of times that is unknown"
    case incompleteTime = "incomplete_time (error): the time of a layout lacks the date, or the time to the second"
    case layoutWithoutTime = "layout_without_time (error): the layout of a collector has no time"
    case layoutWithoutRequest = "layout_without_request (error, warning): the layout has no request"
    case layoutWithoutBody =
        "layout_without_body (error): the layout has no body, from which the format takes its payload"
    case layoutWithoutStatus =
        "layout_without_status (warning): the layout has no status, so failed requests count as well"
    case layoutWithoutUserAgent =
        "layout_without_user_agent (warning): the layout has no user agent, so platforms are unknown"

    // Files of a load.
    case missingSource = "missing_source (error, warning): a source has no files, so the log date is partial"
    case sourceWithoutFiles =
        "source_without_files (warning): a source has no file of any log date, so nothing is closed and ids stay"
    case unlistedSource =
        "unlisted_source (warning): the folder of a source cannot be listed, so nothing is closed and ids stay"
    case missingUsualFiles = "missing_usual_files (error, warning): files are missing that the log dates before had"
    case silentHours = "silent_hours (error, warning): a source has no event of hours in which it was never silent"
    case noFiles = "no_files (error, warning): there are no files for a log date"
    case nameNotUtf8 = "name_not_utf8 (error): the name of a file is not UTF-8"
    case unreadableFile = "unreadable_file (error): a file cannot be read"
    case unreadableFolder = "unreadable_folder (error): a folder cannot be searched"
    case foreignFile =
        "foreign_file (error): a file is of a kind that is not read, or stands where an export is to be written"
    case truncatedFile = "truncated_file (error, warning): a file ends in the middle of a gzip or zstd member"
    case damagedFile = "damaged_file (error, warning): a file is damaged"
    case shortenedFile = "shortened_file (error, warning): a file became shorter while it was read"
    case trailingBytes = "trailing_bytes (warning): bytes after the last gzip member are not gzip data"
    case csvHeader = "csv_header (warning): the header of a CSV file lacks a column that is read"

    // What is read from them.
    case linesDoNotFit = "lines_do_not_fit (warning): many lines do not fit the layout"
    case hitsDoNotFit = "hits_do_not_fit (warning): lines that seem to be hits do not fit the layout"
    case joinedLines = "joined_lines (warning): lines hold more than one hit, so all their hits are lost"
    case nothingAccepted = "nothing_accepted (warning): no record of a source was accepted"
    case distantEvents = "distant_events (warning): many events of a source lie a day or more outside the log date"
    case implausibleTimes = "implausible_times (warning): many times of a source cannot be right"
    case unknownPlatforms = "unknown_platforms (warning): the user agents of a source tell no platform"
    case unknownSends = "unknown_sends (warning): the sends of a source have no platform, and its opens have"
    case accepted =
        "accepted (warning): the log date was accepted as it is, and no command names it again until its files change"

    // Why a load is held back.
    case heldBackTooManyRejects =
        "held_back_too_many_rejects (error): more records were rejected than 'reject_ratio' allows"
    case heldBackDamagedFiles = "held_back_damaged_files (error): files are damaged, and 'damaged_files' is 'fail'"
    case heldBackPartial = "held_back_partial (error): the load is only partial, and a complete one stands"
    case heldBackForeignFiles = "held_back_foreign_files (error): files are of a kind that is not read"
    case heldBackUnreadableFile = "held_back_unreadable_file (error): a file cannot be read"
    case heldBackLinesTooLong =
        "held_back_lines_too_long (error): no record of a source was accepted, since its lines are too long"
    case heldBackCsvHeader = "held_back_csv_header (error): the header of a CSV file lacks a column that is read"
    case heldBackLoss = "held_back_loss (error): events would be lost that count today"

    // What a log date needs, and 'rejects' and 'explain'.
    case damaged = "damaged (error): the partition cannot be read"
    case held = "held (error): the last load was held back"
    case stale = "stale (error): files are new or have another content, or the pipeline means something else"
    case shrunk = "shrunk (error): some files of the log date are not found any more"
    case unpublished = "unpublished (error): the log date is loaded, and push.db does not show it"
    case formerPipeline =
        "former_pipeline (error, warning): log dates were loaded with another pipeline file, or by earlier rules of reading or of the zone"
    case formerPipelineKept =
        "former_pipeline_kept (warning): log dates were loaded with another pipeline file, and lack files to be loaded again"
    case partial = "partial (error): a file is damaged or truncated, or a required source has no files"
    case missing = "missing (error): a log date has files and is not loaded, or a file of the output does not exist"
    case notLoaded = "not_loaded (error): the log date is not loaded"
    case idsErased = "ids_erased (warning): the records of the log date are erased with its ids"

    // Delivery files.
    case deliveriesNoFiles = "deliveries_no_files (error, warning): there are no delivery files"
    case deliveriesSearch = "deliveries_search (error): the folder of delivery files cannot be searched"
    case deliveriesUnreadable = "deliveries_unreadable (error): a delivery file cannot be read"
    case deliveriesForeign = "deliveries_foreign (error): a delivery file is of a kind that is not read"
    case deliveriesChanged = "deliveries_changed (error): a delivery file changed while it was read"
    case deliveriesTruncated = "deliveries_truncated (error): a delivery file ends too early"
    case deliveriesDamaged = "deliveries_damaged (error): a delivery file is damaged"
    case deliveriesTrailingBytes =
        "deliveries_trailing_bytes (warning): bytes after the last gzip member are not gzip data"
    case deliveriesBadEncoding = "deliveries_bad_encoding (error): a delivery file is not UTF-8 text"
    case deliveriesEmpty = "deliveries_empty (error, warning): a delivery file is empty"
    case deliveriesBareReturn = "deliveries_bare_return (error, warning): the lines of a delivery file end in CR alone"
    case deliveriesOpenQuote = "deliveries_open_quote (error, warning): a quote in a delivery file never ends"
    case deliveriesMissingColumn = "deliveries_missing_column (error, warning): a delivery file lacks a column"
    case deliveriesDuplicateColumn = "deliveries_duplicate_column (error, warning): a delivery file has a column twice"
    case deliveriesNoRows = "deliveries_no_rows (warning): a delivery file has a header and no rows"
    case deliveriesLongRow = "deliveries_long_row (error): a row of a delivery file is too long"
    case deliveriesBadRow = "deliveries_bad_row (warning): a row was left out, since its delivery id cannot be read"
    case deliveriesTooManyFields =
        "deliveries_too_many_fields (warning): a row was left out, since it has more fields than the header"
    case deliveriesBadValue = "deliveries_bad_value (warning): a value cannot be read and counts as empty"
    case deliveriesMoreBadRows = "deliveries_more_bad_rows (warning): more rows or values cannot be read than are named"
    case deliveriesUncountable = "deliveries_uncountable (warning): a sum over the platforms is too large to be known"
    case sentTooLow = "sent_too_low (warning): there are more messages than the delivery files say were sent"

    // push.db and the rest of an output.
    case noOutput = "no_output (error): the output does not exist yet"
    case outputHeld = "output_held (error): another command is writing to the output"
    case busy = "busy (error): a reader or another command held push.db for too long"
    case waitingForCommand = "waiting_for_command (info): the command waits for another one that writes there"
    case waitingForReader = "waiting_for_reader (info): the command waits for a reader of push.db"
    case otherOutput = "other_output (error): a task's output is not the folder that the driver works in"
    case sharedPartitions = "shared_partitions (error): the folder of an output's partitions is that of another output"
    case linkedFolder = "linked_folder (error): a link stands where an output has a folder"
    case noFile = "no_file (error): something stands where an output has a file"
    case notSqlite = "not_sqlite (error): a file of the output is not a SQLite database"
    case foreign = "foreign (error): a file of the output is another application's database"
    case formerOutput = "former_output (error): the output was written by pushetl 1.x"
    case earlierSchema = "earlier_schema (error): a file of the output was written by an earlier version"
    case newerSchema = "newer_schema (error): a file of the output was written by a newer version"
    case corrupt = "corrupt (error): a database is damaged"
    case interrupted = "interrupted (error): a killed command is to be undone, and its user may not write there"
    case obstructed = "obstructed (error): something that others have added to push.db prevents writing"
    case replaced = "replaced (error): a file was replaced while it was being read"
    case sqlite = "sqlite (error): SQLite failed"
    case noRoom = "no_room (error): there is too little room to make push.db anew"
    case tooManyCopies = "too_many_copies (error): too many copies of push.db are kept beside it"
    case repairedOutput = "repaired_output (warning): push.db was changed from outside, so its tables were made anew"
    case unusableCache =
        "unusable_cache (warning): what is kept between commands cannot be used, so each compares all anew"
    case partitionGone = "partition_gone (warning): a partition is gone, and push.db lacks its log date"
    case checkFound = "check_found (error, warning): a check found rows"
    case checkUnfinished = "check_unfinished (error, warning): a check could not be answered"
    case checksStillFind = "checks_still_find (error, info): checks find what they found before"
    case notNoted = "not_noted (warning): a fault that doctor found could not be noted"
    case disorder = "disorder (error): rows to be written have no valid order or form; a fault of pushetl"
    case fileMismatch = "file_mismatch (error): the counts of a file contradict each other; a fault of pushetl"
    case partitionMismatch =
        "partition_mismatch (error): the counts of a partition contradict each other; a fault of pushetl"
    case tablesDisagree = "tables_disagree (error): the tables of push.db contradict each other; a fault of pushetl"

    // Log dates that are closed, settled and erased.
    case closed = "closed (error): a closed log date has new files, or is damaged"
    case notClosed = "not_closed (error): no log date was closed"
    case manyToClose = "many_to_close (warning): many log dates would be closed at once, so none is"
    case narrowedWindow =
        "narrowed_window (warning): the window is narrower than it was when log dates were closed, so none is closed"
    case unknownLoads = "unknown_loads (warning): push.db does not tell which log dates were loaded, so none is closed"
    case idsStay = "ids_stay (error): ids stay that should go"
    case fixedSetting = "fixed_setting (error): a setting has another value than when log dates settled"
    case closedPartition = "closed_partition (error): the partition of a closed log date is gone, or another one"
    case settledPartition =
        "settled_partition (error): the partition of a settled log date cannot be used, and its figures are nowhere else"
    case retentionRecord = "retention_record (error): the record of closed log dates cannot be used"

    // Loads on Spark.
    case spark = "spark (error): a task, or the cluster, failed"
    case givenUp = "given_up (error): the driver ended before the job was finished"
    case missingFile = "missing_file (error): no task has read a file of the job"
    case damagedJob = "damaged_job (error): a file of the job is not as a task has written it"
    case foreignJob = "foreign_job (error): a file belongs to another job"
    case unreadableJob = "unreadable_job (error): the description of the job is not one of this version"
    case unreadableListing = "unreadable_listing (error): the list of files cannot be read"
    case otherProgram = "other_program (error): a machine has another version of pushetl than the driver"
    case otherZone = "other_zone (error): a machine has other rules of a time zone than the driver"

    // 'guess' and 'preview'.
    case noHits = "no_hits (error, warning): a file has no hits, or is empty"
    case noLayout = "no_layout (error, warning): no layout fits a file"
    case mixedLayouts = "mixed_layouts (warning): a file has lines of two layouts"
    case draft = "draft (warning): 'guess' writes the pipeline that a file needs"
    case draftCheck = "draft_check (warning): something of the draft should be checked"
}

extension MessageCode {
    /// As JSON and push.db have it: `missing_file`.
    package var name: String { rawValue.name }
    package var levels: [MessageLevel] { rawValue.levels }
    package var meaning: String { rawValue.meaning }

    /// What the name of each reason for holding a load back begins with. As the reason of a held load it is left out.
    private static let heldBack = "held_back_"
    var isOfHeldBack: Bool { name.hasPrefix(MessageCode.heldBack) }
    /// `loss` for `held_back_loss`; the name for other codes.
    package var nameOfHeldBack: String { isOfHeldBack ? String(name.dropFirst(MessageCode.heldBack.count)) : name }

    /// Nil if this version has no such code.
    package init?(name: String) {
        guard let code = MessageCode.allCases.first(where: { $0.name == name }) else { return nil }
        self = code
    }
}

extension MessageCode: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let code = MessageCode(name: name) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown code '\(name)'")
        }
        self = code
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
