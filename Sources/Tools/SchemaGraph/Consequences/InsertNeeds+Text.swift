extension InsertNeeds {
  /// The needs as a tree of required objects.
  package var text: String {
    var tree = TextTree(
      line: "inserting a '\(insertion.model.name)' (\(insertion.model.place))", below: insertion.branches)
    if tree.below.isEmpty { tree.below = [TextTree(line: "needs nothing: everything has a default")] }
    return tree.text
  }
}

extension Insertion {
  fileprivate var branches: [TextTree] {
    var branches = values.map { TextTree(line: "needs '\($0.property.name)': \($0.type) (\($0.property.place))") }
    branches += partners.map { TextTree(line: $0.line, below: $0.branches) }
    branches += bounds.map { TextTree(line: $0.line) }
    branches += keys.map { TextTree(line: $0.line) }
    branches += exclusive.map {
      TextTree(line: "no two objects may have the same model at '\($0.name)' (\($0.place))")
    }
    return branches
  }

  private var line: String {
    let who = count == 1 ? "a '\(model.name)'" : "\(count) of '\(model.name)'"
    let cause = cause.map { " at '\($0.name)' (\($0.place))" } ?? ""
    let more =
      if isCycle {
        ", which needs this in turn: insert them together, one save writes all"
      } else if isRepeated {
        " … see above"
      } else {
        ""
      }
    return "needs \(who)\(cause)\(more)"
  }
}

extension Insertion.Bound {
  fileprivate var line: String {
    let count =
      switch (minimum, maximum) {
      case (let minimum?, let maximum?): "\(minimum) to \(maximum)"
      case (let minimum?, nil): "at least \(minimum)"
      case (nil, let maximum?): "at most \(maximum)"
      case (nil, nil): "any number of"
      }
    return "'\(property.name)' takes \(count) models\(isOptional ? ", once it has any" : "") (\(property.place))"
  }
}

extension Insertion.Key {
  fileprivate var line: String {
    let what = properties.map { "'\($0)'" }.joined(separator: ", ")
    let text =
      switch policy {
      case .replace: "an object with the same \(what) takes over the new values instead"
      case .keep: "an object with the same \(what) stays as it is, and is used instead"
      case .fail: "an object with the same \(what) makes the save fail"
      }
    return "\(text) (\(declaration.place))"
  }
}
