import Foundation

@testable import Trellis
@testable import TrellisModel

/// A model with an ordered list, an unordered list, a one-to-one and a many-to-many relationship.
final class Journey: PersistentModel {
  var _$state = ModelState()
  var _$values: Snapshot

  var name: String {
    get { _$values.name }
    set { _$values.name = newValue }
  }
  var start: Date {
    get { _$values.start }
    set { _$values.start = newValue }
  }
  var budget: Double {
    get { _$values.budget }
    set { _$values.budget = newValue }
  }
  var isFavorite: Bool {
    get { _$values.isFavorite }
    set { _$values.isFavorite = newValue }
  }
  var notes: String? {
    get { _$values.notes }
    set { _$values.notes = newValue }
  }
  var lodging: Lodging? { _$toOne(5, \Journey.lodging) }
  var stops: [Stop] { _$toMany(0, \Journey.stops) }
  var labels: [Tag] { _$toMany(1, \Journey.labels) }
  var photos: [Photo] { _$toMany(2, \Journey.photos) }

  init(_$values values: Snapshot) { _$values = values }
  init(backingData: any BackingData<Journey>) {
    _$values = Journey._$definition.values(of: backingData)
  }
  deinit { _$state.close(_$values.persistentIdentifier) }

  var _$identifier: PersistentIdentifier { _$values.persistentIdentifier }
  func _$adopt(_ identifier: PersistentIdentifier) {
    _$values.persistentIdentifier = identifier
  }
  static let _$definition = ModelDefinition(Snapshot.self, name: "Journey", codec: 1)

  static var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(name: "name", keypath: \Journey.name, defaultValue: ("" as String)),
      .init(
        name: "start", keypath: \Journey.start,
        defaultValue: (Date(timeIntervalSinceReferenceDate: 0) as Date)),
      .init(name: "budget", keypath: \Journey.budget, defaultValue: (0 as Double)),
      .init(name: "isFavorite", keypath: \Journey.isFavorite, defaultValue: (false as Bool)),
      .init(name: "notes", keypath: \Journey.notes),
      .init(
        name: "lodging", keypath: \Journey.lodging,
        metadata: Schema.Relationship(deleteRule: .cascade, inverse: \Lodging.journey)),
      .init(
        name: "stops", keypath: \Journey.stops,
        metadata: Schema.Relationship(deleteRule: .cascade, inverse: \Stop.journey)),
      .init(
        name: "labels", keypath: \Journey.labels,
        metadata: Schema.Relationship(.ordered, inverse: \Tag.journeys)),
      .init(
        name: "photos", keypath: \Journey.photos,
        metadata: Schema.Relationship(.ordered, deleteRule: .nullify, inverse: \Photo.journey)),
      .init(constraint: Schema.Index<Journey>([\.start], [\.name, \.start])),
    ]
  }

  struct Snapshot: ModelSnapshot {
    typealias Model = Journey
    var persistentIdentifier = Journey._$definition.temporaryIdentifier()
    var name: String = ""
    var start: Date = Date(timeIntervalSinceReferenceDate: 0)
    var budget: Double = 0
    var isFavorite: Bool = false
    var notes: String? = nil
    var lodging: PersistentIdentifier?
    var stops: [PersistentIdentifier]?
    var labels: [PersistentIdentifier]?
    var photos: [PersistentIdentifier]?

    init() {}
    init(from row: inout StatementRow) throws {
      persistentIdentifier = row.identifier
      name = try row.value(0)
      start = try row.value(1)
      budget = try row.value(2)
      isFavorite = try row.value(3)
      notes = try row.value(4)
      lodging = row.reference(5)
      stops = row.references(0)
      labels = row.references(1)
      photos = row.references(2)
    }
    func write(to row: inout StatementBinder) throws {
      try row.value(0, name)
      try row.value(1, start)
      try row.value(2, budget)
      try row.value(3, isFavorite)
      try row.value(4, notes)
      try row.reference(5, lodging)
      try row.references(0, stops)
      try row.references(1, labels)
      try row.references(2, photos)
    }
    init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
    init(of model: Journey) { self = model._$values }
    func makeModel() -> Journey { Journey(_$values: self) }
    func restore(_ model: Journey) { model._$values = self }
    func reference(_ slot: Int) -> PersistentIdentifier? {
      switch slot {
      case 5: lodging
      default: nil
      }
    }
    mutating func setReference(_ slot: Int, to identifier: PersistentIdentifier?) {
      switch slot {
      case 5: lodging = identifier
      default: break
      }
    }
    func references(_ slot: Int) -> [PersistentIdentifier]? {
      switch slot {
      case 0: stops
      case 1: labels
      case 2: photos
      default: nil
      }
    }
    mutating func setReferences(_ slot: Int, to identifiers: [PersistentIdentifier]?) {
      switch slot {
      case 0: stops = identifiers
      case 1: labels = identifiers
      case 2: photos = identifiers
      default: break
      }
    }
  }
}

