/// Names the generation of generated code this library works with, and holds what only generated code
/// calls.
///
/// Each generated file refers to it. When it is not found, the generator and the library are of
/// different versions: update the package and build again.
@_documentation(visibility: private)
public enum GeneratedCode1 {
  /// Marks an attribute of a subclass as initialised; takes no room.
  @frozen public struct Token: Sendable {
    @inlinable public init() {}
  }

  /// Fails to compile when a type a schema stores cannot be stored.
  ///
  /// Generated code calls it at the position of the property in the schema.
  @inlinable public static func requireCodable<T: Codable & Sendable>(_ type: T.Type) {}
}

/// The schema text a version was generated from.
public struct SchemaSource: Sendable, Hashable {
  /// The name of the schema.
  public let name: String
  /// Changes exactly when the meaning of the schema does.
  public let fingerprint: String
  public let text: String

  /// The text of one schema file.
  public init(name: String, fingerprint: String, text: String) {
    self.name = name
    self.fingerprint = fingerprint
    self.text = text
  }

  /// What a version written by hand has.
  static var none: SchemaSource { SchemaSource(name: "", fingerprint: "", text: "") }
}
