import Foundation

/// Size and modification date of a database, which differ after a write.
struct FileSignature: Equatable {
  var size: UInt64 = 0
  var modified: Date?
  var hasLog = false

  init(_ path: String) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    size = (attributes?[.size] as? NSNumber)?.uint64Value ?? 0
    modified = attributes?[.modificationDate] as? Date
    hasLog = FileManager.default.size(ofItem: path + "-wal") > 0
  }
}

extension FileManager {
  /// The length of a file; 0 when there is none.
  func size(ofItem path: String) -> UInt64 {
    ((try? attributesOfItem(atPath: path))?[.size] as? NSNumber)?.uint64Value ?? 0
  }
}
