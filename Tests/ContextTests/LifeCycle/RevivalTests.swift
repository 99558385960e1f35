import TestStores
import Testing
import Trellis

@testable import TestWorlds

@Suite struct RevivalTests {
  @Test(arguments: 0..<8)
  func droppedModelsAreReinsertedWithTheirReferences(_ way: Int) throws {
    let (erases, fetches, inBatch) = (way & 1 != 0, way & 2 != 0, way & 4 != 0)
    let fixture = try LifeCycleFixture()
    let context = fixture.context
    let saved = Painting(title: "s", maker: artist("S"), width: 1)
    context.insert(saved)
    try context.save()
    let maker = artist("A")
    let piece = Painting(title: "p", maker: maker, width: 1)
    context.insert(piece)
    if inBatch {
      try context.delete(model: Painting.self)
    } else {
      context.delete(piece)
      context.delete(saved)
    }
    if erases { fixture.container.deleteAllData() }
    if fetches { _ = try context.fetchCount(FetchDescriptor<Studio>()) }
    try context.delete(model: Painting.self)
    _ = piece.maker
    context.insert(piece)
    #expect(piece.maker === maker && maker.made.contains { $0 === piece })
    try context.save()
    #expect(try fixture.fresh().fetch(FetchDescriptor<Painting>()).first?.maker.name == "A")
  }
}

@Suite struct ManyIssuesTests {
  /// Memory must not grow with the number of handled issues.
  @Test func repeatedIssuesAreAllReported() throws {
    IssueLog.start()
    let fixture = try LifeCycleFixture()
    let north = studio(floor: 1)
    fixture.context.insert(north)
    try fixture.context.save()
    fixture.context.delete(north)
    for _ in 0..<30_000 { north.floor = 2 }
    #expect(IssueLog.refusals(of: north.persistentModelID) == 30_000)
    #expect(north.floor == 1)
    #expect(
      IssueLog.contains { issue in
        if case .writeToDeletedModel(north.persistentModelID, property: "floor") = issue { true } else { false }
      })
  }
}

/// Values that were kept for pending changes must not overwrite saves of other contexts.
@Suite struct StaleRowTests {
  private struct Stop: Error {}

  @Test func reinsertedModelsFollowTheirRow() throws {
    let fixture = try LifeCycleFixture()
    let context = fixture.context
    let north = studio(floor: 1)
    context.insert(north)
    try context.save()
    context.delete(north)
    context.insert(north)
    #expect(!context.hasChanges)

    let other = fixture.fresh()
    try #require(try other.fetch(FetchDescriptor<Studio>()).first).floor = 5
    try other.save()
    _ = try context.fetchCount(FetchDescriptor<Studio>())
    #expect(north.floor == 5)

    #expect(throws: Stop.self) {
      try context.transaction {
        context.delete(north)
        throw Stop()
      }
    }
    #expect(north.floor == 5)
  }

  /// The patron is saved and released before the store is erased, so that only the reference remains.
  @Test(arguments: [false, true])
  func anOptionalReferenceToAnErasedRowIsNil(isRevived: Bool) throws {
    let fixture = try LifeCycleFixture()
    let context = fixture.context
    do {
      context.insert(artist("P"))
      try context.save()
    }
    let south = studio("South")
    context.insert(south)
    south.patron = try context.fetch(FetchDescriptor<Artist>()).first
    if isRevived { context.delete(south) }

    fixture.container.deleteAllData()
    _ = try context.fetchCount(FetchDescriptor<Studio>())
    if isRevived { context.insert(south) }
    #expect(south.patron == nil)
    try context.save()
    #expect(try fixture.fresh().fetch(FetchDescriptor<Studio>()).map(\.name) == ["South"])
  }
  /// Applies whether the list was loaded or not.
  @Test(arguments: [false, true])
  func membersReaddedToAnOrderedListAreLast(isRead: Bool) throws {
    let fixture = try LifeCycleFixture()
    let (a, b) = (artist("a"), artist("b"))
    let north = studio()
    fixture.context.insert(north)
    north.artists = [a, b]
    try fixture.context.save()
    let other = fixture.fresh()
    let first = try #require(
      try other.fetch(FetchDescriptor<Artist>(predicate: #Predicate { $0.name == "a" })).first)
    let place = try #require(try other.fetch(FetchDescriptor<Studio>()).first)
    if isRead { #expect(place.artists.count == 2) }
    first.studios = []
    first.studios = [place]
    try other.save()
    #expect(place.artists.map(\.name) == ["b", "a"])
    let read = try fixture.fresh().fetch(FetchDescriptor<Studio>())
    #expect(read.first?.artists.map(\.name) == ["b", "a"])
  }
}
