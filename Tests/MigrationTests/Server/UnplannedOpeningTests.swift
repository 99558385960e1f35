import ClassicV1
import ClassicV2
import Foundation
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// Tests each row of the table "Without a plan" from the article *Migrations*, in a file and in a database.
@Suite(.waiting) struct UnplannedOpeningTests {
  typealias Old = SameAsAFileTests.Old
  typealias New = SameAsAFileTests.New

  struct Row: Sendable, CustomTestStringConvertible {
    /// The table's first column.
    let change: String
    /// The table's second column: "opens", or the error message.
    let outcome: String
    let old: any VersionedSchema.Type
    let new: any VersionedSchema.Type
    /// The older version's rows.
    let rows: @Sendable () -> [any PersistentModel]
    /// The values that the newer program reads.
    var found: @Sendable (ModelContext) throws -> [String] = { _ in [] }
    var expected: [String] = []

    var testDescription: String { change }
  }

  private static let opening: [Row] = [
    Row(
      change: "a model is added", outcome: "opens", old: Old<ClassicV1.Cabin>.self,
      new: New<ClassicV2.Cabin, ClassicV2.Hotel>.self, rows: { [ClassicV1.Cabin(name: "a", beds: 2)] },
      found: { context in
        context.insert(ClassicV2.Hotel(name: "h"))
        try context.save()
        return try context.all(ClassicV2.Cabin.self).map { "\($0.name) \($0.beds ?? 0)" }
          + context.all(ClassicV2.Hotel.self).map(\.name)
      }, expected: ["a 2", "h"]),
    Row(
      change: "a property is added that is optional, has a default value, or is a list", outcome: "opens",
      old: Old<ClassicV1.Visit>.self, new: New<ClassicV2.Visit, ClassicV2.Guest>.self,
      rows: { [ClassicV1.Visit(name: "a", note: "n"), ClassicV1.Visit(name: "b")] },
      found: {
        try $0.all(ClassicV2.Visit.self)
          .map { "\($0.name) \($0.note ?? "-") \($0.mood ?? "-") \($0.count) \($0.guests.count)" }
      }, expected: ["a n - 7 0", "b - - 7 0"]),
    Row(
      change: "a list is added as the inverse of a reference", outcome: "opens",
      old: Old<ClassicV1.Tour, ClassicV1.Guide>.self, new: New<ClassicV2.Tour, ClassicV2.Guide>.self,
      rows: { [ClassicV1.Tour(name: "t", guide: ClassicV1.Guide(name: "g"))] },
      found: { try $0.all(ClassicV2.Guide.self).map { "\($0.name) \($0.tours.map(\.name))" } },
      expected: ["g [\"t\"]"]),
    Row(
      change: "a model or a property is renamed by `originalName`; two may exchange their names", outcome: "opens",
      old: Old<ClassicV1.Route>.self, new: New<ClassicV2.Path>.self,
      rows: { [ClassicV1.Route(first: "a", last: "z")] },
      found: { try $0.all(ClassicV2.Path.self).map { "\($0.first) \($0.last)" } }, expected: ["z a"]),
    Row(
      change: "an optional property becomes required and has a default value", outcome: "opens",
      old: Old<ClassicV1.Hotel>.self, new: New<ClassicV2.Hotel>.self,
      rows: { [ClassicV1.Hotel(name: "a", stars: 5), ClassicV1.Hotel(name: "b")] },
      found: { try $0.all(ClassicV2.Hotel.self).map { "\($0.name) \($0.stars)" } }, expected: ["a 5", "b 3"]),
    Row(
      change: "a required property becomes optional", outcome: "opens", old: Old<ClassicV1.Cabin>.self,
      new: New<ClassicV2.Cabin>.self, rows: { [ClassicV1.Cabin(name: "a", beds: 2)] },
      found: { context in
        context.insert(ClassicV2.Cabin(name: "b"))
        try context.save()
        return try context.all(ClassicV2.Cabin.self).map { "\($0.name) \($0.beds ?? 0)" }
      }, expected: ["a 2", "b 0"]),
    Row(
      change: "a delete rule changes", outcome: "opens", old: Old<ClassicV1.Fleet, ClassicV1.Ship>.self,
      new: New<ClassicV2.Fleet, ClassicV2.Ship>.self,
      rows: {
        let fleet = ClassicV1.Fleet(name: "f")
        return [fleet, ClassicV1.Ship(name: "s", fleet: fleet), ClassicV1.Ship(name: "t")]
      },
      found: { context in
        let fleets = try context.all(ClassicV2.Fleet.self).map { "\($0.name) \($0.ships.map(\.name))" }
        try context.all(ClassicV2.Fleet.self).forEach(context.delete)
        try context.save()
        return try fleets + context.all(ClassicV2.Ship.self).map(\.name)
      }, expected: ["f [\"s\"]", "t"]),
    Row(
      change: "an index is added or removed, a unique constraint is removed", outcome: "opens",
      old: Old<ClassicV1.Ticket>.self, new: New<ClassicV2.Ticket>.self,
      rows: { [ClassicV1.Ticket(name: "a", number: 1)] },
      found: { context in
        context.insert(ClassicV2.Ticket(name: "b", number: 1))
        try context.save()
        return try context.all(ClassicV2.Ticket.self).map { "\($0.name) \($0.number)" }
      }, expected: ["a 1", "b 1"]),
    Row(
      change: "a unique constraint is added, and no rows are equal", outcome: "opens",
      old: Old<ClassicV1.Guest>.self, new: New<ClassicV2.Guest>.self,
      rows: { [ClassicV1.Guest(name: "a"), ClassicV1.Guest(name: "b")] },
      found: { context in
        context.insert(ClassicV2.Guest(name: "a"))
        try context.save()
        return try context.all(ClassicV2.Guest.self).map(\.name)
      }, expected: ["a", "b"]),
    Row(
      change: "a type is replaced by one that reads the same stored values", outcome: "opens",
      old: Old<ClassicV1.Meal>.self, new: New<ClassicV2.Meal>.self,
      rows: { [ClassicV1.Meal(name: "a", price: .max)] },
      found: { try $0.all(ClassicV2.Meal.self).map { "\($0.name) \($0.price)" } }, expected: ["a 2147483647"]),
    Row(
      change: "a property or a model is removed, and no row has a value", outcome: "opens",
      old: Old<ClassicV1.Visit, ClassicV1.Group, ClassicV1.Guest>.self, new: New<ClassicV2.Visit2>.self,
      rows: { [ClassicV1.Visit(name: "a")] },
      found: { try $0.all(ClassicV2.Visit2.self).map(\.name) }, expected: ["a"]),
  ]

