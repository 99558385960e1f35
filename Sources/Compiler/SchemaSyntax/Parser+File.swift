import SchemaDiagnostics

extension Parser {
  mutating func parseFile() {
    let root = builder.open(.file, at: 0)
    while !at(.endOfFile) {
      let before = position
      parseFileItem()
      if position == before { advance() }
    }
    builder.close(root, at: tokens.count)
  }

  private mutating func parseFileItem() {
    switch kind {
    case .rightBrace:
      report(.unexpectedToken(currentRange, "'}' without a matching '{'"))
      wrapUnexpected()
    case .semicolon:
      advance()
    case .mergeMarker, .curlyString:
      wrapUnexpected()
    default:
      if at(.schema), peek().kind == .identifier || beginsVersionlessSchema {
        parseSchemaLine()
      } else if at(.migration), peek().keyword == .from {
        parseMigration()
      } else {
        parseDeclaration(in: .file)
      }
    }
  }

  private var beginsVersionlessSchema: Bool {
    peek().startsLine || peek().kind == .string || peek().kind == .endOfFile
      || peek().kind == .version
  }

  mutating func wrapUnexpected() {
    let unexpected = builder.open(.unexpected, at: position)
    advance()
    builder.close(unexpected, at: position)
  }

  /// Parses `schema Trips 1.2.0`. The resolver validates the version.
  private mutating func parseSchemaLine() {
    let line = builder.open(.schemaLine, at: position)
    advance()
    if at(.identifier), !token.startsLine {
      checkName()
      advance()
      // An invalid version extends to the end of the line: "1.0", "v2", "1.0.0-beta".
      while !token.startsLine, !at(.endOfFile), !at(.semicolon) { advance() }
    } else {
      report(.expected("the name of the schema", currentRange, found: found))
      while !token.startsLine, !at(.endOfFile) { advance() }
    }
    builder.close(line, at: position)
    endDeclaration()
  }

  /// Parses `migration from 1.0.0 { … }` and keeps the contents as text.
  private mutating func parseMigration() {
    let migration = builder.open(.migration, at: position)
    advance()
    advance()
    if at(.version) || at(.float) || at(.integer) {
      advance()
    } else {
      report(.expected("the version the migration starts from", currentRange, found: found))
    }
    if at(.leftBrace) {
      let block = builder.open(.memberBlock, at: position)
      skipBalanced()
      builder.close(block, at: position)
    } else {
      report(.expected("'{' and the steps of the migration", currentRange, found: found))
      skipToNextDeclaration()
    }
    builder.close(migration, at: position)
  }
}

extension Diagnostic {
  static func unexpectedToken(_ range: SourceRange, _ message: String) -> Self {
    Self(.unexpectedToken, at: range, message)
  }
}
