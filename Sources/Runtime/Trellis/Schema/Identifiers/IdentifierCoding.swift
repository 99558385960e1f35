import Foundation
import Synchronization

extension PersistentIdentifier: Codable {
  private enum CodingKeys: String, CodingKey { case store, entity, integer, uuid, string, other, type }

  /// Decodes what ``encode(to:)`` has written.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let entity = try container.decode(String.self, forKey: .entity)
    let store = try container.decodeIfPresent(String.self, forKey: .store)
    let key: Key
    if let row = try container.decodeIfPresent(Int64.self, forKey: .integer) {
      key = .integer(row)
    } else if let uuid = try container.decodeIfPresent(UUID.self, forKey: .uuid) {
      key = .boxed(IdentifierKey(.uuid(uuid)))
    } else if let string = try container.decodeIfPresent(String.self, forKey: .string) {
      key = .boxed(IdentifierKey(.string(string)))
    } else {
      let text = try container.decode(String.self, forKey: .other)
      let type = try container.decode(String.self, forKey: .type)
      key = .boxed(IdentifierKey(.other(type: type, text: text)))
    }
    self.init(key: key, token: .interned(store: store, entity: entity))
  }

  /// Encodes the value.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    let resolved = IdentifierRemapping.current?.resolve(self) ?? self
    var container = encoder.container(keyedBy: CodingKeys.self)
    let entry = resolved.token.entry
    try container.encodeIfPresent(entry.store, forKey: .store)
    try container.encode(entry.entity, forKey: .entity)
    switch resolved.key {
    case .integer(let row): try container.encode(row, forKey: .integer)
    case .boxed(let key):
      switch key.value {
      case .uuid(let uuid): try container.encode(uuid, forKey: .uuid)
      case .string(let string): try container.encode(string, forKey: .string)
      case .other(let type, let text):
        try container.encode(text, forKey: .other)
        try container.encode(type, forKey: .type)
      }
    }
  }
}

/// The temporary identifiers of one save and what became of them.
///
/// A store may copy inserted snapshots one by one, each under its new identifier, and write them
/// before the references among them are remapped. All snapshots of a save share this table: `copy`
/// fills it, and encoding an identifier resolves through it while the store's call runs.
package final class IdentifierRemapping: Sendable {
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
