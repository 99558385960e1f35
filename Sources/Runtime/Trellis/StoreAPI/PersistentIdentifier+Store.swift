import Foundation

extension PersistentIdentifier {
  /// The permanent identifier of a row that a custom store has minted.
  ///
  /// Equal arguments give equal identifiers, in this process and in the next one.
  ///
  /// - Parameters:
  ///   - storeIdentifier: the ``DataStore/identifier`` of the store.
  ///   - entityName: the name of the model's entity.
  ///   - primaryKey: unique within the store and entity; `Int`, `UUID` and `String` are stored as such.
  /// - Throws: ``DataStoreError/unsupportedFeature`` when the key has no textual form.
  public static func identifier<T>(
    for storeIdentifier: String, entityName: String, primaryKey: T
  ) throws -> PersistentIdentifier
  where T: Comparable, T: CustomStringConvertible, T: Codable, T: Hashable {
    let token = IdentifierToken.interned(store: storeIdentifier, entity: entityName)
    let key: Key
    switch primaryKey {
    case let integer as any FixedWidthInteger:
      guard let row = Int64(exactly: integer) else {
        key = .boxed(IdentifierKey(.other(type: "\(T.self)", text: primaryKey.description)))
        break
      }
      key = .integer(row)
    case let uuid as UUID: key = .boxed(IdentifierKey(.uuid(uuid)))
    case let string as String: key = .boxed(IdentifierKey(.string(string)))
    default:
      let text = primaryKey.description
      guard !text.isEmpty else { throw DataStoreError.unsupportedFeature }
      key = .boxed(IdentifierKey(.other(type: "\(T.self)", text: text)))
    }
    return PersistentIdentifier(key: key, token: token)
  }
}
