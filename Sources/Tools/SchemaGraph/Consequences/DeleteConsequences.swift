package import SchemaDiagnostics
package import SchemaModel

/// The consequences of deleting an object, found by applying the runtime's delete rules to models instead of objects.
package struct DeleteConsequences: Sendable, Equatable, Encodable {
  /// Increase this on incompatible changes to the JSON form.
  package var schemaVersion = 1
  package var deletion: Deletion

  /// Finds the consequences; returns `nil` if the schema does not contain the model.
  ///
  /// - Parameter files: The schema files. Source ranges refer to them by index.
  package init?(of model: String, in schema: ResolvedSchema, files: [SourceFile]) {
    var reader = DeletionReader(index: ModelIndex(schema, files: files))
    guard let deletion = reader.deletion(of: model) else { return nil }
    self.deletion = deletion
    let dying = models
    self.deletion.addCascades(dying)
  }

  /// The models with deleted objects, and the maximum number of deleted objects for each model.
  package var models: [String: Deletion.Amount] {
    var result: [String: Deletion.Amount] = [:]
    deletion.collect(&result, isMany: false)
    return result
  }

  /// All changes to remaining objects, and all conditions that can block the save.
  package var effects: [DeletionEffect] { deletion.allEffects }
}

/// An object's deletion and the consequences.
package struct Deletion: Sendable, Equatable, Encodable {
  package enum Amount: String, Sendable, Encodable {
    /// The deleted object, or a to-one destination.
    case one
    /// All members of a list.
    case all
  }

  package var model: Declaration
  package var amount: Amount
  /// The relationship with the rule `.cascade`; `nil` for the first deletion.
  package var cause: Declaration?
  /// The submodel that declares the relationship; `nil` if all objects have the relationship.
  package var condition: String?
  /// True for the remaining members of the list through which the cascade reached the object.
  package var isOthers = false
  /// True if the consequences are listed elsewhere.
  package var isRepeated = false
  package var deletions: [Deletion] = []
  package var effects: [DeletionEffect] = []
  /// The attributes that the history preserves, including submodel attributes.
  package var preserved: [String] = []
  /// The attributes with values in external files.
  package var files: [String] = []
  /// The submodels. Submodel objects are deleted in the same way.
  package var submodels: [String] = []
}

/// The effect of a deletion on a remaining object.
package struct DeletionEffect: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    /// A to-one relationship becomes nil.
    case nullified
    /// The object is removed from a list.
    case removedFromList
    /// The inverse is not written and reads as nil.
    case readsNil
    /// The inverse is not written; it is not optional and reads as a placeholder.
    case readsPlaceholder
    /// `.deny`: the save throws if the relationship has a destination.
    case denied
    /// The inverse is required: the save throws.
    case required
    /// A list would have too few members: the save throws.
    case tooFew
  }

  package var kind: Kind
  /// The property that changes or blocks the save.
  package var property: Declaration
  /// The relationship that declares the delete rule; `nil` for a reference that has no inverse.
  package var cause: Declaration?
  /// The minimum number of list members, for `tooFew`.
  package var minimum: Int?
  package var condition: String?
  /// True if the effect concerns objects other than the object from which the cascade came.
  package var isOthers = false
  /// True if objects of the affected model can be deleted in the same save. Such objects do not block it.
  package var mayDieToo = false

  /// True if the effect can make the save throw.
  package var isBlocking: Bool {
    switch kind {
    case .denied, .required, .tooFew: true
    case .nullified, .removedFromList, .readsNil, .readsPlaceholder: false
    }
  }

  /// The model that declares the property.
  package var model: String {
    property.name.lastIndex(of: ".").map { String(property.name[..<$0]) } ?? property.name
  }
}

extension Deletion {
  fileprivate func collect(_ result: inout [String: Amount], isMany: Bool) {
    let own: Amount = isMany || amount == .all ? .all : .one
    for name in [model.name] + submodels {
      // Two deletions of the same model may affect two objects.
      result[name] = result[name] == nil ? own : .all
    }
    for deletion in deletions { deletion.collect(&result, isMany: own == .all) }
  }

  fileprivate var allEffects: [DeletionEffect] { effects + deletions.flatMap(\.allEffects) }

  fileprivate mutating func addCascades(_ models: [String: Amount]) {
    for index in effects.indices { effects[index].mayDieToo = models[effects[index].model] != nil }
    for index in deletions.indices { deletions[index].addCascades(models) }
  }
}

