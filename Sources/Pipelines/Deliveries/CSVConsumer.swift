/// Takes the rows of a CSV file.
protocol CSVConsumer {
    mutating func take(_ row: CSVRow)
}
