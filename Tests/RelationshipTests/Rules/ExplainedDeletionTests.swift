import Foundation
import RelationshipsGolden
import SchemaDiagnostics
import SchemaGraph
import SchemaModel
import TestSupport
import Testing
import Trellis

/// Compares the output of `trellis explain delete` with a save of a graph in which every relationship has a
/// destination.
@Suite struct ExplainedDeletionTests {
  static func explanation(_ model: String) throws -> DeleteConsequences {
    let root = Repository.root
    let path = root.appending(path: "Schemas/Relationships/Relationships.schema")
    let file = SourceFile(path: "Relationships.schema", text: try String(contentsOf: path, encoding: .utf8))
    let schema = try #require(SchemaCompiler.compile([file]).schemas.first)
    return try #require(DeleteConsequences(of: model, in: schema, files: [file]))
  }

  /// A graph in a store, with names for its parts.
  struct World {
    let home: StorePlace
    let context: ModelContext
    var parts: [String: any PersistentModel] = [:]

    init() throws {
      home = try StorePlace(.disk, Library.self)
      context = home.fresh()
      // The last readers are not the first reader of any book.
      let readers = (0..<5).map { Reader(name: "r\($0)") }
      let library = Library(readers: Array(readers.suffix(3)), sponsor: readers[3])
      let books = (0..<2).map { index in
        Book(title: "b\(index)", library: library, authors: [readers[3], readers[4]], firstReader: readers[index])
      }
      readers[3].mentor = readers[0]
      readers[1].mentor = readers[3]
      readers[3].spouse = readers[2]
      readers[3].friends = [readers[0], readers[4]]
      let desk = Desk(library: Library())
      let shelf = Shelf(cupboard: library)
      parts = [
        "library": library, "book": books[0], "desk": desk, "first": readers[0], "reader": readers[3], "shelf": shelf,
      ]
      parts["guarded"] = desk.library
      for model in [library, desk, shelf] as [any PersistentModel] { context.insert(model) }
      try context.save()
    }

    /// The relationships of all existing models by row.
    func ends() throws -> [PersistentIdentifier: [String: Set<PersistentIdentifier>]] {
      let context = home.fresh()
      var result: [PersistentIdentifier: [String: Set<PersistentIdentifier>]] = [:]
      func one(_ model: (any PersistentModel)?) -> Set<PersistentIdentifier> {
        Set([model?.persistentModelID].compactMap { $0 })
      }
      func many(_ models: [any PersistentModel]) -> Set<PersistentIdentifier> { Set(models.map(\.persistentModelID)) }
      for model in try context.fetch(FetchDescriptor<Library>()) {
        result[model.persistentModelID] = [
          "Library.books": many(model.books), "Library.desk": one(model.desk), "Library.readers": many(model.readers),
          "Library.sponsor": one(model.sponsor),
        ]
      }
      for model in try context.fetch(FetchDescriptor<Book>()) {
        result[model.persistentModelID] = [
          "Book.library": one(model.library), "Book.authors": many(model.authors ?? []),
          "Book.firstReader": one(model.firstReader),
        ]
      }
      for model in try context.fetch(FetchDescriptor<Desk>()) {
        result[model.persistentModelID] = ["Desk.library": one(model.library)]
      }
      for model in try context.fetch(FetchDescriptor<Reader>()) {
        result[model.persistentModelID] = [
          "Reader.libraries": many(model.libraries), "Reader.written": many(model.written ?? []),
          "Reader.firstBook": one(model.firstBook), "Reader.mentor": one(model.mentor),
          "Reader.pupils": many(model.pupils), "Reader.spouse": one(model.spouse),
          "Reader.friends": many(model.friends),
        ]
      }
      for model in try context.fetch(FetchDescriptor<Shelf>()) {
        result[model.persistentModelID] = ["Shelf.cupboard": one(model.cupboard)]
      }
      return result
    }
  }

  /// The private relationships.
  static let hidden: Set<String> = ["Shelf.owner", "Reader.shelf"]

  @Test(arguments: [
    ("library", "Library"), ("book", "Book"), ("desk", "Desk"), ("reader", "Reader"), ("shelf", "Shelf"),
  ])
  func deletedAndNullifiedModelsMatchTheExplanation(_ part: String, _ model: String) throws {
    let world = try World()
    let before = try world.ends()
    let deleted = try #require(world.parts[part])
    world.context.delete(deleted)
    try world.context.save()
    let after = try world.ends()
    let explained = try Self.explanation(model)

    let gone = before.keys.filter { after[$0] == nil }
    let models = Dictionary(gone.map { ($0.entityName, 1) }, uniquingKeysWith: +)
    #expect(Set(models.keys) == Set(explained.models.keys))
    for (name, count) in models where count > 1 { #expect(explained.models[name] == .all) }

    var changed: Set<String> = []
    for (row, ends) in after {
      for (property, others) in ends where others != before[row]?[property] { changed.insert(property) }
    }
    let told = explained.effects.filter { $0.kind != .denied && $0.kind != .required }
    #expect(changed.subtracting(told.map(\.property.name)) == [], "happens and is not told")
    let own = Set(explained.effects.filter { !$0.isBlocking || $0.kind == .tooFew }.map(\.property.name))
    #expect(own.subtracting(changed).subtracting(Self.hidden) == [], "is told and does not happen")
  }

  @Test(arguments: [("guarded", "Library"), ("first", "Reader")])
  func deniedDeletionsMatchTheExplanation(_ part: String, _ model: String) throws {
    let world = try World()
    let before = try world.ends()
    let deleted = try #require(world.parts[part])
    world.context.delete(deleted)
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try world.context.save() }
    #expect(try world.ends() == before)
    let explained = try Self.explanation(model)
    let blockers = Set(
      explained.effects.filter(\.isBlocking).map { "\($0.kind == .denied ? "deny" : "other") \($0.property.name)" })
    let violations = try #require(error?.details)
    #expect(!violations.isEmpty)
    for violation in violations {
      let property = "\(violation.model.entityName).\(violation.property ?? "")"
      #expect(blockers.contains("\(violation.rule == .deny ? "deny" : "other") \(property)"), "\(violation)")
    }
  }

  /// The preserved values and the deleted files.
  @Test func theSamplesPreservedValuesMatchTheExplanation() throws {
    let root = Repository.root
    let text = try String(contentsOf: root.appending(path: "Schemas/SampleTrips/SampleTrips.schema"), encoding: .utf8)
    let file = SourceFile(path: "SampleTrips.schema", text: text)
    let schema = try #require(SchemaCompiler.compile([file]).schemas.first)
    let explained = try #require(DeleteConsequences(of: "Trip", in: schema, files: [file]))
    #expect(explained.deletion.preserved == ["name", "startDate", "endDate"])
    #expect(explained.deletion.files == ["photo"])
    #expect(explained.models == ["Trip": .one, "BucketListItem": .all, "LivingAccommodation": .one])
  }
}
