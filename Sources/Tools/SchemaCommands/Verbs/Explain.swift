import SchemaDiagnostics
package import SchemaDriver
import SchemaGraph
import SchemaLint
import SchemaModel

/// `trellis explain`: shows the effects of a deletion or insertion, or describes a rule.
package enum Explain: Verb {
  package static let name = "explain"
  package static let summary = "Show the effects of a deletion or insertion, or describe a rule"
  package static let options: Set<String> = ["--format"]
  package static let makesDocument = true
  package static let help = """
    Usage: trellis explain delete MODEL [--format text|json] [PATH…]
           trellis explain insert MODEL [--format text|json] [PATH…]
           trellis explain RULE [--format text|json]

    delete  which objects are deleted with an object of the model, which values other objects lose, which
            conditions block the save, and which declarations are responsible
    insert  what a new object requires: values that have no default, other objects, unique values
    RULE    a rule by code or name: what it finds, why, and how to fix it

    PATH is a schema file or a folder, which can be a released version. The default is every schema below
    the current folder. Exits with 2 if the model or rule does not exist, and with 3 if a schema does not
    compile.

    """

  private enum Format: String, CaseIterable { case text, json }

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let format = try arguments.choice("--format", Format.allCases) ?? .text
    guard let subject = arguments.files.first else {
      throw DriverFailure(["error: 'trellis explain' needs 'delete MODEL', 'insert MODEL' or a rule"], .usage)
    }
    guard subject == "delete" || subject == "insert" else {
      return try explain(rule: subject, arguments, format, &session)
    }
    guard arguments.files.count > 1 else {
      throw DriverFailure(["error: 'trellis explain \(subject)' needs a model name"], .usage)
    }
    let compiled = try CompiledSchemas(Array(arguments.files.dropFirst(2)), session)
    try compiled.requireCompiled()
    let model = try ModelName.find(arguments.files[1], in: compiled.schemas.flatMap { $0.entities.map(\.name) })
    // Several schemas may contain a model with this name.
    let schemas = compiled.schemas.filter { schema in schema.entities.contains { $0.name == model } }
    if subject == "delete" {
      let answers = schemas.compactMap { DeleteConsequences(of: model, in: $0, files: compiled.files) }
      try say(answers, \.text, format, &session)
    } else {
      let answers = schemas.compactMap { InsertNeeds(of: model, in: $0, files: compiled.files) }
      try say(answers, \.text, format, &session)
    }
    return .clean
  }

  private static func explain(
    rule text: String, _ arguments: Arguments, _ format: Format, _ session: inout Session
  ) throws -> ExitStatus {
    guard let rule = RuleCatalogue.rule(text) else {
      let known = ["delete", "insert"] + RuleCatalogue.all.flatMap { [$0.id.code, $0.id.name] }
      let nearest = NearestName.find(text, in: known)
      let proposal = nearest.map { "; did you mean '\($0)'?" } ?? "; 'trellis rules --all' lists the rules"
      throw DriverFailure(
        ["error: 'trellis explain' needs 'delete MODEL', 'insert MODEL' or a rule, not '\(text)'\(proposal)"], .usage)
    }
    guard arguments.files.count == 1 else {
      throw DriverFailure(["error: 'trellis explain \(text)' accepts no path"], .usage)
    }
    try say([RulePage(rule: rule)], \.text, format, &session)
    return .clean
  }

  private static func say<Answer: Encodable>(
    _ answers: [Answer], _ text: (Answer) -> String, _ format: Format, _ session: inout Session
  ) throws {
    switch format {
    case .text: session.say(answers.map(text).joined(separator: "\n"))
    case .json: if answers.count == 1 { try session.json(answers[0]) } else { try session.json(answers) }
    }
  }
}
