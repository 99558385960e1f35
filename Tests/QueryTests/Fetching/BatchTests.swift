import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

@Suite struct BatchTests {
  @Test func S083_batchesAreLoadedOnAccess() throws {
    let fixture = try FetchFixture()
    try fixture.fill(10)
    let context = fixture.context
    let all = (0..<10).map(QueryTests.code)
    var results = try context.fetch(.byCode, batchSize: 4)
    #expect(context.debugDescription.hasSuffix("registered: 0)"))
    #expect(results.count == 10 && results.indices == 0..<10)
    // Access by index loads only one batch.
    var code = ""
    var queries = try fixture.queries { code = results[9].code }
    #expect(code == "e009" && queries.count == 1)
    #expect(context.debugDescription.hasSuffix("registered: 2)"))
    queries = try fixture.queries { code = results[8].code }
    #expect(code == "e008" && queries.isEmpty)
    // Access in sequence; the last batch is already loaded.
    var codes: [String] = []
    queries = try fixture.queries { codes = results.map(\.code) }
    #expect(codes == all && queries.count == 2)
    #expect(results.reversed().map(\.code) == all.reversed())
    #expect(results[2..<5].map(\.length) == [2, 3, 4] && results.last?.length == 9)
    results = try context.fetch(.byCode, batchSize: 0)
    queries = try fixture.queries { codes = results.map(\.code) }
    #expect(codes == all && queries.count == 1)
  }

  @Test(arguments: FetchFixture.Kind.allCases)
  func S083_identifiersAreReturnedAsACollection(_ kind: FetchFixture.Kind) throws {
    let fixture = try FetchFixture(kind)
    try fixture.fill(5)
    let identifiers = try fixture.context.fetchIdentifiers(.byCode, batchSize: 2)
    #expect(Array(identifiers) == (try fixture.context.fetch(.byCode).map(\.persistentModelID)))
    #expect(identifiers[3] == (try fixture.context.fetch(.byCode)[3].persistentModelID))
  }

  @Test func onlyRecentlyUsedBatchesAreRetained() throws {
    let fixture = try FetchFixture()
    try fixture.fill(100)
    let results = try fixture.context.fetch(.byCode, batchSize: 5)
    var most = 0
    for excursion in results {
      _ = excursion.code
      most = max(most, fixture.context.tables.values.reduce(0) { $0 + $1.count })
    }
    #expect(most <= 25)
  }

  @Test(arguments: FetchFixture.Kind.allCases)
  func rowsDeletedAfterTheFetchAreDeletedElements(_ kind: FetchFixture.Kind) throws {
    let fixture = try FetchFixture(kind)
    try fixture.fill(6)
    let results = try fixture.context.fetch(.byCode, batchSize: 2)
    let expected = try fixture.context.fetchIdentifiers(.byCode)
    let other = fixture.fresh()
    for excursion in try other.fetch(.byCode) where excursion.length % 2 == 1 {
      other.delete(excursion)
    }
    try other.save()
    #expect(results.count == 6)
    #expect(results.map(\.persistentModelID) == expected)
    #expect(results.map(\.isDeleted) == [false, true, false, true, false, true])
    #expect(results.filter { !$0.isDeleted }.map(\.code) == ["e000", "e002", "e004"])
    // A pending deletion shows the object itself.
    fixture.context.delete(results[4])
    #expect(results[4].isDeleted && results[4].code == "e004")
  }

  /// SwiftData rejects both. Here, pending changes are included in all fetches.
  @Test(arguments: FetchFixture.Kind.allCases)
  func S084_batchesAndSortedIdentifiersIncludePendingChanges(_ kind: FetchFixture.Kind) throws {
    let fixture = try FetchFixture(kind)
    try fixture.fill(5)
    let context = fixture.context
    let all = try context.fetch(.byCode)
    all[0].code = "z"
    context.delete(all[1])
    context.insert(Excursion(code: "e0015"))
    let now = ["e0015", "e002", "e003", "e004", "z"]
    let results = try context.fetch(.byCode, batchSize: 2)
    #expect(results.map(\.code) == now)
    let identifiers = try context.fetchIdentifiers(.byCode)
    #expect(identifiers == (try context.fetch(.byCode).map(\.persistentModelID)))
    #expect(identifiers[0].isTemporary)
    #expect(try Array(context.fetchIdentifiers(.byCode, batchSize: 2)) == identifiers)
    // The save replaces the identifier of the inserted model. The element stays unchanged.
    try context.save()
    #expect(results.map(\.code) == now)
    #expect(results.allSatisfy { !$0.isDeleted && !$0.persistentModelID.isTemporary })

    var stored = FetchDescriptor.byCode
    stored.includePendingChanges = false
    context.insert(Excursion(code: "late"))
    #expect(try context.fetch(stored, batchSize: 2).map(\.code) == now)
  }

