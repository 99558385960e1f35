import SchemaDiagnostics
import SchemaModel

/// A declaration with its location.
package struct Declaration: Sendable, Hashable, Encodable {
  /// For example `Trip` or `Trip.stops`.
  package var name: String
  /// For example `Trips.schema:5:7`.
  package var place: String

  package init(name: String, place: String) {
    self.name = name
    self.place = place
  }
}

/// A relationship and the model that declares it.
struct OwnedRelationship {
  var owner: String
  var relationship: ResolvedRelationship

  var title: String { "\(owner).\(relationship.name)" }
}

/// A schema's models by name, including inheritance.
struct ModelIndex {
  private let entities: [String: ResolvedEntity]
  private let order: [ResolvedEntity]
  private let tables: [LineTable]
  private let paths: [String]

  /// - Parameter files: The schema files. Source ranges refer to them by index.
  init(_ schema: ResolvedSchema, files: [SourceFile]) {
    order = schema.entities
    entities = Dictionary(order.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    tables = files.map { LineTable($0) }
    paths = files.map(\.path)
  }

  func entity(_ name: String) -> ResolvedEntity? { entities[name] }

  /// Returns the model and its superclasses, starting with the root.
  func lineage(of name: String) -> [ResolvedEntity] {
    var result: [ResolvedEntity] = []
    var next = entities[name]
    while let entity = next, result.count <= order.count {
      result.append(entity)
      next = entity.superentity.flatMap { entities[$0] }
    }
    return result.reversed()
  }

  /// Returns a model's submodels in declaration order.
  func descendants(of name: String) -> [ResolvedEntity] {
    order.filter { $0.name != name && isKind($0.name, of: name) }
  }

  func isKind(_ name: String, of ancestor: String) -> Bool {
    lineage(of: name).contains { $0.name == ancestor }
  }

  /// Returns a relationship's inverse.
  func inverse(of relationship: ResolvedRelationship) -> OwnedRelationship? {
    guard let name = relationship.inverseName else { return nil }
    // The destination can inherit the inverse.
    for owner in lineage(of: relationship.destination).reversed() {
      if let found = owner.relationships.first(where: { $0.name == name }) {
        return OwnedRelationship(owner: owner.name, relationship: found)
      }
    }
    return nil
  }

  /// Returns the relationships that have no inverse and can refer to an object of the model.
  func oneDirectional(to name: String) -> [OwnedRelationship] {
    order.flatMap { entity in
      entity.relationships.filter { relationship in
        relationship.inverse == .none
          && (isKind(name, of: relationship.destination) || isKind(relationship.destination, of: name))
      }.map { OwnedRelationship(owner: entity.name, relationship: $0) }
    }
  }

  func declaration(_ name: String, _ range: SourceRange) -> Declaration {
    guard tables.indices.contains(range.file) else { return Declaration(name: name, place: "") }
    let position = tables[range.file].position(at: range.start)
    return Declaration(name: name, place: "\(paths[range.file]):\(position.line):\(position.column)")
  }

  func declaration(_ one: OwnedRelationship) -> Declaration {
    declaration(one.title, one.relationship.range)
  }

  func declaration(_ entity: ResolvedEntity) -> Declaration { declaration(entity.name, entity.range) }
}