  private static let refused: [Row] = [
    Row(
      change: "a property is removed, and rows have a value",
      outcome: "'Visit2.note' is no longer in the schema, and its values would be lost",
      old: Old<ClassicV1.Visit>.self, new: New<ClassicV2.Visit2>.self,
      rows: { [ClassicV1.Visit(name: "a"), ClassicV1.Visit(name: "b", note: "n")] }),
    Row(
      change: "a model is removed, and has rows",
      outcome: "'Meal' is no longer in the schema, and its rows would be lost",
      old: Old<ClassicV1.Guest, ClassicV1.Meal>.self, new: New<ClassicV2.Guest>.self,
      rows: { [ClassicV1.Meal(name: "a", price: 1)] }),
    Row(
      change: "a required property without a default value is added",
      outcome: "'Visit3.code' is new and required, but has no default value",
      old: Old<ClassicV1.Visit>.self, new: New<ClassicV2.Visit3>.self, rows: { [ClassicV1.Visit(name: "a")] }),
    Row(
      change: "an optional property becomes required without a default value, and rows have no value",
      outcome: "'Hotel2.stars' has no default value, and there are rows without a value",
      old: Old<ClassicV1.Hotel>.self, new: New<ClassicV2.Hotel2>.self, rows: { [ClassicV1.Hotel(name: "a")] }),
    Row(
      change: "a unique constraint is added, and rows are equal", outcome: "are not unique",
      old: Old<ClassicV1.Guest>.self, new: New<ClassicV2.Guest>.self,
      rows: { [ClassicV1.Guest(name: "a"), ClassicV1.Guest(name: "a")] }),
    Row(
      change: "a type is replaced by another one",
      outcome: "'Meal2.price' was 'Int32' and is now 'String', whose values are stored differently",
      old: Old<ClassicV1.Meal>.self, new: New<ClassicV2.Meal2>.self,
      rows: { [ClassicV1.Meal(name: "a", price: 1)] }),
    Row(
      change: "a property moves to another class of a hierarchy",
      outcome: "'Ferry.cars' is declared by another class",
      old: Old<ClassicV1.Boat, ClassicV1.Ferry>.self, new: New<ClassicV2.Boat, ClassicV2.Ferry>.self,
      rows: { [ClassicV1.Ferry(name: "a", speed: 1, cars: 2)] }),
    Row(
      change: "a class gets another superclass, or no longer has one", outcome: "'Ferry2' has a different superclass",
      old: Old<ClassicV1.Boat, ClassicV1.Ferry>.self, new: New<ClassicV2.Boat2, ClassicV2.Ferry2>.self,
      rows: { [ClassicV1.Ferry(name: "a", speed: 1, cars: 2)] }),
    Row(
      change: "a reference becomes a list, or a list a reference",
      outcome: "the pairs in 'Group_leader' were references before",
      old: Old<ClassicV1.Group, ClassicV1.Guest>.self, new: New<ClassicV2.Group, ClassicV2.Guest>.self,
      rows: { [ClassicV1.Group(name: "a", leader: ClassicV1.Guest(name: "g"))] }),
    Row(
      change: "a relationship has another destination",
      outcome: "'Group2.leader' now refers to 'Hotel' instead of 'Guest'",
      old: Old<ClassicV1.Group, ClassicV1.Guest>.self,
      new: New<ClassicV2.Group2, ClassicV2.Guest, ClassicV2.Hotel>.self,
      rows: { [ClassicV1.Group(name: "a", leader: ClassicV1.Guest(name: "g"))] }),
    Row(
      change: "a reference is added as the inverse of a reference",
      outcome: "'Guide2.tour' gets its models from another relationship",
      old: Old<ClassicV1.Tour, ClassicV1.Guide>.self, new: New<ClassicV2.Tour2, ClassicV2.Guide2>.self,
      rows: { [ClassicV1.Tour(name: "t", guide: ClassicV1.Guide(name: "g"))] }),
  ]

