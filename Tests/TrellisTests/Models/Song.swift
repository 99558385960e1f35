import Foundation
import Trellis

/// A handwritten model like ``Album``.
final class Song: PersistentModel {
  var _$state = ModelState()
  var _$values: Snapshot

  var title: String {
    get { _$values.title }
    set {
      guard _$willSet(0, \Song.title) else { return }
      _$values.title = newValue
      _$didSet(\Song.title)
    }
  }

  var album: Album? {
    get { _$toOne(1, \Song.album) }
    set { _$setToOne(1, \Song.album, newValue) }
  }

  init(title: String, album: Album? = nil) {
    _$values = Snapshot(
      persistentIdentifier: Song._$definition.temporaryIdentifier(), title: title)
    _$link(1, \Song.album, album)
  }

  init(_$values values: Snapshot) { _$values = values }
  init(backingData: any BackingData<Song>) { _$values = Song._$definition.values(of: backingData) }
  deinit { _$state.close(_$values.persistentIdentifier) }

  var _$identifier: PersistentIdentifier { _$values.persistentIdentifier }
  func _$adopt(_ identifier: PersistentIdentifier) {
    _$values.persistentIdentifier = identifier
  }
  static let _$definition = ModelDefinition(Snapshot.self, name: "Song", codec: 1)

  static var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(name: "title", keypath: \Song.title),
      .init(
        name: "album", keypath: \Song.album,
        metadata: Schema.Relationship(inverse: \Album.songs)),
    ]
  }

  struct Snapshot: ModelSnapshot {
    typealias Model = Song
    var persistentIdentifier: PersistentIdentifier
    var title: String
    var album: PersistentIdentifier?

    init(persistentIdentifier: PersistentIdentifier, title: String) {
      self.persistentIdentifier = persistentIdentifier
      self.title = title
    }
    init(from row: inout StatementRow) throws {
      persistentIdentifier = row.identifier
      title = try row.value(0)
      album = row.reference(1)
    }
    func write(to row: inout StatementBinder) throws {
      try row.value(0, title)
      try row.reference(1, album)
    }
    init(placeholder identifier: PersistentIdentifier) {
      self.init(persistentIdentifier: identifier, title: "")
    }
    init(of model: Song) { self = model._$values }
    func makeModel() -> Song { Song(_$values: self) }
    func restore(_ model: Song) { model._$values = self }

    func reference(_ slot: Int) -> PersistentIdentifier? { slot == 1 ? album : nil }
    mutating func setReference(_ slot: Int, to identifier: PersistentIdentifier?) {
      if slot == 1 { album = identifier }
    }
    static func setReference(_ slot: Int, of model: Song, to identifier: PersistentIdentifier?) {
      model._$values.setReference(slot, to: identifier)
    }
    static func reference(_ slot: Int, of model: Song) -> PersistentIdentifier? {
      model._$values.reference(slot)
    }
  }
}

/// A handwritten model like ``Album``, whose relationship declares no inverse.
final class RecordLabel: PersistentModel {
  var _$state = ModelState()
  var _$values: Snapshot

  var albums: [Album]? {
    get { _$optionalToMany(0, \RecordLabel.albums) }
    set { _$setOptionalToMany(0, \RecordLabel.albums, newValue) }
  }

  init(_$values values: Snapshot) { _$values = values }
  init(backingData: any BackingData<RecordLabel>) {
    _$values = RecordLabel._$definition.values(of: backingData)
  }
  convenience init() {
    self.init(_$values: Snapshot(placeholder: RecordLabel._$definition.temporaryIdentifier()))
  }
  deinit { _$state.close(_$values.persistentIdentifier) }

  var _$identifier: PersistentIdentifier { _$values.persistentIdentifier }
  func _$adopt(_ identifier: PersistentIdentifier) {
    _$values.persistentIdentifier = identifier
  }
  static let _$definition = ModelDefinition(Snapshot.self, name: "RecordLabel", codec: 1)

  static var schemaMetadata: [Schema.PropertyMetadata] {
    [.init(name: "albums", keypath: \RecordLabel.albums)]
  }

  struct Snapshot: ModelSnapshot {
    typealias Model = RecordLabel
    var persistentIdentifier: PersistentIdentifier
    var albums: [PersistentIdentifier]?

    init(from row: inout StatementRow) throws {
      persistentIdentifier = row.identifier
      albums = row.references(0)
    }
    func write(to row: inout StatementBinder) throws { try row.references(0, albums) }
    init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
    init(of model: RecordLabel) { self = model._$values }
    func makeModel() -> RecordLabel { RecordLabel(_$values: self) }
    func restore(_ model: RecordLabel) { model._$values = self }
    func references(_ slot: Int) -> [PersistentIdentifier]? { slot == 0 ? albums : nil }
    mutating func setReferences(_ slot: Int, to identifiers: [PersistentIdentifier]?) {
      if slot == 0 { albums = identifiers }
    }
  }
}
