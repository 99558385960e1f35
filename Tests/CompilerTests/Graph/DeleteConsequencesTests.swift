import SchemaDiagnostics
import SchemaGraph
import SchemaModel
import Testing

/// Tests of the consequences of a deletion.
struct DeleteConsequencesTests {
  private func consequences(_ model: String, _ text: String) throws -> DeleteConsequences {
    let file = SourceFile(path: "S.schema", text: text)
    let schema = try #require(SchemaCompiler.compile([file]).schemas.first)
    return try #require(DeleteConsequences(of: model, in: schema, files: [file]))
  }

  @Test func consequencesAsATree() throws {
    let text = try consequences("Trip", Texts.trips).text
    #expect(
      text == """
        deleting a 'Trip' (S.schema:4:14)
        ├─ every 'Stop' in 'Trip.stops' is deleted by .cascade (S.schema:12:66)
        │  ├─ 'Stop.next' becomes nil, by .nullify in 'Stop.previous' (S.schema:24:44)
        │  └─ 'Stop.previous' becomes nil, by .nullify in 'Stop.next' (S.schema:25:9)
        ├─ prevented while 'Trip.leader' refers to an object, by .deny (S.schema:13:64)
        ├─ the history preserves name
        └─ deleted files: photo

        may also be deleted: Cruise (one), Stop (any number)
        the save fails and nothing is deleted if any of these is true:
          S.schema:13:64: 'Trip.leader' refers to an object

        """)
  }

  @Test func oneWayReferencesAreListed() throws {
    let text = try consequences("Person", Texts.trips).text
    #expect(
      text == """
        deleting a 'Person' (S.schema:28:14)
        ├─ 'Trip.leader' becomes nil, by .nullify in 'Person.led' (S.schema:30:9)
        ├─ 'Person.friends' no longer contains it (S.schema:31:49)
        └─ prevented while required 'Cruise.captain' refers to it (S.schema:18:60)

        the save fails and nothing is deleted if any of these is true:
          S.schema:18:60: 'Cruise.captain' refers to the deleted object

        """)
  }

  /// The consequences for a superclass include those of its submodels.
  @Test func submodels() throws {
    let found = try consequences(
      "A",
      """
      schema S 1.0.0
      @Model class A { var x: Int? }
      @Model class B: A {
          @Attribute(.preserveValueOnDeletion) var y: Int?
          @Relationship(deleteRule: .cascade, inverse: nil) var parts: [Part] = []
      }
      @Model class Part { @Relationship(inverse: nil) var other: A? }
      """)
    #expect(found.deletion.deletions.map(\.condition) == ["B"])
    #expect(found.deletion.submodels == ["B"])
    #expect(found.deletion.preserved == ["B.y"])
    #expect(found.models == ["A": .one, "B": .one, "Part": .all])
    #expect(
      found.effects.map { "\($0.kind) \($0.property.name) \($0.isOthers) \($0.mayDieToo)" } == [
        "nullified Part.other false true", "removedFromList B.parts true true",
      ])
    #expect(found.text.contains("├─ if it is a 'B': every 'Part' in 'B.parts' is deleted by .cascade"))
  }

  /// The other members of the list through which an object was reached are deleted as well. Each relationship is listed
  /// once.
  @Test func cyclesAreListedOnce() throws {
    let found = try consequences(
      "Tag",
      """
      schema S 1.0.0
      @Model class Tag { @Relationship(deleteRule: .cascade, inverse: \\Note.tags) var notes: [Note] = [] }
      @Model class Note { @Relationship(deleteRule: .cascade) var tags: [Tag] = [] }
      """)
    #expect(
      found.text == """
        deleting a 'Tag' (S.schema:2:14)
        └─ every 'Note' in 'Tag.notes' is deleted by .cascade (S.schema:2:81)
           └─ every other 'Tag' in 'Note.tags' is deleted by .cascade (S.schema:3:61)
              └─ every other 'Note' in 'Tag.notes' is deleted by .cascade (S.schema:2:81) … see above

        may also be deleted: Note (any number), Tag (any number)
        no rule in the schema prevents the deletion

        """)
  }

  @Test func everyDeleteRule() throws {
    let found = try consequences(
      "A",
      """
      schema S 1.0.0
      @Model class A {
          @Relationship(deleteRule: .noAction, inverse: \\B.one) var one: B?
          @Relationship(deleteRule: .noAction, inverse: \\B.need) var need: B?
          @Relationship(deleteRule: .nullify, inverse: \\C.need) var cs: [C] = []
          @Relationship(deleteRule: .cascade, inverse: \\C.owner) var mine: [C] = []
          @Relationship(deleteRule: .nullify, inverse: \\D.some) var d: [D] = []
          @Relationship(deleteRule: .deny, inverse: nil) var guard: D?
          @Relationship(deleteRule: .nullify, inverse: nil) var alone: D?
      }
      @Model class B { var one: A?; var need: A }
      @Model class C { var need: A; var owner: A? }
      @Model class D { @Relationship(minimumModelCount: 2) var some: [A] = [] }
      """.replacing("var guard", with: "var keeper"))
    #expect(
      found.effects.map { "\($0.kind) \($0.property.name) \($0.mayDieToo) \($0.isBlocking)" } == [
        "readsNil B.one false false", "readsPlaceholder B.need false false", "required C.need true true",
        "tooFew D.some false true", "denied A.keeper true true", "removedFromList A.cs true false",
      ])
    #expect(
      found.text.contains("  S.schema:12:22: 'C.need' refers to the deleted object, unless its 'C' is also deleted\n"))
    #expect(found.text.contains("'D.some' would have fewer than 2 members"))
    #expect(found.models == ["A": .one, "C": .all])
  }

  @Test func unknownModels() throws {
    let schema = try diagramSchema(Texts.trips)
    #expect(DeleteConsequences(of: "Kind", in: schema, files: []) == nil)
    #expect(InsertNeeds(of: "", in: schema, files: []) == nil)
  }

  /// Ranges in missing files have no location and cause no error.
  @Test func withoutFiles() throws {
    let found = try #require(DeleteConsequences(of: "Stop", in: try diagramSchema(Texts.trips), files: []))
    #expect(found.deletion.model.place == "")
  }
}

