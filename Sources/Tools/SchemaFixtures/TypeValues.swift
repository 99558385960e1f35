import Foundation
package import SchemaModel
import Trellis

/// Sample values for the types in a schema: range bounds, all enum cases, and structs with the smallest and largest
/// value for each field.
package struct TypeValues {
  private let types: StandInTypes
  /// True to guess values for types with custom `Codable` code, for decoding tests.
  private let isGuessing: Bool
  /// The maximum nesting depth.
  private static let deepest = 8

  package init(_ schema: ResolvedSchema, isGuessing: Bool = false) {
    types = StandInTypes(schema)
    self.isGuessing = isGuessing
  }

  /// Returns sample values for a type. The result is empty if the schema does not specify the encoding, as for
  /// undeclared types and types with custom `Codable` code.
  package func samples(of type: ValueType, depth: Int = 0) -> [DescribedValue] {
    guard depth < Self.deepest else { return [] }
    switch type {
    case .scalar(let scalar):
      func samples<S: ColumnValue & Sampled>(_: S.Type) -> [DescribedValue] { S.samples.map { .scalar($0) } }
      return samples(scalar.type)
    case .optional(let wrapped):
      // Nil is a valid value even if the wrapped type is unknown.
      return [.null] + samples(of: wrapped, depth: depth)
    case .enumeration(let name):
      guard let type = types.enumeration(name), isGuessing || !type.codesItself else { return [] }
      return type.cases.compactMap { value($0, of: type, depth) }
    case .structure(let name): return structures(name, depth)
    case .array(let element):
      let elements = samples(of: element, depth: depth + 1).filter { !$0.isNull }
      return [.list([])] + (elements.isEmpty ? [] : [.list(Array(elements.prefix(1))), .list(elements)])
    case .set(let element):
      let elements = sorted(samples(of: element, depth: depth + 1).filter { !$0.isNull })
      return [.list([])] + (elements.isEmpty ? [] : [.list(elements)])
    case .dictionary(let key, let value):
      let values = samples(of: value, depth: depth + 1).filter { !$0.isNull }
      let empty = dictionary([], key)
      guard let first = values.first, let last = values.last else { return [empty] }
      let keys = samples(of: key, depth: depth + 1).prefix(2)
      return [empty, dictionary(Array(zip(keys, [last, first])), key)]
    case .opaque: return []
    }
  }

  private func value(_ enumCase: ResolvedEnum.Case, of type: ResolvedEnum, _ depth: Int) -> DescribedValue? {
    if let rawType = type.rawType { return enumCase.rawValue?.value(rawType) }
    var fields: [String: DescribedValue] = [:]
    for (index, field) in enumCase.payload.enumerated() {
      guard let value = samples(of: field.type, depth: depth + 1).last else { return nil }
      if !value.isNull { fields[field.label ?? "_\(index)"] = value }
    }
    return .object([enumCase.name: .object(fields)])
  }

  private func structures(_ name: String, _ depth: Int) -> [DescribedValue] {
    if let raw = types.raw(.structure(name)) { return samples(of: raw, depth: depth) }
    guard let type = types.structure(name),
      let coded = type.codedFields ?? (isGuessing ? type.parameters.map { ($0.name, $0) } : nil)
    else { return [] }
    // A field with a default value can be missing.
    let fields = coded.map { name, field in
      let samples = samples(of: field.type, depth: depth + 1)
      return (name, samples.isEmpty && field.defaultValue != nil ? [.null] : samples)
    }
    guard !fields.contains(where: { $0.1.isEmpty }) else { return [] }
    let ways: [([DescribedValue]) -> DescribedValue?] = [{ $0.first }, { $0.last }, { $0[$0.count / 2] }]
    return ways.map { choose in
      .object(
        fields.reduce(into: [:]) { members, field in
          if let value = choose(field.1), !value.isNull { members[field.0] = value }
        })
    }
  }

  // MARK: Unique values

  /// Returns the number of distinct values for a type.
  func count(of type: ValueType) -> Int {
    switch type {
    case .scalar(.bool): return 2
    case .scalar(.int8), .scalar(.uint8): return 1 << 8
    case .scalar(.int16), .scalar(.uint16): return 1 << 16
    case .scalar(.character): return 20_000
    case .scalar: return .max
    case .optional(let wrapped): return count(of: wrapped)
    case .enumeration: return samples(of: type).count
    case .structure(let name):
      if let raw = types.raw(type) { return count(of: raw) }
      guard let fields = types.structure(name)?.codedFields else { return 0 }
      return fields.contains { count(of: $0.field.type) == .max } ? .max : 1
    case .array(let element), .set(let element): return count(of: element)
    case .dictionary(let key, _): return count(of: key)
    case .opaque: return 0
    }
  }

  /// Returns a different value for each number below `count(of:)`. For unlimited types, the samples come first.
  func distinct(_ type: ValueType, _ number: Int) -> DescribedValue? {
    guard count(of: type) == .max, case .scalar = type.unwrapped else { return plain(type, number) }
    // Negative zero equals zero.
    let samples = samples(of: type.unwrapped).filter { !$0.isNegativeZero }
    return number < samples.count ? samples[number] : plain(type, Self.beyondSamples + number)
  }

  /// An offset that keeps generated values distinct from the samples.
  private static let beyondSamples = 5_000_000

  private func plain(_ type: ValueType, _ number: Int) -> DescribedValue? {
    guard number < count(of: type) else { return nil }
    switch type {
    case .scalar(let scalar):
      func distinct<S: ColumnValue & Sampled>(_: S.Type) -> DescribedValue { .scalar(S.distinct(number)) }
      return distinct(scalar.type)
    case .optional(let wrapped): return plain(wrapped, number)
    case .enumeration: return samples(of: type)[number]
    case .structure(let name):
      if let raw = types.raw(type) { return plain(raw, number) }
      guard case .object(var members)? = samples(of: type).first,
        let (name, field) = types.structure(name)?.codedFields?.first(where: {
          count(of: $0.field.type) == .max
        })
      else { return samples(of: type).first }
      members[name] = plain(field.type, number)
      return .object(members)
    case .array(let element), .set(let element): return plain(element, number).map { .list([$0]) }
    case .dictionary(let key, let value):
      guard let key = plain(key, number), let value = samples(of: value).last else { return nil }
      return dictionary([(key, value)], type.key ?? .scalar(.string))
    case .opaque: return nil
    }
  }

  /// Returns a struct value with a distinct value in a single field.
  func distinct(_ type: ValueType, field: String, _ number: Int) -> DescribedValue? {
    guard case .structure(let name) = type.unwrapped,
      let (name, member) = types.structure(name)?.codedFields?.first(where: { $0.field.name == field }),
      case .object(var members)? = samples(of: type.unwrapped).first,
      let value = distinct(member.type, number)
    else { return nil }
    members[name] = value
    return .object(members)
  }

  /// Returns the number of distinct values for a struct field.
  func count(of type: ValueType, field: String) -> Int {
    guard case .structure(let name) = type.unwrapped,
      let (_, member) = types.structure(name)?.codedFields?.first(where: { $0.field.name == field })
    else { return 0 }
    return count(of: member.type)
  }

  /// Returns a struct's fields by Swift name, from an object with JSON names.
  func members(_ value: DescribedValue, of type: ValueType) -> [String: DescribedValue]? {
    guard case .object(let coded) = value, case .structure(let name) = type.unwrapped,
      let fields = types.structure(name)?.codedFields
    else { return nil }
    return fields.reduce(into: [:]) { $0[$1.field.name] = coded[$1.name] }
  }

  // MARK: Collections

  /// Sorts values in the same order as a stored set.
  private func sorted(_ values: [DescribedValue]) -> [DescribedValue] {
    values.map { ((try? $0.text) ?? "", $0) }
      .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map(\.1)
  }

  /// Returns an object if the keys are names, otherwise an array with alternating keys and values.
  private func dictionary(_ pairs: [(DescribedValue, DescribedValue)], _ key: ValueType) -> DescribedValue {
    if isName(key) {
      return .object(
        pairs.reduce(into: [:]) { members, pair in
          if case .scalar(let name) = pair.0 { members["\(name)"] = pair.1 }
        })
    }
    let ordered = pairs.map { ((try? $0.0.text) ?? "", $0) }
      .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    return .list(ordered.flatMap { [$0.1.0, $0.1.1] })
  }

  private func isName(_ key: ValueType) -> Bool {
    switch key {
    case .scalar(.string), .scalar(.int): true
    case .enumeration(let name):
      types.enumeration(name)?.conformances.contains("CodingKeyRepresentable") ?? false
    default: false
    }
  }
}

