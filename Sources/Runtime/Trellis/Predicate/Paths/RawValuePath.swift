/// Tells whether a key path reads the raw value of an enum.
///
/// Such a key path has no name at run time and does not equal the one a generic function spells, so
/// it is compared with the one generated code spells, or tried on every case.
enum RawValuePath {
  static func isRawValue(_ keyPath: AnyKeyPath, of type: any RawRepresentable.Type) -> Bool {
    if let path = (type as? any RawValuePathProviding.Type)?._$rawValuePath {
      return path == keyPath
    }
    guard let cases = type as? any (RawRepresentable & CaseIterable).Type else { return false }
    return readsRawValue(keyPath, of: cases)
  }

  private static func readsRawValue<R: RawRepresentable & CaseIterable>(
    _ keyPath: AnyKeyPath, of _: R.Type
  ) -> Bool {
    func isEqual<V: Equatable>(_ value: V, _ other: Any) -> Bool { other as? V == value }
    guard let keyPath = keyPath as? KeyPath<R, R.RawValue> else { return false }
    return R.allCases.allSatisfy { value in
      guard let raw = value.rawValue as? any Equatable else { return false }
      return isEqual(raw, value[keyPath: keyPath])
    }
  }
}

/// An enum that says which key paths read its raw value. Generated code conforms its enums.
public protocol RawValuePathProviding {
  static var _$rawValuePath: AnyKeyPath { get }
  /// From an optional of the enum.
  static var _$optionalRawValuePath: AnyKeyPath { get }
}
