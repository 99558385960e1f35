import SchemaDiagnostics
import SchemaSyntax

/// Reads the steps of a `migration from …` block.
final class MigrationReader {
  private let source: CarriedSource
  private var position: Int
  private let end: Int
  private var steps: [ResolvedMigrationStep] = []
  private var diagnostics: [Diagnostic] = []

  /// Returns `nil` if the version or the block is missing, which the parser has already reported.
  static func read(
    _ node: SyntaxNode, in source: CarriedSource
  ) -> (ResolvedMigration, [Diagnostic])? {
    let tree = source.tree
    guard let block = node.first(.memberBlock), node.firstToken + 2 < block.firstToken else { return nil }
    let range = tree.range(ofToken: node.firstToken + 2)
    let text = tree.text(ofToken: node.firstToken + 2)
    guard let version = SchemaVersion(text) else {
      let problem = Diagnostic(
        .missingVersion, at: range, "'\(text)' is not a version of the form major.minor.patch",
        help: "write the version of the stores to migrate, as in its 'schema' line")
      let nothing = SwiftText("", file: source.file, line: source.lines.line(at: range.start))
      return (ResolvedMigration(from: SchemaVersion(0, 0, 0), range: range, body: nothing), [problem])
    }
    let isClosed = tree.tokens[block.tokenEnd - 1].kind == .rightBrace
    let last = isClosed ? block.tokenEnd - 1 : block.tokenEnd
    var inside = block.range
    inside.start += 1
    if isClosed { inside.end -= 1 }
    let reader = MigrationReader(source: source, position: block.firstToken + 1, end: last)
    reader.run()
    return (
      ResolvedMigration(from: version, range: range, body: source.text(inside), steps: reader.steps),
      reader.diagnostics
    )
  }

  private init(source: CarriedSource, position: Int, end: Int) {
    self.source = source
    self.position = position
    self.end = end
  }

  private var tree: SyntaxTree { source.tree }

  private func run() {
    while position < end {
      let start = position
      let word = isAt(.identifier) ? tree.name(ofToken: position) : ""
      position += 1
      switch word {
      case "fill": readFill()
      case "dedupe": readDedupe()
      case "custom": readCustom()
      case "accept": readAcceptance()
      default:
        diagnostics.append(.unknownStep(tree.range(ofToken: start), tree.text(ofToken: start)))
        skipStep()
      }
      while isAt(.semicolon) { position += 1 }
    }
  }

  /// `Trip.budgetCents = Int(old.budget * 100)`
  private func readFill() {
    let start = position
    guard let (entity, property) = readPath(), let property else {
      return refuse("the property to fill", example: "fill Trip.budget = old.price * 100")
    }
    let range = spanned(from: start)
    guard isAt(.equal) else { return refuse("'=' and the value", example: "fill \(entity).\(property) = …") }
    position += 1
    let first = position
    skipStep()
    guard first < position else {
      return refuse("the value of '\(entity).\(property)'", example: "old.\(property)")
    }
    steps.append(
      .fill(
        MigrationFill(
          entity: entity, property: property, value: source.text(spanned(from: first)), range: range)))
  }

  /// `Trip on [\.name, \.startDate] keep newest`
  private func readDedupe() {
    let example = "dedupe Trip on [\\.name] keep newest"
    let start = position
    guard let (entity, rest) = readPath(), rest == nil else { return refuse("a model", example: example) }
    guard word("on"), isAt(.leftBracket) else { return refuse("'on' and key paths", example: example) }
    position += 1
    var properties: [String] = []
    while isAt(.backslash), position + 2 < end, tree.tokens[position + 1].kind == .period {
      position += 2
      guard isAt(.identifier) else { break }
      properties.append(tree.name(ofToken: position))
      position += 1
      guard isAt(.comma) else { break }
      position += 1
    }
    guard !properties.isEmpty, isAt(.rightBracket) else {
      return refuse("key paths like '\\.name' in brackets", example: example)
    }
    position += 1
    let range = spanned(from: start)
    guard word("keep"), isAt(.identifier),
      let keep = MigrationDedupe.Keep(rawValue: tree.name(ofToken: position))
    else { return refuse("'keep newest' or 'keep oldest'", example: example) }
    position += 1
    steps.append(
      .dedupe(MigrationDedupe(entity: entity, properties: properties, keep: keep, range: range)))
    refuseRest(after: "'keep \(keep.rawValue)'")
  }

  /// `mergeAccommodations`
  private func readCustom() {
    guard isAt(.identifier), !tree.tokens[position].startsLine else {
      return refuse("the name of a function", example: "custom mergeAccommodations")
    }
    let name = tree.name(ofToken: position)
    let range = tree.range(ofToken: position)
    steps.append(.custom(MigrationCustom(name: name, source: source.text(range), range: range)))
    position += 1
    refuseRest(after: "'\(name)'")
  }

