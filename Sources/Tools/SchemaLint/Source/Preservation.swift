import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

extension ResolvedAttribute {
  /// Whether the history keeps its value when the object is deleted.
  var isPreserved: Bool { options.contains(.preserveValueOnDeletion) }
}

extension LintContext {
  /// Where an attribute is marked to be preserved, and the edit that takes the mark away; nil for one that is not.
  func preservation(of attribute: ResolvedAttribute) -> (range: SourceRange, removal: TextEdit?)? {
    guard attribute.isPreserved else { return nil }
    let syntax = sources.property(attribute.range)
    let option = AttributeOption.preserveValueOnDeletion.rawValue
    return (
      syntax?.option(option, of: "Attribute")?.range ?? attribute.range, syntax?.removing(option, of: "Attribute")
    )
  }

  /// The attributes of a unique key.
  func key(_ unique: ResolvedUnique, of entity: ResolvedEntity) -> [ResolvedAttribute] {
    unique.properties.compactMap { attribute($0, of: entity) }
  }

  /// Whether history can tell a deleted object by some key, which is kept whole.
  func isKnownWhenDeleted(_ entity: ResolvedEntity) -> Bool {
    uniques(of: entity).contains { unique in
      let key = key(unique, of: entity)
      return !key.isEmpty && key.allSatisfy(\.isPreserved)
    }
  }
}
