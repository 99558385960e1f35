/// A row of which some columns were not read; placeholders stand for them.
struct PartialRow: RowReader {
  var row: StatementRow
  let missing: PropertySet

  var identifier: PersistentIdentifier { row.identifier }

  mutating func value<T: ColumnValue>(_ slot: Int) throws -> T {
    missing.contains(slot) ? T.placeholder : try row.value(slot)
  }

  mutating func codable<T: Codable>(_ slot: Int) throws -> T {
    if missing.contains(slot), let none = NilLiteral.value(T.self) { return none }
    return try row.codable(slot)
  }

  mutating func value<T: ColumnValue>(_ slot: Int, unknown: () -> T) throws -> T {
    if missing.contains(slot) { return T.placeholder }
    let value = row.value(slot, unknown: unknown())
    try row.check()
    return value
  }

  mutating func codable<T: Codable>(_ slot: Int, unknown: () -> T) throws -> T {
    if missing.contains(slot), let none = NilLiteral.value(T.self) { return none }
    let value = row.codable(slot, unknown: unknown())
    try row.check()
    return value
  }

  mutating func raw<T: RawRepresentable & Codable>(_ slot: Int) throws -> T?
  where T.RawValue: ColumnValue {
    missing.contains(slot) ? nil : try row.raw(slot)
  }

  mutating func raw<T: RawRepresentable & Codable>(_ slot: Int, unknown: () -> T?) throws -> T?
  where T.RawValue: ColumnValue {
    if missing.contains(slot) { return nil }
    let value = row.raw(slot, unknown: unknown())
    try row.check()
    return value
  }

  mutating func external(_ slot: Int) throws -> ExternalData {
    if missing.contains(slot) { return ExternalData() }
    let data = row.external(slot)
    try row.check()
    return data
  }

  mutating func flattened<T: FlattenedValue>(_ slot: Int) throws -> T { try row.flattened(slot) }

  mutating func flattened<T: FlattenedValue>(_ slot: Int) throws -> T? {
    missing.contains(slot) ? nil : try row.flattened(slot)
  }

  mutating func transformed<T>(_ slot: Int, by transformer: TransformerReference) throws -> T {
    try row.transformed(slot, by: transformer)
  }

  mutating func reference(_ slot: Int) throws -> PersistentIdentifier? { row.reference(slot) }

  mutating func references(_ slot: Int) throws -> [PersistentIdentifier]? { nil }
}
