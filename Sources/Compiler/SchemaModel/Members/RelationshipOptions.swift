import SchemaDiagnostics
import SchemaSyntax

/// The arguments of `@Relationship(…)`, in the current or the 2023 spelling.
package struct RelationshipOptions {
  private(set) var deleteRule: Placed<DeleteRule>?
  private(set) var denyMessage: Placed<String>?
  private(set) var ordered: Placed<Bool>?
  private(set) var unique: Placed<Bool>?
  private(set) var minimum: Placed<Int>?
  private(set) var maximum: Placed<Int>?
  private(set) var originalName: String?
  private(set) var hashModifier: String?
  private(set) var inverse = EntityDraft.Relationship.WrittenInverse.absent

  private static let owner = "@Relationship"
  package static let optionNames = DeleteRule.allCases.map(\.rawValue) + ["ordered", "unique"]
  package static let labels = [
    "deleteRule", "denyMessage", "minimumModelCount", "maximumModelCount", "originalName", "inverse",
    "hashModifier",
  ]

  mutating func read(_ syntax: AttributeSyntax, _ diagnostics: inout [Diagnostic]) {
    var labels: Set<String> = []
    for argument in syntax.arguments {
      guard let label = argument.label else {
        readOption(argument, &diagnostics)
        continue
      }
      guard labels.insert(label).inserted else {
        diagnostics.append(.repeatedOption(argument, "'\(label)'"))
        continue
      }
      read(label, argument, &diagnostics)
    }
  }

  private mutating func read(
    _ label: String, _ argument: ArgumentSyntax, _ diagnostics: inout [Diagnostic]
  ) {
    switch label {
    case "deleteRule": readDeleteRule(argument, &diagnostics)
    case "minimumModelCount": minimum = count(argument, &diagnostics)
    case "maximumModelCount": maximum = count(argument, &diagnostics)
    case "originalName": originalName = string(argument, &diagnostics)
    case "hashModifier": hashModifier = string(argument, &diagnostics)
    case "denyMessage":
      denyMessage = string(argument, &diagnostics).map { Placed(value: Literal.string($0) ?? $0, argument: argument) }
    case "inverse":
      switch argument.value?.shape {
      case .null: inverse = .none
      case .keyPath(let root, let path) where !path.isEmpty:
        inverse = .keyPath(root: root, path: path, argument.value?.range ?? argument.range)
      default:
        // An invalid inverse is neither inferred nor followed.
        inverse = .keyPath(root: [], path: [], argument.range)
        diagnostics.append(.expectedInverse(argument))
      }
    default:
      diagnostics.append(.unknownLabel(argument, label, of: Self.owner, known: Self.labels))
    }
  }

  private mutating func readDeleteRule(
    _ argument: ArgumentSyntax, _ diagnostics: inout [Diagnostic]
  ) {
    let known = DeleteRule.allCases.map(\.rawValue)
    guard case .member(let word, _)? = argument.value?.shape, let range = argument.value?.range
    else {
      return diagnostics.append(.expectedDeleteRule(argument))
    }
    guard let rule = DeleteRule(rawValue: word) else {
      return diagnostics.append(
        .unknownOption(word, at: range, of: "deleteRule", known: known))
    }
    set(rule, argument, &diagnostics)
  }

  private mutating func set(
    _ rule: DeleteRule, _ argument: ArgumentSyntax, _ diagnostics: inout [Diagnostic]
  ) {
    guard deleteRule == nil else {
      return diagnostics.append(.repeatedOption(argument, "the delete rule"))
    }
    deleteRule = Placed(value: rule, argument: argument)
  }

  private mutating func readOption(
    _ argument: ArgumentSyntax, _ diagnostics: inout [Diagnostic]
  ) {
    guard case .member(let word, _)? = argument.value?.shape else {
      if argument.node.hasTokens {
        diagnostics.append(.expectedOption(argument, of: Self.owner, like: "cascade", known: Self.optionNames))
      }
      return
    }
    switch word {
    case "ordered":
      if ordered != nil { diagnostics.append(.repeatedOption(argument, "'.ordered'")) }
      ordered = ordered ?? Placed(value: true, argument: argument)
    case "unique":
      if unique != nil { diagnostics.append(.repeatedOption(argument, "'.unique'")) }
      unique = unique ?? Placed(value: true, argument: argument)
    default:
      if let rule = DeleteRule(rawValue: word) { return set(rule, argument, &diagnostics) }
      diagnostics.append(
        .unknownOption(word, at: argument.range, of: Self.owner, known: Self.optionNames))
    }
  }

  private func string(_ argument: ArgumentSyntax, _ diagnostics: inout [Diagnostic]) -> String? {
    let (text, problem) = StringArgument.read(argument)
    if let problem { diagnostics.append(problem) }
    return text
  }

  private func count(
    _ argument: ArgumentSyntax, _ diagnostics: inout [Diagnostic]
  ) -> Placed<Int>? {
    switch argument.value?.shape {
    case .integer(let value): return Placed(value: value, argument: argument)
    case .null: return nil
    default:
      diagnostics.append(.expectedCount(argument))
      return nil
    }
  }
}

extension Diagnostic {
  fileprivate static func expectedInverse(_ argument: ArgumentSyntax) -> Self {
    let range = argument.value?.range ?? argument.range
    let text = argument.value?.text ?? ""
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let isPath =
      parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } }
    return Self(
      .unexpectedToken, at: range, "'inverse' must be a key path such as '\\Trip.items', or nil",
      fixIts: isPath ? [.insert("\\", at: range, title: "write '\\\(text)'")] : [])
  }

  fileprivate static func expectedDeleteRule(_ argument: ArgumentSyntax) -> Self {
    Self(
      .unexpectedToken, at: argument.value?.range ?? argument.range,
      "'deleteRule' must be '.nullify', '.cascade', '.deny' or '.noAction'",
      fixIts: .dot(argument.value, DeleteRule.allCases.map(\.rawValue)))
  }

  fileprivate static func expectedCount(_ argument: ArgumentSyntax) -> Self {
    Self(
      .unexpectedToken, at: argument.value?.range ?? argument.range,
      "'\(argument.label ?? "")' must be a number or nil")
  }
}
