import Foundation
import Trellis

/// Random insertions and deletions of related models by several contexts, while another process does the same.
struct Race {
  private let contexts: [ModelContext]
  private var generator: SystemGenerator
  private(set) var saved = 0
  private(set) var refused = 0

  /// A linear congruential generator: the same seed makes the same decisions.
  private struct SystemGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  static func container(_ url: URL) throws -> ModelContainer {
    let schema = Schema([Shelf.self, Publisher.self, Volume.self])
    return try ModelContainer(for: schema, configurations: [ModelConfiguration(schema: schema, url: url)])
  }

  init(_ url: URL, seed: UInt64) throws {
    let (first, second) = (try Self.container(url), try Self.container(url))
    contexts = [ModelContext(first), ModelContext(first), ModelContext(second)]
    generator = SystemGenerator(state: seed)
  }

  /// - Throws: Any error except the rejection of a save whose models another context has changed or needs.
  mutating func run(rounds: Int) throws {
    for _ in 0..<rounds {
      let context = contexts[Int.random(in: 0..<contexts.count, using: &generator)]
      for _ in 0...Int.random(in: 0...2, using: &generator) { try change(context) }
      do {
        try context.save()
        saved += 1
      } catch let error as SwiftDataError where error == .modelValidationFailure {
        refused += 1
        context.rollback()
      }
    }
  }

  private mutating func change(_ context: ModelContext) throws {
    let name = String(Int.random(in: 0..<6, using: &generator))
    let shelf = try context.fetch(FetchDescriptor<Shelf>()).randomElement(using: &generator)
    let publisher = try context.fetch(FetchDescriptor<Publisher>()).randomElement(using: &generator)
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: if let shelf { context.delete(shelf) }
    case 1: if let publisher { context.delete(publisher) }
    case 2: context.insert(Shelf(name: name))
    case 3: context.insert(Publisher(name: name))
    case 4: if let volume = try context.fetch(FetchDescriptor<Volume>()).first { context.delete(volume) }
    default:
      guard let shelf, let publisher else { return }
      let code = String(Int.random(in: 0..<40, using: &generator))
      context.insert(Volume(code: code, shelf: shelf, publisher: publisher))
    }
  }
}
