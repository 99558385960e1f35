import Foundation
import TestSupport
import Trellis

@testable import TestWorlds

/// Names for a model and its properties, including its list.
protocol HostileNames {
  static var names: [String] { get }
  static var definition: ModelDefinition { get }
}

/// A model with names that are not valid in Swift: the model's name, followed by one for each property.
///
/// Generated code also passes the names of a model and its properties as strings, so the store sees no difference.
final class Hostile<Names: HostileNames>: PersistentModel {
  @exclusivity(unchecked) var _$state = ModelState()
  @exclusivity(unchecked) var _$values: Snapshot

  /// A unique value, which is preserved when the row is deleted.
  var text: String {
    get { _$values.text }
    set { if _$willSet(0) { _$values.text = newValue; _$didSet(0) } }
  }
  var note: String? {
    get { _$values.note }
    set { if _$willSet(1) { _$values.note = newValue; _$didSet(1) } }
  }
  var number: Int {
    get { _$values.number }
    set { if _$willSet(2) { _$values.number = newValue; _$didSet(2) } }
  }
  var big: UInt64 {
    get { _$values.big }
    set { if _$willSet(3) { _$values.big = newValue; _$didSet(3) } }
  }
  var size: Double {
    get { _$values.size }
    set { if _$willSet(4) { _$values.size = newValue; _$didSet(4) } }
  }
  var date: Date {
    get { _$values.date }
    set { if _$willSet(5) { _$values.date = newValue; _$didSet(5) } }
  }
  var price: Decimal {
    get { _$values.price }
    set { if _$willSet(6) { _$values.price = newValue; _$didSet(6) } }
  }
  var data: Data {
    get { _$values.data }
    set { if _$willSet(7) { _$values.data = newValue; _$didSet(7) } }
  }
  var kind: HostileKind {
    get { _$values.kind }
    set { if _$willSet(8) { _$values.kind = newValue; _$didSet(8) } }
  }
  var payload: [String: String] {
    get { _$values.payload }
    set { if _$willSet(9) { _$values.payload = newValue; _$didSet(9) } }
  }
  var parent: Hostile? {
    get { _$toOne(10, \Hostile.parent) }
    set { _$setToOne(10, \Hostile.parent, newValue) }
  }
  /// Stored in a join table.
  var friends: [Hostile] {
    get { _$toMany(0, \Hostile.friends) }
    set { _$setToMany(0, \Hostile.friends, newValue) }
  }

  init(text: String) {
    _$values = Snapshot()
    _$values.text = text
    _$values.friends = []
  }

  init(_$values values: Snapshot) { _$values = values }
  init(backingData: any BackingData<Hostile>) { _$values = Hostile._$definition.values(of: backingData) }
  deinit { _$state.close(_$values.persistentIdentifier) }

  var _$identifier: PersistentIdentifier { _$values.persistentIdentifier }
  func _$adopt(_ identifier: PersistentIdentifier) { _$values.persistentIdentifier = identifier }
  static var _$definition: ModelDefinition { Names.definition }

  static var schemaMetadata: [Schema.PropertyMetadata] {
    let names = Names.names
    return [
      .init(name: names[1], keypath: \Hostile.text, metadata: Schema.Attribute(.unique, .preserveValueOnDeletion)),
      .init(name: names[2], keypath: \Hostile.note),
      .init(name: names[3], keypath: \Hostile.number),
      .init(name: names[4], keypath: \Hostile.big),
      .init(name: names[5], keypath: \Hostile.size),
      .init(name: names[6], keypath: \Hostile.date),
      .init(name: names[7], keypath: \Hostile.price),
      .init(name: names[8], keypath: \Hostile.data, metadata: Schema.Attribute(.preserveValueOnDeletion)),
      .init(name: names[9], keypath: \Hostile.kind),
      .init(name: names[10], keypath: \Hostile.payload),
      .init(name: names[11], keypath: \Hostile.parent, metadata: Schema.Relationship(.unidirectional)),
      .init(name: names[12], keypath: \Hostile.friends, metadata: Schema.Relationship(.unidirectional, .ordered)),
      .init(constraint: Schema.Index<Hostile>([\.number], [\.note, \.big])),
    ]
  }

  struct Snapshot: ModelSnapshot {
    typealias Model = Hostile
    var persistentIdentifier = Hostile._$definition.temporaryIdentifier()
    var text = ""
    var note: String?
    var number = 0
    var big: UInt64 = 0
    var size = 0.0
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var price = Decimal(0)
    var data = Data()
    var kind = HostileKind.plain
    var payload: [String: String] = [:]
    var parent: PersistentIdentifier?
    var friends: [PersistentIdentifier]?

    init() {}
    init(from row: inout StatementRow) throws {
      persistentIdentifier = row.identifier
      text = try row.value(0)
      note = try row.value(1)
      number = try row.value(2)
      big = try row.value(3)
      size = try row.value(4)
      date = try row.value(5)
      price = try row.value(6)
      data = try row.value(7)
      kind = try row.value(8)
      payload = try row.value(9)
      parent = row.reference(10)
      friends = row.references(0)
    }
    func write(to row: inout StatementBinder) throws {
      try row.value(0, text)
      try row.value(1, note)
      try row.value(2, number)
      try row.value(3, big)
      try row.value(4, size)
      try row.value(5, date)
      try row.value(6, price)
      try row.value(7, data)
      try row.value(8, kind)
      try row.value(9, payload)
      try row.reference(10, parent)
      try row.references(0, friends)
    }
    init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
    init(of model: Hostile) { self = model._$values }
    func makeModel() -> Hostile { Hostile(_$values: self) }
    func restore(_ model: Hostile) { model._$values = self }
    func reference(_ slot: Int) -> PersistentIdentifier? { slot == 10 ? parent : nil }
    mutating func setReference(_ slot: Int, to identifier: PersistentIdentifier?) {
      if slot == 10 { parent = identifier }
    }
    func references(_ slot: Int) -> [PersistentIdentifier]? { slot == 0 ? friends : nil }
    mutating func setReferences(_ slot: Int, to identifiers: [PersistentIdentifier]?) {
      if slot == 0 { friends = identifiers }
    }
  }
}

/// Raw values that could end a string literal or look like a parameter.
enum HostileKind: String, Codable, CaseIterable, ColumnValue, RawValuePathProviding {
  case plain
  case apostrophe = "'); DROP TABLE \"a\"; --"
  case quotes = "\"\"'\"'"
  case parameter = "$1 ?1 ?"
  case backslash = "\\"
  case combining = "\u{301}"
  case empty = ""
  case keyword = "NULL"

  static var placeholder: Self { .plain }
  static var _$rawValuePath: AnyKeyPath { \HostileKind.rawValue }
  static var _$optionalRawValuePath: AnyKeyPath { \HostileKind?.?.rawValue }
}
