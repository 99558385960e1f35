import Foundation
import PostgresSupport
import Trellis
import TrellisPostgres

/// A container with keeps in a store of some kind, and two contexts that have read a keep.
final class ConflictPlace {
  enum Kind: CaseIterable { case memory, disk, shelf, postgres }

  let container: ModelContainer
  let mine: ModelContext
  let other: ModelContext
  private let scratch: Scratch

  init(_ kind: Kind, of configured: ConflictPolicy = .overwrite, policy: ConflictPolicy? = .fail) throws {
    let scratch = try Scratch()
    self.scratch = scratch
    let configuration: any DataStoreConfiguration
    switch kind {
    case .memory, .disk:
      var model =
        kind == .memory
        ? ModelConfiguration(isStoredInMemoryOnly: true)
        : ModelConfiguration(url: scratch.file("keeps.store"))
      model.conflictPolicy = configured
      configuration = model
    case .shelf: configuration = ShelfConfiguration()
    case .postgres:
      var postgres = try PostgresServer.shared.get().configuration()
      postgres.conflictPolicy = configured
      configuration = postgres
    }
    container = try ModelContainer(
      for: Keep.self, KeepScrew.self, Grain.self, Permit.self, configurations: configuration)
    mine = ModelContext(container)
    mine.conflictPolicy = policy
    other = ModelContext(container)
  }

  /// Saves a keep.
  func add(_ code: String = "a", _ fill: (Keep) -> Void = { $0.count = 5 }) throws {
    let context = ModelContext(container)
    let keep = Keep(code: code)
    fill(keep)
    context.insert(keep)
    try context.save()
  }

  /// A keep in a context.
  func keep(_ context: ModelContext, _ code: String = "a") throws -> Keep {
    try KeepWorld.keeps(context).first { $0.code == code } ?? Keep(code: "missing")
  }

  /// A keep as stored.
  func stored<Value>(_ code: String = "a", _ read: (Keep) throws -> Value) throws -> Value {
    let context = ModelContext(container)
    return try withExtendedLifetime(context) { try read(keep(context, code)) }
  }

  /// The conflicts of a save of `mine`; nil if it does not throw ``SwiftDataError/saveConflict``.
  func conflicts() throws -> [SwiftDataError.Conflict]? {
    do {
      try mine.save()
      return nil
    } catch let error as SwiftDataError where error == .saveConflict {
      return error.conflicts
    }
  }
}
