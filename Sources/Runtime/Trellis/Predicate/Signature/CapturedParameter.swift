import Foundation

/// A type of captured values that a statement takes as a parameter, so that predicates which differ in
/// such a value only share the statement.
protocol CapturedParameter {
  /// What about the value the statement depends on: 0 for an ordinary one. Nil, NaN and the empty
  /// text are translated on their own, and so are the identifiers of each table.
  static func trait(at place: UnsafeRawPointer) -> UInt

  /// A value of the same trait that can be told from all others; nil when the trait says it all.
  static func mark(_ number: Int, at place: UnsafeRawPointer) -> Self?

  /// The value as a column keeps it.
  var parameter: SQLValue { get }

  static func bind(_ place: UnsafeRawPointer, to statement: Statement, _ parameter: Int32) throws

  static func identifier(at place: UnsafeRawPointer) -> PersistentIdentifier?
}

extension CapturedParameter {
  @inline(__always) static func value(_ place: UnsafeRawPointer) -> Self {
    place.assumingMemoryBound(to: Self.self).pointee
  }

  static func trait(at place: UnsafeRawPointer) -> UInt { 0 }
  static func identifier(at place: UnsafeRawPointer) -> PersistentIdentifier? { nil }

  static func bind(
    _ place: UnsafeRawPointer, to statement: Statement, _ parameter: Int32
  ) throws {
    try statement.bind(value(place).parameter, at: parameter)
  }
}

/// The traits that values of several types have.
private enum Trait {
  static let none: UInt = 1
  static let nan: UInt = 2
  static let empty: UInt = 3
  /// What follows says which table it is.
  static let table: UInt = 4
}

extension Int: CapturedParameter {
  static func mark(_ number: Int, at place: UnsafeRawPointer) -> Int? { 0x5EED_C0DE_0000 + number }
  var parameter: SQLValue { .integer(Int64(self)) }

  static func bind(
    _ place: UnsafeRawPointer, to statement: Statement, _ parameter: Int32
  ) throws {
    statement.bind(Int64(value(place)), at: parameter)
  }
}

extension Int64: CapturedParameter {
  static func mark(_ number: Int, at place: UnsafeRawPointer) -> Int64? {
    0x5EED_C0DE_0000 + Int64(number)
  }
  var parameter: SQLValue { .integer(self) }
}

extension Int32: CapturedParameter {
  static func mark(_ number: Int, at place: UnsafeRawPointer) -> Int32? {
    0x5EED_0000 + Int32(truncatingIfNeeded: number)
  }
  var parameter: SQLValue { .integer(Int64(self)) }
}

extension Double: CapturedParameter {
  static func trait(at place: UnsafeRawPointer) -> UInt { value(place).isNaN ? Trait.nan : 0 }
  static func mark(_ number: Int, at place: UnsafeRawPointer) -> Double? {
    value(place).isNaN ? nil : 104_373_000_000_000.5 + Double(number)
  }
  var parameter: SQLValue { SQLValue(number: self) }
}

extension Date: CapturedParameter {
  static func trait(at place: UnsafeRawPointer) -> UInt {
    value(place).timeIntervalSinceReferenceDate.isNaN ? Trait.nan : 0
  }
  static func mark(_ number: Int, at place: UnsafeRawPointer) -> Date? {
    guard trait(at: place) == 0 else { return nil }
    return Date(timeIntervalSinceReferenceDate: 104_373_000_000_000.25 + Double(number))
  }
  var parameter: SQLValue { SQLValue(number: timeIntervalSinceReferenceDate) }
}

extension String: CapturedParameter {
  static func trait(at place: UnsafeRawPointer) -> UInt { value(place).isEmpty ? Trait.empty : 0 }
  static func mark(_ number: Int, at place: UnsafeRawPointer) -> String? {
    value(place).isEmpty ? nil : "\u{1}captured text \(number)\u{1}"
  }
  var parameter: SQLValue { .text(TextRules.normalized(self)) }
}

extension UUID: CapturedParameter {
  static func mark(_ number: Int, at place: UnsafeRawPointer) -> UUID? {
    let low = UInt8(truncatingIfNeeded: number), high = UInt8(truncatingIfNeeded: number >> 8)
    return UUID(uuid: (0x5E, 0xED, 0xC0, 0xDE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, high, low))
  }
  var parameter: SQLValue { .text(Hexadecimal.text(self)) }
}

extension PersistentIdentifier: CapturedParameter {
  static func trait(at place: UnsafeRawPointer) -> UInt {
    let identifier = value(place)
    let isRow = identifier.row == nil ? 0 : 1 as UInt
    return (UInt(identifier.token.number) << 1 | isRow) << 3 | Trait.table
  }

  static func mark(_ number: Int, at place: UnsafeRawPointer) -> PersistentIdentifier? {
    let identifier = value(place)
    guard identifier.row != nil else { return nil }
    return PersistentIdentifier(token: identifier.token, row: 0x5EED_C0DE_0000_0000 + Int64(number))
  }

  // What is no row of the wanted table keeps its trait, and its mark is not found.
  var parameter: SQLValue { row.map { .integer($0) } ?? .noRow }

  static func bind(
    _ place: UnsafeRawPointer, to statement: Statement, _ parameter: Int32
  ) throws {
    statement.bind(value(place).row ?? .min, at: parameter)
  }

  static func identifier(at place: UnsafeRawPointer) -> PersistentIdentifier? { value(place) }
}

extension Optional: CapturedParameter where Wrapped: CapturedParameter {
  // The value of an optional that has one begins where the optional does.

  static func trait(at place: UnsafeRawPointer) -> UInt {
    value(place) == nil ? Trait.none : Wrapped.trait(at: place)
  }

  static func mark(_ number: Int, at place: UnsafeRawPointer) -> Wrapped?? {
    guard value(place) != nil else { return nil }
    return Wrapped.mark(number, at: place).map { .some($0) }
  }

  var parameter: SQLValue { self?.parameter ?? .null }

  static func bind(
    _ place: UnsafeRawPointer, to statement: Statement, _ parameter: Int32
  ) throws {
    if value(place) == nil { return try statement.bind(.null, at: parameter) }
    try Wrapped.bind(place, to: statement, parameter)
  }

  static func identifier(at place: UnsafeRawPointer) -> PersistentIdentifier? {
    value(place) == nil ? nil : Wrapped.identifier(at: place)
  }
}