  /// `MIG011 Trip.nickname -- "moved to Profile"`
  private func readAcceptance() {
    let example = "accept MIG011 Trip.nickname -- \"moved to Profile\""
    let start = position
    // Rule names contain dashes, which the lexer reads as operators.
    while position < end, !isAt(.semicolon),
      position == start || tree.tokens[position].start == tree.tokens[position - 1].end
    {
      position += 1
    }
    guard start < position, tree.tokens[start].kind == .identifier, !tree.tokens[start].startsLine else {
      position = start
      return refuse("a rule code", example: example)
    }
    let ruleRange = spanned(from: start)
    let rule = tree.file.text(from: ruleRange.start, to: ruleRange.end)
    guard let (entity, property) = readPath() else {
      return refuse("the accepted change, as in 'Trip.nickname'", example: example)
    }
    var subject = property.map { "\(entity).\($0)" } ?? entity
    // An enum case inside a model: `Trip.Kind.other`.
    while property != nil, isAt(.period), position + 1 < end, tree.tokens[position + 1].kind == .identifier {
      subject += "." + tree.name(ofToken: position + 1)
      position += 2
    }
    let range = spanned(from: start)
    guard isAt(.operatorSign), tree.text(ofToken: position) == "--", position + 1 < end,
      tree.tokens[position + 1].kind == .string
    else { return refuse("'--' and a reason in quotes", example: example) }
    let reason = Self.content(ofLiteral: tree.text(ofToken: position + 1))
    position += 2
    guard !reason.isEmpty else {
      position -= 1
      return refuse("a reason between the quotes", example: example)
    }
    steps.append(
      .accept(MigrationAcceptance(rule: rule, subject: subject, reason: reason, range: range)))
    refuseRest(after: "the reason")
  }
}

extension MigrationReader {
  private func isAt(_ kind: TokenKind) -> Bool { position < end && tree.tokens[position].kind == kind }

  private func word(_ text: String) -> Bool {
    guard isAt(.identifier), tree.name(ofToken: position) == text else { return false }
    position += 1
    return true
  }

  /// Reads a model name, optionally followed by a property.
  private func readPath() -> (entity: String, property: String?)? {
    guard isAt(.identifier), !tree.tokens[position].startsLine else { return nil }
    let entity = tree.name(ofToken: position)
    position += 1
    guard isAt(.period), position + 1 < end, tree.tokens[position + 1].kind == .identifier else {
      return (entity, nil)
    }
    let property = tree.name(ofToken: position + 1)
    position += 2
    return (entity, property)
  }

  /// Returns the source range from a token to the last token read.
  private func spanned(from start: Int) -> SourceRange {
    let last = max(start, position - 1)
    return tree.range(ofToken: start).union(tree.range(ofToken: last))
  }

  /// Skips to the next step, which begins with a word at the start of a line and a second word on the same line.
  /// Expressions contain no such pair.
  private func skipStep() {
    var depth = 0
    while position < end {
      let token = tree.tokens[position]
      switch token.kind {
      case .leftParen, .leftBracket, .leftBrace: depth += 1
      case .rightParen, .rightBracket, .rightBrace: depth = max(0, depth - 1)
      case .semicolon where depth == 0: return
      case .identifier where depth == 0 && token.startsLine && beginsStep: return
      default: break
      }
      position += 1
    }
  }

  private var beginsStep: Bool {
    guard position + 1 < end, !(tree.tokens[position].keyword?.isReserved ?? false) else { return false }
    let next = tree.tokens[position + 1]
    return next.kind == .identifier && !next.startsLine && !(next.keyword?.isReserved ?? false)
  }

  private func refuse(_ what: String, example: String) {
    let isAtEnd = position >= end || tree.tokens[position].startsLine
    let range = tree.range(ofToken: isAtEnd ? position - 1 : position)
    diagnostics.append(.expected(what, range, isAtEnd: isAtEnd, example))
    skipStep()
  }

  private func refuseRest(after what: String) {
    guard position < end, !tree.tokens[position].startsLine, !isAt(.semicolon) else { return }
    diagnostics.append(
      Diagnostic(
        .unexpectedToken, at: tree.range(ofToken: position),
        "unexpected '\(tree.text(ofToken: position))' after \(what)", help: "begin a new line"))
    skipStep()
  }
}

extension MigrationReader {
  /// Returns the text between the quotes.
  fileprivate static func content(ofLiteral literal: String) -> String {
    let number = literal.prefix { $0 == "#" }.count
    var text = literal.dropFirst(number).dropLast(number)
    let quotes = text.hasPrefix("\"\"\"") && text.utf8.count >= 6 ? 3 : 1
    text = text.dropFirst(quotes).dropLast(quotes)
    let plain = number == 0 ? text.split(separator: "\\\"", omittingEmptySubsequences: false) : [text]
    var trimmed = plain.joined(separator: "\"")[...].drop { $0.isWhitespace }
    while let last = trimmed.last, last.isWhitespace { trimmed.removeLast() }
    return String(trimmed)
  }
}

extension Diagnostic {
  private static let stepNames = ["fill", "dedupe", "custom", "accept"]

  fileprivate static func unknownStep(_ range: SourceRange, _ text: String) -> Self {
    let meant = NearestName.find(text, in: stepNames)
    return Self(
      .unknownKeyword, at: range, "'\(text)' is not a migration step",
      help: meant.map { "did you mean '\($0)'?" }
        ?? "valid steps are 'fill', 'dedupe', 'custom' and 'accept'",
      fixIts: meant.map { [.replace(range, with: $0, title: "write '\($0)'")] } ?? [])
  }

  fileprivate static func expected(
    _ what: String, _ range: SourceRange, isAtEnd: Bool, _ example: String
  ) -> Self {
    Self(
      .unexpectedToken, at: range, isAtEnd ? "missing \(what)" : "expected \(what)",
      help: "for example: \(example)")
  }
}
