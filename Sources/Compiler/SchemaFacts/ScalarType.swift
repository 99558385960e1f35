/// The value types that every store supports.
///
/// To add a type, add a case and an entry in ``traits``, and conform the Swift type to the runtime's `StandardValue`.
/// `ValueTypeTests` lists the remaining places.
package enum ScalarType: String, Sendable, CaseIterable {
  case bool = "Bool"
  case int = "Int", int8 = "Int8", int16 = "Int16", int32 = "Int32", int64 = "Int64"
  case uint = "UInt", uint8 = "UInt8", uint16 = "UInt16", uint32 = "UInt32", uint64 = "UInt64"
  case float = "Float", double = "Double", decimal = "Decimal"
  case string = "String", character = "Character"
  case date = "Date", duration = "Duration", uuid = "UUID", url = "URL", data = "Data"

  /// The properties of a type.
  package struct Traits: Sendable {
    /// The module that declares the type.
    package var module: String
    /// The kind of number, or `nil` for values that are not numbers.
    package var number: Number?
    /// The simplest value in source form, or `nil` if no choice is obvious.
    package var emptyValue: String?
    /// A default value in source form, for messages.
    package var example: String
    /// True if values of the type may identify objects.
    package var isKey: Bool
    /// True if storing or computing a value may round it.
    package var isRounded: Bool
    /// The attribute type in Core Data.
    package var coreDataType: String?
    /// The equivalent Foundation class.
    package var foundationClass: String?

    fileprivate static func value(
      from module: String = "Swift", empty: String? = nil, example: String? = nil, isKey: Bool = false,
      isRounded: Bool = false, coreData: String? = nil, class foundationClass: String? = nil
    ) -> Traits {
      Traits(
        module: module, emptyValue: empty, example: example ?? empty ?? "", isKey: isKey, isRounded: isRounded,
        coreDataType: coreData, foundationClass: foundationClass)
    }

    fileprivate static func number(
      _ number: Number, from module: String = "Swift", coreData: String? = nil, class foundationClass: String? = nil
    ) -> Traits {
      Traits(
        module: module, number: number, emptyValue: "0", example: "0", isKey: number.isInteger,
        isRounded: number.isBinary, coreDataType: coreData, foundationClass: foundationClass)
    }

    fileprivate static func integer(isSigned: Bool, bits: Int, coreData: String? = nil) -> Traits {
      number(.integer(isSigned: isSigned, bits: bits), coreData: coreData)
    }
  }

  package enum Number: Sendable, Equatable {
    case integer(isSigned: Bool, bits: Int)
    /// A binary floating-point number with a precision in bits.
    case binary(precision: Int)
    case decimal

    fileprivate var isInteger: Bool { if case .integer = self { true } else { false } }
    fileprivate var isBinary: Bool { if case .binary = self { true } else { false } }
  }

  package var traits: Traits {
    switch self {
    case .bool: .value(empty: "false", coreData: "Boolean")
    case .int, .int64: .integer(isSigned: true, bits: 64, coreData: self == .int64 ? "Integer 64" : nil)
    case .int8: .integer(isSigned: true, bits: 8)
    case .int16: .integer(isSigned: true, bits: 16, coreData: "Integer 16")
    case .int32: .integer(isSigned: true, bits: 32, coreData: "Integer 32")
    case .uint, .uint64: .integer(isSigned: false, bits: 64)
    case .uint8: .integer(isSigned: false, bits: 8)
    case .uint16: .integer(isSigned: false, bits: 16)
    case .uint32: .integer(isSigned: false, bits: 32)
    case .float: .number(.binary(precision: 24), coreData: "Float")
    case .double: .number(.binary(precision: 53), coreData: "Double")
    case .decimal: .number(.decimal, from: "Foundation", coreData: "Decimal", class: "NSDecimalNumber")
    case .string: .value(empty: "\"\"", isKey: true, coreData: "String", class: "NSString")
    case .character: .value(example: "\"a\"", isKey: true)
    case .date: .value(from: "Foundation", example: ".now", coreData: "Date", class: "NSDate")
    case .duration: .value(empty: ".zero", example: ".seconds(1)", isRounded: true)
    case .uuid: .value(from: "Foundation", example: "UUID()", isKey: true, coreData: "UUID", class: "NSUUID")
    case .url:
      .value(
        from: "Foundation", example: "URL(string: \"https://swift.org\")!", isKey: true, coreData: "URI",
        class: "NSURL")
    case .data: .value(from: "Foundation", example: "Data()", coreData: "Binary", class: "NSData")
    }
  }

  /// Static members of the type, and static functions that return it.
  package var members: Set<String> {
    switch self {
    case .date: Self.dates
    case .duration: Self.durations
    default: traits.number == nil ? [] : Self.numbers
    }
  }

  private static let dates: Set<String> = ["now", "distantPast", "distantFuture"]
  private static let durations: Set<String> = ["zero", "seconds", "milliseconds", "microseconds", "nanoseconds"]
  private static let numbers: Set<String> = [
    "max", "min", "zero", "pi", "infinity", "nan", "random", "greatestFiniteMagnitude", "leastNormalMagnitude",
    "leastNonzeroMagnitude", "ulpOfOne",
  ]

  /// The module that declares the type, for qualified names.
  package var module: String { traits.module }

  /// The signedness and width of an integer type.
  package var integer: (isSigned: Bool, bits: Int)? {
    if case .integer(let isSigned, let bits) = traits.number { (isSigned, bits) } else { nil }
  }
}

// MARK: Conversions

extension ScalarType {
  /// True if every value of the type is also a value of `other`.
  package func fits(into other: ScalarType) -> Bool {
    guard let (isSigned, bits) = integer else {
      return self == other || (self == .float && other == .double) || (self == .character && other == .string)
    }
    return switch other.traits.number {
    case .integer(let isWiderSigned, let widerBits):
      isSigned == isWiderSigned ? bits <= widerBits : isWiderSigned && bits < widerBits
    case .binary(let precision): bits - (isSigned ? 1 : 0) <= precision
    case .decimal: true
    case nil: false
    }
  }

  /// True if the JSON of every value represents the same value in `other`.
  ///
  /// As a `Float` and as a `Double`, 0.1 is a different number with the same JSON.
  package func fitsInJSON(into other: ScalarType) -> Bool { self == other || self != .float && fits(into: other) }
}