/// Deleted with its journey by a cascade.
final class Stop: PersistentModel {
  var _$state = ModelState()
  var _$values: Snapshot

  var title: String {
    get { _$values.title }
    set { _$values.title = newValue }
  }
  var isInPlan: Bool {
    get { _$values.isInPlan }
    set { _$values.isInPlan = newValue }
  }
  var journey: Journey? { _$toOne(2, \Stop.journey) }

  init(_$values values: Snapshot) { _$values = values }
  init(backingData: any BackingData<Stop>) {
    _$values = Stop._$definition.values(of: backingData)
  }
  deinit { _$state.close(_$values.persistentIdentifier) }

  var _$identifier: PersistentIdentifier { _$values.persistentIdentifier }
  func _$adopt(_ identifier: PersistentIdentifier) {
    _$values.persistentIdentifier = identifier
  }
  static let _$definition = ModelDefinition(Snapshot.self, name: "Stop", codec: 1)

  static var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(name: "title", keypath: \Stop.title, defaultValue: ("" as String)),
      .init(name: "isInPlan", keypath: \Stop.isInPlan, defaultValue: (false as Bool)),
      .init(
        name: "journey", keypath: \Stop.journey,
        metadata: Schema.Relationship(inverse: \Journey.stops)),
    ]
  }

  struct Snapshot: ModelSnapshot {
    typealias Model = Stop
    var persistentIdentifier = Stop._$definition.temporaryIdentifier()
    var title: String = ""
    var isInPlan: Bool = false
    var journey: PersistentIdentifier?

    init() {}
    init(from row: inout StatementRow) throws {
      persistentIdentifier = row.identifier
      title = try row.value(0)
      isInPlan = try row.value(1)
      journey = row.reference(2)
    }
    func write(to row: inout StatementBinder) throws {
      try row.value(0, title)
      try row.value(1, isInPlan)
      try row.reference(2, journey)
    }
    init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
    init(of model: Stop) { self = model._$values }
    func makeModel() -> Stop { Stop(_$values: self) }
    func restore(_ model: Stop) { model._$values = self }
    func reference(_ slot: Int) -> PersistentIdentifier? {
      switch slot {
      case 2: journey
      default: nil
      }
    }
    mutating func setReference(_ slot: Int, to identifier: PersistentIdentifier?) {
      switch slot {
      case 2: journey = identifier
      default: break
      }
    }
  }
}

/// The destination of a one-to-one relationship.
final class Lodging: PersistentModel {
  var _$state = ModelState()
  var _$values: Snapshot

  var place: String {
    get { _$values.place }
    set { _$values.place = newValue }
  }
  var journey: Journey? { _$toOne(1, \Lodging.journey) }

  init(_$values values: Snapshot) { _$values = values }
  init(backingData: any BackingData<Lodging>) {
    _$values = Lodging._$definition.values(of: backingData)
  }
  deinit { _$state.close(_$values.persistentIdentifier) }

  var _$identifier: PersistentIdentifier { _$values.persistentIdentifier }
  func _$adopt(_ identifier: PersistentIdentifier) {
    _$values.persistentIdentifier = identifier
  }
  static let _$definition = ModelDefinition(Snapshot.self, name: "Lodging", codec: 1)

  static var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(name: "place", keypath: \Lodging.place, defaultValue: ("" as String)),
      .init(
        name: "journey", keypath: \Lodging.journey,
        metadata: Schema.Relationship(inverse: \Journey.lodging)),
    ]
  }

  struct Snapshot: ModelSnapshot {
    typealias Model = Lodging
    var persistentIdentifier = Lodging._$definition.temporaryIdentifier()
    var place: String = ""
    var journey: PersistentIdentifier?

    init() {}
    init(from row: inout StatementRow) throws {
      persistentIdentifier = row.identifier
      place = try row.value(0)
      journey = row.reference(1)
    }
    func write(to row: inout StatementBinder) throws {
      try row.value(0, place)
      try row.reference(1, journey)
    }
    init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
    init(of model: Lodging) { self = model._$values }
    func makeModel() -> Lodging { Lodging(_$values: self) }
    func restore(_ model: Lodging) { model._$values = self }
    func reference(_ slot: Int) -> PersistentIdentifier? {
      switch slot {
      case 1: journey
      default: nil
      }
    }
    mutating func setReference(_ slot: Int, to identifier: PersistentIdentifier?) {
      switch slot {
      case 1: journey = identifier
      default: break
      }
    }
  }
}

