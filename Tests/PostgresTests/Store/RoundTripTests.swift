import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// The round trips of saves, counted by a proxy, and saves after other programs have committed.
@Suite(.waiting) struct RoundTripTests {
  private static let schema = Schema([Parcel.self, Crate.self, Tag.self, Convoy.self, Truck.self, Seal.self])

  private static func configuration(_ server: PostgresServer) -> PostgresConfiguration {
    var configuration = server.configuration(schema: schema)
    // Notifications would add round trips to those of the saves.
    configuration.engine.listens = false
    return configuration
  }

  private static func context(_ configuration: PostgresConfiguration) throws -> ModelContext {
    ModelContext(try ModelContainer(for: schema, configurations: [configuration]))
  }

  /// A context behind a proxy, and a context of another container.
  private static func contexts(
    _ change: (inout PostgresConfiguration) -> Void = { _ in }
  ) throws -> (mine: ModelContext, others: ModelContext, proxy: ProtocolProxy) {
    let server = try PostgresServer.shared.get()
    let proxy = try ProtocolProxy(to: server)
    var configuration = configuration(server)
    change(&configuration)
    let others = try context(configuration)
    var proxied = PostgresConfiguration(schema: schema, url: proxy.url())
    proxied.schemaName = configuration.schemaName
    proxied.engine = configuration.engine
    proxied.history = configuration.history
    proxied.conflictPolicy = configuration.conflictPolicy
    return (try context(proxied), others, proxy)
  }

  /// The minimum number of round trips over several calls. A connection that was idle for a long time is tested first,
  /// which adds one.
  private static func roundTrips(_ proxy: ProtocolProxy, _ calls: Int = 3, of body: () throws -> Void) throws -> Int {
    var least = Int.max
    for _ in 0..<calls {
      proxy.forgetTrace()
      try body()
      least = min(least, proxy.trace.count { $0.kind == .typed("S") && $0.sender == .client })
    }
    return least
  }

  @Test(arguments: [true, false]) func savesTakeOneRoundTrip(recordsHistory: Bool) throws {
    let (context, _, proxy) = try Self.contexts { $0.history.isRecorded = recordsHistory }
    defer { proxy.stop() }
    let crate = Crate(name: "a")
    context.insert(crate)
    try context.save()
    #expect(
      try Self.roundTrips(proxy) {
        context.insert(Parcel(label: "new"))
        try context.save()
      } == 1)
    #expect(
      try Self.roundTrips(proxy) {
        crate.name += "a"
        for _ in 0..<20 { context.insert(Parcel(label: "many", crate: crate)) }
        try context.save()
      } == 1)
    // Saves by another context of the same container do not count as other programs' commits.
    let second = ModelContext(context.container)
    #expect(
      try Self.roundTrips(proxy) {
        second.insert(Parcel(label: "second"))
        try second.save()
      } == 1)
    #expect(try context.fetchCount(FetchDescriptor<Parcel>()) == 66)
  }

  /// A save that finds other programs' commits starts over. The next save checks for commits first, and the save after
  /// that takes a single round trip again.
  @Test func savesDetectCommitsOfOtherPrograms() throws {
    let (mine, others, proxy) = try Self.contexts()
    defer { proxy.stop() }
    let crate = Crate(name: "first")
    mine.insert(crate)
    try mine.save()
    let theirs = try #require(others.fetch(FetchDescriptor<Crate>()).first)
    theirs.name = "theirs"
    try others.save()
    mine.insert(Parcel(label: "mine"))
    #expect(try Self.roundTrips(proxy, 1) { try mine.save() } > 1)
    // The value is updated without a fetch.
    #expect(crate.name == "theirs")
    for expected in [2, 1] {
      mine.insert(Parcel(label: "later"))
      let count = try Self.roundTrips(proxy, 1) { try mine.save() }
      #expect(count == expected || count == expected + 1)
    }
    #expect(try others.fetchCount(FetchDescriptor<Parcel>()) == 3)
  }

  /// The last save wins for each property separately.
  @Test func changesOfOtherPropertiesAreKept() throws {
    let (mine, others, proxy) = try Self.contexts()
    defer { proxy.stop() }
    let parcel = Parcel(label: "first", weight: 1)
    mine.insert(parcel)
    try mine.save()
    let theirs = try #require(others.fetch(FetchDescriptor<Parcel>()).first)
    theirs.weight = 2
    try others.save()
    parcel.label = "mine"
    try mine.save()
    #expect(parcel.weight == 2)
    let stored = try #require(others.fetch(FetchDescriptor<Parcel>()).first)
    #expect(stored.label == "mine" && stored.weight == 2)
  }

  @Test func conflictsAreDetected() throws {
    let (mine, others, proxy) = try Self.contexts { $0.conflictPolicy = .fail }
    defer { proxy.stop() }
    let parcel = Parcel(label: "first")
    mine.insert(parcel)
    try mine.save()
    let theirs = try #require(others.fetch(FetchDescriptor<Parcel>()).first)
    theirs.label = "theirs"
    try others.save()
    parcel.label = "mine"
    #expect {
      try mine.save()
    } throws: {
      ($0 as? SwiftDataError) == .saveConflict
    }
    mine.rollback()
    #expect(parcel.label == "theirs")
    others.delete(theirs)
    try others.save()
    parcel.label = "mine"
    #expect {
      try mine.save()
    } throws: {
      ($0 as? SwiftDataError)?.details.map(\.rule) == [.deletedElsewhere]
    }
  }

  /// The models in memory violate the rule, but they no longer do once the other program's commit is included.
  @Test func commitsOfOtherProgramsCanResolveViolations() throws {
    let (mine, others, proxy) = try Self.contexts()
    defer { proxy.stop() }
    let convoy = Convoy(name: "north", trucks: [Truck(plate: "a"), Truck(plate: "b")])
    mine.insert(convoy)
    try mine.save()
    let theirs = try #require(others.fetch(FetchDescriptor<Convoy>()).first)
    others.insert(Truck(plate: "c", convoy: theirs))
    try others.save()
    convoy.trucks.removeAll { $0.plate == "a" }
    try mine.save()
    #expect(Set(convoy.trucks.map(\.plate)) == ["b", "c"])
    convoy.trucks.removeAll { $0.plate == "b" }
    #expect {
      try mine.save()
    } throws: {
      ($0 as? SwiftDataError)?.details.map(\.rule) == [.minimumModelCount]
    }
  }
}
