import SchemaDiagnostics
import SchemaDiff
import SchemaModel

/// Combines the changes between two versions with the migration's steps.
struct StagePlanner {
  private let versions: VersionPair
  private let steps: [ResolvedMigrationStep]
  private let changes: [SchemaChange]
  /// The migration block, or the schema version if there is no block.
  private let place: SourceRange

  /// - Parameter earlier: The versions up to `old`, any of which may have written existing rows.
  init(from old: ResolvedSchema, to new: ResolvedSchema, earlier: [ResolvedSchema]) {
    let blocks = new.migrations.filter { $0.from == old.version }
    steps = blocks.flatMap(\.steps)
    place = blocks.first?.range ?? new.versionRange
    versions = VersionPair(from: old, to: new)
    changes = SchemaDiff.changes(from: old, to: new, earlier: earlier)
  }

  private var old: ResolvedSchema { versions.old }
  private var new: ResolvedSchema { versions.new }

  var stage: PlannedStage {
    var stage = PlannedStage(versions: versions, changes: changes)
    var fills: [MigrationFill] = []
    for step in steps {
      switch step {
      case .fill(let fill): check(fill, fills, &stage.diagnostics) ? fills.append(fill) : ()
      case .dedupe(let dedupe): check(dedupe, &stage.diagnostics) ? stage.dedupes.append(dedupe) : ()
      case .custom(let custom): stage.customs.append(custom)
      case .accept(let acceptance): stage.acceptances.append(acceptance)
      }
    }
    stage.fillings = fillings(fills)
    let handled = HandledChanges(
      versions: versions, fills: fills, dedupes: stage.dedupes, acceptances: stage.acceptances,
      hasCustomSteps: !stage.customs.isEmpty)
    for change in changes {
      let handling = change.rule.flatMap { handled.handling(of: change, $0) }
      // An unfinished step handles nothing and has a separate diagnostic.
      let isPlaceholder = fills.contains { $0.isPlaceholder && "\($0.entity).\($0.property)" == change.subject }
      stage.handlings.append(isPlaceholder && handling == .filled ? nil : handling)
      guard let rule = change.rule else { continue }
      guard handling == nil else {
        for name in handled.namesOfRest(change) where !stage.lettingGo.contains(name) {
          stage.lettingGo.append(name)
        }
        continue
      }
      stage.unhandled.append(
        UnhandledChange(
          change: change, rule: rule, versions: versions, place: place,
          needsCustomStep: handled.needsCustomStep(change)))
    }
    let renames = ProbableRenames(stage.unhandled.map(\.change), changes, versions.names)
    for index in stage.unhandled.indices {
      stage.unhandled[index].successors = renames.successors(of: stage.unhandled[index].change)
      stage.unhandled[index].isSuccessor = renames.isSuccessor(stage.unhandled[index].change)
    }
    // The diagnostic for a removal already includes probable new names.
    stage.diagnostics += stage.unhandled.filter { !$0.isSuccessor }.map(\.diagnostic)
    stage.diagnostics += NameConflicts.check(from: old, to: new)
    stage.diagnostics += handled.unused(changes)
    return stage
  }

  /// Returns the fills for models that existed in the older version, including inherited fills.
  private func fillings(_ fills: [MigrationFill]) -> [PlannedStage.Filling] {
    guard !fills.isEmpty else { return [] }
    return new.entities.compactMap { entity in
      let line = new.lineage(of: entity.name)
      let own = fills.filter { line.contains($0.entity) }
      guard !own.isEmpty, let before = versions.names.entities[entity.name] else { return nil }
      return PlannedStage.Filling(oldEntity: before, newEntity: entity.name, fills: own)
    }
  }

