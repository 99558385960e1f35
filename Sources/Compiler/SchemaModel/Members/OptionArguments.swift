import SchemaDiagnostics
import SchemaSyntax

/// Reads string arguments.
enum StringArgument {
  static func read(_ argument: ArgumentSyntax) -> (String?, Diagnostic?) {
    switch argument.value?.shape {
    case .string(let text): (text, nil)
    case .null: (nil, nil)
    default: (nil, .expectedString(argument))
    }
  }
}

/// An option and the source location.
struct Placed<Value: Sendable>: Sendable {
  var value: Value
  var argument: ArgumentSyntax

  var range: SourceRange { argument.range }
}

extension Diagnostic {
  fileprivate static func expectedString(_ argument: ArgumentSyntax) -> Self {
    Self(
      .unexpectedToken, at: argument.value?.range ?? argument.range,
      "'\(argument.label ?? "")' takes a string literal")
  }

  static func unknownOption(
    _ word: String, at range: SourceRange, of owner: String, known: [String]
  ) -> Self {
    let nearest = NearestName.find(word, orBeginningOf: known)
    return Self(
      .unknownKeyword, at: range, "unknown option '.\(word)' of '\(owner)'",
      help: nearest.map { "did you mean '.\($0)'?" }
        ?? "known options are \(known.map { "'.\($0)'" }.joined(separator: ", "))",
      fixIts: nearest.map {
        [.replace(range, with: ".\($0)", title: "replace it with '.\($0)'")]
      } ?? [])
  }

  static func unknownLabel(
    _ argument: ArgumentSyntax, _ label: String, of owner: String, known: [String]
  ) -> Self {
    let nearest = NearestName.find(label, orBeginningOf: known)
    return Self(
      .unknownKeyword, at: argument.labelRange, "unknown argument '\(label)' of '\(owner)'",
      help: nearest.map { "did you mean '\($0)'?" }
        ?? "known arguments are \(known.map { "'\($0)'" }.joined(separator: ", "))",
      fixIts: nearest.map {
        [.replace(argument.labelRange, with: $0, title: "replace it with '\($0)'")]
      } ?? [])
  }

  static func expectedOption(
    _ argument: ArgumentSyntax, of owner: String, like example: String, known: [String]
  ) -> Self {
    Self(
      .unexpectedToken, at: argument.range,
      "expected an option of '\(owner)' like '.\(example)'", fixIts: .dot(argument.value, known))
  }

  static func repeatedOption(_ argument: ArgumentSyntax, _ what: String) -> Self {
    Self(
      .duplicateOption, at: argument.range, "\(what) is given twice",
      fixIts: [.remove(argument.removalRange, title: "remove the second one")])
  }

  static func expectedPolicy(_ argument: ArgumentSyntax) -> Self {
    let known = ConflictPolicy.allCases.map(\.rawValue)
    if case .member(let word, _)? = argument.value?.shape, let range = argument.value?.range {
      return unknownOption(word, at: range, of: "onConflict", known: known)
    }
    return Self(
      .unexpectedToken, at: argument.range, "'onConflict' must be '.fail', '.replace' or '.keep'",
      fixIts: .dot(argument.value, known))
  }
}

extension [FixIt] {
  /// Returns the edit that inserts the missing period before a known option such as `cascade`.
  static func dot(_ value: ValueSyntax?, _ known: [String]) -> Self {
    guard let value, known.contains(value.text) else { return [] }
    return [.insert(".", at: value.range, title: "write '.\(value.text)'")]
  }
}

extension ConflictPolicy {
  /// Reads the policy from an `onConflict:` argument.
  static func read(_ argument: ArgumentSyntax, _ diagnostics: inout [Diagnostic]) -> Self? {
    if case .member(let word, _)? = argument.value?.shape, let policy = Self(rawValue: word) {
      return policy
    }
    diagnostics.append(.expectedPolicy(argument))
    return nil
  }
}
