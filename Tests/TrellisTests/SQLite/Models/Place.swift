import Foundation

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// The first version of an entity.
final class PlaceV1: PersistentModel {
  var _$state = ModelState()
  var _$values: Snapshot

  var name: String {
    get { _$values.name }
    set { _$values.name = newValue }
  }
  var rating: Int? {
    get { _$values.rating }
    set { _$values.rating = newValue }
  }
  var area: Double {
    get { _$values.area }
    set { _$values.area = newValue }
  }

  init(_$values values: Snapshot) { _$values = values }
  init(backingData: any BackingData<PlaceV1>) {
    _$values = PlaceV1._$definition.values(of: backingData)
  }
  deinit { _$state.close(_$values.persistentIdentifier) }

  var _$identifier: PersistentIdentifier { _$values.persistentIdentifier }
  func _$adopt(_ identifier: PersistentIdentifier) {
    _$values.persistentIdentifier = identifier
  }
  static let _$definition = ModelDefinition(Snapshot.self, name: "Place", codec: 1)

  static var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(name: "name", keypath: \PlaceV1.name, defaultValue: ("" as String)),
      .init(name: "rating", keypath: \PlaceV1.rating),
      .init(name: "area", keypath: \PlaceV1.area, defaultValue: (0 as Double)),
    ]
  }

  struct Snapshot: ModelSnapshot {
    typealias Model = PlaceV1
    var persistentIdentifier = PlaceV1._$definition.temporaryIdentifier()
    var name: String = ""
    var rating: Int? = nil
    var area: Double = 0

    init() {}
    init(from row: inout StatementRow) throws {
      persistentIdentifier = row.identifier
      name = try row.value(0)
      rating = try row.value(1)
      area = try row.value(2)
    }
    func write(to row: inout StatementBinder) throws {
      try row.value(0, name)
      try row.value(1, rating)
      try row.value(2, area)
    }
    init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
    init(of model: PlaceV1) { self = model._$values }
    func makeModel() -> PlaceV1 { PlaceV1(_$values: self) }
    func restore(_ model: PlaceV1) { model._$values = self }
  }
}

/// A version with a new name and additions only.
final class PlaceV2: PersistentModel {
  var _$state = ModelState()
  var _$values: Snapshot

  var title: String {
    get { _$values.title }
    set { _$values.title = newValue }
  }
  var rating: Int? {
    get { _$values.rating }
    set { _$values.rating = newValue }
  }
  var area: Double {
    get { _$values.area }
    set { _$values.area = newValue }
  }
  var visits: Int {
    get { _$values.visits }
    set { _$values.visits = newValue }
  }
  var weight: Double {
    get { _$values.weight }
    set { _$values.weight = newValue }
  }
  var note: String? {
    get { _$values.note }
    set { _$values.note = newValue }
  }
  var parent: PlaceV2? { _$toOne(6, \PlaceV2.parent) }

  init(_$values values: Snapshot) { _$values = values }
  init(backingData: any BackingData<PlaceV2>) {
    _$values = PlaceV2._$definition.values(of: backingData)
  }
  deinit { _$state.close(_$values.persistentIdentifier) }

  var _$identifier: PersistentIdentifier { _$values.persistentIdentifier }
  func _$adopt(_ identifier: PersistentIdentifier) {
    _$values.persistentIdentifier = identifier
  }
  static let _$definition = ModelDefinition(
    Snapshot.self, name: "Site", originalName: "Place", codec: 1)

