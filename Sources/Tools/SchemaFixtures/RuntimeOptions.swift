import SchemaModel
import Trellis

// Converts schema options to runtime options.

extension ResolvedAttribute {
  /// Returns the options in the order that generated code uses. The order affects the store fingerprint.
  ///
  /// - Parameter module: The module for a transformer that is named by class.
  func runtimeOptions(module: String) -> [Schema.Attribute.Option] {
    var all: [Schema.Attribute.Option] = AttributeOption.allCases.filter(options.contains).map { .init($0.rawValue) }
    if let name = transformerName(module: module) { all.append(.transformable(by: name)) }
    if let storage { all.append(.init(storage.rawValue)) }
    if let policy = unknown.flatMap({ Schema.Attribute.UnknownValuePolicy(rawValue: $0.rawValue) }) {
      all.append(.unknown(policy))
    }
    return all
  }

  /// Returns the transformer name: the literal `"palette"`, or the qualified class name for `Palette.self`.
  private func transformerName(module: String) -> String? {
    guard let written = transformer else { return nil }
    if written.hasPrefix("\""), written.hasSuffix("\""), written.count > 1 {
      return String(written.dropFirst().dropLast())
    }
    let name = written.hasSuffix(".self") ? String(written.dropLast(5)) : written
    return name.contains(".") ? name : "\(module).\(name)"
  }
}

extension ResolvedEntity {
  /// Returns true if a property attribute declares this constraint.
  func isDeclaredByAttribute(_ unique: ResolvedUnique) -> Bool {
    guard unique.properties.count == 1 else { return false }
    return properties.contains { property in
      switch property {
      case .attribute(let attribute):
        attribute.name == unique.properties[0] && attribute.options.contains(.unique)
      case .relationship(let relationship):
        relationship.name == unique.properties[0] && relationship.isUnique
      }
    }
  }
}
