import Foundation
import Trellis

/// A handwritten model with the structure of generated code, for tests without the generator.
final class Album: PersistentModel {
  var _$state = ModelState()
  var _$values: Snapshot

  var title: String {
    get {
      if _$state.isTracking { _$track(\Album.title) }
      return _$values.title
    }
    set {
      guard _$willSet(0, \Album.title) else { return }
      _$values.title = newValue
      _$didSet(\Album.title)
    }
  }

  var released: Date? {
    get { _$values.released }
    set {
      guard _$willSet(1, \Album.released) else { return }
      _$values.released = newValue
      _$didSet(\Album.released)
    }
  }

  var rating: Double {
    get { _$values.rating }
    set {
      guard _$willSet(2, \Album.rating) else { return }
      _$values.rating = newValue
      _$didSet(\Album.rating)
    }
  }

  var kind: AlbumKind {
    get { _$values.kind }
    set {
      guard _$willSet(3, \Album.kind) else { return }
      _$values.kind = newValue
      _$didSet(\Album.kind)
    }
  }

  var studio: Studio? {
    get { _$values.studio }
    set {
      guard _$willSet(4, \Album.studio) else { return }
      _$values.studio = newValue
      _$didSet(\Album.studio)
    }
  }

  var label: RecordLabel? {
    get { _$toOne(5, \Album.label) }
    set { _$setToOne(5, \Album.label, newValue) }
  }

  var tint: Tint {
    get { _$values.tint }
    set {
      guard _$willSet(6, \Album.tint) else { return }
      _$values.tint = newValue
      _$didSet(\Album.tint)
    }
  }

  var songs: [Song] {
    get { _$toMany(0, \Album.songs) }
    set { _$setToMany(0, \Album.songs, newValue) }
  }

  init(
    title: String, released: Date? = nil, rating: Double = 0, kind: AlbumKind = .studio,
    studio: Studio? = nil, label: RecordLabel? = nil, tint: Tint = Tint(red: 0), songs: [Song] = []
  ) {
    _$values = Snapshot(
      persistentIdentifier: Album._$definition.temporaryIdentifier(), title: title,
      released: released, rating: rating, kind: kind, studio: studio, tint: tint)
    _$link(5, \Album.label, label)
    _$link(0, \Album.songs, songs)
  }

  init(_$values values: Snapshot) { _$values = values }
  init(backingData: any BackingData<Album>) {
    _$values = Album._$definition.values(of: backingData)
  }
  deinit { _$state.close(_$values.persistentIdentifier) }

  var _$identifier: PersistentIdentifier { _$values.persistentIdentifier }
  func _$adopt(_ identifier: PersistentIdentifier) {
    _$values.persistentIdentifier = identifier
  }
  static let _$definition = ModelDefinition(Snapshot.self, name: "Album", codec: 1)

  static var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(
        name: "title", keypath: \Album.title,
        metadata: Schema.Attribute(.unique, .preserveValueOnDeletion, originalName: "name")),
      .init(name: "released", keypath: \Album.released),
      .init(name: "rating", keypath: \Album.rating, defaultValue: (0 as Double)),
      .init(name: "kind", keypath: \Album.kind, defaultValue: (.studio as AlbumKind)),
      .init(name: "studio", keypath: \Album.studio),
      .init(name: "label", keypath: \Album.label),
      .init(
        name: "tint", keypath: \Album.tint,
        metadata: Schema.Attribute(.transformable(by: TintTransformer.self))),
      .init(
        name: "songs", keypath: \Album.songs,
        metadata: Schema.Relationship(deleteRule: .cascade, inverse: \Song.album)),
      .init(constraint: Schema.Unique<Album>([\.title, \.released], onConflict: .fail)),
      .init(constraint: Schema.Index<Album>([\.released], [\.kind, \.rating])),
    ]
  }
}

enum AlbumKind: String, Codable, Sendable, CaseIterable, ColumnValue {
  case studio, live
  static var placeholder: AlbumKind { .studio }
}

struct Studio: Codable, Sendable, Equatable, ColumnValue {
  var city: String
  var founded: Int?
  static var placeholder: Studio { Studio(city: "", founded: nil) }
  /// Ignores a stored property, as some programs' types do.
  static func == (lhs: Studio, rhs: Studio) -> Bool { lhs.city == rhs.city }
}

/// A type that is neither `Codable` nor a column value and needs a transformer.
struct Tint: Sendable, Equatable {
  var red: UInt8
}

final class TintTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Tint).map { Data([$0.red]) }
  }
  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data)?.first.map { Tint(red: $0) }
  }
}
