import Foundation
import TestSupport
import Testing
import Trellis

/// Tests SQLite stores, and stores of snapshots without uniqueness.
@Suite struct UniquenessTests {
  static let kinds = [StoreKind.disk, .snapshots]

  private func places(_ kind: StoreKind) throws -> (StorePlace, ModelContext) {
    let home = try StorePlace(kind, Badge.self, Rank.self)
    return (home, home.fresh())
  }

  private func stored(_ home: StorePlace) throws -> [Badge] {
    try home.fresh().fetch(FetchDescriptor<Badge>(sortBy: [SortDescriptor(\.code)]))
  }

  @Test(arguments: kinds) func S007_S009_uniquenessIsCheckedOnSave(_ kind: StoreKind) throws {
    let (home, context) = try places(kind)
    for text in ["1", "2", "3"] { context.insert(Badge(code: "a", text: text)) }
    #expect(context.insertedModelsArray.count == 3)
    try context.save()
    #expect(try stored(home).map(\.text) == ["3"])
    for text in ["4", "5"] {
      let other = home.fresh()
      other.insert(Badge(code: "a", text: text))
      try other.save()
    }
    #expect(try stored(home).map(\.text) == ["5"])
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func nanValuesAreEqualAndBothZerosAreEqual(_ kind: StoreKind, isOneSave: Bool) throws {
    let home = try StorePlace(kind, Gauge.self)
    let nan = Double(nan: 5, signaling: false)
    let rows: [(level: Double, factor: Float?, note: String)] = [
      (.nan, nil, "a"), (-0.0, nil, "b"), (1, .nan, "c"), (.infinity, nil, "d"), (-.infinity, nil, "e"),
      (nan, nil, "a2"), (0, nil, "b2"), (1, Float(nan: 7, signaling: false), "c2"),
    ]
    var context = home.fresh()
    for row in rows {
      if !isOneSave { context = home.fresh() }
      context.insert(Gauge(level: row.level, factor: row.factor, note: row.note))
      if !isOneSave { try context.save() }
    }
    try context.save()
    let stored = try home.fresh().fetch(FetchDescriptor<Gauge>(sortBy: [SortDescriptor(\.note)]))
    #expect(stored.map(\.note) == ["a2", "b2", "c2", "d", "e"])
    #expect(stored.first?.level.isNaN == true)
    let notANumber = Double.nan
    let found = try home.fresh().fetchCount(FetchDescriptor<Gauge>(predicate: #Predicate { $0.level == notANumber }))
    #expect(found == 0)
  }

  @Test(arguments: kinds) func S011_S012_constraintsCompareAllTheirProperties(_ kind: StoreKind) throws {
    let (home, context) = try places(kind)
    let rows: [(code: String, site: String, number: Int?, isRefused: Bool)] = [
      ("a", "s", 1, false), ("b", "s", 2, false), ("c", "t", 1, false), ("d", "s", 1, true),
      // A model without a value never conflicts.
      ("e", "s", nil, false), ("f", "s", nil, false),
    ]
    for row in rows {
      let badge = Badge(code: row.code, site: row.site, number: row.number)
      context.insert(badge)
      if row.isRefused {
        #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
        context.delete(badge)
      }
      try context.save()
    }
    #expect(try stored(home).map(\.code) == ["a", "b", "c", "e", "f"])
  }

  @Test(arguments: kinds) func S013_toOneRelationshipsCanBePartOfAConstraint(_ kind: StoreKind) throws {
    let (home, context) = try places(kind)
    let (h, other) = (Holder(name: "h"), Holder(name: "other"))
    context.insert(Badge(code: "a", role: "guard", text: "1", holder: h))
    context.insert(Badge(code: "b", role: "guard", text: "2", holder: other))
    context.insert(Badge(code: "c", role: "cook", text: "3", holder: h))
    context.insert(Badge(code: "d", role: "guard", text: "4"))
    context.insert(Badge(code: "e", role: "guard", text: "5"))
    try context.save()
    #expect(try stored(home).count == 5)
    // The pair exists, so its row receives code and text.
    let again = Badge(code: "f", role: "guard", text: "6", holder: h)
    context.insert(again)
    try context.save()
    #expect(try stored(home).map(\.code) == ["b", "c", "d", "e", "f"])
    // A new holder with an equal name is another holder.
    context.insert(Badge(code: "g", role: "guard", text: "7", holder: Holder(name: "h")))
    try context.save()
    #expect(try stored(home).count == 6)
  }

  /// Two existing rows are never merged: a change that causes a conflict throws.
  @Test(arguments: ["code", "serial", "site"], kinds)
  func changesThatCauseAConflictAreRejectedRegardlessOfThePolicy(
    _ constraint: String, _ kind: StoreKind
  ) throws {
    let (home, context) = try places(kind)
    let (a, b) = (Badge(code: "a"), Badge(code: "b"))
    (a.serial, a.site, a.number) = (1, "s", 1)
    (b.serial, b.site, b.number) = (2, "s", 2)
    context.insert(a)
    context.insert(b)
    try context.save()
    switch constraint {
    case "code": b.code = "a"
    case "serial": b.serial = 1
    default: b.number = 1
    }
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(error?.details.first?.others == [a.persistentModelID])
    #expect(error?.details.first?.model == b.persistentModelID)
    #expect(context.changedModelsArray.count == 1)
    // The other model releases the value or is deleted.
    if constraint == "code" { a.code = "c" } else { context.delete(a) }
    try context.save()
    #expect(try stored(home).count == (constraint == "code" ? 2 : 1))
  }

  @Test(arguments: kinds) func conflictsOfTwoPendingModelsNameBoth(_ kind: StoreKind) throws {
    let (home, context) = try places(kind)
    defer { withExtendedLifetime(home) {} }
    let first = Badge(code: "a", site: "s", number: 1)
    let second = Badge(code: "b", site: "s", number: 1)
    context.insert(first)
    context.insert(second)
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    let violation = try #require(error?.details.first)
    #expect(error?.details.count == 1)
    #expect(violation.model == second.persistentModelID)
    #expect(violation.others == [first.persistentModelID])
    #expect(context.insertedModelsArray.count == 2)
  }

  /// A new model that conflicts with two existing models is rejected.
  @Test(arguments: kinds) func aModelCannotReplaceTwoModels(_ kind: StoreKind) throws {
    let (home, context) = try places(kind)
    let holder = Holder(name: "h")
    context.insert(Badge(code: "a", text: "1"))
    context.insert(Badge(code: "b", role: "guard", text: "2", holder: holder))
    try context.save()
    context.insert(Badge(code: "a", role: "guard", text: "3", holder: holder))
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(error?.details.isEmpty == false)
    context.rollback()
    #expect(try stored(home).map(\.text) == ["1", "2"])
  }

  @Test(arguments: kinds) func valuesCanBeExchangedInOneSave(_ kind: StoreKind) throws {
    let (home, context) = try places(kind)
    let ranks = (0..<4).map { Rank(place: $0, name: "\($0)") }
    for rank in ranks { context.insert(rank) }
    try context.save()
    (ranks[0].place, ranks[1].place) = (1, 0)
    (ranks[2].place, ranks[3].place) = (3, 2)
    try context.save()
    func order() throws -> String {
      try home.fresh().fetch(
        FetchDescriptor<Rank>(sortBy: [SortDescriptor(\.place)])
      ).map(\.name).joined()
    }
    #expect(try order() == "1032")
    // A cyclic exchange with one deletion and one insertion.
    context.delete(ranks[0])
    ranks[1].place = 1
    ranks[3].place = 0
    context.insert(Rank(place: 2, name: "4"))
    ranks[2].place = 9
    try context.save()
    #expect(try order() == "3142")
  }

  /// The CPU time of this thread, which excludes other tests.
  private func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let start = now()
    try body()
    return now() - start
  }

  /// Each model takes the place of the next one, which is occupied until that model has moved.
  @Test(arguments: [StoreKind.memory, .snapshots])
  func shiftingAllValuesTakesLinearTime(_ kind: StoreKind) throws {
    func move(_ count: Int) throws -> Duration {
      let home = try StorePlace(kind, Rank.self)
      let context = home.fresh()
      let ranks = (0..<count).map { Rank(place: $0, name: "") }
      for rank in ranks { context.insert(rank) }
      try context.save()
      for rank in ranks { rank.place += 1 }
      let time = try processorTime { try context.save() }
      let read = try home.fresh().fetch(
        FetchDescriptor<Rank>(sortBy: [SortDescriptor(\.place)]))
      #expect(read.map(\.place) == Array(1...count))
      return time
    }
    // The fastest of three runs, because other tests run concurrently.
    func quickest(_ count: Int) throws -> Duration {
      try (0..<3).map { _ in try move(count) }.min() ?? .zero
    }
    let count = Repetitions.isThorough ? 500 : 200
    let (small, large) = (try quickest(count), try quickest(8 * count))
    #expect(large < small * 30, "\(small) \(large)")
  }
}
