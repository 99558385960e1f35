import SchemaModel

/// An attribute's Swift type, with a note for the report.
struct CoreDataType {
  var name: String
  /// For example `.codable`, `.transformable(by: …)` or `.flattened`.
  var option: String?
  var remark: (kind: ImportNote.Kind, topic: CoreDataTopic, message: String)?

  private static let scalars = named(\.coreDataType)
  /// Foundation classes that represent values.
  private static let bridged = named(\.foundationClass)

  private static func named(_ name: (ScalarType.Traits) -> String?) -> [String: ScalarType] {
    Dictionary(
      ScalarType.allCases.compactMap { scalar in name(scalar.traits).map { ($0, scalar) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The types that the app need not declare.
  private static let values = Set(ScalarType.allCases.map(\.rawValue) + ["Array", "Set", "Dictionary", "Optional"])

  /// Returns nil, with the reason in `problem`, if a schema cannot contain the type.
  ///
  /// - Parameter types: The types in the model. They can have names such as `Data`.
  static func of(
    _ attribute: CoreDataAttribute, _ title: String, besides types: Set<String>
  ) -> (type: CoreDataType?, problem: (CoreDataTopic, String)?) {
    if let scalar = scalars[attribute.type] {
      let name = scalar.rawValue
      return (CoreDataType(name: types.contains(name) ? "\(scalar.module).\(name)" : name), nil)
    }
    switch attribute.type {
    case "Composite":
      guard let name = attribute.composite.flatMap(CoreDataSpelling.name) else {
        return (nil, (.composite, "'\(title)' is a composite attribute with no valid type name"))
      }
      return (CoreDataType(name: name, option: ".flattened"), nil)
    case "Transformable": return transformable(attribute, title)
    case "", "Undefined": return (nil, (.noType, "'\(title)' has no type"))
    case let other: return (nil, (.noType, "'\(title)' has the type '\(other)', which only Core Data supports"))
    }
  }

  private static func transformable(
    _ attribute: CoreDataAttribute, _ title: String
  ) -> (type: CoreDataType?, problem: (CoreDataTopic, String)?) {
    guard let written = attribute.className else {
      return (nil, (.noType, "'\(title)' is transformable but has no class name"))
    }
    let text = written.hasPrefix(".") ? String(written.dropFirst()) : written
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }.map(String.init)
    let name = bridged[text]?.rawValue ?? text
    let isValue = words.allSatisfy { values.contains($0) } || bridged[text] != nil
    if !isValue, let word = words.first(where: isForeign) {
      return (nil, (.foreignClass, "'\(title)' contains a '\(word)', which exists only on Apple platforms"))
    }
    guard isType(name) else {
      return (nil, (.foreignClass, "'\(title)' contains a '\(written)', which is not a valid schema type"))
    }
    if let transformer = attribute.transformer.flatMap(Self.transformer) {
      return (
        CoreDataType(
          name: name, option: ".transformable(by: \(transformer).self)",
          remark: (
            .check, .transformer, "'\(title)' uses '\(transformer)': the app must provide this 'ValueTransformer'"
          )),
        nil
      )
    }
    if isValue {
      return (
        CoreDataType(
          name: name,
          remark: (.check, .archivedValue, "'\(title)' was archived and is now stored as '\(name)'")),
        nil
      )
    }
    return (
      CoreDataType(
        name: name, option: ".codable",
        remark: (.check, .ownClass, "'\(title)' was archived; '\(name)' must now be 'Codable & Sendable'")),
      nil
    )
  }

  /// Returns the transformer's type name; nil for Foundation's transformers, which use archives.
  private static func transformer(_ name: String) -> String? {
    let name = name.hasPrefix(".") ? String(name.dropFirst()) : name
    guard !name.hasPrefix("NS"), isType(name) else { return nil }
    return name
  }

  /// Returns true for types such as `UIColor`, `NSArray`, `CLLocation` and `Any`.
  private static func isForeign(_ word: String) -> Bool {
    if word == "Any" || word == "AnyObject" || word == "AnyHashable" { return true }
    let prefixes = ["NS", "UI", "CG", "CL", "CK", "CN", "MK", "AV", "SK", "SCN", "PK", "PH", "HK", "WK"]
    return prefixes.contains { prefix in
      word.hasPrefix(prefix) && word.dropFirst(prefix.count).first?.isUppercase ?? false
        && word.dropFirst(prefix.count + 1).first?.isLowercase ?? false
    }
  }

  private static func isType(_ text: String) -> Bool {
    guard let first = text.first, first.isLetter || first == "_" || first == "[" else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || "_.[]<>?:, ".contains($0) }
  }
}
