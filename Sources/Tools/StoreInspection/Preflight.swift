import SchemaDiagnostics
import SchemaDiff
package import SchemaModel
package import SchemaVersions

/// The effects of a migration on a store's rows.
package struct Preflight {
  package struct Finding: Sendable, Equatable {
    /// The rule code, for example `MIG011`.
    package let rule: String
    package let name: String
    /// The changed declaration, for example `Trip.nickname`.
    package let subject: String
    /// The versions before and after the migration stage.
    package let from: SchemaVersion
    package let to: SchemaVersion
    /// The affected row count; nil if it is unknown until earlier stages have run.
    package let rows: Int?
    /// A one-line message that includes the row count.
    package let text: String
    /// How the migration handles the rows; nil if it does not handle them yet.
    package let handling: ChangeHandling?

    /// True if the change affects no row in this store.
    package var isHarmless: Bool { rows == 0 }
    /// True if rows are affected and the migration does not handle them.
    package var isOpen: Bool { !isHarmless && handling == nil }
  }

  package let findings: [Finding]

  /// - Parameters:
  ///   - store: The store.
  ///   - stages: The stages from the store's version to a later version.
  /// - Throws: ``InspectionError`` if the store cannot be read.
  package init(_ store: StoreDescription, through stages: [PlannedStage]) throws {
    var findings: [Finding] = []
    var names = FormerNames()
    for stage in stages {
      let (old, new) = (stage.from, stage.to)
      for (change, handling) in zip(stage.changes, stage.handlings) {
        guard let rule = change.rule else { continue }
        let counter = ChangeCounter(store: store, original: stages[0].from, old: old, new: new, names: names)
        let rows = try counter.rows(of: change)
        findings.append(
          Finding(
            rule: rule.code, name: rule.name, subject: change.subject, from: old.version, to: new.version,
            rows: rows?.count, text: "\(change.text): \(rows?.text ?? "not counted")", handling: handling))
      }
      names.follow(from: old, to: new)
    }
    self.findings = findings
  }
}

/// The store's names for models and properties in a later version.
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
