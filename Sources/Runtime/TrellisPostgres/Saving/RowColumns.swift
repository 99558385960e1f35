import Foundation
import Trellis

/// Rows of one class on their way into statements: the values of each column, side by side.
final class RowColumns: ColumnSink {
  let plan: EntityStatements
  /// The names of the columns: the key, then the others.
  let names: [String]
  private(set) var columns: [ColumnBuffer]
  /// The texts of each row that are not in Normalization Form C, as JSON; nil for none.
  private(set) var exact: ColumnBuffer
  /// True if a row has such texts.
  private(set) var hasExact = false
  /// The columns whose texts are converted to Normalization Form C.
  let normalizedNames: [String]
  /// By parameter: the position of its column; -1 for one that is not written.
  private let positions: [Int]
  private let isNormalized: [Bool]
  private var texts: [String: String] = [:]
  private var identifier: PersistentIdentifier?

  /// - Parameter changed: the slots to write; nil for all of them, with the name of the class.
  init(_ plan: EntityStatements, _ changed: PropertySet?, _ layout: PostgresLayout) {
    self.plan = plan
    let entity = plan.entity
    var written: [(name: String, number: Int32)] = plan.parameters
    if let changed {
      let names = Set(entity.columns.filter { changed.contains($0.slot) }.flatMap(\.names))
      written = written.filter { $0.number == 1 || names.contains($0.name) }
    }
    names = written.map(\.name)
    columns = written.map { ColumnBuffer(layout.type(of: $0.name, in: entity.table)) }
    exact = ColumnBuffer(.text)
    var positions = [Int](repeating: -1, count: Int(written.map(\.number).max() ?? 0) + 1)
    for (position, column) in written.enumerated() { positions[Int(column.number)] = position }
    self.positions = positions
    isNormalized = written.map { layout.isNormalized($0.name, in: entity.table) }
    normalizedNames = written.filter { layout.isNormalized($0.name, in: entity.table) }.map(\.name)
  }

  var count: Int { columns[0].count }

  /// Adds a row.
  ///
  /// - Parameter binder: takes the values; made for this object.
  func add(_ row: Int64, _ buffer: SnapshotBuffer, _ index: Int, _ binder: inout StatementBinder) throws {
    identifier = buffer.identifier(index)
    columns[0].append(row)
    try buffer.bind(index, to: &binder)
    if !plan.entity.discriminators.isEmpty, let position = position(plan.discriminatorParameter) {
      var name = plan.entity.name
      _ = name.withUTF8 { columns[position].append(text: UnsafeRawBufferPointer($0)) }
    }
    for position in columns.indices where columns[position].count < count { columns[position].appendNull() }
    guard !texts.isEmpty else { return exact.appendNull() }
    hasExact = true
    try Data(JSONEncoder().encode(texts)).withUnsafeBytes { _ = exact.append(text: $0) }
    texts.removeAll()
  }

  func removeAll() {
    for position in columns.indices { columns[position].removeAll() }
    exact.removeAll()
    hasExact = false
  }

  private func position(_ parameter: Int32) -> Int? {
    let parameter = Int(parameter)
    guard positions.indices ~= parameter, positions[parameter] >= 0 else { return nil }
    return positions[parameter]
  }

  // MARK: values

  func bindNull(_ parameter: Int32) {
    if let position = position(parameter) { columns[position].appendNull() }
  }

  func bind(_ integer: Int64, _ parameter: Int32) {
    if let position = position(parameter) { columns[position].append(integer) }
  }

  func bind(_ real: Double, _ parameter: Int32) {
    if let position = position(parameter) { columns[position].append(real) }
  }

  func bind(text bytes: UnsafeRawBufferPointer, _ parameter: Int32) throws {
    guard let position = position(parameter) else { return }
    guard isNormalized[position], !TextRules.isNFC(bytes.assumingMemoryBound(to: UInt8.self)) else {
      return try append(bytes, at: position)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    texts[names[position]] = text
    var normalized = TextRules.normalized(text)
    try normalized.withUTF8 { try append(UnsafeRawBufferPointer($0), at: position) }
  }

  private func append(_ text: UnsafeRawBufferPointer, at position: Int) throws {
    guard !columns[position].append(text: text) else { return }
    let model = identifier.map { "\($0)" } ?? plan.entity.name
    throw PostgresError(
      .nullCharacter,
      "the value of '\(plan.entity.name).\(names[position])' of \(model) contains U+0000, which PostgreSQL does not "
        + "store: remove it, or make the property a 'Data'")
  }

  func bind(blob bytes: UnsafeRawBufferPointer, _ parameter: Int32) {
    if let position = position(parameter) { columns[position].append(blob: bytes) }
  }
}
