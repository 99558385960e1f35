import SchemaDiagnostics
import SchemaSyntax

/// The arguments of `@Attribute(…)`.
package struct AttributeOptions {
  private(set) var options: [Placed<AttributeOption>] = []
  private(set) var storage: Placed<ValueStorage>?
  private(set) var transformer: Placed<String>?
  private(set) var unknown: Placed<UnknownPolicy>?
  private(set) var policy: Placed<ConflictPolicy>?
  private(set) var originalName: String?
  private(set) var hashModifier: String?

  private static let owner = "@Attribute"
  package static let optionNames =
    AttributeOption.allCases.filter { $0 != .fullText }.map(\.rawValue) + ValueStorage.allCases.map(\.rawValue)
    + ["transformable", "unknown"]
  package static let labels = ["originalName", "hashModifier", "onConflict"]

  func has(_ option: AttributeOption) -> Bool { options.contains { $0.value == option } }

  func placed(_ option: AttributeOption) -> Placed<AttributeOption>? {
    options.first { $0.value == option }
  }

  /// - Parameters:
  ///   - property: The property's name.
  ///   - model: The name of the model that declares it.
  mutating func read(
    _ syntax: AttributeSyntax, of property: String, in model: String, _ diagnostics: inout [Diagnostic]
  ) {
    var labels: Set<String> = []
    for argument in syntax.arguments {
      guard let label = argument.label else {
        readOption(argument, property, model, &diagnostics)
        continue
      }
      guard labels.insert(label).inserted else {
        diagnostics.append(.repeatedOption(argument, "'\(label)'"))
        continue
      }
      switch label {
      case "originalName": originalName = string(argument, &diagnostics)
      case "hashModifier": hashModifier = string(argument, &diagnostics)
      case "onConflict":
        policy = ConflictPolicy.read(argument, &diagnostics).map {
          Placed(value: $0, argument: argument)
        }
      default:
        diagnostics.append(
          .unknownLabel(argument, label, of: Self.owner, known: Self.labels))
      }
    }
    if let policy, !has(.unique) { diagnostics.append(.policyWithoutUnique(policy)) }
  }

  private func string(_ argument: ArgumentSyntax, _ diagnostics: inout [Diagnostic]) -> String? {
    let (text, problem) = StringArgument.read(argument)
    if let problem { diagnostics.append(problem) }
    return text
  }

  private mutating func readOption(
    _ argument: ArgumentSyntax, _ property: String, _ model: String, _ diagnostics: inout [Diagnostic]
  ) {
    guard case .member(let word, let arguments)? = argument.value?.shape else {
      // The parser has already reported a missing value.
      if argument.node.hasTokens {
        diagnostics.append(.expectedOption(argument, of: Self.owner, like: "unique", known: Self.optionNames))
      }
      return
    }
    if let option = AttributeOption(rawValue: word) {
      if has(option) { return diagnostics.append(.repeatedOption(argument, "'.\(word)'")) }
      if option == .fullText { diagnostics.append(.removedFullText(argument)) }
      options.append(Placed(value: option, argument: argument))
    } else if let storage = ValueStorage(rawValue: word) {
      if self.storage != nil {
        return diagnostics.append(.repeatedOption(argument, "the storage form"))
      }
      self.storage = Placed(value: storage, argument: argument)
    } else if word == "transformable" {
      if transformer != nil {
        return diagnostics.append(.repeatedOption(argument, "'.transformable'"))
      }
      guard let value = arguments.first?.value, arguments.first?.label == "by" else {
        return diagnostics.append(.transformableWithoutName(argument))
      }
      transformer = Placed(value: value.text, argument: argument)
    } else if word == "unknown" {
      if unknown != nil { return diagnostics.append(.repeatedOption(argument, "'.unknown'")) }
      guard case .member(let policy, _)? = arguments.first?.value?.shape,
        let value = UnknownPolicy(rawValue: policy)
      else { return diagnostics.append(.unknownWithoutPolicy(argument)) }
      unknown = Placed(value: value, argument: argument)
    } else if let answer = Self.answer(to: word, property, model) {
      diagnostics.append(.foreignOption(argument, word, answer))
    } else {
      diagnostics.append(
        .unknownOption(word, at: argument.range, of: Self.owner, known: Self.optionNames))
    }
  }
}

extension AttributeOptions {
  /// Returns the schema's equivalent of an option known from ORMs or SQL.
  private static func answer(to word: String, _ property: String, _ model: String) -> String? {
    switch word.lowercased() {
    case "index", "indexed": "write '#Index<\(model)>([\\.\(property)])' in the model"
    case "primarykey", "primary", "key", "id", "identifier":
      "every model has a 'persistentModelID'; write '.unique' if its values must be unique"
    case "optional", "nullable": "write '?' after the type"
    case "required", "notnull": "a property without '?' is required"
    case "default": "write the value after the type and '='"
    case let other where RelationshipOptions.optionNames.contains(where: { $0.lowercased() == other }):
      "'.\(word)' is an option of '@Relationship'"
    default: nil
    }
  }
}

extension Diagnostic {
  fileprivate static func foreignOption(_ argument: ArgumentSyntax, _ word: String, _ answer: String) -> Self {
    Self(
      .unknownKeyword, at: argument.range, "unknown option '.\(word)' of '@Attribute'", help: answer)
  }

  fileprivate static func removedFullText(_ argument: ArgumentSyntax) -> Self {
    Self(
      .removedOption, at: argument.range, "'.fullText' is not supported: stores have no full-text index",
      help: "remove it and search with 'localizedStandardContains' in a predicate",
      fixIts: [.remove(argument.removalRange, title: "remove '.fullText'")])
  }

  fileprivate static func policyWithoutUnique(_ policy: Placed<ConflictPolicy>) -> Self {
    Self(
      .optionNotApplicable, at: policy.range, "'onConflict' has no effect without '.unique'",
      fixIts: [.remove(policy.argument.removalRange, title: "remove 'onConflict'")])
  }

  fileprivate static func unknownWithoutPolicy(_ argument: ArgumentSyntax) -> Self {
    Self(
      .unexpectedToken, at: argument.range,
      "'.unknown' needs a policy for unknown values: '.unknown(.fail)' or '.unknown(.default)'")
  }

  fileprivate static func transformableWithoutName(_ argument: ArgumentSyntax) -> Self {
    Self(
      .unexpectedToken, at: argument.range,
      "'.transformable' needs the transformer, as in '.transformable(by: ColorTransformer.self)'")
  }
}
