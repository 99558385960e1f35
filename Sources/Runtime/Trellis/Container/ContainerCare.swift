public import Foundation

/// Looking after the store files. Not in SwiftData.
extension ModelContainer {
  /// Copies the stores and their large values into a folder, while any process may save.
  ///
  /// ```swift
  /// let copies = try container.backup(to: URL(filePath: "/backups/2026-05-17"))   // …/Trips.store
  /// ```
  ///
  /// Each copy is a consistent snapshot. It includes commits that are still in the write-ahead log, which a copy of the
  /// file alone does not contain. It has the store's file name and can be opened like any store. An unfinished
  /// copy has a temporary name. Large values are hard links if the folder is on the same file system.
  ///
  /// - Parameters:
  ///   - folder: The folder for the copies. If it is missing, it is created.
  ///   - progress: Called with the completed part, from 0 to 1.
  /// - Returns: The copies, in the order of the configurations.
  /// - Throws: ``SwiftDataError`` if a file with a copy's name exists, and for stores that are only in memory or that
  ///   are not ``DefaultStore``; ``SQLiteError`` if a store cannot be read.
  @discardableResult
  public func backup(to folder: URL, progress: (Double) -> Void = { _ in }) throws -> [URL] {
    let stores = try defaultStores()
    let copies = stores.map { folder.appendingPathComponent($0.configuration.url.lastPathComponent) }
    for (store, copy) in zip(stores, copies) {
      let isFree = ["", "-wal", "-external"].allSatisfy { !FileManager.default.fileExists(atPath: copy.path + $0) }
      guard !store.configuration.isStoredInMemoryOnly, isFree, copies.count(where: { $0 == copy }) == 1 else {
        let reason = store.configuration.isStoredInMemoryOnly ? "the store is only in memory" : "the file exists"
        throw SwiftDataError.opening(.other, "\(reason), so nothing was copied", path: copy.path)
      }
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (index, (store, copy)) in zip(stores, copies).enumerated() {
      try store.backUp(to: copy.path) { progress((Double(index) + $0) / Double(copies.count)) }
    }
    return copies
  }

  /// Tests the stores' pages, references, tables and large values.
  ///
  /// ```swift
  /// for issue in try container.check() { print(issue) }   // the file '9f0c…-1048576' is missing
  /// ```
  ///
  /// Takes about as long as reading all rows; other contexts and processes may save. `trellis store check` also tests
  /// each value, and can repair a copy.
  ///
  /// - Parameter progress: Called with the completed part, from 0 to 1.
  /// - Returns: The problems; empty if there are none.
  /// - Throws: ``SwiftDataError`` for stores that are not ``DefaultStore``; ``SQLiteError`` if a store cannot be read.
  public func check(progress: (Double) -> Void = { _ in }) throws -> [StoreIssue] {
    let stores = try defaultStores()
    return try stores.enumerated().flatMap { index, store in
      try store.issues { progress((Double(index) + $0) / Double(stores.count)) }
    }
  }

  /// Returns unused space in the store files to the file system.
  ///
  /// ```swift
  /// try container.compact { print("\(Int($0 * 100)) %") }
  /// ```
  ///
  /// Rewrites each file, which takes as long as copying it, and needs free space for two more copies. Saves wait in the
  /// meantime.
  ///
  /// - Parameter progress: Called with the completed part, from 0 to 1, after each store.
  /// - Throws: ``SwiftDataError`` with ``StoreProblem/locked`` if another connection uses a store, and for stores that
  ///   are read-only or not ``DefaultStore``.
  public func compact(progress: (Double) -> Void = { _ in }) throws {
    let stores = try defaultStores()
    for (index, store) in stores.enumerated() {
      try store.compact()
      progress(Double(index + 1) / Double(stores.count))
    }
  }

  private func defaultStores() throws -> [DefaultStore] {
    try core.stores.map { handle in
      guard let store = handle.store as? DefaultStore else {
        throw SwiftDataError.unknownSchema.explained(
          "the store of configuration '\(handle.configurationName)' is not a 'DefaultStore': use its own tools")
      }
      return store
    }
  }
}
