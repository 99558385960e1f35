package import SchemaDiagnostics
package import SchemaDiff
package import SchemaModel
import SchemaSyntax

/// Determines which changes a migration's steps handle.
struct HandledChanges {
  let versions: VersionPair
  let fills: [MigrationFill]
  let dedupes: [MigrationDedupe]
  let acceptances: [MigrationAcceptance]
  let hasCustomSteps: Bool

  /// Returns how the migration handles a change; `nil` if no step does.
  func handling(of change: SchemaChange, _ rule: DiagnosticID) -> ChangeHandling? {
    if acceptances.contains(where: { $0.accepts(change, rule) }), !needsCustomStep(change) { return .accepted }
    switch change {
    case .schema, .index: return .automatic
    case .entity: return change.effect == .needsCode && hasCustomSteps ? .custom : nil
    case .attribute(let change):
      switch change.effect {
      case .losesData:
        if isRead(change.old?.name ?? "") { return .filled }
        if isInherited(change) { return .automatic }
        // Custom code can read the attribute in the old rows, and its author knows that the attribute was removed.
        return hasCustomSteps && change.aspect == .removed ? .custom : nil
      case .automatic, .needsFill, .needsCode:
        return isFilled(change.new?.name ?? "", of: change.entity) ? .filled : nil
      }
    case .relationship(let change):
      if isFilled(change.new?.name ?? "", of: change.entity) { return .filled }
      if change.effect == .losesData { return isRead(change.old?.name ?? "") ? .filled : nil }
      return hasCustomSteps ? .custom : nil
    case .unique(.added(let unique, let entity)):
      let isDeduplicated = dedupes.contains { $0.entity == entity && Set($0.properties) == Set(unique.properties) }
      return isDeduplicated ? .deduplicated : isOfNewProperties(unique, entity) ? .automatic : nil
    case .unique: return .automatic
    case .enumeration(let detail): return isFilledEverywhere(detail.name, change) ? .filled : nil
    case .structure(let detail): return isFilledEverywhere(detail.name, change) ? .filled : nil
    }
  }

  /// Returns true if accepting the change is not enough to open existing stores.
  func needsCustomStep(_ change: SchemaChange) -> Bool {
    guard case .entity(.superentityChanged(_, let entity)) = change else { return false }
    return versions.movesToAnotherTable(entity.name)
      || versions.leftBehind(by: entity.name).contains { $0.isRequired && !isFilled($0.name) }
  }

  /// Returns the properties, as `Model.property`, that keep their name but lose former values. Empty if the property
  /// was removed or a fill assigns it.
  func namesOfRest(_ change: SchemaChange) -> [String] {
    if case .entity(.superentityChanged(_, let entity)) = change {
      return versions.leftBehind(by: entity.name).map(\.name).filter { !isFilled($0) }
    }
    switch change {
    case .attribute(let change):
      return [nameOfRest(change.entity, change.old?.name, change.new?.name)].compactMap { $0 }
    case .relationship(let change):
      return [nameOfRest(change.entity, change.old?.name, change.new?.name), change.narrowing].compactMap { $0 }
    default: return []
    }
  }

  private func nameOfRest(_ entity: String, _ before: String?, _ after: String?) -> String? {
    // A new property has no former values.
    guard let before, let declaration = versions.new.entities.first(where: { $0.name == entity }) else { return nil }
    let name = after ?? before
    let isKept = declaration.properties.contains { property in
      switch property {
      case .attribute(let attribute): attribute.name == name && !attribute.isTransient
      case .relationship(let relationship): relationship.name == name
      }
    }
    return isKept && !isFilled(name, of: entity) ? "\(entity).\(name)" : nil
  }

  /// Returns warnings for acceptances that match no change.
  func unused(_ changes: [SchemaChange]) -> [Diagnostic] {
    acceptances.compactMap { acceptance in
      let isUsed = changes.contains { change in
        change.rules.contains { acceptance.accepts(change, $0) }
      }
      return isUsed ? nil : .nothingToAccept(acceptance, changes)
    }
  }

  /// Returns true if a superclass now declares the property, so that rows keep their values under the same name.
  private func isInherited(_ change: AttributeChange) -> Bool {
    guard case .removed = change.aspect, let attribute = change.old else { return false }
    // Rows that move to a different table require a custom step, which receives the old and new rows.
    let isMadeAnew = versions.movesToAnotherTable(change.entity)
    return versions.new.lineage(of: change.entity).contains { ancestor in
      ancestor != change.entity && (isMadeAnew || versions.names.oldName(of: attribute.name, in: ancestor) == nil)
        && versions.new.entities.first { $0.name == ancestor }?.properties.contains { property in
          guard case .attribute(let successor) = property else { return false }
          return successor.name == attribute.name && successor.type == attribute.type
            && successor.storage == attribute.storage && !successor.isTransient
        } ?? false
    }
  }

