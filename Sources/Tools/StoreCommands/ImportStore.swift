import AppleStore
import Foundation
import SchemaCommands
import SchemaDiagnostics
import SchemaDriver
import SchemaFixtures
import SchemaImport
import SchemaModel
import StoreCare
import StoreTransfer
import Trellis

/// `import --from store`: creates a schema file and a store from a SwiftData or Core Data store.
enum ImportStore {
  static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard arguments.files.count == 1, let shown = arguments.files.first else {
      throw DriverFailure(["error: 'trellis import --from store' needs one store file"], .usage)
    }
    let options = try RowImportOptions(arguments, session)
    let name = try Import.name(arguments["--name"], session.path(shown))
    let models = try models(arguments.options["--models"] ?? [], name, session)
    let read: AppleStoreImport
    do {
      read = try AppleStoreImport(session.path(shown), shownAs: shown, models: models, name: name)
    } catch let problem as MarkupProblem {
      throw DriverFailure([problem.text], .unparsable)
    } catch let failure as DriverFailure {
      throw failure
    } catch {
      throw DriverFailure(["error: \(shown): \(error)"], .usage)
    }
    do {
      return try TransferFailure.reported(options.store?.path ?? shown) { try finish(read, shown, options, &session) }
    } catch  where error is AppleStoreProblem || error is FixtureRefusal || error is SQLiteError {
      throw DriverFailure(["error: \(shown): \(error)"], .usage)
    }
  }

  /// Reads the app's sources: Swift files or an Xcode model.
  private static func models(
    _ paths: [String], _ name: String, _ session: Session
  ) throws -> AppleStoreImport.Models {
    guard !paths.isEmpty else { return .cache }
    let paths = paths.map(session.path)
    let isModel = paths.contains { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".xcdatamodel") }
    guard isModel else { return .swift(try SchemaReader.read(try Import.swiftFiles(paths, session)).get()) }
    let sources = try Import.coreDataSources(paths, name: name)
    guard let source = sources.first, sources.count == 1 else {
      throw DriverFailure(["error: '--models' needs one Core Data model, but names \(sources.count)"], .usage)
    }
    return .coreData(source)
  }

  private static func finish(
    _ read: AppleStoreImport, _ shown: String, _ options: RowImportOptions, _ session: inout Session
  ) throws -> ExitStatus {
    let files = read.result.files
    let target = try read.target()
    let (plan, found) = try read.plan(for: target)
    let output = try ImportOutput(files, from: [session.path(shown)], options)
    var copied: CopyReport?
    if options.isDry {
      for file in files { session.say("// \(file.path)\n\(file.text)\n") }
    } else {
      let bar = ProgressBar()
      defer { bar.clear() }
      copied = try output.write(&session) { url, policy in
        try target.create(at: url)
        return try CopyEngine(plan, into: target).run(at: url, rejects: policy, progress: bar.update)
      }
    }
    let report = Report(schema: target.resolved.name, found: found, notes: read.result.notes.map(\.text), copy: copied)
    switch options.format {
    case .json: try session.json(report)
    case .text:
      session.note(
        "\(options.isDry ? "would write" : "wrote") \(counted(read.result.models, "model")) to "
          + files.map(\.path).joined(separator: ", ") + "\n")
      for line in report.lines { session.note(line + "\n") }
    }
    let hasFindings = read.result.notes.contains { $0.kind == .notCarried } || (copied?.rejectedCount ?? 0) > 0
    return hasFindings ? .findings : .clean
  }

  private struct Report: Encodable {
    var schema: String
    var found: AppleStoreReport
    var notes: [String]
    var copy: CopyReport?

    var lines: [String] {
      var lines = found.lines + notes
      for table in copy?.tables ?? [] {
        let rejected = table.rejected == 0 ? "" : ", \(table.rejected) rejected"
        lines.append(
          "\(table.origin) -> \(table.entity): \(counted(table.written, "row"))\(rejected), checksums equal")
      }
      return lines
    }
  }
}
