import Foundation

/// Makes values of types nothing is known of but that they are `Decodable`.
///
/// The last resort for a property of an object with an identifier and no values: an opaque
/// type, not optional and without a default, on a model that was never loaded. Numbers are 0, texts
/// and collections empty, optionals nil, enums their first case; what does not decode from these is
/// tried with others.
public enum Placeholder {
  /// A value of type `T`.
  ///
  /// - Parameter property: whose value it is: `Trip.weather`.
  /// - Precondition: the type can be decoded from made-up values. The schema compiler warns of
  /// properties that may have no such value (TYP023): give the property a default value, declare its type
  ///   in the schema, or make it optional.
  public static func make<T: Decodable>(for property: StaticString = "a property") -> T {
    if let value = attempt(T.self) { return value }
    preconditionFailure(failure(property, T.self))
  }

  /// A value of a type that is not `Decodable`, for a property that goes through a transformer.
  ///
  /// - Parameter property: whose value it is: `Trip.weather`.
  /// - Precondition: the property was assigned, or its model loaded, because no value of such a type
  ///   can be made.
  public static func make<T>(for property: StaticString = "a property") -> T {
    if let value = zero(of: T.self) { return value }
    preconditionFailure(failure(property, T.self))
  }

  /// Why a value is missing, and what to do about it.
  static func failure<T>(_ property: StaticString, _ type: T.Type) -> String {
    "'\(property)' was read where it has no value, for its row is gone or was not read, and no "
      + "'\(type)' can be made up: give the property a default value, declare '\(type)' in the schema, "
      + "or make the property optional"
  }

  /// A value of type `T`; nil where nothing of what there is to try will do.
  static func attempt<T: Decodable>(_ type: T.Type) -> T? {
    if let value = attempt(type, PlaceholderMaterial(), at: []) { return value }
    let zero = zero(of: type)
    if let zero, Mirror(reflecting: zero).displayStyle == .enum { return zero }
    for material in PlaceholderMaterial.others {
      if let value = attempt(type, material, at: []) { return value }
    }
    return zero
  }

  static func attempt<T: Decodable>(
    _ type: T.Type, _ material: PlaceholderMaterial, at path: [any CodingKey]
  ) -> T? {
    if StandardValues.contains(type), let value = (type as? any ColumnValue.Type)?.placeholder as? T { return value }
    if let first = firstCase(of: type) { return first }
    return try? T(from: PlaceholderDecoder(material: material, codingPath: path))
  }

  private static func firstCase<T>(of type: T.Type) -> T? {
    guard let type = type as? any CaseIterable.Type else { return nil }
    func open<C: CaseIterable>(_: C.Type) -> T? { C.allCases.first as? T }
    return open(type)
  }

  /// The value whose bytes are zero, for types that are nothing but bytes: the first case of an
  /// enum without payloads.
  static func zero<T>(of type: T.Type) -> T? {
    guard _isPOD(type) else { return nil }
    return withUnsafeTemporaryAllocation(
      byteCount: max(1, MemoryLayout<T>.size), alignment: MemoryLayout<T>.alignment
    ) { bytes in
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      return bytes.load(as: T.self)
    }
  }
}
