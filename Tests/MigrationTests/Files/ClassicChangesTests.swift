import ClassicV1
import ClassicV2
import Foundation
import Testing
import Trellis

/// The twelve classic changes, from a store of the old version to models of the new version.
@Suite struct ClassicChangesTests {
  private let fixture: MigrationFixture
  private let context: ModelContext

  init() throws {
    fixture = try MigrationFixture()
    do { try Classic.fill(fixture.open(Classic.V1.self)) }
    context = try fixture.open(Classic.V2.self, Classic.Plan.self)
    #expect(try fixture.complaints() == "")
  }

  private func trips() throws -> [ClassicV2.Trip] {
    try context.fetch(FetchDescriptor<ClassicV2.Trip>(sortBy: [SortDescriptor(\.cents)]))
  }

  @Test func rename() throws {
    #expect(try trips().map(\.name) == ["e\u{301}", "Oslo"])
    let found = FetchDescriptor<ClassicV2.Trip>(predicate: #Predicate { $0.name == "\u{e9}" })
    #expect(try context.fetchCount(found) == 1)
  }

  @Test func retype() throws {
    #expect(try trips().map(\.cents) == [10, 1234])
    #expect(try trips()[1].photo == Data(repeating: 7, count: 300_000))
    let numbers = try context.fetch(
      FetchDescriptor<ClassicV2.Numbers>(sortBy: [SortDescriptor(\.small)]))
    #expect(numbers.map(\.small) == [Int64(Int32.min), 7])
    #expect(numbers.map(\.plain) == [9_007_199_254_740_992, -3])
    #expect(numbers.map(\.byte) == [255, 0])
    #expect(numbers.map(\.wide) == [Decimal(UInt64.max), 0])
    #expect(numbers[0].real.isNaN && numbers[1].real == 1.5)
    #expect(numbers.map(\.letter) == ["ä", "b"])
    #expect(numbers.map(\.list) == [[1, -2], []])
  }

  @Test func split() throws {
    let people = try context.fetch(
      FetchDescriptor<ClassicV2.Person>(sortBy: [SortDescriptor(\.firstName)]))
    #expect(people.map(\.firstName) == ["Ada", "Plato"])
    #expect(people.map(\.lastName) == ["Lovelace", ""])
    #expect(people[0].aliases.map(\.text) == ["Countess"] && people[1].aliases.isEmpty)
  }

  @Test func merge() throws {
    let places = try context.fetch(
      FetchDescriptor<ClassicV2.Place>(sortBy: [SortDescriptor(\.street)]))
    #expect(places.map(\.kind) == ["home", "office"] && places.map(\.floor) == [nil, 4])
  }

  @Test func requiredWithBackfill() throws {
    #expect(try trips().map(\.note) == ["none", "n"])
    #expect(try trips().map(\.stars) == [3, 3])
    let numbers = try context.fetch(
      FetchDescriptor<ClassicV2.Numbers>(sortBy: [SortDescriptor(\.small)]))
    #expect(numbers.map(\.perhaps) == [-1, 9])
  }

  @Test func toOneBecomesToMany() throws {
    let books = try context.fetch(FetchDescriptor<ClassicV2.Book>(sortBy: [SortDescriptor(\.title)]))
    #expect(books.map { $0.authors.map(\.name) } == [[], ["Borges"]])
    #expect(try context.all(ClassicV2.Author.self).map { $0.books.map(\.title) } == [["Ficciones"]])
  }

  @Test func toManyBecomesAModel() throws {
    let students = try context.fetch(
      FetchDescriptor<ClassicV2.Student>(sortBy: [SortDescriptor(\.name)]))
    #expect(
      students.map { Set($0.enrollments.map(\.course.title)) } == [["c1", "c2"], ["c2"]])
    #expect(try context.all(ClassicV2.Enrollment.self).map(\.grade) == [0, 0, 0])
  }

