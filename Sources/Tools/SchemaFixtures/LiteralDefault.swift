import Foundation
import SchemaModel
import SchemaSyntax
import Trellis

/// Values for literal defaults. Other expressions can be evaluated only by the app.
struct LiteralDefault {
  private let types: StandInTypes
  private let values: TypeValues

  init(_ schema: ResolvedSchema) {
    types = StandInTypes(schema)
    values = TypeValues(schema)
  }

  /// Returns an attribute's default value in column form; nil for nil defaults, other expressions, and structs.
  func value(of attribute: ResolvedAttribute) -> (any ColumnValue)? {
    guard attribute.storage != .flattened, !attribute.options.contains(.externalStorage), attribute.transformer == nil,
      let text = attribute.defaultValue?.text,
      let value = value(text.trimmingCharacters(in: .whitespacesAndNewlines), of: attribute.type.unwrapped)
    else { return nil }
    if attribute.storage == .json || attribute.options.contains(.codable) { return DescribedValue.coded(value) }
    if case .scalar(let scalar) = value { return scalar }
    return value
  }

  private func value(_ text: String, of type: ValueType) -> DescribedValue? {
    switch type {
    case .scalar(let scalar): value(text, of: scalar)
    case .enumeration(let name): enumCase(text, of: name)
    // The first sample is the empty collection.
    case .array, .set: text == "[]" ? values.samples(of: type).first : nil
    case .dictionary: text == "[:]" ? values.samples(of: type).first : nil
    case .optional, .structure, .opaque: nil
    }
  }

  private func value(_ text: String, of scalar: ScalarType) -> DescribedValue? {
    let integer = Literal.integer(text).flatMap { Int64(exactly: $0) }
    switch scalar {
    case .bool: return text == "true" ? .scalar(true) : text == "false" ? .scalar(false) : nil
    case .string, .character: return Literal.string(text).flatMap { ResolvedEnum.RawValue.string($0).value(scalar) }
    case .double, .float:
      if let integer { return ResolvedEnum.RawValue.integer(integer).value(scalar) }
      let digits = text.replacing("_", with: "")
      guard digits.first?.isLetter == false else { return nil }
      return ResolvedEnum.RawValue.other(digits).value(scalar)
    case .decimal: return integer.map { .scalar(Decimal($0)) }
    default: return integer.flatMap { ResolvedEnum.RawValue.integer($0).value(scalar) }
    }
  }

  private func enumCase(_ text: String, of name: String) -> DescribedValue? {
    guard let type = types.enumeration(name), !type.codesItself,
      let dot = text.lastIndex(of: "."), text[..<dot].isEmpty || text[..<dot] == name,
      let found = type.cases.first(where: { $0.name == text[text.index(after: dot)...] }), found.payload.isEmpty
    else { return nil }
    if let rawType = type.rawType { return found.rawValue?.value(rawType) }
    return .object([found.name: .object([:])])
  }
}
