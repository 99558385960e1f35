package import SchemaDriver

/// `trellis export`: writes a store's rows to files, or converts a schema to another notation.
///
/// The rows are exported by `trellis-store`, which contains the runtime.
package enum Export: Verb {
  package static let name = "export"
  package static let summary = "Write a store's rows to files, or a schema in another notation"
  package static let options: Set<String> = ["--to", "--where", "--format", "--schema", "--output", "--dialect"]
  package static let flags: Set<String> = ["--force"]
  package static let choices: [String: [String]] = [
    "--to": ["csv", "json", "ndjson", "sql", "json-schema", "swiftdata", "mermaid", "plantuml"],
    "--format": ["text", "json"], "--dialect": ["sqlite", "postgres"],
  ]
  package static let help = """
    Usage: trellis export STORE --to csv|json|ndjson|sql FOLDER
                          [--where 'ENTITY: PREDICATE'] [--force] [--format text|json]
           trellis export --schema PATH --to json|json-schema|swiftdata|mermaid|plantuml|sql
                          [--dialect sqlite|postgres] [--output FILE [--force]]

    The first form writes all rows of STORE to FOLDER: a file for each model, a file for each
    many-to-many relationship, and the store's schema file. Subclasses share a file with their
    superclass; the column 'entity' contains the class. Relationships are keys. The store is opened
    read-only and may be in use. Memory use does not depend on the number of rows.

      csv     RFC 4180 with a header. nil is an empty field, and the empty string is ""
      ndjson  a JSON object per line
      json    a JSON array per file
      sql     a file with SQL statements that the 'sqlite3' shell can load; values have their stored form

    'trellis import --from csv|ndjson FOLDER --into STORE' creates an equal store from an export.

    The second form prints the schema at PATH in another notation.

      json         the resolved schema for other tools
      json-schema  JSON Schema for the objects that '--to ndjson' writes
      swiftdata    '@Model' classes for Apple's SwiftData. Anything that SwiftData does not support is
                   listed with its line
      mermaid      a Mermaid class diagram
      plantuml     a PlantUML class diagram
      sql          the table definitions for SQLite or PostgreSQL

    Options:
      --to FORM         the form of the output
      --where TEXT      export only the rows of one model that match a predicate: 'Trip: $0.budget > 1000'
      --force           replace existing files of the same names
      --format FORMAT   the format of the report: text or json
      --schema PATH     a schema file or a folder
      --dialect NAME    the database for '--to sql': sqlite or postgres (default: sqlite)
      --output FILE     write to this file instead of standard output

    Dates are ISO 8601 in UTC, or the number of seconds since 2001 if the text would lose precision.
    Decimals are text, durations are whole nanoseconds, data is Base64, and enums are raw values.

    Exits with 1 if '--to swiftdata' cannot express a part of the schema.

    The first form, and 'sql' and 'json-schema' for a schema:
    \(StoreTool.help)

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    if arguments["--schema"] != nil { return try SchemaTextExport.run(arguments, &session) }
    throw StoreTool.refusal(of: name)
  }
}
