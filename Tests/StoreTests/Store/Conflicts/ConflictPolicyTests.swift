import Foundation
import Testing
import Trellis

/// Tests of saves of values that another context has saved in the meantime.
@MainActor @Suite struct ConflictPolicyTests {
  typealias Kind = ConflictPlace.Kind

  @Test(arguments: Kind.allCases) func overwriteKeepsTheLastSavedValue(_ kind: Kind) throws {
    let place = try ConflictPlace(kind, policy: nil)
    try place.add()
    let (mine, other) = (try place.keep(place.mine), try place.keep(place.other))
    other.count += 1
    mine.count += 1
    try place.other.save()
    try place.mine.save()
    // One of the two increments is lost, as in SwiftData.
    #expect(try place.stored { $0.count } == 6)
  }

  @Test(arguments: Kind.allCases) func failNamesTheValuesAndWritesNothing(_ kind: Kind) throws {
    let place = try ConflictPlace(kind)
    try place.add()
    try place.add("b")
    let (mine, other) = (try place.keep(place.mine), try place.keep(place.other))
    let second = try place.keep(place.mine, "b")
    other.count = 6
    try place.other.save()
    mine.count = 7
    second.count = 70
    // A repeated save throws again.
    for _ in 0..<2 {
      let conflicts = try #require(try place.conflicts())
      #expect(conflicts.count == 1)
      let conflict = try #require(conflicts.first)
      #expect(conflict.model == mine.persistentModelID && conflict.property == "count")
      #expect(conflict.committed as? Int == 5 && conflict.stored as? Int == 6 && conflict.new as? Int == 7)
      #expect("\(conflict)".hasSuffix("count: 6 is stored instead of 5; 7 was not saved"))
      #expect(place.mine.changedModelsArray.count == 2 && mine.count == 7)
      #expect(try place.stored { $0.count } == 6)
      #expect(try place.stored("b") { $0.count } == 5)
    }
    place.mine.rollback()
    #expect(try place.keep(place.mine) === mine)
    #expect(mine.count == 6)
    mine.count += 1
    try place.mine.save()
    #expect(try place.stored { $0.count } == 7)
  }

