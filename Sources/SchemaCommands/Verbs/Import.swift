import Foundation
import SchemaDiagnostics
package import SchemaDriver
import SchemaImport

/// `trellis import`: from models described elsewhere to schema files.
package enum Import: Verb {
  package static let name = "import"
  package static let summary = "make schema files from SwiftData models in Swift source"
  package static let options: Set<String> = ["--from", "--name", "--output", "--format"]
  package static let flags: Set<String> = ["--dry-run", "--force"]
  package static let help = """
    Usage: trellis import --from swiftdata [--name NAME] [--output FOLDER] [--dry-run] PATH…

    Reads Swift files, and those below folders, and writes a schema file with the '@Model' classes in
    them and the enums and structs they store. Where there are versions ('VersionedSchema'), the newest
    one is the file to edit, and the others are released ones below 'versions'. What could not be taken
    over is a comment in the file, and is listed with its place in the source.

      --from FORM      swiftdata
      --name NAME      of the schema (that of the first folder or file)
      --output FOLDER  where the files go (this folder)
      --dry-run        prints the files and writes nothing
      --force          replaces files that are there
      --format FORMAT  of the list: text or json

    The classes stay in the Swift files until you remove them; what is in extensions may stay there.
    Ends with 1 when something was not taken over.

    """

  private enum Form: String, CaseIterable { case swiftdata }
  private enum Format: String, CaseIterable { case text, json }

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard try arguments.choice("--from", Form.allCases) != nil else {
      throw DriverFailure(["error: say what to import from: '--from swiftdata'"], .usage)
    }
    let format = try arguments.choice("--format", Format.allCases) ?? .text
    guard let first = arguments.files.first else {
      throw DriverFailure(["error: 'trellis import' needs Swift files or folders"], .usage)
    }
    let name = try self.name(arguments["--name"], first, session)
    let files = try SchemaReader.read(try swiftFiles(arguments.files, session)).get()
    let result = SwiftImporter.run(files, name: name)
    guard !result.files.isEmpty else {
      let unread = result.notes.map { $0.text }
      throw DriverFailure(
        unread + ["error: there is no class with '@Model' that can be read in \(files.count) Swift files"], .usage)
    }
    let folder = session.path(arguments["--output"] ?? ".")
    if arguments.has("--dry-run") {
      for file in result.files { session.say("// \(file.path)\n\(file.text)\n") }
    } else {
      try write(result.files, folder, replacing: arguments.has("--force"))
    }
    switch format {
    case .text:
      for note in result.notes { session.note(note.text + "\n") }
      let versions = result.versions.joined(separator: ", ")
      session.note(
        "\(result.models) models of version \(versions) in \(result.files.count) files, \(result.notes.count) notes\n")
    case .json: try session.json(result.notes)
    }
    return result.notes.contains { $0.kind == .notCarried } ? .findings : .clean
  }

  private static func write(_ files: [ImportResult.File], _ folder: String, replacing: Bool) throws {
    var transaction = FileTransaction()
    for file in files {
      let path = Session.join(folder, file.path)
      guard replacing || SchemaPaths.kind(of: path) == nil else {
        throw DriverFailure(
          ["\(path): error: there is a file already, nothing was written; '--force' replaces it"], .usage)
      }
      transaction.write(Array(file.text.utf8), to: path)
    }
    try transaction.commit()
  }

  private static func swiftFiles(_ paths: [String], _ session: Session) throws -> [String] {
    try paths.map(session.path).flatMap { path -> [String] in
      switch SchemaPaths.kind(of: path) {
      case .file: return [path]
      case .folder: return try SchemaPaths.files(below: path).filter { $0.hasSuffix(".swift") }
      case nil: throw DriverFailure(["\(path):1:1: error: no such file"], .usage)
      }
    }
  }

  /// A name Swift can have: that of the folder or file, without what no name has.
  private static func name(
    _ named: String?, _ first: String, _ session: Session
  ) throws(DriverFailure) -> String {
    let url = URL(fileURLWithPath: session.path(first)).standardizedFileURL
    let text = named ?? url.deletingPathExtension().lastPathComponent
    let name = String(text.filter { $0.isLetter || $0.isNumber || $0 == "_" })
    guard let letter = name.first, !letter.isNumber, named == nil || name == text else {
      throw DriverFailure(["error: '\(text)' is no name of a schema; say one: '--name Trips'"], .usage)
    }
    return name.prefix(1).uppercased() + name.dropFirst()
  }
}
