package import SchemaCommands
import SchemaReports

/// Shows how opening the store with current schema files would change it, as `trellis preflight` does.
///
/// The files are read for each request, so that the page follows their edits.
package struct MigrationPreview: Sendable {
  private let store: String
  private let schema: String
  private let session: Session

  /// - Parameter schema: A schema file or a folder.
  /// - Throws: `DriverFailure` if there is no such file.
  package init(_ store: String, schema: String, _ session: Session) throws {
    (self.store, self.schema, self.session) = (store, schema, session)
    _ = try SchemaFolder.open([schema], session)
  }

  struct Report: Encodable, Sendable {
    var path: String
    var preflight: PreflightReport
    /// True if the migration can run.
    var isClean: Bool
    /// All changes from the store's schema to the current schema.
    var changes: [DiffReport.Change]
  }

  /// - Throws: `DriverFailure`.
  func report() throws -> Report {
    var session = session
    let preflight = try PreflightReport(file: store, schema: schema, &session)
    let versions = preflight.versions
    return Report(
      path: schema, preflight: preflight, isClean: preflight.isClean,
      changes: versions.count > 1 ? DiffReport(through: versions).changes : [])
  }
}
