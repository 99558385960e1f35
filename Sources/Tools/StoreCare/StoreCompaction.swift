import CSQLite
import Trellis

/// The effect of compacting a store.
package struct CompactionReport: Encodable, Sendable {
  package struct State: Encodable, Sendable {
    package let bytes: Int64
    package let pages: Int64
    package let freePages: Int64
    package let logBytes: Int64
  }

  package let store: String
  package let before: State
  package let after: State
  /// False if a concurrent reader prevented truncating the log, which then still contains the new pages.
  package let isLogTruncated: Bool

  package var text: String {
    let freed = before.bytes + before.logBytes - after.bytes - after.logBytes
    return """
      \(store): \(ByteCount.text(before.bytes)), \(before.freePages) of \(before.pages) pages free, \
      log \(ByteCount.text(before.logBytes)) → \(ByteCount.text(after.bytes)), \(after.freePages) of \(after.pages) \
      pages free, log \(ByteCount.text(after.logBytes)); \(ByteCount.text(max(0, freed))) returned

      """
        + (isLogTruncated
          ? ""
          : "The file was compacted, but another process reads the store, so that the log could not be truncated: the "
            + "space is returned when that process has ended\n")
  }
}

package enum StoreCompaction {
  /// Rewrites a store file, removing free pages.
  ///
  /// - Parameter timeout: The maximum wait for locks, in milliseconds.
  package static func run(_ path: String, timeout: Int32 = Connection.busyTimeout) throws -> CompactionReport {
    let store = try ExaminedStore(path, .existing)
    sqlite3_busy_timeout(store.connection.handle, timeout)
    let before = try state(store)
    let isLogTruncated: Bool
    do {
      isLogTruncated = try store.connection.compact()
    } catch let error as SQLiteError where error.code == .busy || error.code == .locked {
      throw CareFailure(
        "\(path): another process is reading from or writing to the store, and nothing was changed: end it, or try "
          + "again when it is idle", isAboutStore: true)
    } catch let error as SQLiteError where error.code == .full {
      throw CareFailure(
        "\(path): compacting needs free space for two more copies of the file (\(ByteCount.text(2 * before.bytes))), "
          + "and nothing was changed")
    } catch let error as SQLiteError {
      throw CareFailure(error, path)
    }
    return CompactionReport(store: path, before: before, after: try state(store), isLogTruncated: isLogTruncated)
  }

  private static func state(_ store: ExaminedStore) throws -> CompactionReport.State {
    do {
      return CompactionReport.State(
        bytes: FileStamp.size(store.path), pages: try store.connection.integers("PRAGMA page_count").first ?? 0,
        freePages: try store.connection.integers("PRAGMA freelist_count").first ?? 0,
        logBytes: FileStamp.size(store.path + "-wal"))
    } catch let error as SQLiteError {
      throw CareFailure(error, store.path)
    }
  }
}

/// Formats sizes for display.
package enum ByteCount {
  /// For example `1.5 MB`, in powers of 1,000.
  package static func text(_ bytes: Int64) -> String {
    guard bytes >= 1_000 else { return counted(bytes, "byte") }
    var (value, unit) = (Double(bytes), 0)
    while value >= 999.95, unit < 4 { (value, unit) = (value / 1_000, unit + 1) }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(["bytes", "kB", "MB", "GB", "TB"][unit])"
  }
}