  @Test(arguments: Kind.allCases) func theConflictsOfAllClassesAreListed(_ kind: Kind) throws {
    let place = try ConflictPlace(kind)
    try place.add()
    func grains(_ context: ModelContext) throws -> [Grain] { try context.fetch(FetchDescriptor<Grain>()) }
    place.other.insert(Grain(name: "sand"))
    try place.other.save()
    for context in [place.mine, place.other] {
      let (keep, grain) = (try place.keep(context), try #require(grains(context).first))
      keep.count += 1
      grain.int = (grain.int ?? 0) + 1
    }
    try place.other.save()
    #expect(try place.conflicts()?.map(\.property).sorted() == ["count", "int"])
  }

  /// Both contexts increment one value. The saved values are equal, but one increment would be lost.
  @Test(arguments: Kind.allCases) func equalNewValuesConflict(_ kind: Kind) throws {
    let place = try ConflictPlace(kind)
    try place.add()
    let (mine, other) = (try place.keep(place.mine), try place.keep(place.other))
    other.count += 1
    mine.count += 1
    try place.other.save()
    #expect(try place.conflicts()?.map(\.property) == ["count"])
    #expect(try place.stored { $0.count } == 6)
  }

  @Test(arguments: Kind.allCases) func valuesFetchedAfterTheChangeConflict(_ kind: Kind) throws {
    let place = try ConflictPlace(kind)
    try place.add()
    let (mine, other) = (try place.keep(place.mine), try place.keep(place.other))
    mine.count = 7
    for count in [6, 8] {
      other.count = count
      try place.other.save()
      #expect(try place.keep(place.mine).count == 7)
    }
    let conflict = try #require(try place.conflicts()?.first)
    #expect(conflict.committed as? Int == 5 && conflict.stored as? Int == 8 && conflict.new as? Int == 7)
    // The row has the original value again.
    other.count = 5
    try place.other.save()
    #expect(try place.conflicts() == nil)
    #expect(try place.stored { $0.count } == 7)
  }

  @Test(arguments: Kind.allCases) func rollbackRestoresStoredValues(_ kind: Kind) throws {
    let place = try ConflictPlace(kind)
    try place.add()
    let (mine, other) = (try place.keep(place.mine), try place.keep(place.other))
    mine.count = 7
    other.count = 6
    try place.other.save()
    #expect(try place.conflicts() != nil)
    place.mine.rollback()
    _ = try place.keep(place.mine)
    #expect(mine.count == 6)
    mine.count = 9
    #expect(try place.conflicts() == nil)
    #expect(try place.stored { $0.count } == 9)
  }

  @Test(arguments: [Kind.memory, .disk])
  func propertiesAssignedAfterTheRefreshDoNotConflict(_ kind: Kind) throws {
    let place = try ConflictPlace(kind)
    try place.add()
    let (mine, other) = (try place.keep(place.mine), try place.keep(place.other))
    mine.note = "mine"
    other.count = 6
    try place.other.save()
    _ = try place.keep(place.mine)
    #expect(mine.count == 6)
    mine.count += 1
    #expect(try place.conflicts() == nil)
    #expect(try place.stored { $0.count } == 7)
    #expect(try place.stored { $0.note } == "mine")
  }

  @Test(arguments: [Kind.memory, .disk]) func otherPropertiesDoNotConflict(_ kind: Kind) throws {
    let place = try ConflictPlace(kind)
    try place.add()
    let (mine, other) = (try place.keep(place.mine), try place.keep(place.other))
    other.note = "other"
    try place.other.save()
    mine.count = 7
    #expect(try place.conflicts() == nil)
    #expect(try place.stored { $0.note } == "other")
    #expect(try place.stored { $0.count } == 7)
  }

  @Test func throwingTransactionsLeaveNoConflict() throws {
    let place = try ConflictPlace(.memory)
    try place.add()
    let (mine, other) = (try place.keep(place.mine), try place.keep(place.other))
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try place.mine.transaction {
        mine.count = 7
        other.count = 6
        try place.other.save()
        _ = try place.keep(place.mine)
        throw Stop()
      }
    }
    #expect(mine.count == 6 && !place.mine.hasChanges)
    mine.count += 1
    #expect(try place.conflicts() == nil)
    #expect(try place.stored { $0.count } == 7)
  }

  @Test func theContextsPolicyOverridesTheConfiguration() throws {
    let cases: [(ConflictPolicy, ConflictPolicy?, isRefused: Bool)] = [
      (.overwrite, nil, false), (.fail, nil, true), (.fail, .overwrite, false), (.overwrite, .fail, true),
    ]
    for kind in [Kind.memory, .disk] {
      for (configured, policy, isRefused) in cases {
        let place = try ConflictPlace(kind, of: configured, policy: policy)
        try place.add()
        let (mine, other) = (try place.keep(place.mine), try place.keep(place.other))
        other.count = 6
        mine.count = 7
        try place.other.save()
        #expect(try (place.conflicts() != nil) == isRefused, "\(kind) \(configured) \(policy as Any)")
        // The policy to save the values in spite of conflicts.
        place.mine.conflictPolicy = .overwrite
        #expect(try place.conflicts() == nil)
        #expect(try place.stored { $0.count } == 7)
      }
    }
  }

  @Test(arguments: [Kind.memory, .disk]) func deletedRowsAreReportedAsWithOverwrite(_ kind: Kind) throws {
    let place = try ConflictPlace(kind)
    try place.add()
    let (mine, other) = (try place.keep(place.mine), try place.keep(place.other))
    place.other.delete(other)
    try place.other.save()
    mine.count = 7
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try place.mine.save() }
    #expect(error?.details.map(\.rule) == [.deletedElsewhere])
  }

  /// A deletion assigns no value, so it does not conflict.
  @Test(arguments: Kind.allCases) func changedRowsCanBeDeleted(_ kind: Kind) throws {
    let place = try ConflictPlace(kind)
    try place.add()
    let (mine, other) = (try place.keep(place.mine), try place.keep(place.other))
    other.count = 6
    try place.other.save()
    place.mine.delete(mine)
    try place.mine.save()
    #expect(try KeepWorld.keeps(ModelContext(place.container)).isEmpty)
  }
}
