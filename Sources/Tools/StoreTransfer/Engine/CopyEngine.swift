package import Foundation
import Trellis

/// What happens to rows that do not fit.
package enum RejectPolicy {
  /// All rows are checked, and then nothing is written.
  case stop
  /// Rejected rows are passed on, and all other rows are written.
  case write((Reject) throws -> Void)
}

/// The error if rows do not fit and the copy was to stop, or if the comparison at the end fails.
package struct CopyRefusal: Error {
  package let report: CopyReport
}

/// Copies the rows of a plan to an empty store in a single transaction.
package struct CopyEngine {
  package let plan: CopyPlan
  package let target: TransferTarget

  package init(_ plan: CopyPlan, into target: TransferTarget) {
    self.plan = plan
    self.target = target
  }

  /// - Parameter url: A store that ``TransferTarget/create(at:)`` created. After an error, delete it.
  /// - Throws: ``CopyRefusal``, and errors from the databases.
  package func run(
    at url: URL, rejects: RejectPolicy, progress: TransferProgress = { _ in }
  ) throws -> CopyReport {
    CopyReport()
  }
}
