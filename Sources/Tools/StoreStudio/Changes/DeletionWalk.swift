import SchemaFacts
import SchemaModel
import StoreCare
import StoreTransfer
import Trellis

/// Applies delete rules to a draft's deletions.
struct DeletionWalk {
  private let reader: StoreReader
  private let plan: DraftPlan
  /// The deleted rows by exact class, in discovery order.
  private(set) var groups: [(entity: StudioSchema.Entity, keys: [Int64])] = []
  /// References that become nil, and lists that lose a member.
  private(set) var cleared: [Reference] = []
  /// The rules that prevent the deletion.
  private(set) var problems: [DraftAnswer.Problem] = []
  /// Lists with a minimum count that lose members.
  private(set) var shortened: [(row: DraftRow, list: String)] = []
  private var deleted: Set<DraftRow> = []
  private var questions: [Question] = []

  /// A row that refers to a deleted row.
  struct Reference {
    let entity: StudioSchema.Entity
    let key: Int64
    let property: String
    /// False if the store clears it regardless of delete rules.
    let isRecorded: Bool
  }

  /// A row that is related to a deleted row, and may be deleted too.
  private struct Question {
    let owner: (entity: StudioSchema.Entity, key: Int64)
    let relationship: ResolvedRelationship
    let other: (entity: StudioSchema.Entity, key: Int64)
    let consequence: DeletionConsequence
  }

  init(_ plan: DraftPlan, _ reader: StoreReader) throws {
    self.plan = plan
    self.reader = reader
    var wave: [(entity: StudioSchema.Entity, keys: [Int64])] = []
    for row in plan.deleted { add(row.key, row.entity, to: &wave) }
    while !wave.isEmpty {
      groups += wave
      var next: [(entity: StudioSchema.Entity, keys: [Int64])] = []
      for group in wave { try follow(group.entity, group.keys, &next) }
      wave = next
    }
    try answer()
    try addOneWayReferences()
    for (row, property) in plan.robbed where !deleted.contains(row) {
      guard case .stored(_, let key) = row, let entity = try plan.entity(of: row) else { continue }
      cleared.append(Reference(entity: entity, key: key, property: property, isRecorded: false))
    }
  }

  func contains(_ row: DraftRow) -> Bool { deleted.contains(row) }

  /// True if the draft affects no further rows.
  var isEmpty: Bool { groups.isEmpty && cleared.isEmpty }

  private mutating func add(
    _ key: Int64, _ entity: StudioSchema.Entity, to wave: inout [(entity: StudioSchema.Entity, keys: [Int64])]
  ) {
    guard deleted.insert(.stored(root: entity.layout.rootName, key: key)).inserted else { return }
    if let index = wave.firstIndex(where: { $0.entity.name == entity.name }) {
      wave[index].keys.append(key)
    } else {
      wave.append((entity, [key]))
    }
  }

  private func isDeleted(_ row: (entity: StudioSchema.Entity, key: Int64)) -> Bool {
    deleted.contains(.stored(root: row.entity.layout.rootName, key: row.key))
  }

  // MARK: Rules

  private mutating func follow(
    _ entity: StudioSchema.Entity, _ keys: [Int64], _ next: inout [(entity: StudioSchema.Entity, keys: [Int64])]
  ) throws {
    for (name, relationship) in entity.relationships.sorted(by: { $0.key < $1.key }) {
      guard let destination = reader.schema.entity(relationship.destination) else { continue }
      let inverse = relationship.inverseName.flatMap { destination.relationships[$0] }
      let consequence = DeletionConsequence(relationship.deleteRule, RelationshipEnd(inverse))
      let isBounded = (inverse?.minimumCount ?? 0) > 0
      switch consequence {
      case .deletion, .refusal, .clearedReference, .missingReference: break
      case .nothing, .shorterList, .danglingReference: guard isBounded else { continue }
      }
      for (owner, other) in try reader.related(name, of: entity, destination, keys) {
        if let inverse, plan.hasLeft(other, owner, entity, inverse) { continue }
        if consequence == .deletion {
          add(other.key, other.entity, to: &next)
        } else {
          questions.append(
            Question(
              owner: (entity, owner), relationship: relationship, other: other, consequence: consequence))
        }
        if isBounded, let inverse {
          shortened.append((.stored(root: other.entity.layout.rootName, key: other.key), inverse.name))
        }
      }
    }
  }

  /// Decides about related rows, now that all deleted rows are known.
  private mutating func answer() throws {
    var denials: [String: (Question, others: [(entity: StudioSchema.Entity, key: Int64)])] = [:]
    for question in questions where !isDeleted(question.other) {
      let inverse = question.relationship.inverseName ?? ""
      switch question.consequence {
      case .clearedReference:
        cleared.append(
          Reference(
            entity: question.other.entity, key: question.other.key, property: inverse, isRecorded: true))
      case .missingReference:
        let label = try reader.label(question.owner.entity, question.owner.key)
        problems.append(
          .init(
            entity: question.other.entity.name, key: "\(question.other.key)", property: inverse,
            message: "needs a value, but \(question.owner.entity.name) '\(label)' would be deleted",
            others: [.init(entity: question.owner.entity.name, key: "\(question.owner.key)", label: label)]))
      case .refusal:
        let name = "\(question.owner.entity.name) \(question.owner.key) \(question.relationship.name)"
        denials[name, default: (question, [])].others.append(question.other)
      case .deletion, .nothing, .shorterList, .danglingReference: break
      }
    }
    for (question, others) in denials.sorted(by: { $0.key < $1.key }).map(\.value) {
      let rows = others.prefix(Self.mostRows)
      problems.append(
        .init(
          entity: question.owner.entity.name, key: "\(question.owner.key)", property: question.relationship.name,
          message: question.relationship.denyMessage
            ?? "cannot be deleted while '\(question.relationship.name)' has \(counted(others.count, "row"))",
          count: others.count, others: try rows.flatMap { try reader.links($0.entity, [$0.key]) }))
    }
  }