extension DeleteConsequences {
  /// The consequences as a tree of deleted models, affected models and conditions that can block the save.
  package var text: String {
    let name = deletion.model.name
    var tree = TextTree(line: "deleting a '\(name)' (\(deletion.model.place))", below: deletion.branches)
    if tree.below.isEmpty { tree.below = [TextTree(line: "no further effects")] }
    var text = tree.text + "\n"
    let others = models.filter { $0.key != name || $0.value == .all }.sorted { $0.key < $1.key }
    if !others.isEmpty {
      let list = others.map { "\($0.key) (\($0.value == .all ? "any number" : "one"))" }.joined(separator: ", ")
      text += "may also be deleted: \(list)\n"
    }
    let blockers = effects.filter(\.isBlocking)
    guard !blockers.isEmpty else { return text + "no rule in the schema prevents the deletion\n" }
    text += "the save fails and nothing is deleted if any of these is true:\n"
    var seen: Set<String> = []
    for line in blockers.map(\.blocker) where seen.insert(line).inserted { text += "  \(line)\n" }
    return text
  }
}

extension Deletion {
  fileprivate var branches: [TextTree] {
    if isRepeated { return [] }
    var branches = deletions.map { deletion in
      TextTree(line: deletion.line, below: deletion.branches)
    }
    branches += effects.map { TextTree(line: $0.line) }
    if !preserved.isEmpty {
      branches.append(TextTree(line: "the history preserves \(preserved.joined(separator: ", "))"))
    }
    if !files.isEmpty {
      branches.append(TextTree(line: "deleted files: \(files.joined(separator: ", "))"))
    }
    return branches
  }

  private var line: String {
    let who =
      switch (amount, isOthers) {
      case (.one, _): "the '\(model.name)'"
      case (.all, false): "every '\(model.name)'"
      case (.all, true): "every other '\(model.name)'"
      }
    let kinds = submodels.isEmpty ? "" : ", including \(submodels.map { "'\($0)'" }.joined(separator: ", "))"
    let cause = cause.map { " in '\($0.name)' is deleted by .cascade (\($0.place))" } ?? ""
    return DeletionEffect.when(condition) + who + cause + kinds + (isRepeated ? " … see above" : "")
  }
}

extension DeletionEffect {
  fileprivate static func when(_ condition: String?) -> String { condition.map { "if it is a '\($0)': " } ?? "" }

  fileprivate var line: String {
    let others = isOthers ? " in other objects" : ""
    let text =
      switch kind {
      case .nullified: "'\(property.name)'\(others) becomes nil"
      case .removedFromList: "'\(property.name)'\(others) no longer contains it"
      case .readsNil: "'\(property.name)'\(others) is not changed and reads as nil"
      case .readsPlaceholder: "'\(property.name)'\(others) is not changed and reads as a placeholder"
      case .denied: "prevented while '\(property.name)' refers to \(isOthers ? "another object" : "an object")"
      case .required: "prevented while required '\(property.name)'\(others) refers to it"
      case .tooFew: "prevented if '\(property.name)'\(others) would have fewer than \(minimum ?? 0) members"
      }
    return Self.when(condition) + text + by
  }

  private var by: String {
    guard let cause else { return " (\(property.place))" }
    let rule =
      switch kind {
      case .denied: ".deny"
      case .readsNil, .readsPlaceholder: ".noAction"
      case .nullified, .required: ".nullify"
      case .removedFromList, .tooFew: ""
      }
    guard !rule.isEmpty else { return " (\(property.place))" }
    return kind == .denied ? ", by .deny (\(cause.place))" : ", by \(rule) in '\(cause.name)' (\(cause.place))"
  }

  fileprivate var blocker: String {
    let text =
      switch kind {
      case .denied: "'\(property.name)' refers to \(isOthers ? "another object" : "an object")"
      case .required: "'\(property.name)' refers to the deleted object"
      case .tooFew: "'\(property.name)' would have fewer than \(minimum ?? 0) members"
      case .nullified, .removedFromList, .readsNil, .readsPlaceholder: ""
      }
    let other = kind == .denied ? "the destination" : "its '\(model)'"
    return "\(property.place): \(text)" + (mayDieToo && kind != .denied ? ", unless \(other) is also deleted" : "")
  }
}
