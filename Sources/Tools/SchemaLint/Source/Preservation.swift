import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

extension ResolvedAttribute {
  /// True if the history preserves the value when the object is deleted.
  var isPreserved: Bool { options.contains(.preserveValueOnDeletion) }
}

extension LintContext {
  /// Returns the location of `preserveValueOnDeletion` and the edit that removes it; `nil` if the option is missing.
  func preservation(of attribute: ResolvedAttribute) -> (range: SourceRange, removal: TextEdit?)? {
    guard attribute.isPreserved else { return nil }
    let syntax = sources.property(attribute.range)
    let option = AttributeOption.preserveValueOnDeletion.rawValue
    return (
      syntax?.option(option, of: "Attribute")?.range ?? attribute.range, syntax?.removing(option, of: "Attribute")
    )
  }

  /// Returns a unique key's attributes.
  func key(_ unique: ResolvedUnique, of entity: ResolvedEntity) -> [ResolvedAttribute] {
    unique.properties.compactMap { attribute($0, of: entity) }
  }

  /// Returns true if a completely preserved key identifies deleted objects.
  func isKnownWhenDeleted(_ entity: ResolvedEntity) -> Bool {
    uniques(of: entity).contains { unique in
      let key = key(unique, of: entity)
      return !key.isEmpty && key.allSatisfy(\.isPreserved)
    }
  }
}