  @Test(arguments: opening + refused + structs, [false, true])
  func eachTableRowIsCorrect(_ row: Row, isServer: Bool) throws {
    let file = try MigrationFixture()
    let server = try isServer ? PostgresFixture() : nil
    func open(_ version: any VersionedSchema.Type) throws -> ModelContext {
      try server?.open(version) ?? file.open(version)
    }
    let context = try open(row.old)
    try context.add(row.rows())
    guard row.outcome != "opens" else {
      #expect(try row.found(open(row.new)).sorted() == row.expected)
      // When the store is opened again, there is nothing to do.
      _ = try open(row.new)
      if let server {
        let fresh = try PostgresFixture()
        _ = try fresh.open(row.new)
        #expect(try server.shape() == fresh.shape())
      } else {
        #expect(try file.complaints() == "" && file.backups.isEmpty)
      }
      return
    }
    let before = try server?.shape() ?? file.everything()
    let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) { try open(row.new) }
    #expect(error?.storeProblem == .differentSchema)
    let text = error?.explanation ?? ""
    #expect(text.contains(row.outcome) && text.contains("write a migration plan"), "\(text)")
    #expect(text.contains("ALTER SCHEMA") == (server != nil), "\(text)")
    #expect(try server?.shape() ?? file.everything() == before)
    // The older program still works.
    let again = try open(row.old)
    try again.add(row.rows())
  }

  /// Structs with a column for each field do not lose any fields either.
  private static let structs: [Row] = [
    Row(
      change: "a struct is removed",
      outcome: "'Arena.size.width' is no longer in the schema, and its values would be lost: Arena/1",
      old: Old<ClassicV1.Arena>.self, new: New<ClassicV2.Arena>.self,
      rows: { [ClassicV1.Arena(name: "a", size: .init(width: 1))] }),
    Row(
      change: "a field of an optional struct is removed",
      outcome: "'Arena2.trim.unit' is no longer in the schema, and its values would be lost: Arena2/1",
      old: Old<ClassicV1.Arena>.self, new: New<ClassicV2.Arena2>.self,
      rows: { [ClassicV1.Arena(name: "a", size: .init(width: 1), trim: .init(width: 2, unit: "m"))] }),
    Row(
      change: "a field without values is removed", outcome: "opens", old: Old<ClassicV1.Arena>.self,
      new: New<ClassicV2.Arena2>.self,
      rows: { [ClassicV1.Arena(name: "a", size: .init(width: 1), trim: .init(width: 2))] },
      found: { try $0.all(ClassicV2.Arena2.self).map { "\($0.size.width) \($0.trim?.width ?? 0)" } }, expected: ["1 2"]),
    Row(
      change: "a struct is optional now, another one is required, and both have a new field", outcome: "opens",
      old: Old<ClassicV1.Arena>.self, new: New<ClassicV2.Arena3>.self,
      rows: { [ClassicV1.Arena(name: "a", size: .init(width: 1), trim: .init(width: 2, unit: "m"))] },
      found: {
        try $0.all(ClassicV2.Arena3.self).map { "\($0.size?.width ?? 0) \($0.trim.unit ?? "") \($0.trim.depth)" }
      }, expected: ["1 m 4"]),
    Row(
      change: "a struct is required now, and is missing",
      outcome: "'Arena3.trim' has no default value, and there are rows without a value: Arena3/1",
      old: Old<ClassicV1.Arena>.self, new: New<ClassicV2.Arena3>.self,
      rows: { [ClassicV1.Arena(name: "a", size: .init(width: 1))] }),
    Row(
      change: "a struct is added, and only its first field has a default value",
      outcome: "'Visit4.seat.number' is new and required, but has no default value",
      old: Old<ClassicV1.Visit>.self, new: New<ClassicV2.Visit4>.self, rows: { [ClassicV1.Visit(name: "a")] }),
    Row(
      change: "a struct is added, and only its first field is optional",
      outcome: "'Visit5.seat.number' is new and required, but has no default value",
      old: Old<ClassicV1.Visit>.self, new: New<ClassicV2.Visit5>.self, rows: { [ClassicV1.Visit(name: "a")] }),
    Row(
      change: "a struct is added, and its fields are optional or have default values", outcome: "opens",
      old: Old<ClassicV1.Visit>.self, new: New<ClassicV2.Visit6>.self, rows: { [ClassicV1.Visit(name: "a")] },
      found: { try $0.all(ClassicV2.Visit6.self).map { "\($0.name) \($0.seat.label ?? "-") \($0.seat.number)" } },
      expected: ["a - 5"]),
  ]

  /// `| change | outcome |`
  @Test func theArticleContainsTheseRows() throws {
    let article = try Repository.text("Sources/Runtime/Trellis/Trellis.docc/Migrations.md")
    let section = try #require(article.components(separatedBy: "### Without a plan\n\n").last)
    let lines = section.split(separator: "\n").prefix { !$0.hasPrefix("#") }.filter { $0.hasPrefix("| ") }
    // The number in a model's name only distinguishes several later versions of the same model.
    let rows = (Self.opening + Self.refused).map { row in
      let message = row.outcome.replacing(#/([A-Z][a-z]+)[2-9]\b/#) { "\($0.1)" }
      return "| \(row.change) | \(row.outcome == "opens" ? "opens" : "refused: \(message)") |"
    }
    #expect(lines.dropFirst().map(String.init) == rows)
  }
}
