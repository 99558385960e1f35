package import SchemaDiagnostics

/// Findings for machines.
package struct LintReport: Encodable, Sendable {
  package struct Position: Encodable, Sendable {
    package var line: Int
    package var column: Int
    /// In bytes, from 0.
    package var offset: Int
  }

  package struct Place: Encodable, Sendable {
    package var file: String
    package var start: Position
    package var end: Position
  }

  package struct Related: Encodable, Sendable {
    package var message: String
    package var range: Place
  }

  package struct Fix: Encodable, Sendable {
    package struct Edit: Encodable, Sendable {
      package var range: Place
      package var replacement: String
    }

    package var title: String
    package var edits: [Edit]
  }

  package struct Finding: Encodable, Sendable {
    package var id: String
    package var name: String
    package var severity: String
    package var message: String
    package var range: Place
    package var related: [Related]
    package var help: String?
    package var why: String?
    package var remedy: String?
    package var fixes: [Fix]
  }

  package struct Summary: Encodable, Sendable {
    package var files: Int
    package var rules: Int
    package var error: Int
    package var warning: Int
    package var info: Int
  }

  /// Raised when a reader of this form would have to change.
  package var schemaVersion = 1
  package var findings: [Finding]
  package var summary: Summary

  package init(_ diagnostics: [Diagnostic], files: [SourceFile], profiles: Set<LintProfile> = []) {
    let places = Places(files)
    findings = diagnostics.map { diagnostic in
      let rule = LintRules.rule(diagnostic.id.code)
      return Finding(
        id: diagnostic.id.code, name: diagnostic.id.name, severity: diagnostic.severity.rawValue,
        message: diagnostic.message, range: places.place(diagnostic.range),
        related: diagnostic.related.map {
          Related(message: $0.text, range: places.place($0.range))
        },
        help: diagnostic.help, why: rule?.why, remedy: rule?.remedy,
        fixes: diagnostic.fixIts.map { fix in
          Fix(
            title: fix.title,
            edits: fix.edits.map {
              Fix.Edit(range: places.place($0.range), replacement: $0.replacement)
            })
        })
    }
    summary = Summary(
      files: files.count, rules: LintRules.running(profiles).count,
      error: diagnostics.count { $0.severity == .error },
      warning: diagnostics.count { $0.severity == .warning },
      info: diagnostics.count { $0.severity == .info })
  }

  private struct Places {
    private let files: [SourceFile]
    private let tables: [LineTable]

    init(_ files: [SourceFile]) {
      self.files = files
      tables = files.map { LineTable($0) }
    }

    func place(_ range: SourceRange) -> Place {
      guard files.indices.contains(range.file) else {
        let start = Position(line: 1, column: 1, offset: 0)
        return Place(file: "", start: start, end: start)
      }
      func position(_ offset: Int) -> Position {
        let position = tables[range.file].position(at: offset)
        return Position(line: position.line, column: position.column, offset: offset)
      }
      return Place(
        file: files[range.file].path, start: position(range.start), end: position(range.end))
    }
  }
}
