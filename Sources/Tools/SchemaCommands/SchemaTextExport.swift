import Foundation
import SchemaDiagnostics
package import SchemaDriver
import SchemaExport
import SchemaGraph
import SchemaModel
package import SchemaVersions

/// `trellis export --schema PATH`: prints a schema in another notation.
package enum SchemaTextExport {
  package enum Form: String, CaseIterable {
    case json
    case jsonSchema = "json-schema"
    case swiftdata, mermaid, plantuml, sql

    /// True if only the runtime knows the tables that the text describes.
    var needsTables: Bool { self == .sql || self == .jsonSchema }
  }

  package enum Dialect: String, CaseIterable { case sqlite, postgres }

  /// Returns the text for a form that needs the runtime.
  package typealias TableText = (Form, Dialect, SchemaHistory, SchemaFolder) throws -> String

  /// - Parameter tables: Supports the forms that need the runtime; `nil` in a tool without it.
  package static func run(
    _ arguments: Arguments, _ session: inout Session, tables: TableText? = nil
  ) throws -> ExitStatus {
    guard let form = try arguments.choice("--to", Form.allCases) else {
      let forms = Form.allCases.map(\.rawValue).joined(separator: ", ")
      throw DriverFailure(["error: '--to' is missing; the forms of a schema are \(forms)"], .usage)
    }
    let dialect = try arguments.choice("--dialect", Dialect.allCases)
    guard dialect == nil || form == .sql else {
      throw DriverFailure(["error: '--dialect' applies only to '--to sql'"], .usage)
    }
    guard arguments["--where"] == nil, arguments.files.isEmpty else {
      throw DriverFailure(["error: '--schema' exports no rows, so it takes no store, folder or '--where'"], .usage)
    }
    let isJSON = arguments["--format"] == "json"
    let output = arguments["--output"].flatMap { $0 == "-" ? nil : $0 }
    guard !isJSON || output != nil else {
      throw DriverFailure(
        ["error: '--format json' prints the report on standard output, so the schema needs '--output FILE'"], .usage)
    }
    let (text, notes) = try text(form, dialect ?? .sqlite, arguments, session, tables)
    if let output {
      var transaction = FileTransaction()
      transaction.write(Array(text.utf8), to: session.path(output)) { old in
        refusal(of: old, output, new: text, isForced: arguments.has("--force"))
      }
      try transaction.commit()
      session.note("wrote \(output)\n")
    } else {
      session.say(text)
    }
    if isJSON { try session.json(notes) } else { for note in notes { session.note(note.text + "\n") } }
    return notes.isEmpty ? .clean : .findings
  }

  private static func text(
    _ form: Form, _ dialect: Dialect, _ arguments: Arguments, _ session: Session, _ tables: TableText?
  ) throws -> (String, [SwiftDataSource.Note]) {
    let path = try arguments.required("--schema")
    let folders = try SchemaFolder.open([path], session)
    for folder in folders { try folder.requireCompiled() }
    let found = folders.flatMap { folder in folder.histories.map { (folder, $0) } }
    switch form {
    case .mermaid: return (MermaidDiagram(Diagram(found.map(\.1.head))).text, [])
    case .plantuml: return (PlantUMLDiagram(Diagram(found.map(\.1.head))).text, [])
    case .json, .jsonSchema, .swiftdata, .sql: break
    }
    guard let (folder, history) = found.first, found.count == 1 else {
      let names = found.map { "'\($0.1.head.name)'" }.joined(separator: ", ")
      throw DriverFailure(
        [
          found.isEmpty
            ? "error: there is no schema in '\(path)'"
            : "error: '\(path)' contains several schemas (\(names)); name a file of one of them"
        ], .usage)
    }
    switch form {
    case .json: return (try SchemaDocument(history.head).text, [])
    case .swiftdata:
      let source = SwiftDataSource(history, files: folder.project.files)
      return (source.text, source.notes)
    case .jsonSchema, .sql, .mermaid, .plantuml:
      guard let tables else { throw StoreTool.refusal(of: "export") }
      return (try tables(form, dialect, history, folder), [])
    }
  }

  /// Returns the reason why an existing file must not be replaced.
  private static func refusal(of old: [UInt8], _ path: String, new: String, isForced: Bool) -> String? {
    if [SchemaPaths.suffix, SchemaPaths.lockSuffix].contains(where: path.hasSuffix) {
      return "schemas and lock files are not replaced"
    }
    guard !isForced, !old.isEmpty, old != Array(new.utf8) else { return nil }
    return "the file already exists (use '--force' to replace it)"
  }
}

extension SchemaTextExport {
  /// The error for PostgreSQL's SQL in a tool without libpq.
  package static var postgresRefusal: DriverFailure {
    DriverFailure(
      [
        "error: '--dialect postgres' needs the tool 'trellis-postgres', which is linked with libpq; call "
          + "'trellis-postgres export' with the same arguments"
      ], .usage)
  }
}