  @Test func attributeMovesAcrossModels() throws {
    let customer = try #require(try context.all(ClassicV2.Customer.self).first)
    #expect(customer.address == "second")
    #expect(Set(customer.orders.map(\.number)) == [1, 2])
  }

  @Test func dedupeThenUnique() throws {
    let tags = try context.fetch(FetchDescriptor<ClassicV2.Tag>(sortBy: [SortDescriptor(\.weight)]))
    #expect(tags.map(\.name) == ["other", "same"] && tags.map(\.weight) == [2, 3])
    // References to the removed row refer to the remaining row.
    #expect(Set(tags[1].memos.map(\.text)) == ["m1", "m2"])
    #expect(tags[1].marks.map(\.text) == ["k"])
    let unique = "SELECT COUNT(*) FROM pragma_index_list('Tag') WHERE \"unique\" AND origin = 'c'"
    #expect(try fixture.shell(unique) == "1")
  }

  @Test func enumWithChangedCoding() throws {
    #expect(try trips().map(\.kind) == [.personal, .business])
    #expect(try fixture.shell("SELECT kind FROM Trip ORDER BY cents") == "p\nb")
  }

  @Test func dropWithArchive() throws {
    #expect(Set(try context.all(ClassicV2.Archive.self).map(\.text)) == ["l1", "l2", "l3"])
    #expect(try fixture.shell("SELECT name FROM sqlite_schema WHERE name = 'Log'") == "")
  }

  @Test func modelRename() throws {
    let voyage = try #require(try context.all(ClassicV2.Voyage.self).first)
    #expect(voyage.harbour == "Bergen" && Set(voyage.calls.map(\.name)) == ["a", "b"])
    let cars = try context.all(ClassicV2.Automobile.self)
    #expect(cars.map(\.doors) == [5] && cars.map(\.fuel) == ["petrol"] && cars.map(\.wheels) == [4])
    #expect(try context.fetchCount(FetchDescriptor<ClassicV2.Vehicle>()) == 3)
    let pair = try #require(try context.all(ClassicV2.Pair.self).first)
    #expect(pair.left == "r" && pair.right == "l")
  }

  @Test func theTablesEqualThoseOfANewStore() throws {
    let fresh = try MigrationFixture()
    _ = try fresh.open(Classic.V2.self)
    let columns = """
      SELECT m.name, c.name, c.type, c."notnull", c.pk FROM sqlite_schema m, pragma_table_info(m.name) c
      WHERE m.type = 'table' ORDER BY 1, 2;
      SELECT m.name, i.name, i."unique", c.name FROM sqlite_schema m, pragma_index_list(m.name) i,
      pragma_index_info(i.name) c WHERE m.type = 'table' ORDER BY 1, 2, c.seqno;
      SELECT m.name, k."from", k."table", k.on_delete FROM sqlite_schema m,
      pragma_foreign_key_list(m.name) k ORDER BY 1, 2;
      SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY 1;
      SELECT key FROM trellis_metadata WHERE key NOT IN ('migrations', 'last rewrite', 'released') AND
      key NOT LIKE 'next %' AND key NOT LIKE 'mark %' ORDER BY 1
      """
    #expect(try fixture.shell(columns) == fresh.shell(columns))
  }

  @Test func theStoreIsFullyUsableAfterwards() throws {
    #expect(fixture.backups == ["test.store.backup-1.0.0"])
    for model in try trips() { model.stars += 1 }
    context.insert(ClassicV2.Tag(name: "new", weight: 9))
    context.insert(ClassicV2.Automobile(name: "n", doors: 1))
    for student in try context.all(ClassicV2.Student.self) { context.delete(student) }
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<ClassicV2.Enrollment>()) == 0)
    #expect(try fixture.complaints() == "")
    let before = try fixture.shell("PRAGMA schema_version; SELECT * FROM trellis_metadata")
    _ = try fixture.open(Classic.V2.self, Classic.Plan.self)
    #expect(try fixture.shell("PRAGMA schema_version; SELECT * FROM trellis_metadata") == before)
  }
}
