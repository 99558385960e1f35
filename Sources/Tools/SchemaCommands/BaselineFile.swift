import Foundation
import SchemaDiagnostics
import SchemaDriver
import SchemaLint

/// The baseline file, which lists accepted findings.
struct BaselineFile {
  private let path: String

  private static let standard = ".schema-baseline.json"

  /// Returns nil if neither the configuration nor the command line specifies a baseline.
  init?(_ arguments: Arguments, _ folders: [LintedFolder], _ session: Session) throws(DriverFailure) {
    let configured = Set(folders.compactMap(\.configuration.baseline))
    guard configured.count <= 1 else {
      throw DriverFailure(
        [
          "error: the configurations name several baselines: lint the folders separately, or select one with "
            + "'--baseline'"
        ], .usage)
    }
    let writes = arguments.has("--write-baseline") || arguments.has("--prune-baseline")
    if let named = arguments["--baseline"] {
      path = session.path(named)
    } else if let configured = configured.first {
      path = configured
    } else if writes {
      path = session.path(Self.standard)
    } else {
      return nil
    }
  }

  func apply(to result: inout LintResult, _ arguments: Arguments, _ session: inout Session) throws {
    if arguments.has("--write-baseline") {
      guard !result.isIncomplete else {
        throw DriverFailure(["error: cannot write a baseline, because a schema does not compile"], .unparsable)
      }
      let baseline = Baseline(result)
      try write(baseline)
      _ = baseline.apply(to: &result)
      session.note("\(path): \(Self.count(baseline.findings)) listed\n")
      return
    }
    var baseline = try read()
    let looked = Set(result.files.map { Self.place($0.path) })
    // Entries for folders that were not linted are not obsolete.
    let gone = baseline.apply(to: &result).filter { entry in
      let path = session.path(entry.file)
      return looked.contains(Self.place(path)) || SchemaPaths.kind(of: path) == nil
    }
    guard !gone.isEmpty else { return }
    if arguments.has("--prune-baseline") {
      let codes = Set(gone.map(\.fingerprint))
      baseline.findings.removeAll { codes.contains($0.fingerprint) }
      try write(baseline)
      session.note("\(path): \(Self.count(gone)) obsolete and removed\n")
    } else {
      session.note(
        "\(path): \(Self.count(gone)) obsolete; '--prune-baseline' removes \(gone.count == 1 ? "it" : "them")\n")
    }
  }

  private func read() throws -> Baseline {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw DriverFailure(
        ["\(path):1:1: error: the baseline does not exist; '--write-baseline' creates it"], .usage)
    }
    let baseline: Baseline?
    do { baseline = try Baseline(json: data) } catch {
      throw DriverFailure(
        ["\(path):1:1: error: not a valid baseline; '--write-baseline' creates it again"], .usage)
    }
    guard let baseline else {
      throw DriverFailure(
        [
          "\(path):1:1: error: the baseline was written by an incompatible version of the tool; '--write-baseline' "
            + "creates it again"
        ], .usage)
    }
    return baseline
  }

  private static func count(_ entries: [Baseline.Entry]) -> String {
    entries.count == 1 ? "1 finding" : "\(entries.count) findings"
  }

  private static func place(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

  private func write(_ baseline: Baseline) throws {
    var transaction = FileTransaction()
    transaction.write(Array(try baseline.json()), to: path) { bytes in
      let isBaseline = bytes.isEmpty || (try? Baseline(json: Data(bytes))) != nil
      return isBaseline ? nil : "not a baseline"
    }
    try transaction.commit()
  }
}
