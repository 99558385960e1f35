import Synchronization

/// The temporary identifiers of one save and what became of them.
///
/// A store may copy inserted snapshots one by one, each under its new identifier, and write them
/// before the references among them are remapped. All snapshots of a save share this table: `copy`
/// fills it, and encoding an identifier resolves through it while the store's call runs.
final class IdentifierRemapping: Sendable {
  @TaskLocal static var current: IdentifierRemapping?

  private let table = Mutex<[PersistentIdentifier: PersistentIdentifier]>([:])

  func record(_ temporary: PersistentIdentifier, as permanent: PersistentIdentifier) {
    table.withLock { $0[temporary] = permanent }
  }

  func resolve(_ identifier: PersistentIdentifier) -> PersistentIdentifier {
    guard identifier.isTemporary else { return identifier }
    return table.withLock { $0[identifier] ?? identifier }
  }
}
