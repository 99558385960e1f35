import Foundation
import Trellis

extension Album {
  struct Snapshot: ModelSnapshot {
    typealias Model = Album
    var persistentIdentifier: PersistentIdentifier
    var title: String
    var released: Date?
    var rating: Double
    var kind: AlbumKind
    var studio: Studio?
    var label: PersistentIdentifier?
    var tint: Tint
    var songs: [PersistentIdentifier]?

    init(
      persistentIdentifier: PersistentIdentifier, title: String, released: Date? = nil,
      rating: Double = 0, kind: AlbumKind = .studio, studio: Studio? = nil,
      label: PersistentIdentifier? = nil, tint: Tint = Tint(red: 0),
      songs: [PersistentIdentifier]? = []
    ) {
      self.persistentIdentifier = persistentIdentifier
      self.title = title
      self.released = released
      self.rating = rating
      self.kind = kind
      self.studio = studio
      self.label = label
      self.tint = tint
      self.songs = songs
    }

    init(from row: inout StatementRow) throws {
      persistentIdentifier = row.identifier
      title = try row.value(0)
      released = try row.value(1)
      rating = try row.value(2)
      kind = try row.value(3)
      studio = try row.value(4)
      label = row.reference(5)
      tint = try row.transformed(6, by: .type(TintTransformer.self))
      songs = row.references(0)
    }

    func write(to row: inout StatementBinder) throws {
      try row.value(0, title)
      try row.value(1, released)
      try row.value(2, rating)
      try row.value(3, kind)
      try row.value(4, studio)
      try row.reference(5, label)
      try row.transformed(6, tint, by: .type(TintTransformer.self))
      try row.references(0, songs)
    }

    init(placeholder identifier: PersistentIdentifier) {
      self.init(persistentIdentifier: identifier, title: "", songs: nil)
    }
    init(of model: Album) { self = model._$values }
    func makeModel() -> Album { Album(_$values: self) }
    func restore(_ model: Album) { model._$values = self }

    func reference(_ slot: Int) -> PersistentIdentifier? { slot == 5 ? label : nil }
    mutating func setReference(_ slot: Int, to identifier: PersistentIdentifier?) {
      if slot == 5 { label = identifier }
    }
    func references(_ slot: Int) -> [PersistentIdentifier]? { slot == 0 ? songs : nil }
    mutating func setReferences(_ slot: Int, to identifiers: [PersistentIdentifier]?) {
      if slot == 0 { songs = identifiers }
    }
    static func setReference(_ slot: Int, of model: Album, to identifier: PersistentIdentifier?) {
      model._$values.setReference(slot, to: identifier)
    }
    static func reference(_ slot: Int, of model: Album) -> PersistentIdentifier? {
      model._$values.reference(slot)
    }
  }
}
