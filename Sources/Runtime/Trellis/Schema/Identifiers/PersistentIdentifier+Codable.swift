import Foundation

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
