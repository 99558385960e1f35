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
  @inlinable public static func requireCodable<T: Codable, S: Sendable>(_ type: T.Type, _ same: S.Type) {}

  // MARK: Isolation

  // Default values, key paths and conformances of a program are isolated to the main actor if a model or the whole
  // target is. Contexts of other actors need them as well. These functions call such code wherever they are called.

  /// The result of a function that the main actor may isolate.
  public static func unisolated<T>(_ body: @escaping @MainActor () -> T) -> T { unisolatedFunction(body)() }

  /// A function without isolation.
  public static func unisolatedFunction<T>(_ body: @escaping @MainActor () -> T) -> @Sendable () -> T {
    unsafeBitCast(body, to: (@Sendable () -> T).self)
  }

  /// Reads a value with conformances that the main actor may isolate.
  ///
  /// - Throws: The error of the function.
  public static func read<T, Failure: Error>(
    _ row: inout StatementRow, _ body: @escaping @MainActor (inout StatementRow) throws(Failure) -> T
  ) throws(Failure) -> T {
    try unsafeBitCast(body, to: ((inout StatementRow) throws(Failure) -> T).self)(&row)
  }

  /// Writes a value with conformances that the main actor may isolate.
  ///
  /// - Throws: The error of the function.
  public static func write<T>(
    _ row: inout StatementBinder, _ value: T, _ body: @escaping @MainActor (inout StatementBinder, T) throws -> Void
  ) throws {
    try unsafeBitCast(body, to: ((inout StatementBinder, T) throws -> Void).self)(&row, value)
  }
}
