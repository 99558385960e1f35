import SchemaDiagnostics
import SchemaDiff
import SchemaModel

/// A schema's changes, by card and row.
struct VersionChanges {
  private(set) var removedEntities: [ResolvedEntity] = []
  private(set) var removedEnums: [ResolvedEnum] = []
  private(set) var removedStructs: [ResolvedStruct] = []
  /// Properties removed from remaining models, with the newest model name.
  private(set) var removedProperties: [(entity: String, property: ResolvedProperty)] = []
  private var nodes: [String: DiagramChange] = [:]
  private var rows: [String: [String: DiagramChange]] = [:]
  /// Changes by the names of the constrained properties.
  private var constraints: [String: [String: DiagramChange]] = [:]
  /// The removed rows by card.
  private var lost: [String: [DiagramRow]] = [:]
  private var newNames: [String: String] = [:]
  private var newParents: Set<String> = []

  init(through versions: [ResolvedSchema]) {
    guard let old = versions.first else { return }
    for change in SchemaDiff.changes(through: versions) {
      switch change {
      case .schema: break
      case .entity(let detail): add(detail)
      // The diagram of the previous migration step shows this rename.
      case .attribute(let detail) where detail.aspect == .originalName: break
      case .relationship(let detail) where detail.aspect == .originalName: break
      case .attribute(let detail):
        add(
          detail.aspect == .added, detail.aspect == .removed, detail.aspect == .renamed, detail, old: detail.old?.name)
        if detail.aspect == .removed, let old = detail.old { lose(.attribute(old), of: detail.entity) }
      case .relationship(let detail):
        add(
          detail.aspect == .added, detail.aspect == .removed, detail.aspect == .renamed, detail, old: detail.old?.name)
        if detail.aspect == .removed, let old = detail.old { lose(.relationship(old), of: detail.entity) }
      case .unique(let detail): add(detail)
      case .index(let detail): add(detail)
      case .enumeration(let detail): add(detail, old)
      case .structure(let detail): add(detail, old)
      }
    }
  }

  var removedRelationships: [(entity: String, relationship: ResolvedRelationship)] {
    removedProperties.compactMap { entity, property in
      if case .relationship(let relationship) = property { (entity, relationship) } else { nil }
    }
  }

  /// Returns the newest name of a model that has this name in the older version.
  func newName(of entity: String) -> String { newNames[entity] ?? entity }

  func kindOfInheritance(of entity: String) -> DiagramChange.Kind? {
    newParents.contains(entity) || nodes[entity]?.kind == .added ? .added : nil
  }

  func kind(of relationship: String, in entity: String) -> DiagramChange.Kind? {
    rows[entity]?[relationship]?.kind ?? (nodes[entity]?.kind == .added ? .added : nil)
  }

  /// Records the changes in a card.
  func mark(_ node: inout DiagramNode) {
    guard node.change?.kind != .removed else { return }
    node.change = nodes[node.name]
    for index in node.rows.indices {
      let row = node.rows[index]
      let found =
        row.kind == .constraint
        ? constraints[node.name]?[DiagramChange.key(row)] : rows[node.name]?[row.name]
      node.rows[index].change = found
    }
    node.rows += lost[node.name] ?? []
  }

  private mutating func note(_ change: DiagramChange, of entity: String, row: String? = nil) {
    if let row {
      rows[entity, default: [:]][row] = rows[entity]?[row]?.with(change) ?? change
    } else {
      nodes[entity] = nodes[entity]?.with(change) ?? change
    }
  }

  private mutating func add(_ change: EntityChange) {
    switch change {
    case .added(let entity): note(DiagramChange(kind: .added), of: entity.name)
    case .removed(let entity): removedEntities.append(entity)
    case .renamed(let old, let new):
      newNames[old.name] = new.name
      note(DiagramChange(kind: .renamed, notes: ["was '\(old.name)'"]), of: new.name)
    case .superentityChanged(_, let new):
      newParents.insert(new.name)
      note(DiagramChange(change), of: new.name)
    case .originalNameChanged: break
    case .conformancesChanged, .accessChanged, .propertiesReordered:
      note(DiagramChange(change), of: change.subject)
    }
  }

  private mutating func add(
    _ isAdded: Bool, _ isRemoved: Bool, _ isRenamed: Bool, _ change: some ChangeDetail, old: String?
  ) {
    guard !isRemoved, let dot = change.subject.lastIndex(of: ".") else { return }
    let entity = String(change.subject[..<dot])
    let name = String(change.subject[change.subject.index(after: dot)...])
    if isAdded {
      note(DiagramChange(kind: .added), of: entity, row: name)
    } else if isRenamed {
      note(DiagramChange(kind: .renamed, notes: ["was '\(old ?? "")'"]), of: entity, row: name)
    } else {
      note(DiagramChange(change), of: entity, row: name)
    }
  }

