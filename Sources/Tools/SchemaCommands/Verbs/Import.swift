import Foundation
import SchemaDiagnostics
package import SchemaDriver
package import SchemaImport

/// `trellis import`: creates schema files from existing models or databases, and stores from existing rows.
///
/// Forms that read rows need the runtime; see `ImportData`.
package enum Import: Verb {
  package static let name = "import"
  package static let summary = "Create schema files and stores from existing models or databases"
  package static let options: Set<String> = [
    "--from", "--name", "--output", "--format", "--into", "--rejects", "--dates", "--models", "--schema", "--module",
  ]
  package static let flags: Set<String> = ["--dry-run", "--force"]
  package static var choices: [String: [String]] { ["--from": Form.allCases.map(\.rawValue)] }
  package static let help = """
    Usage: trellis import --from swiftdata|coredata [--name NAME] [--output FOLDER] [--format text|json]
                          [--dry-run] [--force] PATH…
           trellis import --from sqlite FILE [--into STORE] [--rejects FILE] [--dates COLUMN=KIND …]
                          [--name NAME] [--output FOLDER] [--format text|json] [--dry-run] [--force]
           trellis import --from store FILE [--models PATH …] [--into STORE] [--rejects FILE]
                          [--name NAME] [--output FOLDER] [--format text|json] [--dry-run] [--force]
           trellis import --from csv|ndjson FOLDER --into STORE [--schema PATH] [--module NAME]
                          [--rejects FILE] [--format text|json] [--dry-run] [--force]
           trellis import --from postgres URL [--schema NAME …] and the options of 'sqlite'

    Creates schema files from existing models. Anything that cannot be converted becomes a comment in the
    schema file, and is listed with its place in the source.

      swiftdata  reads Swift files and folders: '@Model' classes, and the enums and structs that they store.
                 'VersionedSchema' enums become versions, in the order of the migration plan. Versions with
                 different plans or names become separate schemas.
      coredata   reads '.xcdatamodeld' folders, single '.xcdatamodel' folders, their 'contents' files, and
                 folders that contain models. The model's versions are imported up to the current one.

    The newest version becomes the file to edit, and older versions become released versions below
    'versions'. Renames ('originalName', renaming identifiers) are kept. All other changes between two
    versions are accepted in the 'migration' block of the newer version. Functions of custom stages are
    written to 'NAMEMigrations.swift' with the original code in comments, and throw an error until you
    implement them.

      sqlite     reads an SQLite database of any program. Tables become models, tables of pairs become
                 many-to-many relationships, and foreign keys become relationships with delete rules.
                 With '--into', the rows are copied to a new store, and counts and checksums are compared.
      postgres   does the same for a PostgreSQL database, given as a URL ('postgres://user@host/database') or
                 a conninfo string. It is read in one read-only transaction. Needs 'trellis-postgres'.

      store      reads a file of Apple's SwiftData or Core Data. The models come from the file; with '--models',
                 they come from the Swift files of the app that wrote it, which also declare enums and structs.
                 Rows are copied as with sqlite. Only a copy of the file is opened.

      csv        reads a folder that 'trellis export --to csv' wrote, or CSV files of another program whose
                 names are those of models, with a header. Rows that do not fit are listed with their lines.
      ndjson     the same, with a JSON object on each line.

    Values that may be dates are listed and copied unchanged unless you accept them: '--dates all', or
    '--dates trips.created_at=unix' for a column. The kinds are iso (text), unix (seconds since 1970),
    milliseconds (since 1970), julian (days), since2001 (seconds), and none.

      --from FORM      the kind of source: swiftdata, coredata, sqlite, postgres, store, csv or ndjson
      --name NAME      the schema's name (default: the name of the first folder, file or database)
      --output FOLDER  the folder for schema files (default: the current folder)
      --into STORE     a new store for the rows
      --rejects FILE   write rows that do not fit to FILE, one JSON object per line, and copy all others;
                       without it, such rows are listed and nothing is written
      --dates C=KIND   column C contains dates, as in 'trips.created_at=unix'; may be repeated
      --models PATH    Swift files, folders or an '.xcdatamodeld' of the app that wrote the store; may be
                       repeated
      --schema PATH    the schema for csv and ndjson (default: the schema files in the folder); for postgres,
                       the name of a schema in the database, which may be repeated (default: all schemas)
      --module NAME    the app's module, if the export named one
      --dry-run        print the files and the report, and write nothing
      --force          replace existing files and stores, except for files with the functions of custom
                       stages
      --format FORMAT  the format of the list: text or json

    The sources are not changed: remove the classes from the Swift files yourself; extensions can remain.
    Databases are opened read-only. Exits with 1 if something was not converted or a row was rejected.

    For '--from sqlite':
    \(StoreTool.help)

    """

  /// The kinds of sources.
  package enum Form: String, CaseIterable {
    case swiftdata, coredata, sqlite, postgres, store, csv, ndjson

    /// True if the form reads rows, which needs the runtime. `trellis-store` cannot read a PostgreSQL database.
    package var needsRuntime: Bool {
      switch self {
      case .swiftdata, .coredata, .postgres: false
      case .sqlite, .store, .csv, .ndjson: true
      }
    }
  }

  package enum Format: String, CaseIterable { case text, json }

  package static func form(_ arguments: Arguments) throws(DriverFailure) -> Form? {
    guard arguments["--from"] != "json" else {
      throw DriverFailure(
        [
          "error: JSON arrays cannot be imported: export with '--to ndjson', or convert each file with 'jq -c .[]', "
            + "and use '--from ndjson'"
        ], .usage)
    }
    return try arguments.choice("--from", Form.allCases)
  }

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard let form = try form(arguments) else {
      throw DriverFailure(
        ["error: '--from' is missing; use '--from' with \(Form.allCases.map(\.rawValue).joined(separator: ", "))"],
        .usage)
    }
    if form == .postgres { throw StoreAddress.refusal(of: name) }
    if form.needsRuntime { throw StoreTool.refusal(of: name) }
    let format = try arguments.choice("--format", Format.allCases) ?? .text
    guard !arguments.files.isEmpty else {
      let what = form == .swiftdata ? "Swift files or folders" : "models or folders with models"
      throw DriverFailure(["error: 'trellis import' needs \(what)"], .usage)
    }
    let results =
      switch form {
      case .swiftdata: [try swiftData(arguments, session)]
      default: try coreData(arguments, session)
      }
    let files = results.flatMap(\.files)
    let folder = session.path(arguments["--output"] ?? ".")
    if arguments.has("--dry-run") {
      for file in files { session.say("// \(file.path)\n\(file.text)\n") }
    } else {
      try write(files, folder, replacing: arguments.has("--force"), &session)
    }
    let notes = results.flatMap(\.notes)
    switch format {
    case .text:
      for result in results { tell(result, &session) }
      for result in results where result.found == nil {
        let versions = result.versions.joined(separator: ", ")
        session.note(
          "\(result.models) models of version \(versions) in "
            + "\(result.files.count) \(result.files.count == 1 ? "file" : "files"), "
            + "\(result.notes.count) \(result.notes.count == 1 ? "note" : "notes")\n")
      }
    case .json: try session.json(notes + results.flatMap(\.copied))
    }
    return notes.contains { $0.kind == .notCarried } ? .findings : .clean
  }

  /// Reports the model and file counts, followed by lost information, differences and copied code.
  private static func tell(_ result: ImportResult, _ session: inout Session) {
    if let found = result.found {
      let count = result.files.count
      session.note(
        "found \(found.text), wrote \(result.written.text): version \(result.versions.joined(separator: ", ")) in "
          + "\(count) \(count == 1 ? "file" : "files")\n")
    }
    let lost = result.notes.filter { $0.kind == .notCarried }
    let changed = result.notes.filter { $0.kind != .notCarried }
    for (title, notes) in [("lost", lost), ("changed", changed), ("copied code", result.copied)]
    where result.found != nil {
      session.note(notes.isEmpty ? "\(title): none\n" : "\(title): \(notes.count)\n")
      for note in notes { session.note(note.text + "\n") }
    }
    if result.found == nil {
      for note in result.notes { session.note(note.text + "\n") }
    }
  }

  private static func swiftData(_ arguments: Arguments, _ session: Session) throws -> ImportResult {
    let name = try name(arguments["--name"], session.path(arguments.files[0]))
    let files = try SchemaReader.read(try swiftFiles(arguments.files, session)).get()
    let result = SwiftImporter.run(files, name: name)
    guard !result.files.isEmpty else {
      let unread = result.notes.map { $0.text }
      throw DriverFailure(
        unread + ["error: no readable '@Model' class in \(files.count) Swift files"], .usage)
    }
    return result
  }

  private static func coreData(_ arguments: Arguments, _ session: Session) throws -> [ImportResult] {
    let sources = try CoreDataFiles.find(arguments.files.map(session.path)) { path throws(DriverFailure) in
      try name(arguments["--name"], path)
    }
    for (name, same) in Dictionary(grouping: sources, by: \.name).sorted(by: { $0.key < $1.key }) where same.count > 1 {
      throw DriverFailure(
        ["error: \(same.count) models would become the schema '\(name)'; import each separately with '--name'"]
          + same.compactMap { $0.versions.first.map { "\($0.file.path):1:1: note: this is one of them" } }, .usage)
    }
    do {
      return try sources.map { source throws(MarkupProblem) in try CoreDataImporter.run(source) }
    } catch {
      throw DriverFailure([error.text], .unparsable)
    }
  }

  /// Finds Core Data models and names them alike.
  package static func coreDataSources(_ paths: [String], name: String) throws -> [CoreDataSource] {
    try CoreDataFiles.find(paths) { _ throws(DriverFailure) in name }
  }

  /// Writes schema files.
  ///
  /// - Parameter body: Runs before the first file appears. Its errors prevent that.
  package static func write(
    _ files: [ImportResult.File], _ folder: String, replacing: Bool, _ session: inout Session,
    after body: () throws -> Void = {}
  ) throws {
    var transaction = FileTransaction()
    for file in files {
      let path = Session.join(folder, try FileName.checked(path: file.path))
      let isThere = SchemaPaths.kind(of: path) != nil
      guard SchemaPaths.kind(of: path) != .folder else {
        throw DriverFailure(
          ["\(path): error: this is a folder, so nothing was written; choose another place with '--output'"], .usage)
      }
      // Do not overwrite Swift files, which may contain the user's code.
      if replacing, isThere, path.hasSuffix(".swift") {
        session.note("\(path): note: not replaced\n")
        continue
      }
      guard replacing || !isThere else {
        throw DriverFailure(
          ["\(path): error: the file already exists, so nothing was written; '--force' replaces it"], .usage)
      }
      transaction.write(Array(file.text.utf8), to: path)
    }
    try transaction.commit(after: body)
  }

  /// Returns the named Swift files, and those below the named folders.
  package static func swiftFiles(_ paths: [String], _ session: Session) throws -> [String] {
    try paths.map(session.path).flatMap { path -> [String] in
      switch SchemaPaths.kind(of: path) {
      case .file: return [path]
      case .folder: return try SchemaPaths.files(below: path).filter { $0.hasSuffix(".swift") }
      case nil: throw DriverFailure(["\(path):1:1: error: no such file"], .usage)
      }
    }
  }

  /// Derives a Swift identifier from the given name, or from the folder or file name.
  package static func name(_ named: String?, _ path: String) throws(DriverFailure) -> String {
    let url = URL(fileURLWithPath: path).standardizedFileURL
    let text = named ?? url.deletingPathExtension().lastPathComponent
    let name = String(text.filter { $0.isLetter || $0.isNumber || $0 == "_" })
    guard let letter = name.first, !letter.isNumber, named == nil || name == text else {
      throw DriverFailure(["error: '\(text)' is not a valid schema name; set a name with '--name Trips'"], .usage)
    }
    return name.prefix(1).uppercased() + name.dropFirst()
  }
}
