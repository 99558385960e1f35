import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaSyntax

/// Diagnostics for changes in a version history that are probably mistakes. An error stops the build.
struct HistoryAdvice {
  let history: SchemaHistory

  var diagnostics: [Diagnostic] {
    var found: [Diagnostic] = []
    let entries = (history.lock ?? history.rebuiltLock).entries
    // Released versions are never edited, so advice about them could not be followed.
    for stage in history.openStages {
      let earlier = history.older
      let retired = Set(entries.filter { $0.version <= stage.from.version }.flatMap(\.retired))
      found += stage.changes.compactMap { advice($0, stage) }
      found += stage.changes.compactMap { reused($0, retired) }
      found += unknownOrigins(stage, earlier)
      found += stage.fillings.flatMap(\.fills).filter { Self.isVolatile($0.value.text) }.map { .volatile($0) }
    }
    return found.sortedAndUnique()
  }

  private func advice(_ change: SchemaChange, _ stage: PlannedStage) -> Diagnostic? {
    guard let rule = change.advice,
      !stage.acceptances.contains(where: { $0.accepts(change, rule) })
    else { return nil }
    let acceptance = "accept \(rule.code) \(change.subject.prefix { $0 != "[" }) -- \"reason\""
    let place = change.newRange ?? stage.to.versionRange
    let block = "in 'migration from \(stage.from.version)'"
    if case .relationship(let detail) = change {
      let isCascade = detail.new?.deleteRule == .cascade
      return Diagnostic(
        rule, isCascade ? .error : .warning, at: place,
        isCascade
          ? "\(change.text): existing rows are now deleted with their owner" : change.text,
        help: "if this is intended, accept it \(block): '\(acceptance)'")
    }
    return Diagnostic(
      rule, .warning, at: place, "\(change.text): a save that previously replaced a row now inserts a duplicate",
      help: "if this is intended, accept it \(block): '\(acceptance)'")
  }

  private func reused(_ change: SchemaChange, _ retired: Set<String>) -> Diagnostic? {
    guard change.isAddition, retired.contains(change.subject), let range = change.newRange else { return nil }
    return Diagnostic(
      .retiredNameReused, .warning, at: range,
      "'\(change.subject)' existed in an earlier version and is now a different declaration",
      help: "stores and history from that version use the name for the old declaration; choose a different name")
  }

  /// Reports newly stated original names that no earlier version declares.
  private func unknownOrigins(_ stage: PlannedStage, _ earlier: [ResolvedSchema]) -> [Diagnostic] {
    let names = Counterparts(from: stage.from, to: stage.to)
    var found: [Diagnostic] = []
    var properties: [String: Set<String>] = [:]
    for entity in earlier.flatMap(\.entities) {
      properties[entity.name, default: []].formUnion(entity.properties.map(\.name))
    }
    let former = stage.from.entities.keyed(by: \.name)
    for entity in stage.to.entities {
      let before = names.entities[entity.name].flatMap { former[$0] }
      if let origin = entity.originalName, properties[origin] == nil, before?.originalName != origin {
        found.append(.unknownOrigin(entity.name, origin, entity.range, properties.keys.ordered()))
      }
      let properties = properties[before?.name ?? entity.name] ?? []
      for property in entity.properties {
        guard before != nil, let origin = property.originalName, !properties.contains(origin) else { continue }
        let old = names.oldName(of: property.name, in: entity.name)
        let same = before?.properties.first { $0.name == old }
        guard same?.originalName != origin else { continue }
        found.append(
          .unknownOrigin("\(entity.name).\(property.name)", origin, property.range, properties.ordered()))
      }
    }
    return found
  }

  /// Returns true if the expression reads the clock or a random source.
  static func isVolatile(_ text: String) -> Bool {
    let file = SourceFile(path: "", text: text)
    let tokens = Lexer.lex(file, index: 0).0
    let words = tokens.map { file.text(from: Int($0.start), to: Int($0.end)) }
    return words.indices.contains { index in
      let isEmptyCall = Array(words.dropFirst(index + 1).prefix(2)) == ["(", ")"]
      switch words[index] {
      case "Date", "UUID", "arc4random", "Random", "SystemRandomNumberGenerator": return isEmptyCall
      case "random", "randomElement", "shuffled": return words.dropFirst(index + 1).first == "("
      case "now": return index > 0 && words[index - 1] == "." && !(index > 1 && words[index - 2] == "old")
      default: return false
      }
    }
  }
}

extension SchemaChange {
  fileprivate var isAddition: Bool {
    switch self {
    case .entity(.added): true
    case .attribute(let change): change.aspect == .added
    case .relationship(let change): change.aspect == .added
    default: false
    }
  }
}

extension Diagnostic {
  fileprivate static func volatile(_ fill: MigrationFill) -> Self {
    Self(
      .volatileFill, .warning, at: fill.range,
      "the value of '\(fill.entity).\(fill.property)' differs each time the migration runs",
      help: "if the migration is repeated after a failure, rows get different values; derive the value "
        + "from 'old'")
  }

  fileprivate static func unknownOrigin(
    _ name: String, _ origin: String, _ range: SourceRange, _ known: [String]
  ) -> Self {
    let meant = NearestName.find(origin, in: known)
    return Self(
      .originalNameUnknown, at: range, "'\(name)' is renamed from '\(origin)', which no earlier version declares",
      help: meant.map { "did you mean '\($0)'?" } ?? "remove 'originalName'")
  }
}