  private func check(
    _ fill: MigrationFill, _ others: [MigrationFill], _ problems: inout [Diagnostic]
  ) -> Bool {
    guard let entity = new.entities.first(where: { $0.name == fill.entity }) else {
      problems.append(.noModel(fill.entity, fill.range, new.entities.map(\.name)))
      return false
    }
    guard versions.names.entities[fill.entity] != nil else {
      problems.append(.modelIsNew(fill.entity, old.version, fill.range))
      return false
    }
    let known = entity.properties.filter(\.canBeFilled).map(\.name)
    guard known.contains(fill.property) else {
      let isList = entity.properties.contains { $0.name == fill.property }
      problems.append(.noProperty(fill.entity, fill.property, fill.range, known, isList: isList))
      return false
    }
    if let first = others.first(where: { $0.entity == fill.entity && $0.property == fill.property }) {
      problems.append(.filledTwice(fill.entity, fill.property, fill.range, first.range))
      return false
    }
    // A tool or an editor has inserted a placeholder.
    if fill.isPlaceholder { problems.append(.placeholder(fill)) }
    return true
  }

  private func check(_ dedupe: MigrationDedupe, _ problems: inout [Diagnostic]) -> Bool {
    guard let entity = new.entities.first(where: { $0.name == dedupe.entity }) else {
      problems.append(.noModel(dedupe.entity, dedupe.range, new.entities.map(\.name)))
      return false
    }
    let line = new.lineage(of: entity.name)
    let known = new.entities.filter { line.contains($0.name) }
      .flatMap { $0.properties.filter(\.canBeFilled).map(\.name) }
    for property in dedupe.properties where !known.contains(property) {
      problems.append(.noProperty(dedupe.entity, property, dedupe.range, known, isList: false))
      return false
    }
    return true
  }
}

extension ResolvedSchema {
  /// Returns the names of a model and all its superclasses.
  func lineage(of entity: String) -> Set<String> {
    var line: Set<String> = []
    var next: String? = entity
    while let name = next, line.insert(name).inserted {
      next = entities.first { $0.name == name }?.superentity
    }
    return line
  }
}

extension ResolvedProperty {
  /// True if the row itself contains the value.
  fileprivate var canBeFilled: Bool {
    switch self {
    case .attribute(let attribute): return !attribute.isTransient && !attribute.options.contains(.ephemeral)
    case .relationship(let relationship):
      if case .toOne = relationship.cardinality { return true }
      return false
    }
  }
}

extension Diagnostic {
  fileprivate static func noModel(_ name: String, _ range: SourceRange, _ known: [String]) -> Self {
    let meant = NearestName.find(name, in: known)
    return Self(
      .unresolvedReference, at: range, "there is no model '\(name)' in this version",
      help: meant.map { "did you mean '\($0)'?" })
  }

  fileprivate static func noProperty(
    _ entity: String, _ name: String, _ range: SourceRange, _ known: [String], isList: Bool
  ) -> Self {
    if isList {
      return Self(
        .unresolvedReference, at: range, "'\(entity).\(name)' is not stored in the rows of '\(entity)'",
        help: "fill the inverse relationship, or write a 'custom' step")
    }
    let meant = NearestName.find(name, in: known)
    return Self(
      .unresolvedReference, at: range, "model '\(entity)' has no stored property '\(name)' of its own",
      help: meant.map { "did you mean '\($0)'?" })
  }

  fileprivate static func modelIsNew(
    _ name: String, _ version: SchemaVersion, _ range: SourceRange
  ) -> Self {
    Self(
      .unresolvedReference, at: range, "model '\(name)' is new: stores of \(version) have no rows for it",
      help: "create rows in a 'custom' step, or state its original name with '@Model(originalName:)'")
  }

  fileprivate static func placeholder(_ fill: MigrationFill) -> Self {
    Self(
      .missingStage, at: fill.range, "the value of '\(fill.entity).\(fill.property)' is missing",
      help: "write the value for existing rows; 'old' is the row in the older version")
  }

  fileprivate static func filledTwice(
    _ entity: String, _ property: String, _ range: SourceRange, _ first: SourceRange
  ) -> Self {
    Self(
      .duplicateOption, at: range, "'\(entity).\(property)' is filled twice",
      related: [.init(first, "first filled here")])
  }
}

extension MigrationFill {
  fileprivate var isPlaceholder: Bool { value.text.contains("<#") }
}
