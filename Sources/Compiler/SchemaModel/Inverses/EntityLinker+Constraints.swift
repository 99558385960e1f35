import SchemaDiagnostics
import SchemaSyntax

extension EntityLinker {
  /// Labels that `#Unique` accepts in addition to key path lists.
  static let uniqueLabels = ["onConflict"]

  /// Reads the `#Unique` and `#Index` macros of every entity.
  func readConstraints() {
    for index in drafts.indices {
      for macro in drafts[index].constraints { read(macro, of: index) }
    }
  }

  private func read(_ macro: AttributeSyntax, of index: Int) {
    checkRoot(macro, index)
    let isUnique = macro.name == "Unique"
    var policy = ConflictPolicy.replace
    var lists: [(ResolvedIndex.Kind, [ValueSyntax], SourceRange)] = []
    for argument in macro.arguments {
      if let label = argument.label {
        guard isUnique, Self.uniqueLabels.contains(label) else {
          diagnostics.append(
            .unknownLabel(
              argument, label, of: "#\(macro.name)", known: isUnique ? Self.uniqueLabels : []))
          continue
        }
        policy = ConflictPolicy.read(argument, &diagnostics) ?? policy
        continue
      }
      guard argument.node.hasTokens else { continue }
      switch argument.value?.shape {
      case .array(let values):
        lists.append((.binary, values, argument.range))
      case .member(let word, let arguments) where !isUnique:
        guard let kind = ResolvedIndex.Kind(rawValue: word) else {
          diagnostics.append(
            .unknownOption(word, at: argument.range, of: "#Index", known: ResolvedIndex.Kind.allCases.map(\.rawValue)))
          continue
        }
        guard case .array(let values)? = arguments.first?.value?.shape else {
          diagnostics.append(.expectedKeyPaths(argument.range, macro.name))
          continue
        }
        lists.append((kind, values, argument.range))
      default:
        let isOnly = macro.arguments.count { $0.label == nil } == 1
        diagnostics.append(.expectedKeyPaths(argument.range, macro.name, isOnly ? argument.value : nil))
      }
    }
    for (kind, values, range) in lists {
      guard let properties = properties(values, macro, index), !properties.isEmpty else { continue }
      if isUnique {
        drafts[index].entity.uniques.append(
          ResolvedUnique(properties: properties, policy: policy, range: range))
      } else {
        drafts[index].entity.indexes.append(
          ResolvedIndex(kind: kind, properties: properties, range: range))
      }
    }
  }

  private func checkRoot(_ macro: AttributeSyntax, _ index: Int) {
    guard let type = macro.node.type else { return }
    let name = drafts[index].entity.name
    if case .named(let parts, let arguments) = type.shape, parts.last == name, arguments.isEmpty { return }
    diagnostics.append(.otherModel(type, macro.name, name))
  }

  /// Returns `nil` if any key path is not valid.
  private func properties(
    _ values: [ValueSyntax], _ macro: AttributeSyntax, _ index: Int
  ) -> [String]? {
    var result: [String] = []
    var seen: Set<String> = []
    var isWhole = true
    for value in values {
      guard case .keyPath(_, let path) = value.shape, let name = path.first else {
        diagnostics.append(.expectedKeyPaths(value.range, macro.name))
        isWhole = false
        continue
      }
      guard path.count == 1 || isFlattened(path, of: index) else {
        diagnostics.append(.nestedKeyPath(value, macro.name))
        isWhole = false
        continue
      }
      guard let found = property(name, of: index) else {
        if !isPoisoned(name, of: index) {
          diagnostics.append(
            .unknownProperty(
              name, value, of: drafts[index].entity.name,
              nearest: names.suggestions.nearest(to: name, in: propertyNames(of: index))))
        }
        isWhole = false
        continue
      }
      let written = path.joined(separator: ".")
      if !seen.insert(written).inserted {
        diagnostics.append(.repeatedKeyPath(value, written))
        continue
      }
      let property = drafts[found.owner].entity.properties[found.property]
      if path.count == 1, let problem = problem(property, value, macro.name) {
        diagnostics.append(problem)
        isWhole = false
      }
      result.append(written)
    }
    return isWhole ? result : nil
  }