/// Tests of the requirements of an insertion.
struct InsertNeedsTests {
  @Test func requirementsAsATree() throws {
    let file = SourceFile(
      path: "S.schema",
      text: """
        schema S 1.0.0
        @Model class Book {
            #Unique<Book>([\\.title, \\.year], onConflict: .keep)
            var title: String
            var year: Int = 0
            var note: String?
            @Transient var mark: Int = 0
            var first: Reader
            @Relationship(minimumModelCount: 2, maximumModelCount: 3) var authors: [Reader] = []
            @Relationship(minimumModelCount: 1) var printers: [Printer]?
        }
        @Model class Reader {
            @Attribute(.unique) var name: String
            @Relationship(inverse: \\Book.first) var book: Book
            @Relationship(inverse: \\Book.authors) var written: [Book] = []
        }
        @Model class Printer { @Relationship(.unique, inverse: \\Book.printers) var books: [Book] = [] }
        @Model class Novel: Book { var hero: String }
        """)
    let schema = try #require(SchemaCompiler.compile([file]).schemas.first)
    let needs = try #require(InsertNeeds(of: "Novel", in: schema, files: [file]))
    #expect(
      needs.text == """
        inserting a 'Novel' (S.schema:18:14)
        ├─ requires 'Book.title': String (S.schema:4:9)
        ├─ requires 'Novel.hero': String (S.schema:18:32)
        ├─ requires a 'Reader' for 'Book.first' (S.schema:8:9)
        │  ├─ requires 'Reader.name': String (S.schema:13:29)
        │  ├─ requires a 'Book' for 'Reader.book' (S.schema:14:45), which requires this object in turn: insert both and save once
        │  └─ an existing object with the same 'name' is updated instead (S.schema:13:29)
        ├─ requires 2 'Reader' objects for 'Book.authors' (S.schema:9:67) … see above
        ├─ 'Book.authors' must have 2 to 3 members (S.schema:9:67)
        ├─ 'Book.printers' must have at least 1 members, or be empty (S.schema:10:45)
        └─ an existing object with the same 'title', 'year' is kept and used instead (S.schema:3:19)

        """)
    #expect(needs.insertion.partners.map(\.count) == [1, 2])
    let printer = try #require(InsertNeeds(of: "Printer", in: schema, files: [file]))
    #expect(printer.text.contains("no requirements") || printer.text.contains("no two objects"))
  }
}
