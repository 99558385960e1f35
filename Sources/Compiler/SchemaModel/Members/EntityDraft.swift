package import SchemaDiagnostics
import SchemaSyntax

/// An entity whose declarations have been read but whose references are not yet resolved.
final class EntityDraft {
  /// A relationship and the inverse as written.
  struct Relationship {
    enum WrittenInverse {
      case absent
      case none
      case keyPath(root: [String], path: [String], SourceRange)
    }

    /// Index into the entity's properties.
    var property: Int
    var written: WrittenInverse
    var range: SourceRange
    /// The edit that writes `inverse: nil` into the frozen copy of a Swift file. `nil` in a schema file, which must
    /// state the choice itself.
    var withoutInverse: TextEdit?
  }

  var entity: ResolvedEntity
  let declaration: DeclarationSyntax
  /// `#Unique` and `#Index` as written.
  var constraints: [AttributeSyntax] = []
  var relationships: [Relationship] = []
  /// Names of invalid properties. References to them are not followed.
  var poisoned: Set<String> = []
  /// True if some members could not be read. Any missing property may be among them.
  var isIncomplete = false
  /// Superclass names that refer to models, as written.
  var superclasses: [TypeSyntax] = []

  init(entity: ResolvedEntity, declaration: DeclarationSyntax) {
    self.entity = entity
    self.declaration = declaration
  }

  func relationship(at index: Int) -> ResolvedRelationship? {
    guard case .relationship(let relationship) = entity.properties[index] else { return nil }
    return relationship
  }

  /// Sets the inverse of the relationship at `index`.
  func connect(_ index: Int, to inverse: String, declares: Bool) {
    guard let relationship = relationship(at: index) else { return }
    entity.properties[index] = .relationship(relationship.connected(to: inverse, declares: declares))
  }
}

extension ResolvedProperty {
  package var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    }
  }

  package var range: SourceRange {
    switch self {
    case .attribute(let attribute): attribute.range
    case .relationship(let relationship): relationship.range
    }
  }
}