  private mutating func lose(_ property: ResolvedProperty, of entity: String) {
    removedProperties.append((entity, property))
    let owner = ResolvedEntity(name: entity, file: 0, range: .init(file: 0, start: 0, end: 0))
    lose(DiagramRow(property, of: owner), of: entity)
  }

  private mutating func lose(_ row: DiagramRow, of node: String) {
    var row = row
    row.change = DiagramChange(kind: .removed)
    lost[node, default: []].append(row)
  }

  private mutating func add(_ change: UniqueChange) {
    switch change {
    case .added(let unique, let entity):
      constrain(DiagramRow(unique), unique.properties, .added, "is now unique", entity)
    case .removed(let unique, let entity):
      constrain(DiagramRow(unique), unique.properties, .removed, "is no longer unique", entity)
    case .policyChanged(_, let unique, let entity):
      constrain(DiagramRow(unique), unique.properties, .changed, DiagramChange.note(change.text), entity)
    }
  }

  private mutating func add(_ change: IndexChange) {
    switch change {
    case .added(let index, let entity):
      constrain(DiagramRow(index), index.properties, .added, "is now indexed", entity)
    case .removed(let index, let entity):
      constrain(DiagramRow(index), index.properties, .removed, "is no longer indexed", entity)
    }
  }

  private mutating func constrain(
    _ row: DiagramRow, _ properties: [String], _ kind: DiagramChange.Kind, _ text: String, _ entity: String
  ) {
    if properties.count == 1 {
      note(DiagramChange(kind: .changed, notes: [text]), of: entity, row: properties[0])
    } else if kind == .removed {
      lose(row, of: entity)
    } else {
      let notes = kind == .changed ? [text] : []
      constraints[entity, default: [:]][DiagramChange.key(row)] = DiagramChange(kind: kind, notes: notes)
    }
  }

  private mutating func add(_ change: EnumChange, _ old: ResolvedSchema) {
    switch change.aspect {
    case .added: note(DiagramChange(kind: .added), of: change.name)
    case .removed:
      removedEnums += old.enums.filter { $0.name == change.name }
    case .caseAdded(let one): note(DiagramChange(kind: .added), of: change.name, row: one.name)
    case .caseRemoved(let one): lose(DiagramRow(one), of: change.name)
    case .caseRenamed(let before, let after):
      note(DiagramChange(kind: .renamed, notes: ["was '\(before.name)'"]), of: change.name, row: after.name)
    case .rawValue(_, let one), .payload(_, let one):
      note(DiagramChange(change), of: change.name, row: one.name)
    case .rawType, .conformances, .access, .coding, .reordered: note(DiagramChange(change), of: change.name)
    }
  }

  private mutating func add(_ change: StructChange, _ old: ResolvedSchema) {
    switch change.aspect {
    case .added: note(DiagramChange(kind: .added), of: change.name)
    case .removed:
      removedStructs += old.structs.filter { $0.name == change.name }
    case .fieldAdded(let field): note(DiagramChange(kind: .added), of: change.name, row: field.name)
    case .fieldRemoved(let field): lose(DiagramRow(field), of: change.name)
    case .fieldType(_, let field), .fieldDefault(_, let field), .fieldMutability(let field):
      note(DiagramChange(change), of: change.name, row: field.name)
    default: note(DiagramChange(change), of: change.name)
    }
  }
}

extension DiagramChange {
  init(_ change: some ChangeDetail) { self.init(kind: .changed, notes: [Self.note(change.text)]) }

  /// Returns the text after the subject: `type changed …` for `attribute 'A.x': type changed …`. The note is displayed
  /// next to the subject.
  static func note(_ text: String) -> String {
    if let colon = text.firstRange(of: "': ") { return String(text[colon.upperBound...]) }
    if let space = text.firstRange(of: "' ") { return String(text[space.upperBound...]) }
    return text
  }

  static func key(_ row: DiagramRow) -> String { "\(row.marks.map(\.rawValue)) \(row.name)" }

  /// Combines two changes. A rename takes precedence over changed details.
  fileprivate func with(_ other: Self) -> Self {
    let kinds: [Kind] = [.added, .removed, .renamed]
    let both = kinds.first { $0 == kind || $0 == other.kind } ?? .changed
    // A new declaration has no differences.
    return Self(kind: both, notes: both == .added ? [] : notes + other.notes)
  }
}