  static var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(
        name: "title", keypath: \PlaceV2.title, defaultValue: ("" as String),
        metadata: Schema.Attribute(originalName: "name")),
      .init(name: "rating", keypath: \PlaceV2.rating),
      .init(name: "area", keypath: \PlaceV2.area, defaultValue: (0 as Double)),
      .init(name: "visits", keypath: \PlaceV2.visits, defaultValue: (7 as Int)),
      .init(name: "weight", keypath: \PlaceV2.weight, defaultValue: (.nan as Double)),
      .init(name: "note", keypath: \PlaceV2.note),
      .init(
        name: "parent", keypath: \PlaceV2.parent, metadata: Schema.Relationship(.unidirectional)),
      .init(constraint: Schema.Unique<PlaceV2>([\.title])),
      .init(constraint: Schema.Index<PlaceV2>([\.visits])),
    ]
  }

  struct Snapshot: ModelSnapshot {
    typealias Model = PlaceV2
    var persistentIdentifier = PlaceV2._$definition.temporaryIdentifier()
    var title: String = ""
    var rating: Int? = nil
    var area: Double = 0
    var visits: Int = 7
    var weight: Double = .nan
    var note: String? = nil
    var parent: PersistentIdentifier?

    init() {}
    init(from row: inout StatementRow) throws {
      persistentIdentifier = row.identifier
      title = try row.value(0)
      rating = try row.value(1)
      area = try row.value(2)
      visits = try row.value(3)
      weight = try row.value(4)
      note = try row.value(5)
      parent = row.reference(6)
    }
    func write(to row: inout StatementBinder) throws {
      try row.value(0, title)
      try row.value(1, rating)
      try row.value(2, area)
      try row.value(3, visits)
      try row.value(4, weight)
      try row.value(5, note)
      try row.reference(6, parent)
    }
    init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
    init(of model: PlaceV2) { self = model._$values }
    func makeModel() -> PlaceV2 { PlaceV2(_$values: self) }
    func restore(_ model: PlaceV2) { model._$values = self }
    func reference(_ slot: Int) -> PersistentIdentifier? {
      switch slot {
      case 6: parent
      default: nil
      }
    }
    mutating func setReference(_ slot: Int, to identifier: PersistentIdentifier?) {
      switch slot {
      case 6: parent = identifier
      default: break
      }
    }
  }
}

/// A version that differs from the first one in every way that needs a migration.
final class PlaceV3: PersistentModel {
  var _$state = ModelState()
  var _$values: Snapshot

  var name: Int {
    get { _$values.name }
    set { _$values.name = newValue }
  }
  var area: Double? {
    get { _$values.area }
    set { _$values.area = newValue }
  }
  var code: UUID {
    get { _$values.code }
    set { _$values.code = newValue }
  }

  init(_$values values: Snapshot) { _$values = values }
  init(backingData: any BackingData<PlaceV3>) {
    _$values = PlaceV3._$definition.values(of: backingData)
  }
  deinit { _$state.close(_$values.persistentIdentifier) }

  var _$identifier: PersistentIdentifier { _$values.persistentIdentifier }
  func _$adopt(_ identifier: PersistentIdentifier) {
    _$values.persistentIdentifier = identifier
  }
  static let _$definition = ModelDefinition(Snapshot.self, name: "Place", codec: 1)

  static var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(name: "name", keypath: \PlaceV3.name, defaultValue: (0 as Int)),
      .init(name: "area", keypath: \PlaceV3.area),
      .init(name: "code", keypath: \PlaceV3.code),
    ]
  }

  struct Snapshot: ModelSnapshot {
    typealias Model = PlaceV3
    var persistentIdentifier = PlaceV3._$definition.temporaryIdentifier()
    var name: Int = 0
    var area: Double? = nil
    var code: UUID = .placeholder

    init() {}
    init(from row: inout StatementRow) throws {
      persistentIdentifier = row.identifier
      name = try row.value(0)
      area = try row.value(1)
      code = try row.value(2)
    }
    func write(to row: inout StatementBinder) throws {
      try row.value(0, name)
      try row.value(1, area)
      try row.value(2, code)
    }
    init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
    init(of model: PlaceV3) { self = model._$values }
    func makeModel() -> PlaceV3 { PlaceV3(_$values: self) }
    func restore(_ model: PlaceV3) { model._$values = self }
  }
}
