import SchemaDriver
import Trellis

/// The files that the command line names besides the store. The page cannot name files.
package struct StudioCompanions: Sendable {
  package var comparison: StoreComparison?
  package var migration: MigrationPreview?
  package var trace: TraceFile?

  private let isForFile: Bool

  /// - Parameter isForFile: False for a store on a server, which has no companions.
  package init(isForFile: Bool = true) { self.isForFile = isForFile }

  /// The requests that ``answer(_:_:)`` accepts.
  static let requests: Set<String> = ["comparison", "differences", "migration", "statements"]

  func answer(_ name: String, _ query: HTTPQuery) throws -> HTTPResponse {
    switch name {
    case "comparison":
      guard let comparison else { return hint("--compare OTHER", "compare the store with a backup") }
      return .json(try comparison.summary())
    case "differences":
      guard let comparison, let entity = query["entity"] else { throw StudioError("'entity' is missing") }
      let after = try query["after"].map { text in
        guard let key = Int64(text) else { throw StudioError("'after' must be a number") }
        return key
      }
      return .json(try comparison.differences(entity, after: after))
    case "migration":
      guard let migration else { return hint("--schema PATH", "see how a migration would change the store") }
      do {
        return .json(try migration.report())
      } catch let failure as DriverFailure {
        throw StudioError(failure.messages.joined(separator: "\n"))
      }
    default:
      guard let trace else { return hint("--trace FILE", "see an app's statements and their durations") }
      return .json(trace.report(by: query["order"].flatMap { .init(rawValue: $0) } ?? .total, unless: query["known"]))
    }
  }

  /// Tells the page how to start the studio with a further file.
  private func hint(_ option: String, _ purpose: String) -> HTTPResponse {
    .json([
      "hint": isForFile
        ? "To \(purpose), start the studio with 'trellis studio STORE \(option)'."
        : "The studio can \(purpose) only if the store is a file."
    ])
  }
}