  private func isFilled(_ name: String) -> Bool {
    fills.contains { "\($0.entity).\($0.property)" == name }
  }

  private func isFilled(_ property: String, of entity: String) -> Bool {
    fills.contains { $0.entity == entity && $0.property == property }
  }

  /// Returns true if a fill reads the removed property from the old row.
  private func isRead(_ property: String) -> Bool {
    fills.contains { fill in
      let file = SourceFile(path: "", text: fill.value.text)
      let tokens = Lexer.lex(file, index: 0).0
      return tokens.indices.dropFirst(2).contains { index in
        tokens[index - 2].kind == .identifier && tokens[index - 1].kind == .period
          && file.text(from: Int(tokens[index - 2].start), to: Int(tokens[index - 2].end)) == "old"
          && file.text(from: Int(tokens[index].start), to: Int(tokens[index].end)) == property
      }
    }
  }

  /// Returns true if a new property in the constraint is `nil` in all existing rows, so that no two rows are
  /// duplicates.
  private func isOfNewProperties(_ unique: ResolvedUnique, _ entity: String) -> Bool {
    guard let declaration = versions.new.entities.first(where: { $0.name == entity }) else { return false }
    return unique.properties.contains { name in
      guard versions.names.oldName(of: name, in: entity) == nil, !isFilled(name, of: entity) else { return false }
      return declaration.properties.contains { property in
        guard case .attribute(let attribute) = property, attribute.name == name else { return false }
        if case .optional = attribute.type { return attribute.defaultValue == nil }
        return false
      }
    }
  }

  /// Returns true if every property that holds a value of the type is filled.
  private func isFilledEverywhere(_ type: String, _ change: SchemaChange) -> Bool {
    let holders = versions.new.holders(of: type, about: change)
    return !holders.isEmpty
      && holders.allSatisfy { entity, property in
        versions.names.oldName(of: property, in: entity) == nil || isFilled(property, of: entity)
      }
  }
}

extension ResolvedSchema {
  /// Returns the properties whose values contain a declared type, directly or nested. If the change concerns the
  /// textual form, only properties stored as text are included.
  package func holders(of type: String, about change: SchemaChange) -> [(entity: String, property: String)] {
    let containing = types(containing: type)
    return entities.flatMap { entity in
      entity.properties.compactMap { property -> (entity: String, property: String)? in
        guard case .attribute(let attribute) = property, !attribute.isTransient,
          attribute.type.declaredTypes.contains(where: containing.contains)
        else { return nil }
        if change.isOfText, !TextTypes(self, where: { $0 === attribute }).written.contains(type) { return nil }
        return (entity.name, attribute.name)
      }
    }
  }

  private func types(containing type: String) -> Set<String> {
    var found: Set<String> = [type]
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for candidate in structs where !found.contains(candidate.name) {
        guard candidate.fields.contains(where: { $0.type.declaredTypes.contains(where: found.contains) })
        else { continue }
        found.insert(candidate.name)
        isGrowing = true
      }
      for candidate in enums where !found.contains(candidate.name) {
        let payload = candidate.cases.flatMap(\.payload)
        guard payload.contains(where: { $0.type.declaredTypes.contains(where: found.contains) }) else {
          continue
        }
        found.insert(candidate.name)
        isGrowing = true
      }
    }
    return found
  }
}

extension MigrationAcceptance {
  package func accepts(_ change: SchemaChange, _ id: DiagnosticID) -> Bool {
    (rule == id.code || rule == id.name) && names(change)
  }

  /// Returns true if the acceptance names the change. A uniqueness constraint's subject ends with its key paths.
  private func names(_ change: SchemaChange) -> Bool {
    if subject == change.subject { return true }
    guard case .unique = change else { return false }
    return change.subject.hasPrefix(subject + "[") || change.subject.hasPrefix(subject + "(")
  }
}

extension Diagnostic {
  fileprivate static func nothingToAccept(
    _ acceptance: MigrationAcceptance, _ changes: [SchemaChange]
  ) -> Self {
    let same = changes.filter { $0.rule != nil && $0.subject == acceptance.subject }
    let help = same.first.flatMap { change in
      change.rule.map { "the rule to accept is \($0.code) (\(change.text))" }
    }
    return Self(
      .unresolvedReference, .warning, at: acceptance.range,
      "no change of '\(acceptance.subject)' to accept as \(acceptance.rule)",
      help: help ?? "remove the line")
  }
}
