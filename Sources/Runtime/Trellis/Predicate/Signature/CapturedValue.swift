import Foundation

/// A captured value as a column stores it, and the kind that decides about the text of a statement.
struct CapturedValue {
  let value: SQLValue
  /// Statements for values of one kind have one text.
  let kind: Int
  /// False when the kind determines the value.
  let isParameter: Bool
  private(set) var identifier: PersistentIdentifier?

  private static let null = CapturedValue(value: .null, kind: 1, isParameter: false)

  private init(value: SQLValue, kind: Int = 0, isParameter: Bool = true) {
    self.value = value
    self.kind = kind
    self.isParameter = isParameter
  }

  /// Nil for a type whose values have no place in a shared statement.
  init?<V>(_ value: V) {
    let known =
      Self.of(value, PersistentIdentifier.self, Self.identifier) ?? Self.of(value, String.self, Self.text)
      ?? Self.of(value, Int.self) { Self.integer(Int64($0)) }
      ?? Self.of(value, Bool.self, Self.boolean) ?? Self.of(value, Double.self, Self.number)
      ?? Self.of(value, Date.self) { Self.number($0.timeIntervalSinceReferenceDate) }
      ?? Self.of(value, UUID.self) { CapturedValue(value: .text(Hexadecimal.text($0))) }
      ?? Self.of(value, Int64.self, Self.integer)
      ?? Self.of(value, Int32.self) { Self.integer(Int64($0)) } ?? Self.rawValue(of: value)
    guard let known else { return nil }
    self = known
  }

  /// The value if it is of a type, or an optional of it. Comparing types costs less than a cast.
  @inline(__always) private static func of<V, K>(
    _ value: V, _: K.Type, _ captured: (K) -> CapturedValue?
  ) -> CapturedValue? {
    if V.self == K.self { return captured(unsafeBitCast(value, to: K.self)) }
    guard V.self == K?.self else { return nil }
    guard let value = unsafeBitCast(value, to: K?.self) else { return null }
    return captured(value)
  }

  /// The raw value of an enum, or of an optional enum.
  private static func rawValue<V>(of value: V) -> CapturedValue? {
    let type = (V.self as? any OptionalValue.Type)?.wrappedType ?? V.self
    guard type is any RawRepresentable.Type else { return nil }
    func open<R: RawRepresentable>(_ raw: R) -> CapturedValue? { CapturedValue(raw.rawValue) }
    guard let raw = value as? any RawRepresentable else { return null }
    return open(raw)
  }

  private static func integer(_ number: Int64) -> CapturedValue { CapturedValue(value: .integer(number)) }

  private static func number(_ number: Double) -> CapturedValue {
    let isNaN = number.isNaN
    return CapturedValue(value: SQLValue(number: number), kind: isNaN ? 2 : 0, isParameter: !isNaN)
  }

  private static func text(_ text: String) -> CapturedValue {
    let isEmpty = text.isEmpty
    return CapturedValue(
      value: .text(TextRules.normalized(text)), kind: isEmpty ? 3 : 0, isParameter: !isEmpty)
  }

  /// Bools decide which operands a statement needs.
  private static func boolean(_ value: Bool) -> CapturedValue {
    CapturedValue(value: .integer(value ? 1 : 0), kind: value ? 5 : 4, isParameter: false)
  }

  /// The kind names the table, because rows of other tables match nothing. Nil for a temporary identifier, whose row
  /// depends on the context.
  private static func identifier(_ identifier: PersistentIdentifier) -> CapturedValue? {
    guard !identifier.isTemporary else { return nil }
    let kind = 8 + Int(identifier.token.number) * 2 + (identifier.row == nil ? 1 : 0)
    var captured = CapturedValue(value: identifier.row.map { .integer($0) } ?? .noRow, kind: kind)
    captured.identifier = identifier
    return captured
  }
}
