import Foundation
import JSONStore
import TestSupport
import Testing
import Trellis

/// Contexts perform the operations that a store does not support. Every operation must have the result and effect of a
/// ``DefaultStore``.
@Suite struct CompletionTests {
  enum Kind: String, CaseIterable {
    case database, json, able, unsorting, unfiltering, unable, sample, handwritten
  }

  private static func world(_ kind: Kind, _ scratch: Scratch) throws -> ReelWorld {
    let configuration: any DataStoreConfiguration =
      switch kind {
      case .database: ModelConfiguration(isStoredInMemoryOnly: true)
      case .json: JSONFileConfiguration(url: scratch.file("\(UUID()).json"))
      case .able: TalentStore.Configuration(filters: true, sorts: true)
      case .unsorting: TalentStore.Configuration(filters: true, sorts: false)
      case .unfiltering: TalentStore.Configuration(filters: false, sorts: true)
      case .unable: TalentStore.Configuration(filters: false, sorts: false)
      case .sample: JSONStoreConfiguration(name: "sample", fileURL: scratch.file("\(UUID()).json"))
      case .handwritten: PlainStore.Configuration()
      }
    return try ReelWorld(configuration)
  }

  /// Only the configuration differs; models and operations are equal.
  @Test(arguments: Kind.allCases.filter { $0 != .database })
  func S092_S097_S100_everyOperationMatchesADefaultStore(_ kind: Kind) throws {
    let scratch = try Scratch()
    for (operation, expected) in zip(Self.operations, try Self.expected.get()) {
      let outcome = try Self.outcome(operation, kind, scratch)
      for ((what, seen), wanted) in zip(zip(["answer", "context", "store"], outcome), expected) {
        let differing =
          seen.filter { !wanted.contains($0) } + ["instead of"]
          + wanted.filter { !seen.contains($0) }
        #expect(seen == wanted, "\(operation.name) on \(kind): \(what): \(differing)")
      }
    }
  }

  /// A short run has an eighth of the operations, with all kinds of stores.
  private static let operations = Repetitions.sample(
    ReelOperation.questions + ReelOperation.changes, every: 8, "operations")

  /// The outcomes in a SQLite store.
  private static let expected: Result<[[[String]]], any Error> = Result {
    let scratch = try Scratch()
    return try operations.map { try outcome($0, .database, scratch) }
  }

  /// The result of an operation, the contents of its context and the contents of the store.
  private static func outcome(
    _ operation: ReelOperation, _ kind: Kind, _ scratch: Scratch
  ) throws -> [[String]] {
    let world = try world(kind, scratch)
    let answer: String
    do {
      answer = try operation.run(world)
    } catch {
      answer = "threw \(error)"
    }
    return [
      [answer], try ReelWorld.text(world.context), try ReelWorld.text(ModelContext(world.container)),
    ]
  }

  /// Values of a handwritten snapshot are not converted to text.
  @Test func handwrittenSnapshotsPreserveEveryNumber() throws {
    let container = try ModelContainer(
      for: ReelWorld.schema, configurations: [PlainStore.Configuration()])
    let context = ModelContext(container)
    let numbers: [Double] = [.nan, .infinity, -.infinity, -0.0, 0.1, .leastNonzeroMagnitude, 1e300]
    for (number, rating) in numbers.enumerated() {
      let film = ReelFilm(title: "\(number)", year: .max - number)
      film.rating = rating
      film.premiere = Date(timeIntervalSinceReferenceDate: 0.1 + Double(number).nextUp)
      context.insert(film)
    }
    try context.save()
    for _ in 0..<2 {
      let read = try ModelContext(container).fetch(
        FetchDescriptor<ReelFilm>(sortBy: [SortDescriptor(\.title)]))
      #expect(read.map { $0.rating?.bitPattern } == numbers.map(\.bitPattern))
      #expect(read.map(\.year) == numbers.indices.map { .max - $0 })
      #expect(
        read.map { $0.premiere?.timeIntervalSinceReferenceDate }
          == numbers.indices.map { 0.1 + Double($0).nextUp })
    }
  }

  /// A snapshot can encode a value with another type than the property.
  @Test func handwrittenSnapshotsCanEncodeADifferentType() throws {
    let world = try ReelWorld(PlainStore.Configuration())
    let expected = try ReelWorld.text(world.context)
    let seen = try PlainSnapshot.$writesReals.withValue(true) {
      try ReelWorld.text(ModelContext(world.container))
    }
    #expect(seen == expected)
  }
}
