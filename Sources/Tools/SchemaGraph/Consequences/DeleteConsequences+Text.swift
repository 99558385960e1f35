extension DeleteConsequences {
  /// The consequences as a tree of deleted models, affected models and conditions that can block the save.
  package var text: String {
    let name = deletion.model.name
    var tree = TextTree(line: "deleting a '\(name)' (\(deletion.model.place))", below: deletion.branches)
    if tree.below.isEmpty { tree.below = [TextTree(line: "nothing follows")] }
    var text = tree.text + "\n"
    let others = models.filter { $0.key != name || $0.value == .all }.sorted { $0.key < $1.key }
    if !others.isEmpty {
      let list = others.map { "\($0.key) (\($0.value == .all ? "any number" : "one"))" }.joined(separator: ", ")
      text += "may be deleted with it: \(list)\n"
    }
    let blockers = effects.filter(\.isBlocking)
    guard !blockers.isEmpty else { return text + "nothing in the schema stands in its way\n" }
    text += "the save is refused where one of these holds, and nothing is deleted:\n"
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
      branches.append(TextTree(line: "the history keeps \(preserved.joined(separator: ", "))"))
    }
    if !files.isEmpty {
      branches.append(TextTree(line: "files go with it: \(files.joined(separator: ", "))"))
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
    let kinds = submodels.isEmpty ? "" : ", be it \(submodels.map { "'\($0)'" }.joined(separator: ", ")) or not"
    let cause = cause.map { " of '\($0.name)' goes, by .cascade (\($0.place))" } ?? ""
    return DeletionEffect.when(condition) + who + cause + kinds + (isRepeated ? " … see above" : "")
  }
}

extension DeletionEffect {
  fileprivate static func when(_ condition: String?) -> String { condition.map { "if it is a '\($0)': " } ?? "" }

  fileprivate var line: String {
    let others = isOthers ? " of the others" : ""
    let text =
      switch kind {
      case .nullified: "'\(property.name)'\(others) becomes nil"
      case .removedFromList: "'\(property.name)'\(others) is without it"
      case .readsNil: "'\(property.name)'\(others) is not touched and reads nil"
      case .readsPlaceholder: "'\(property.name)'\(others) is not touched and reads a deleted placeholder"
      case .denied: "refused while '\(property.name)' has \(isOthers ? "another model" : "a model")"
      case .required: "refused while '\(property.name)'\(others) leads to it, which cannot be nil"
      case .tooFew: "refused where '\(property.name)'\(others) would have fewer than \(minimum ?? 0)"
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
    return kind == .denied ? ", by .deny (\(cause.place))" : ", by \(rule) of '\(cause.name)' (\(cause.place))"
  }

  fileprivate var blocker: String {
    let text =
      switch kind {
      case .denied: "'\(property.name)' has \(isOthers ? "another model" : "a model")"
      case .required: "'\(property.name)' leads to what is deleted"
      case .tooFew: "'\(property.name)' is left with fewer than \(minimum ?? 0)"
      case .nullified, .removedFromList, .readsNil, .readsPlaceholder: ""
      }
    let other = kind == .denied ? "the model there" : "its '\(model)'"
    return "\(property.place): \(text)" + (mayDieToo && kind != .denied ? ", unless \(other) goes too" : "")
  }
}
