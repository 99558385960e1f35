public import Foundation

/// The files of this repository, which tests read: schemas, articles, sources.
public enum Repository {
  /// The root folder, with `Package.swift`.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a file.
  ///
  ///     try Repository.text("Schemas/SampleTrips/SampleTrips.schema")
  ///
  /// - Throws: Foundation's errors if the file cannot be read.
  public static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}