  /// True if a path with two parts refers to a field of a flattened struct. The field name is checked later, when all
  /// types are resolved.
  private func isFlattened(_ path: [String], of index: Int) -> Bool {
    guard path.count == 2, let found = property(path[0], of: index),
      case .attribute(let attribute) = drafts[found.owner].entity.properties[found.property]
    else { return false }
    return attribute.storage == .flattened
  }

  private func problem(
    _ property: ResolvedProperty, _ value: ValueSyntax, _ macro: String
  ) -> Diagnostic? {
    switch property {
    case .relationship(let relationship):
      guard case .toMany = relationship.cardinality else { return nil }
      return .constraintOver(value, macro, "to-many relationship '\(property.name)'")
    case .attribute(let attribute):
      if attribute.isTransient {
        return .constraintOver(value, macro, "'@Transient' property '\(property.name)'")
      }
      if attribute.options.contains(.ephemeral) {
        return .constraintOver(value, macro, "'.ephemeral' property '\(property.name)'")
      }
      if attribute.options.contains(.externalStorage), attribute.type.unwrapped == .scalar(.data) {
        return .constraintOver(value, macro, "'.externalStorage' property '\(property.name)'")
      }
      if attribute.storage == .flattened {
        return .constraintOver(value, macro, "the struct '\(property.name)' as a whole")
      }
      var type = attribute.type
      if case .optional(let wrapped) = type { type = wrapped }
      switch type {
      case .array, .set, .dictionary: return .constraintOverCollection(value, macro, property.name)
      default: return nil
      }
    }
  }
}

extension Diagnostic {
  /// - Parameter value: The argument, if it is the only one.
  fileprivate static func expectedKeyPaths(
    _ range: SourceRange, _ macro: String, _ value: ValueSyntax? = nil
  ) -> Self {
    var fixIts: [FixIt] = []
    if let value, case .keyPath = value.shape {
      fixIts = [.replace(range, with: "[\(value.text)]", title: "write '[\(value.text)]'")]
    }
    return Self(
      .unexpectedToken, at: range, "'#\(macro)' takes lists of key paths like '[\\.name, \\.date]'", fixIts: fixIts)
  }

  fileprivate static func otherModel(_ type: TypeSyntax, _ macro: String, _ name: String) -> Self {
    Self(
      .unresolvedReference, at: type.range, "'#\(macro)' inside '\(name)' applies only to '\(name)'",
      fixIts: [.replace(type.range, with: Keyword.name(name), title: "write '\(name)'")])
  }

  fileprivate static func nestedKeyPath(_ value: ValueSyntax, _ macro: String) -> Self {
    Self(
      .unresolvedReference, at: value.range,
      "a key path in '#\(macro)' must name a property of the model itself")
  }

  static func unknownProperty(
    _ name: String, _ value: ValueSyntax, of model: String, nearest: String?
  ) -> Self {
    var range = value.range
    range.start = range.end - name.utf8.count
    let written = range.start >= value.range.start ? range : value.range
    return Self(
      .unresolvedReference, at: written, "'\(model)' has no property '\(name)'",
      help: nearest.map { "did you mean '\($0)'?" },
      fixIts: nearest.map {
        [.replace(written, with: $0, title: "replace it with '\($0)'")]
      } ?? [])
  }

  fileprivate static func repeatedKeyPath(_ value: ValueSyntax, _ name: String) -> Self {
    Self(.duplicateOption, at: value.range, "'\(name)' is listed twice")
  }

  fileprivate static func constraintOver(
    _ value: ValueSyntax, _ macro: String, _ what: String
  ) -> Self {
    Self(
      macro == "Unique" ? .uniqueOverToMany : .optionNotApplicable, at: value.range,
      "'#\(macro)' cannot contain \(what)")
  }

  fileprivate static func constraintOverCollection(
    _ value: ValueSyntax, _ macro: String, _ name: String
  ) -> Self {
    Self(
      .collectionAttributeQueried, at: value.range,
      "'#\(macro)' cannot contain the collection '\(name)'")
  }
}
