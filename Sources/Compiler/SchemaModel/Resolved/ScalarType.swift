/// The value types every store knows, and what the compiler and the tools know of each.
///
/// To add a type, add a case and its line in ``traits``. The runtime has the other half: `StandardValue`.
package enum ScalarType: String, Sendable, CaseIterable {
  case bool = "Bool"
  case int = "Int", int8 = "Int8", int16 = "Int16", int32 = "Int32", int64 = "Int64"
  case uint = "UInt", uint8 = "UInt8", uint16 = "UInt16", uint32 = "UInt32", uint64 = "UInt64"
  case float = "Float", double = "Double", decimal = "Decimal"
  case string = "String", character = "Character"
  case date = "Date", uuid = "UUID", url = "URL", data = "Data"

  /// The properties of a type.
  package struct Traits: Sendable {
    /// The module that declares the type.
    package var module: String
    /// The kind of number; nil for other values.
    package var number: Number?
    /// The plainest value as it is written; nil where none suggests itself.
    package var emptyValue: String?
    /// A default value as it is written, for messages.
    package var example: String
    /// True if objects are known by values of the type.
    package var isKey: Bool
    /// True if storing or computing a value may round it.
    package var isRounded: Bool
    /// The name of the type as an attribute of Core Data.
    package var coreDataType: String?
    /// The class of Foundation that stands for the type.
    package var foundationClass: String?

    fileprivate static func swift(
      _ number: Number? = nil, empty: String? = nil, example: String = "0", isKey: Bool = false,
      isRounded: Bool = false,
      coreData: String? = nil, class foundationClass: String? = nil
    ) -> Traits {
      Traits(
        module: "Swift", number: number, emptyValue: number == nil ? empty : "0", example: empty ?? example,
        isKey: isKey,
        isRounded: isRounded, coreDataType: coreData, foundationClass: foundationClass)
    }

    fileprivate static func foundation(
      _ number: Number? = nil, example: String, isKey: Bool = false, coreData: String, class foundationClass: String
    ) -> Traits {
      var traits = swift(number, example: example, isKey: isKey, coreData: coreData, class: foundationClass)
      traits.module = "Foundation"
      return traits
    }

    fileprivate static func integer(isSigned: Bool, bits: Int, coreData: String? = nil) -> Traits {
      swift(.integer(isSigned: isSigned, bits: bits), isKey: true, coreData: coreData)
    }
  }

  package enum Number: Sendable, Equatable {
    case integer(isSigned: Bool, bits: Int)
    case binary
    case decimal
  }

  package var traits: Traits {
    switch self {
    case .bool: .swift(empty: "false", coreData: "Boolean")
    case .int, .int64: .integer(isSigned: true, bits: 64, coreData: self == .int64 ? "Integer 64" : nil)
    case .int8: .integer(isSigned: true, bits: 8)
    case .int16: .integer(isSigned: true, bits: 16, coreData: "Integer 16")
    case .int32: .integer(isSigned: true, bits: 32, coreData: "Integer 32")
    case .uint, .uint64: .integer(isSigned: false, bits: 64)
    case .uint8: .integer(isSigned: false, bits: 8)
    case .uint16: .integer(isSigned: false, bits: 16)
    case .uint32: .integer(isSigned: false, bits: 32)
    case .float: .swift(.binary, isRounded: true, coreData: "Float")
    case .double: .swift(.binary, isRounded: true, coreData: "Double")
    case .decimal: .foundation(.decimal, example: "0", coreData: "Decimal", class: "NSDecimalNumber")
    case .string: .swift(empty: "\"\"", isKey: true, coreData: "String", class: "NSString")
    case .character: .swift(example: "\"a\"", isKey: true)
    case .date: .foundation(example: ".now", coreData: "Date", class: "NSDate")
    case .uuid: .foundation(example: "UUID()", isKey: true, coreData: "UUID", class: "NSUUID")
    case .url:
      .foundation(example: "URL(string: \"https://swift.org\")!", isKey: true, coreData: "URI", class: "NSURL")
    case .data: .foundation(example: "Data()", coreData: "Binary", class: "NSData")
    }
  }

  /// Members of dates and numbers that have the type they are a member of.
  package static let members: Set<String> = [
    "now", "distantPast", "distantFuture", "max", "min", "zero", "pi", "infinity", "nan", "random",
    "greatestFiniteMagnitude", "leastNormalMagnitude", "leastNonzeroMagnitude", "ulpOfOne",
  ]

  /// The module the type lives in, for qualified spelling.
  package var module: String { traits.module }

  /// The sign and the width of an integer type.
  package var integer: (isSigned: Bool, bits: Int)? {
    if case .integer(let isSigned, let bits) = traits.number { (isSigned, bits) } else { nil }
  }
}
