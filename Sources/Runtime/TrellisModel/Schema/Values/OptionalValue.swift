/// Any optional type.
package protocol OptionalValue {
  static var wrappedType: any Any.Type { get }
  var isNil: Bool { get }
  var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
  package static var wrappedType: any Any.Type { Wrapped.self }
  package var isNil: Bool { if case .none = self { true } else { false } }
  package var wrappedValue: Any? { self }
}

/// Returns an optional type's wrapped type, or the type itself.
package func wrappedType(of type: any Any.Type) -> any Any.Type {
  (type as? any OptionalValue.Type)?.wrappedType ?? type
}

/// Creates nil values for optional types that are known only at run time.
package enum NilLiteral {
  /// Returns a wrapped nil for an optional type; nil for any other type.
  ///
  /// Not optimized: Swift 6.3.1 sometimes crashes while it simplifies the casts in a specialized copy.
  @_optimize(none)
  package static func value<T>(_ type: T.Type) -> T? {
    guard let optional = type as? any ExpressibleByNilLiteral.Type else { return nil }
    @_optimize(none) func open<N: ExpressibleByNilLiteral>(_: N.Type) -> T? { N(nilLiteral: ()) as? T }
    return open(optional)
  }
}
