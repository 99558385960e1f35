import SchemaDiagnostics
import SchemaDiff
package import SchemaModel

/// What the changes on the way to a newer version mean for the rows of one store.
package struct Preflight {
  package struct Finding: Sendable, Equatable {
    /// The code of the rule, `MIG011`.
    package let rule: String
    package let name: String
    /// What changed: `Trip.nickname`.
    package let subject: String
    /// The versions of the stage.
    package let from: SchemaVersion
    package let to: SchemaVersion
    /// How many rows are concerned; nil where that cannot be counted before the stages before it ran.
    package let rows: Int?
    /// One line, with the number.
    package let text: String

    /// Whether there is nothing in this store that the change could touch.
    package var isHarmless: Bool { rows == 0 }
  }

  package let findings: [Finding]

  /// - Parameters:
  ///   - versions: the store's own version and those it passes, oldest first.
  /// - Throws: ``InspectionError`` where the store cannot be read.
  package init(_ store: StoreDescription, through versions: [ResolvedSchema]) throws {
    var findings: [Finding] = []
    var names = FormerNames()
    for (old, new) in zip(versions, versions.dropFirst()) {
      for change in SchemaDiff.changes(from: old, to: new) {
        guard let rule = change.rule else { continue }
        let counter = ChangeCounter(store: store, original: versions[0], old: old, new: new, names: names)
        let rows = try counter.rows(of: change)
        findings.append(
          Finding(
            rule: rule.code, name: rule.name, subject: change.subject, from: old.version, to: new.version,
            rows: rows?.count, text: "\(change.text): \(rows?.text ?? "not counted")"))
      }
      names.follow(from: old, to: new)
    }
    self.findings = findings
  }
}

/// What models and properties of a later version are called in the store.
struct FormerNames {
  private var entities: [String: String]?
  private var properties: [String: String?] = [:]

  func entity(_ name: String) -> String? {
    guard let entities else { return name }
    return entities[name]
  }

  func property(_ name: String, of entity: String) -> (entity: String, property: String)? {
    guard let original = self.entity(entity) else { return nil }
    guard entities != nil else { return (original, name) }
    guard let former = properties["\(entity).\(name)"] ?? nil else { return nil }
    return (original, former)
  }

  mutating func follow(from old: ResolvedSchema, to new: ResolvedSchema) {
    let counterparts = Counterparts(from: old, to: new)
    var next = FormerNames()
    next.entities = [:]
    for entity in new.entities {
      guard let before = counterparts.entities[entity.name], let original = self.entity(before) else { continue }
      next.entities?[entity.name] = original
      for property in entity.properties {
        let name =
          switch property {
          case .attribute(let attribute): attribute.name
          case .relationship(let relationship): relationship.name
          }
        guard let was = counterparts.oldName(of: name, in: entity.name) else { continue }
        next.properties["\(entity.name).\(name)"] = self.property(was, of: before)?.property
      }
    }
    self = next
  }
}
