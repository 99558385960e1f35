import Foundation
import Testing
import Trellis

@testable import TestWorlds

/// `explain(in:)` must describe the actual fetch.
@Suite struct ExplainTests {
  private func context(_ count: Int = 3) throws -> ModelContext {
    let context = try DifferentialWorld.emptyContext()
    let owner = DiffOwner(name: "o")
    for number in 0..<count {
      let row = DifferentialWorld.row(owner)
      row.count = number
      row.name = "row \(number)"
      context.insert(row)
    }
    try context.save()
    return context
  }

  private func explain(
    _ predicate: Predicate<DiffRow>?, _ sort: [SortDescriptor<DiffRow>] = [], limit: Int? = nil,
    in context: ModelContext
  ) throws -> FetchExplanation {
    var descriptor = FetchDescriptor(predicate: predicate, sortBy: sort)
    descriptor.fetchLimit = limit
    return try descriptor.explain(in: context)
  }

  @Test func fetchEvaluatedByTheStore() throws {
    let explanation = try explain(
      #Predicate { $0.count == 2 && $0.name != "x" }, [SortDescriptor(\.name)], limit: 5,
      in: try context())
    #expect(explanation.runsInStore)
    #expect(explanation.entityName == "DiffRow")
    #expect(explanation.parts.map(\.kind) == [.filter, .sort, .page])
    #expect(explanation.parts.allSatisfy { $0.place == .store && $0.reason == nil })
    let sql = try #require(explanation.sql)
    #expect(
      sql.hasSuffix(
        """
        FROM "DiffRow" AS "t0" WHERE ("t0"."count" = ? AND "t0"."name" <> ?) \
        ORDER BY "t0"."name", "t0"."id" LIMIT ? OFFSET ?
        """))
    #expect(explanation.parameters == ["2", "'x'", "5", "0"])
    #expect(!explanation.mergesPendingChanges)
    #expect(explanation.shortcut == nil)
  }

  @Test func indexesAreNamed() throws {
    let context = try context()
    let searched = try explain(#Predicate { $0.count == 2 }, in: context)
    #expect(searched.usesIndex)
    #expect(searched.indexes.count == 1)
    #expect(searched.indexes.allSatisfy { $0.contains("count") }, "\(searched)")
    // The rule IDX004 formerly stated that an index on data is not used.
    let bytes = Data([1, 2])
    let data = try explain(#Predicate { $0.data == bytes }, in: context)
    #expect(
      data.usesIndex && data.queryPlan.contains { $0.contains("SEARCH t0 USING") && $0.contains("data") }, "\(data)")
    let scanned = try explain(#Predicate { $0.small == 2 }, in: context)
    #expect(!scanned.usesIndex, "\(scanned)")
    #expect(scanned.queryPlan.contains { $0.contains("SCAN t0") })
    let identifier = try #require(try context.fetch(FetchDescriptor<DiffRow>()).first)
      .persistentModelID
    let other = try explain(
      #Predicate { $0.persistentModelID == identifier && $0.small == 0 }, in: context)
    #expect(other.indexes == ["primary key"], "\(other)")
  }

  @Test func inMemoryEvaluationIsExplained() throws {
    let context = try context()
    let tags = try explain(
      #Predicate { $0.tags.contains(["a"]) }, [SortDescriptor(\.name)], limit: 1, in: context)
    #expect(!tags.runsInStore)
    #expect(tags.parts.map(\.place) == [.memory, .memory, .memory])
    #expect(tags.parts[0].node == "CollectionContainsCollection")
    #expect(tags.parts[0].reason?.contains("Array<String>") == true)
    #expect(tags.parts[1].reason == "the filter runs in memory")
    // The query that the store executes instead.
    #expect(tags.sql?.hasSuffix("FROM \"DiffRow\" AS \"t0\" ORDER BY \"t0\".\"id\"") == true)
    // The first conditions of a filter limit the loaded rows, later conditions do not.
    let begun = try explain(
      #Predicate { $0.count == 1 && $0.tags.contains(["a"]) && $0.small == 0 }, in: context)
    #expect(begun.parts.map(\.place) == [.both] && !begun.runsInStore)
    #expect(begun.sql?.contains("WHERE (\"t0\".\"count\" = ?) ORDER BY") == true)
    #expect(begun.usesIndex, "\(begun)")
    let late = try explain(#Predicate { $0.tags.contains(["a"]) && $0.count > 1 }, in: context)
    #expect(late.parts.map(\.place) == [.memory])
    let shout = try explain(#Predicate { $0.count > 0 }, [SortDescriptor(\.shout)], in: context)
    #expect(shout.parts.map(\.place) == [.store, .memory])
    #expect(shout.parts[1].reason?.contains("not stored") == true)
    #expect(shout.sql?.contains("WHERE (\"t0\".\"count\" > ?)") == true)
  }

  @Test func partiallyTranslatedFetchesReturnTheSameResults() throws {
    let context = try context(8)
    for row in try context.fetch(FetchDescriptor<DiffRow>()) where row.count % 3 == 0 {
      row.tags = ["a"]
    }
    try context.save()
    let descriptor = FetchDescriptor<DiffRow>(
      predicate: #Predicate { $0.count > 1 && $0.tags.contains(["a"]) && $0.small == 0 })
    #expect(try context.fetch(descriptor).map(\.count) == [3, 6])
    #expect(try context.fetchCount(descriptor) == 2)
    // Changed rows are evaluated with their current values, including rows that the store would exclude.
    let rows = try context.fetch(FetchDescriptor<DiffRow>())
    rows[0].count = 10
    rows[3].count = 0
    #expect(try context.fetch(descriptor).map(\.name) == ["row 0", "row 6"])
  }

  @Test func pendingChangesAreMentioned() throws {
    let context = try context()
    try #require(try context.fetch(FetchDescriptor<DiffRow>()).first).name = "other"
    let explanation = try explain(
      #Predicate { $0.count > 0 }, [SortDescriptor(\.name)], in: context)
    #expect(explanation.mergesPendingChanges)
    #expect(!explanation.runsInStore)
    #expect(explanation.mergeReason?.contains("DiffRow") == true)
    var stored = FetchDescriptor<DiffRow>(predicate: #Predicate { $0.count > 0 })
    stored.includePendingChanges = false
    #expect(try !stored.explain(in: context).mergesPendingChanges)
    try context.save()
    #expect(try explain(nil, [SortDescriptor(\.name)], in: context).runsInStore)
  }

  @Test func theShortcutByIdentifierIsMentioned() throws {
    let context = try context()
    let identifier = try #require(try context.fetch(FetchDescriptor<DiffRow>()).first)
      .persistentModelID
    let explanation = try explain(
      #Predicate { $0.persistentModelID == identifier }, in: context)
    #expect(explanation.shortcut != nil)
  }

  @Test func theDescriptionIsComplete() throws {
    let text = "\(try explain(#Predicate { $0.count == 2 }, in: try context()))"
    #expect(text.hasPrefix("fetch of DiffRow from '"))
    #expect(text.contains("\n  filter: in the store\n  SQL: SELECT "))
    #expect(text.contains("\n  1 parameter: 2\n  plan: SEARCH t0 USING INDEX "))
  }

  // Deviation from S085: a sort or predicate that SQL cannot express is evaluated in memory instead of throwing, and
  // `explain(in:)` shows it.
  @Test func S085_unsupportedSortsAreEvaluatedInMemory() throws {
    let context = try context(12)
    let descriptor = FetchDescriptor<DiffRow>(
      predicate: #Predicate { $0.shout != "ROW 3" }, sortBy: [SortDescriptor(\.shout)])
    #expect(try !descriptor.explain(in: context).runsInStore)
    #expect(
      try context.fetch(descriptor).map(\.count) == [0, 1, 10, 11, 2, 4, 5, 6, 7, 8, 9])
  }

  @Test func S075_sortDescriptorsApplyInOrder() throws {
    let context = try context(6)
    for row in try context.fetch(FetchDescriptor<DiffRow>()) { row.small = Int8(row.count % 2) }
    try context.save()
    let descriptor = FetchDescriptor<DiffRow>(
      sortBy: [SortDescriptor(\.small, order: .reverse), SortDescriptor(\.count)])
    #expect(try descriptor.explain(in: context).runsInStore)
    #expect(try context.fetch(descriptor).map(\.count) == [1, 3, 5, 0, 2, 4])
    // The identifier decides between equal values, so that pages do not overlap.
    var page = FetchDescriptor<DiffRow>(sortBy: [SortDescriptor(\.small)])
    page.fetchLimit = 2
    var seen: [Int] = []
    for offset in [0, 2, 4] {
      page.fetchOffset = offset
      seen += try context.fetch(page).map(\.count)
    }
    #expect(seen == [0, 2, 4, 1, 3, 5])
  }
}