/// The destination of a many-to-many relationship.
final class Tag: PersistentModel {
  var _$state = ModelState()
  var _$values: Snapshot

  var text: String {
    get { _$values.text }
    set { _$values.text = newValue }
  }
  var journeys: [Journey] { _$toMany(0, \Tag.journeys) }

  init(_$values values: Snapshot) { _$values = values }
  init(backingData: any BackingData<Tag>) {
    _$values = Tag._$definition.values(of: backingData)
  }
  deinit { _$state.close(_$values.persistentIdentifier) }

  var _$identifier: PersistentIdentifier { _$values.persistentIdentifier }
  func _$adopt(_ identifier: PersistentIdentifier) {
    _$values.persistentIdentifier = identifier
  }
  static let _$definition = ModelDefinition(Snapshot.self, name: "Tag", codec: 1)

  static var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(name: "text", keypath: \Tag.text, defaultValue: ("" as String)),
      .init(
        name: "journeys", keypath: \Tag.journeys,
        metadata: Schema.Relationship(inverse: \Journey.labels)),
    ]
  }

  struct Snapshot: ModelSnapshot {
    typealias Model = Tag
    var persistentIdentifier = Tag._$definition.temporaryIdentifier()
    var text: String = ""
    var journeys: [PersistentIdentifier]?

    init() {}
    init(from row: inout StatementRow) throws {
      persistentIdentifier = row.identifier
      text = try row.value(0)
      journeys = row.references(0)
    }
    func write(to row: inout StatementBinder) throws {
      try row.value(0, text)
      try row.references(0, journeys)
    }
    init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
    init(of model: Tag) { self = model._$values }
    func makeModel() -> Tag { Tag(_$values: self) }
    func restore(_ model: Tag) { model._$values = self }
    func references(_ slot: Int) -> [PersistentIdentifier]? {
      switch slot {
      case 0: journeys
      default: nil
      }
    }
    mutating func setReferences(_ slot: Int, to identifiers: [PersistentIdentifier]?) {
      switch slot {
      case 0: journeys = identifiers
      default: break
      }
    }
  }
}

/// A member of an ordered list, whose table has a position column.
final class Photo: PersistentModel {
  var _$state = ModelState()
  var _$values: Snapshot

  var file: String {
    get { _$values.file }
    set { _$values.file = newValue }
  }
  var journey: Journey? { _$toOne(1, \Photo.journey) }

  init(_$values values: Snapshot) { _$values = values }
  init(backingData: any BackingData<Photo>) {
    _$values = Photo._$definition.values(of: backingData)
  }
  deinit { _$state.close(_$values.persistentIdentifier) }

  var _$identifier: PersistentIdentifier { _$values.persistentIdentifier }
  func _$adopt(_ identifier: PersistentIdentifier) {
    _$values.persistentIdentifier = identifier
  }
  static let _$definition = ModelDefinition(Snapshot.self, name: "Photo", codec: 1)

  static var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(name: "file", keypath: \Photo.file, defaultValue: ("" as String)),
      .init(
        name: "journey", keypath: \Photo.journey,
        metadata: Schema.Relationship(inverse: \Journey.photos)),
    ]
  }

  struct Snapshot: ModelSnapshot {
    typealias Model = Photo
    var persistentIdentifier = Photo._$definition.temporaryIdentifier()
    var file: String = ""
    var journey: PersistentIdentifier?

    init() {}
    init(from row: inout StatementRow) throws {
      persistentIdentifier = row.identifier
      file = try row.value(0)
      journey = row.reference(1)
    }
    func write(to row: inout StatementBinder) throws {
      try row.value(0, file)
      try row.reference(1, journey)
    }
    init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
    init(of model: Photo) { self = model._$values }
    func makeModel() -> Photo { Photo(_$values: self) }
    func restore(_ model: Photo) { model._$values = self }
    func reference(_ slot: Int) -> PersistentIdentifier? {
      switch slot {
      case 1: journey
      default: nil
      }
    }
    mutating func setReference(_ slot: Int, to identifier: PersistentIdentifier?) {
      switch slot {
      case 1: journey = identifier
      default: break
      }
    }
  }
}
