import Foundation
import Testing
import Trellis

/// A store in a separate folder.
final class BatchFixture {
  let folder = FileManager.default.temporaryDirectory.appending(path: "batch-\(UUID().uuidString)")
  let container: ModelContainer
  let context: ModelContext

  init(inMemory: Bool = false) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    container = try Self.container(
      inMemory
        ? ModelConfiguration(isStoredInMemoryOnly: true)
        : ModelConfiguration(url: folder.appending(path: "batch.store")))
    context = ModelContext(container)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  static func container(_ configuration: any DataStoreConfiguration) throws -> ModelContainer {
    try ModelContainer(
      for: Schema([
        Person.self, Passport.self, Club.self, Match.self, Ticket.self, Coin.self, Order.self,
        Line.self, Party.self, Guest.self, Scan.self, Animal.self, Dog.self, Reading.self,
        Link.self, Crew.self, Sailor.self,
      ]), configurations: [configuration])
  }

  /// A new context, which the fixture retains.
  var other: ModelContext {
    others.append(ModelContext(container))
    return others[others.count - 1]
  }
  private var others: [ModelContext] = []
}

extension ModelContext {
  func all<T: PersistentModel>(_ type: T.Type) throws -> [T] { try fetch(FetchDescriptor<T>()) }
  func count<T: PersistentModel>(_ type: T.Type) throws -> Int {
    try fetchCount(FetchDescriptor<T>())
  }
}

/// The error of a call with its details.
func failure(_ body: () throws -> Void) -> SwiftDataError? {
  do {
    try body()
    return nil
  } catch {
    return error as? SwiftDataError
  }
}