extension ValueType {
  fileprivate var key: ValueType? { if case .dictionary(let key, _) = self { key } else { nil } }
}

extension DescribedValue {
  var isNull: Bool { if case .null = self { true } else { false } }

  fileprivate var isNegativeZero: Bool {
    switch self {
    case .scalar(let value as Double): value == 0 && value.sign == .minus
    case .scalar(let value as Float): value == 0 && value.sign == .minus
    default: false
    }
  }
}

extension ResolvedEnum.RawValue {
  /// Converts the raw value to the given type; returns nil if that is not possible.
  func value(_ type: ScalarType) -> DescribedValue? {
    switch (self, type) {
    case (.string(let text), .character): return text.first.map { .scalar($0) }
    case (.string(let text), _): return .scalar(text)
    case (.integer(let number), .double): return .scalar(Double(number))
    case (.integer(let number), .float): return .scalar(Float(number))
    case (.integer(let number), _):
      func exactly<T: ColumnValue>(_ type: T.Type) -> DescribedValue? {
        guard let type = T.self as? any (FixedWidthInteger & ColumnValue).Type else { return nil }
        func integer<I: FixedWidthInteger & ColumnValue>(_: I.Type) -> DescribedValue? {
          I(exactly: number).map { .scalar($0) }
        }
        return integer(type)
      }
      return exactly(type.type)
    case (.other(let text), .float): return Float(text).map { .scalar($0) }
    case (.other(let text), _): return Double(text).map { .scalar($0) }
    }
  }
}
