import Foundation
package import SchemaCommands
package import SchemaDriver
import StoreCare
import StoreTransfer
import Trellis

/// `trellis-store export`.
package enum ExportRows: VerbImplementation {
  package typealias Description = Export

  private enum Format: String, CaseIterable { case text, json }

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    if arguments["--schema"] != nil { return try SchemaTextExport.run(arguments, &session, tables: SchemaTables.text) }
    guard let form = try arguments.choice("--to", RowFormat.allCases) else {
      throw DriverFailure(["error: '--to' is missing; use csv, json, ndjson or sql"], .usage)
    }
    for option in ["--output", "--dialect"] where arguments[option] != nil {
      throw DriverFailure(["error: '\(option)' applies to '--schema'; name the folder after the store"], .usage)
    }
    guard arguments.files.count == 2 else {
      throw DriverFailure(["error: 'trellis export' needs a store and a folder"], .usage)
    }
    let format = try arguments.choice("--format", Format.allCases) ?? .text
    if case .database = StoreAddress(arguments.files[0], session) {
      throw DriverFailure(["error: only store files can be exported, not databases on a server"], .usage)
    }
    let folder = URL(fileURLWithPath: session.path(arguments.files[1]))
    let report = try TransferFailure.reported(arguments.files[1]) {
      let source = try StoreSource(URL(fileURLWithPath: session.path(arguments.files[0])))
      let export = try export(source, form, arguments["--where"])
      let place = try ExportFolder(folder, names: export.fileNames, isForced: arguments.has("--force"))
      let bar = ProgressBar()
      defer { bar.clear() }
      return try place.write { try export.write(to: $0, progress: bar.update) }
    }
    switch format {
    case .json: try session.json(report)
    case .text:
      for table in report.tables {
        let title = "\(arguments.files[1])/\(table.file): \(form == .sql ? "\(table.name), " : "")"
        session.say("\(title)\(counted(table.rows, "row"))\n")
      }
      if let module = report.module {
        session.note("value transformers are in the module '\(module)'; import the files with '--module \(module)'\n")
      }
    }
    return .clean
  }

  /// - Parameter filter: `Trip: budget > 1000`; `nil` for all rows.
  private static func export(_ source: StoreSource, _ format: RowFormat, _ filter: String?) throws -> RowExport {
    guard let filter else { return RowExport(source, format) }
    guard let colon = filter.firstIndex(of: ":") else {
      throw DriverFailure(["error: '--where' needs a model and a predicate, as in 'Trip: $0.budget > 1000'"], .usage)
    }
    let name = filter[..<colon].trimmingCharacters(in: .whitespaces)
    let predicate = filter[filter.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    do {
      return try RowExport(source, format, model: name, where: predicate)
    } catch let error as FilterError {
      throw DriverFailure(["error: '--where': \(error)"], .usage)
    }
  }
}
