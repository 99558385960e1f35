import Foundation
import PostgresSupport
import Testing
import Trellis
import TrellisPostgres

/// Durations in each kind of store.
struct LapsTests {
  enum Kind: CaseIterable { case file, memory, server }

  private static func inContext(_ kind: Kind, _ body: (ModelContext) throws -> Void) throws {
    let schema = Schema([Lap.self])
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("laps\(UInt32.random(in: 0...UInt32.max))")
    defer { try? FileManager.default.removeItem(at: url) }
    let configuration: any DataStoreConfiguration
    switch kind {
    case .file: configuration = ModelConfiguration(schema: schema, url: url)
    case .memory: configuration = ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
    case .server:
      var server = PostgresConfiguration(schema: schema, url: try PostgresServer.shared.get().url())
      server.schemaName = url.lastPathComponent
      configuration = server
    }
    try body(ModelContext(try ModelContainer(for: schema, configurations: [configuration])))
  }

  private static func fill(_ context: ModelContext) throws -> ModelContext {
    let laps = [
      Lap("a", .seconds(61)), Lap("b", .milliseconds(-5), pause: .nanoseconds(1)), Lap("c", .zero, pause: .seconds(2)),
    ]
    laps[0].splits = [.seconds(30), .seconds(31)]
    for lap in laps { context.insert(lap) }
    try context.save()
    return ModelContext(context.container)
  }

  @Test(arguments: Kind.allCases) func valuesRoundTrip(_ kind: Kind) throws {
    try Self.inContext(kind) { context in
      let read = try Self.fill(context)
      let laps = try read.fetch(FetchDescriptor<Lap>(sortBy: [SortDescriptor(\.time)]))
      #expect(laps.map(\.name) == ["b", "c", "a"])
      #expect(laps.map(\.time) == [.milliseconds(-5), .zero, .seconds(61)])
      #expect(laps.map(\.pause) == [.nanoseconds(1), .seconds(2), nil])
      #expect(laps[2].splits == [.seconds(30), .seconds(31)] && laps[0].limit == .milliseconds(1_500))
    }
  }

  @Test(arguments: Kind.allCases) func predicatesCompareDurationsInTheStore(_ kind: Kind) throws {
    try Self.inContext(kind) { context in
      let read = try Self.fill(context)
      func names(_ predicate: Predicate<Lap>) throws -> [String] {
        let descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])
        #expect(try descriptor.explain(in: read).runsInStore)
        let found = try read.fetch(descriptor).map(\.name)
        let inMemory = try context.fetch(FetchDescriptor<Lap>()).filter { try predicate.evaluate($0) }
        #expect(inMemory.map(\.name).sorted() == found)
        return found
      }
      let minute = Duration.seconds(60)
      #expect(try names(#Predicate { $0.time > minute }) == ["a"])
      #expect(try names(#Predicate { $0.time <= minute && $0.pause != nil }) == ["b", "c"])
      let pauses: [Duration?] = [.seconds(2), nil]
      #expect(try names(#Predicate { pauses.contains($0.pause) }) == ["a", "c"])
      // Longer than any stored duration.
      let (longest, shortest) = (Duration(attoseconds: .max), Duration(attoseconds: .min))
      #expect(try names(#Predicate { $0.time < longest && $0.time > shortest }) == ["a", "b", "c"])
      #expect(try names(#Predicate { $0.time == longest || $0.time == shortest }).isEmpty)
    }
  }

  @Test(arguments: Kind.allCases) func aggregatesAddDurations(_ kind: Kind) throws {
    try Self.inContext(kind) { context in
      let read = try Self.fill(context)
      #expect(try read.aggregate(.sum(\Lap.time)) == .milliseconds(60_995))
      #expect(try read.aggregate(.average(\Lap.pause)) == .nanoseconds(2_000_000_001) / 2)
      let (least, most) = try read.aggregate(.minimum(\Lap.time), .maximum(\Lap.time))
      #expect(least == .milliseconds(-5) && most == .seconds(61))
    }
  }

  /// Nearly every duration that is computed from a `Double` has a fraction of a nanosecond.
  @Test(arguments: Kind.allCases) func fractionsOfANanosecondAreRounded(_ kind: Kind) throws {
    try Self.inContext(kind) { context in
      let (time, negative) = (Duration.seconds(1.1), Duration(attoseconds: -1_600_000_000))
      #expect(time != .milliseconds(1_100))
      context.insert(Lap("a", time, pause: negative))
      try context.save()
      let read = ModelContext(context.container)
      let lap = try #require(try read.fetch(FetchDescriptor<Lap>(predicate: #Predicate { $0.time == time })).first)
      #expect(lap.time == .milliseconds(1_100) && lap.pause == .nanoseconds(-2))
    }
  }

  @Test(arguments: Kind.allCases) func excessiveDurationsAreRejected(_ kind: Kind) throws {
    try Self.inContext(kind) { context in
      context.insert(Lap("a", .seconds(9_223_372_036)))
      try context.save()
      context.insert(Lap("b", .seconds(9_223_372_037)))
      let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
      #expect(error?.details.map(\.rule) == [.unencodable] && error?.details.first?.property == "time")
      #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Lap>()) == 1)
    }
  }

  /// A number does not show its unit, so it is not converted.
  @Test func numbersAreNotConvertedToDurations() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("laps\(UInt32.random(in: 0...UInt32.max))")
    defer { try? FileManager.default.removeItem(at: url) }
    do {
      let context = ModelContext(try ModelContainer(for: FormerLaps.Lap.self, configurations: .init(url: url)))
      context.insert(FormerLaps.Lap("a", 60))
      try context.save()
    }
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Lap.self, configurations: .init(url: url))
    }
    #expect("\(error ?? .unknownSchema)".contains("'Lap.time' was 'Int' and is now 'Duration'"))
  }
}
