import SchemaModel
import Trellis

// Conversion of schema options to options of the runtime.

extension ResolvedAttribute {
  /// The options in the order of generated code, which affects the fingerprint of a store.
  ///
  /// - Parameter module: The module of a transformer that is named by its class.
  func runtimeOptions(module: String) -> [Schema.Attribute.Option] {
    var all: [Schema.Attribute.Option] = AttributeOption.allCases.filter(options.contains).map(\.runtime)
    if let name = transformerName(module: module) { all.append(.transformable(by: name)) }
    switch storage {
    case .json: all.append(.json)
    case .flattened: all.append(.flattened)
    case .raw: all.append(.raw)
    case nil: break
    }
    switch unknown {
    case .fail: all.append(.unknown(.fail))
    case .default: all.append(.unknown(.default))
    case nil: break
    }
    return all
  }

  /// The transformer name: the literal `"palette"`, or the qualified class name of `Palette.self`.
  private func transformerName(module: String) -> String? {
    guard let written = transformer else { return nil }
    if written.hasPrefix("\""), written.hasSuffix("\""), written.count > 1 {
      return String(written.dropFirst().dropLast())
    }
    let name = written.hasSuffix(".self") ? String(written.dropLast(5)) : written
    return name.contains(".") ? name : "\(module).\(name)"
  }
}

extension AttributeOption {
  fileprivate var runtime: Schema.Attribute.Option {
    switch self {
    case .unique: .unique
    case .externalStorage: .externalStorage
    case .preserveValueOnDeletion: .preserveValueOnDeletion
    case .ephemeral: .ephemeral
    case .allowsCloudEncryption: .allowsCloudEncryption
    case .spotlight: .spotlight
    case .codable: .codable
    case .fullText: .fullText
    }
  }
}

extension SchemaModel.ConflictPolicy {
  var runtime: Schema.ConflictPolicy {
    switch self {
    case .fail: .fail
    case .replace: .replace
    case .keep: .keep
    }
  }
}

extension ResolvedEntity {
  /// True if an attribute of the model declares this constraint.
  func saysItself(_ unique: ResolvedUnique) -> Bool {
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
