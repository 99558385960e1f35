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