  /// Adds references without an inverse, which the store clears.
  private mutating func addOneWayReferences() throws {
    for group in groups {
      for entity in reader.schema.entities {
        for case .relationship(let relationship) in entity.resolved.properties {
          guard !relationship.isToMany, relationship.inverse == .none,
            group.entity.lineage.contains(relationship.destination),
            let pairs = reader.pairs(relationship.name, of: entity, .member, group.keys)
          else { continue }
          for key in try reader.database.integers("SELECT \"owner\" FROM \(pairs) ORDER BY 1") {
            guard let other = try reader.rowClass(entity, key), !isDeleted((other, key)),
              !plan.changes(relationship.name, of: .stored(root: other.layout.rootName, key: key))
            else { continue }
            if relationship.isOptional {
              cleared.append(Reference(entity: other, key: key, property: relationship.name, isRecorded: false))
            } else {
              problems.append(
                .init(
                  entity: other.name, key: "\(key)", property: relationship.name,
                  message: "needs a value, but its \(relationship.destination) would be deleted"))
            }
          }
        }
      }
    }
  }

  // MARK: Consequences

  /// The maximum number of links.
  private static let mostRows = 20
  /// The deleted rows per class whose values belong to the fingerprint.
  private static let mostCompared = 1_000

  func consequences() throws -> DraftAnswer.Consequences {
    var hasher = Hasher()
    var rows: [String: (entity: StudioSchema.Entity, keys: [Int64])] = [:]
    for group in groups {
      hasher.combine(group.entity.name)
      hasher.combine(group.keys)
      for key in group.keys.prefix(Self.mostCompared) {
        hasher.combine(try reader.values(of: group.entity.columns, group.entity, key))
      }
      rows[group.entity.name, default: (group.entity, [])].keys += group.keys
    }
    var references: [String: [Reference]] = [:]
    for reference in cleared {
      hasher.combine(reference.entity.name)
      hasher.combine(reference.property)
      hasher.combine(reference.key)
      references["\(reference.entity.name).\(reference.property)", default: []].append(reference)
    }
    return DraftAnswer.Consequences(
      fingerprint: String(UInt(bitPattern: hasher.finalize()), radix: 16),
      deleted: try rows.values.sorted { $0.entity.name < $1.entity.name }.map { entity, keys in
        .init(entity: entity.name, count: keys.count, rows: try reader.links(entity, Array(keys.prefix(Self.mostRows))))
      },
      cleared: try references.sorted { $0.key < $1.key }.compactMap { _, all in
        guard let first = all.first else { return nil }
        return .init(
          entity: first.entity.name, property: first.property, count: all.count,
          rows: try reader.links(first.entity, all.prefix(Self.mostRows).map(\.key)))
      })
  }
}

extension RelationshipEnd {
  fileprivate init(_ inverse: ResolvedRelationship?) {
    guard let inverse else {
      self = .none
      return
    }
    self = inverse.isToMany ? .list : inverse.isOptional ? .optionalReference : .requiredReference
  }
}

extension DraftPlan {
  /// Returns true if a row no longer refers to an owner after the draft's changes.
  fileprivate func hasLeft(
    _ row: (entity: StudioSchema.Entity, key: Int64), _ owner: Int64, _ entity: StudioSchema.Entity,
    _ inverse: ResolvedRelationship
  ) -> Bool {
    let owner = DraftRow.stored(root: entity.layout.rootName, key: owner)
    guard let planned = rows[.stored(root: row.entity.layout.rootName, key: row.key)] else { return false }
    if inverse.isToMany { return planned.lists[inverse.name]?.removed.contains(owner) == true }
    if case .row(let target)? = planned.values[inverse.name] { return target != owner }
    return false
  }

  fileprivate func changes(_ property: String, of row: DraftRow) -> Bool { rows[row]?.values[property] != nil }
}

extension StoreReader {
  /// Returns the rows to which a relationship leads, with their owners.
  fileprivate func related(
    _ name: String, of entity: StudioSchema.Entity, _ destination: StudioSchema.Entity, _ keys: [Int64]
  ) throws -> [(owner: Int64, other: (entity: StudioSchema.Entity, key: Int64))] {
    guard let pairs = pairs(name, of: entity, .owner, keys) else { return [] }
    let type: SQLFragment =
      destination.table.classColumn.map { "\(column: destination.table.columns[$0].column, of: Self.alias)" }
      ?? "\(value: .text(destination.name))"
    let rows = try database.rows(
      """
      SELECT "pairs"."owner", "pairs"."member", \(type) FROM \(pairs)
      JOIN \(table(destination)) ON \(key(destination)) = "pairs"."member" ORDER BY 1, "pairs"."place", 2
      """)
    return rows.compactMap { row in
      guard case .integer(let owner) = row[0], case .integer(let key) = row[1], case .text(let name) = row[2],
        let entity = schema.entity(name)
      else { return nil }
      return (owner, (entity, key))
    }
  }
}
