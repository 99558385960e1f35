/// Protocols of Swift and Foundation, which are no superclasses.
///
/// A macro does not know whether a name behind a class's colon is a class or a protocol.
package enum StandardProtocols {
  /// True for the name of such a protocol, with its module and an attribute such as `@unchecked`.
  package static func contains(_ type: String) -> Bool {
    !type.contains("&") && names.contains(type.split { !$0.isLetter }.last.map(String.init) ?? "")
  }

  private static let names: Set<String> = [
    "AnyObject", "Codable", "Comparable", "CustomDebugStringConvertible", "CustomReflectable",
    "CustomStringConvertible", "Decodable", "Encodable", "Equatable", "Hashable", "Identifiable",
    "LosslessStringConvertible", "Observable", "PersistentModel", "Sendable", "Transferable",
  ]
}