  @Test(arguments: FetchFixture.Kind.allCases)
  func S086_enumerateVisitsEveryMatchInOrder(_ kind: FetchFixture.Kind) throws {
    let fixture = try FetchFixture(kind)
    try fixture.fill(12)
    let descriptor = FetchDescriptor<Excursion>(
      predicate: #Predicate { $0.length > 1 }, sortBy: [SortDescriptor(\.length, order: .reverse)])
    for size in [1, 3, 5000, 0] {
      var visited: [Int] = []
      try fixture.context.enumerate(descriptor, batchSize: size) { visited.append($0.length) }
      #expect(visited == (2..<12).reversed().map { $0 })
    }
    var count = 0
    try fixture.context.enumerate(FetchDescriptor<Excursion>()) { _ in count += 1 }
    #expect(count == 12)
    var page = descriptor
    page.fetchOffset = 2
    page.fetchLimit = 3
    var visited: [Int] = []
    try fixture.context.enumerate(page, batchSize: 2) { visited.append($0.length) }
    #expect(visited == [9, 8, 7])
  }

  @Test func S086_enumerateReadsBatchesOf5000() throws {
    let fixture = try FetchFixture()
    try fixture.fill(5001)
    var visited = 0
    let queries = try fixture.queries { () throws in
      try fixture.context.enumerate(FetchDescriptor<Excursion>()) { _ in visited += 1 }
    }
    #expect(visited == 5001 && queries.count == 3)
  }

  @Test func enumerateReleasesBatches() throws {
    let fixture = try FetchFixture()
    try fixture.fill(200)
    var most = 0
    try fixture.context.enumerate(FetchDescriptor<Excursion>(), batchSize: 10) { _ in
      most = max(most, fixture.context.tables.values.reduce(0) { $0 + $1.count })
    }
    #expect(most == 10)
    #expect(fixture.context.debugDescription.hasSuffix("registered: 0)"))
  }

  @Test(arguments: FetchFixture.Kind.allCases)
  func S087_enumerateRejectsPendingChangesUnlessAllowed(_ kind: FetchFixture.Kind) throws {
    let fixture = try FetchFixture(kind)
    try fixture.fill(6)
    let context = fixture.context
    var visited = 0
    context.insert(Excursion(code: "pending"))
    #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
      try context.enumerate(FetchDescriptor<Excursion>()) { _ in visited += 1 }
    }
    #expect(visited == 0 && context.insertedModelsArray.count == 1)
    try context.enumerate(FetchDescriptor<Excursion>(), allowEscapingMutations: true) { _ in
      visited += 1
    }
    #expect(visited == 7)
    context.rollback()

    // Unsaved changes of the block are reported and kept.
    visited = 0
    #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
      try context.enumerate(.byCode, batchSize: 2) { excursion in
        visited += 1
        excursion.length = 100
      }
    }
    #expect(visited == 2 && context.changedModelsArray.count == 2)
    context.rollback()
    try context.enumerate(.byCode, batchSize: 2, allowEscapingMutations: true) { $0.length += 100 }
    #expect(context.changedModelsArray.count == 6)
    try context.save()
    // A block that saves leaves no changes.
    try context.enumerate(.byCode, batchSize: 2) { excursion in
      excursion.length += 1
      try context.save()
    }
    #expect(try fixture.fresh().fetch(.byCode).map(\.length) == (101...106).map { $0 })
  }

  @Test(arguments: FetchFixture.Kind.allCases)
  func mutationsInsideTheBlockSkipNoMatches(_ kind: FetchFixture.Kind) throws {
    let fixture = try FetchFixture(kind)
    try fixture.fill(9)
    let context = fixture.context
    let short = FetchDescriptor<Excursion>(
      predicate: #Predicate { $0.length < 50 }, sortBy: [SortDescriptor(\.length)])
    var visited: [String] = []
    try context.enumerate(short, batchSize: 2) { excursion in
      visited.append(excursion.code)
      // The change removes the model from the matches and changes its position. A later model is deleted.
      excursion.length = 100 - excursion.length
      if excursion.code == "e002" {
        let eighth = FetchDescriptor<Excursion>(predicate: #Predicate { $0.code == "e007" })
        for model in try context.fetch(eighth) { context.delete(model) }
      }
      try context.save()
    }
    #expect(visited == ["e000", "e001", "e002", "e003", "e004", "e005", "e006", "e008"])
    #expect(try context.fetchCount(short) == 0)
  }

  @Test func errorsInTheBlockEndTheEnumeration() throws {
    struct Enough: Error {}
    let fixture = try FetchFixture()
    try fixture.fill(5)
    var visited = 0
    #expect(throws: Enough.self) {
      try fixture.context.enumerate(.byCode, batchSize: 2) { _ in
        visited += 1
        if visited == 3 { throw Enough() }
      }
    }
    #expect(visited == 3)
  }

  @Test(arguments: FetchFixture.Kind.allCases)
  func enumerateVisitsInsertedModelsSavedByTheBlock(_ kind: FetchFixture.Kind) throws {
    let fixture = try FetchFixture(kind)
    let context = fixture.context
    for number in 0..<7 { context.insert(Excursion(code: code(number))) }
    var seen: [String] = []
    try context.enumerate(.byCode, batchSize: 2, allowEscapingMutations: true) { excursion in
      seen.append(excursion.code)
      try context.save()
    }
    #expect(seen == (0..<7).map(code))
  }

  @Test func storesCanLeaveTheLimitToTheContext() throws {
    let fixture = try FetchFixture(.snapshots)
    try fixture.fill(5)
    for limit in [0, 2, 9] {
      var descriptor = FetchDescriptor<Excursion>()
      descriptor.fetchLimit = limit
      let found = try fixture.fresh().fetch(descriptor)
      #expect(found.count == min(limit, 5))
      #expect(try fixture.fresh().fetchCount(descriptor) == found.count)
    }
  }

  @Test func unreadableRowsDoNotAffectTheirBatch() throws {
    let fixture = try FetchFixture()
    try fixture.fill(5)
    let store = try #require(
      fixture.container.core.stores.first?.store as? DefaultStore)
    try store.pool.exclusively { connection in
      try connection.execute("UPDATE \"Excursion\" SET \"difficulty\" = '?' WHERE \"length\" = 2")
    }
    let batch = try fixture.context.fetch(.byCode, batchSize: 5)
    #expect(batch.map(\.isDeleted) == [false, false, false, false, false])
    #expect(batch.map(\.length) == [0, 1, 0, 3, 4])
    // The element exists with an unreadable value. Throwing methods report the error.
    let bad = batch[2]
    let identifier = bad.persistentModelID
    #expect(try fixture.context.fetchIdentifiers(.byCode)[2] == identifier)
    #expect(bad.modelContext == nil && !bad.hasChanges)
    bad.length = 7
    bad.guide = Guide(name: "new")
    fixture.context.insert(bad)
    #expect(bad.length == 0 && !fixture.context.hasChanges)
    let byIdentifier = fixture.context.model(for: identifier)
    #expect(!byIdentifier.isDeleted && byIdentifier.persistentModelID == identifier)
    for error in [
      #expect(throws: StoredValueError.self) { try fixture.context.fetch(.byCode) },
      #expect(throws: StoredValueError.self) { try fixture.context.enumerate(.byCode) { _ in } },
    ] {
      #expect(error?.identifier == identifier && error?.property == "difficulty")
    }
    // After a repair of the row, the value can be read.
    try store.pool.exclusively { connection in
      try connection.execute("UPDATE \"Excursion\" SET \"difficulty\" = 'hard' WHERE \"length\" = 2")
    }
    let mended = try fixture.context.fetch(.byCode)[2]
    #expect(mended.persistentModelID == identifier && mended.length == 2 && mended.guide == nil)
  }
}
