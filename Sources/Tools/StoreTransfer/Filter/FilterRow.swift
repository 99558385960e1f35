import Foundation
import Trellis

/// The model class for filters: a row of any entity, with values that are read on demand.
final class FilterRow: PersistentModel, @unchecked Sendable {  // used by one thread at a time
  var _$state = ModelState()
  var _$identifier: PersistentIdentifier
  private let origin: Origin?

  private struct Origin {
    let source: FilterSource
    let entity: FilterEntity
    let key: Int64
    let table: String
  }

  init(_ key: Int64, of entity: FilterEntity, in source: FilterSource) {
    origin = Origin(source: source, entity: entity, key: key, table: entity.layout.table)
    _$identifier = PersistentIdentifier(token: .interned(store: nil, entity: entity.layout.rootName), row: key)
  }

  private init() {
    origin = nil
    _$identifier = FilterRow._$definition.temporaryIdentifier()
  }

  /// Returns a property's value.
  ///
  /// - Throws: An error if the column's value does not have the type.
  func value<Value: FilterValue>(_ name: String) throws -> Value {
    guard let origin, let property = origin.entity.properties[name] else {
      throw FilterError.unreadable("the filter reads '\(name)' of a row that has no such property")
    }
    return try Value.read(origin.source.cell(property, ofRow: origin.key, origin.entity))
  }

  static func == (first: FilterRow, second: FilterRow) -> Bool {
    first.origin?.key == second.origin?.key && first.origin?.table == second.origin?.table
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(origin?.key)
    hasher.combine(origin?.table)
  }

  // MARK: key paths

  /// The key path that identifies a property in translated predicates.
  static func keyPath<Value: FilterValue>(_ name: String) -> any KeyPath<FilterRow, Value> & Sendable {
    \FilterRow[FilterToken<Value>(name)]
  }

  /// Only identifies the property: ``PropertyNode`` reads it.
  subscript<Value: FilterValue>(_ token: FilterToken<Value>) -> Value { Value.unread }

  /// A placeholder that is never read.
  static var unread: FilterRow { FilterRow() }

  // MARK: model requirements

  init(backingData: any BackingData<FilterRow>) {
    origin = nil
    _$identifier = backingData.persistentModelID ?? FilterRow._$definition.temporaryIdentifier()
  }

  func _$adopt(_ identifier: PersistentIdentifier) { _$identifier = identifier }

  static var schemaMetadata: [Schema.PropertyMetadata] { [] }
  static let _$definition = ModelDefinition(Snapshot.self, name: "", codec: 1)

  struct Snapshot: ModelSnapshot {
    typealias Model = FilterRow
    var persistentIdentifier: PersistentIdentifier

    init(from row: inout StatementRow) { persistentIdentifier = row.identifier }
    init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
    init(of model: FilterRow) { persistentIdentifier = model._$identifier }
    func write(to row: inout StatementBinder) {}
    func makeModel() -> FilterRow { FilterRow() }
    func restore(_ model: FilterRow) {}
  }
}

/// A property's name and type, in key paths.
struct FilterToken<Value>: Hashable, Sendable {
  let name: String

  init(_ name: String) { self.name = name }
}

/// A struct whose type is not available in this process, or a value that can only be compared with nil.
struct FilterStructure: FilterValue, ColumnValue, @unchecked Sendable {  // the container is only read
  private enum Content {
    /// The properties in JSON.
    case object(KeyedDecodingContainer<Key>)
    /// The properties in columns.
    case columns([String: FilterCell])
    /// A value that is not read.
    case hidden
  }

  private let content: Content

  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(columns: [String: FilterCell]) { content = .columns(columns) }
  private init() { content = .hidden }

  init(from decoder: any Decoder) throws { content = .object(try decoder.container(keyedBy: Key.self)) }

  func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self, .init(codingPath: encoder.codingPath, debugDescription: "Filters do not write values."))
  }

  /// Returns a property's value.
  ///
  /// - Parameter key: The property's JSON key.
  func value<Value: FilterValue>(_ name: String, key: String) throws -> Value {
    switch content {
    case .object(let container): return try Value.read(FilterCell(.json(container, Key(stringValue: key))))
    case .columns(let cells):
      if let cell = cells[name] { return try Value.read(cell) }
    case .hidden: break
    }
    throw FilterError.unreadable("the filter reads '\(name)' of a value that has no such property")
  }

  /// Always false: filters compare a struct's properties, or compare it with nil.
  static func == (first: FilterStructure, second: FilterStructure) -> Bool { false }

  static func keyPath<Value: FilterValue>(_ name: String) -> any KeyPath<FilterStructure, Value> & Sendable {
    \FilterStructure[FilterToken<Value>(name)]
  }

  static func optionalKeyPath<Value: FilterValue>(_ name: String, _: Value.Type) -> AnyKeyPath {
    \FilterStructure?.?[FilterToken<Value>(name)]
  }

  /// Only identifies the property: ``FieldNode`` reads it.
  subscript<Value: FilterValue>(_ token: FilterToken<Value>) -> Value { Value.unread }

  static var placeholder: FilterStructure { FilterStructure() }
  static var unread: FilterStructure { FilterStructure() }

  static func read(_ cell: FilterCell) throws -> FilterStructure { try cell.structure() }
}
