/// A value that may contain strings.
protocol TextValue {
  /// The value with U+0000 removed from all strings.
  var withoutNullCharacters: Self { get }
}

extension String: TextValue {
  var withoutNullCharacters: String { replacing("\u{0}", with: "") }
}
extension Optional: TextValue where Wrapped: TextValue {
  var withoutNullCharacters: Wrapped? { map(\.withoutNullCharacters) }
}
extension Array: TextValue where Element: TextValue {
  var withoutNullCharacters: [Element] { map(\.withoutNullCharacters) }
}
extension Set: TextValue where Element: TextValue {
  var withoutNullCharacters: Set<Element> { Set(map(\.withoutNullCharacters)) }
}
extension Dictionary: TextValue where Key: TextValue {
  var withoutNullCharacters: [Key: Value] {
    Dictionary(
      map { ($0.withoutNullCharacters, ($1 as? any TextValue)?.withoutNullCharacters as? Value ?? $1) },
      uniquingKeysWith: { first, _ in first })
  }
}
