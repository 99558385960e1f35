import Foundation

/// Reads a trips file and collects all errors.
struct TripFile {
  /// The file name for messages.
  let name: String
  private var reader: CSVReader
  private var places: [TripColumn: Int] = [:]
  private var width = 0
  private var bookings: [String: TripRecord] = [:]
  private(set) var records: [TripRecord] = []
  private(set) var problems: [String] = []

  /// The error count at which reading stops.
  static let mostProblems = 20

  init(name: String, bytes: [UInt8]) {
    self.name = name
    reader = CSVReader(bytes)
  }

  /// - Parameter progress: Called with the completed fraction, from 0 to 1.
  mutating func read(progress: (Double) -> Void) {
    do {
      guard let header = try reader.next() else {
        problems.append("\(name): the file is empty")
        return
      }
      readHeader(header)
      while problems.count < Self.mostProblems, !places.isEmpty, let row = try reader.next() {
        readRow(row)
        if records.count % 500 == 0 { progress(reader.progress) }
      }
    } catch {
      note(error.line, error.message)
    }
  }

  private mutating func note(_ line: Int, _ message: String) {
    problems.append("\(name):\(line): \(message)")
  }

  private mutating func readHeader(_ header: CSVReader.Row) {
    var found: [TripColumn: Int] = [:]
    let names = TripColumn.allCases.map(\.rawValue)
    for (index, title) in header.fields.enumerated() {
      guard let column = TripColumn(header: title) else {
        let nearest = Suggestion.nearest(to: title, in: names).map { "; did you mean '\($0)'?" }
        note(
          header.line,
          "unknown column '\(title)'" + (nearest ?? "; expected \(names.joined(separator: ", "))"))
        continue
      }
      if found.updateValue(index, forKey: column) != nil {
        note(header.line, "duplicate column '\(column.rawValue)'")
      }
    }
    for column in TripColumn.required where found[column] == nil {
      note(header.line, "column '\(column.rawValue)' is missing")
    }
    width = header.fields.count
    if problems.isEmpty { places = found }
  }

  private mutating func readRow(_ row: CSVReader.Row) {
    guard row.fields.count == width else {
      note(row.line, "\(row.fields.count.of("field")), but the first line has \(width)")
      return
    }
    var cells = Cells(row: row, places: places)
    if let record = cells.record() {
      if let reference = record.stay?.bookingReference,
        let other = bookings.updateValue(record, forKey: reference), other.key != record.key
      {
        note(row.line, "booking reference '\(reference)' is already used on line \(other.line)")
      }
      records.append(record)
    }
    for problem in cells.problems { note(row.line, problem) }
  }
}

/// Reads the cells in a row.
private struct Cells {
  let row: CSVReader.Row
  let places: [TripColumn: Int]
  var problems: [String] = []

  /// Returns nil if the row has an error.
  mutating func record() -> TripRecord? {
    let name = required(.name)
    let destination = required(.destination)
    let start = day(.start)
    let end = day(.end)
    let kind = kind()
    let budget = amount(.budget)
    let stay = stay()
    if let start, let end, end < start {
      note(.end, "\(Day.format(end)) is before the start, \(Day.format(start))")
    }
    guard problems.isEmpty, let name, let destination, let start, let end, let kind else {
      return nil
    }
    return TripRecord(
      line: row.line, name: name, destination: destination, startDate: start, endDate: end,
      kind: kind, budget: budget, tags: list(.tags, at: ","), wishes: wishes(), stay: stay)
  }

  private mutating func note(_ column: TripColumn, _ message: String) {
    problems.append("column '\(column.rawValue)': \(message)")
  }

  /// The cell in a column; nil if the cell is empty or the column is missing.
  private func cell(_ column: TripColumn) -> String? {
    guard let place = places[column] else { return nil }
    let text = row.fields[place].trimmingCharacters(in: .whitespacesAndNewlines)
    return text.isEmpty ? nil : text
  }

  private mutating func required(_ column: TripColumn) -> String? {
    let text = cell(column)
    if text == nil { note(column, "a value is missing") }
    return text
  }

  private mutating func day(_ column: TripColumn) -> Date? {
    guard let text = required(column) else { return nil }
    let date = Day.parse(text)
    if date == nil { note(column, Day.problem(text)) }
    return date
  }

  private mutating func amount(_ column: TripColumn) -> Decimal? {
    guard let text = cell(column) else { return nil }
    let amount = Money.parse(text)
    if amount == nil { note(column, Money.problem(text)) }
    return amount
  }

  private mutating func kind() -> TripKind? {
    guard let text = cell(.purpose) else { return .personal }
    let kind = TripKind(rawValue: text.lowercased())
    if kind == nil { note(.purpose, "'\(text)' is not one of \(TripKind.list)") }
    return kind
  }

  private mutating func flag(_ column: TripColumn) -> Bool {
    switch cell(column)?.lowercased() {
    case nil, "no", "false", "0": return false
    case "yes", "true", "1": return true
    case let text?:
      note(column, "'\(text)' is neither yes nor no")
      return false
    }
  }

  private func list(_ column: TripColumn, at separator: Character) -> [String] {
    (cell(column) ?? "").split(separator: separator)
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { !$0.isEmpty }
  }

  /// Parses one wish per line. Planned wishes begin with `[x]`.
  private func wishes() -> [TripRecord.Wish] {
    (cell(.bucketList) ?? "").split(whereSeparator: \.isNewline).compactMap { line in
      var title = line.trimmingCharacters(in: .whitespaces)
      var isInPlan = false
      for (mark, meaning) in [("[x]", true), ("[ ]", false)] where title.hasPrefix(mark) {
        isInPlan = meaning
        title = title.dropFirst(mark.count).trimmingCharacters(in: .whitespaces)
      }
      return title.isEmpty ? nil : TripRecord.Wish(title: title, isInPlan: isInPlan)
    }
  }

  private mutating func stay() -> TripRecord.Stay? {
    let price = amount(.pricePerNight)
    let isConfirmed = flag(.confirmed)
    guard let place = cell(.accommodation) else { return nil }
    return TripRecord.Stay(
      placeName: place, bookingReference: cell(.bookingReference),
      address: Address(
        street: cell(.street) ?? "", city: cell(.city) ?? "", postalCode: cell(.postalCode),
        country: cell(.country) ?? ""),
      pricePerNight: price, isConfirmed: isConfirmed)
  }
}
