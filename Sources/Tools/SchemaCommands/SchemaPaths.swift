import Foundation
import SchemaDriver

/// What people name on the command line where schema files belong.
enum SchemaPaths {
  static let suffix = ".schema"
  static let lockSuffix = ".lock"
  static let versions = "versions"

  /// Files as they are, and of a folder the schema files in it that are edited by hand. Nothing named
  /// is the folder the tool runs in.
  static func files(_ paths: [String], _ session: Session) throws -> [String] {
    guard !paths.isEmpty else { return try contents(of: session.folder.isEmpty ? "." : session.folder) }
    return try paths.map(session.path).flatMap { path in
      guard kind(of: path) == .file else { return kind(of: path) == nil ? [path] : try contents(of: path) }
      guard path.hasSuffix(suffix) else {
        throw DriverFailure(
          ["\(path):1:1: error: this is no schema file: the name of one ends with '\(suffix)'"], .usage)
      }
      try TransactionJournal.complete(in: SchemaFolder.folder(of: path))
      return [path]
    }
  }

  private static func contents(of folder: String) throws -> [String] {
    // Seen from the folder that was named, so that a frozen version can be named too.
    let found = try files(below: folder, skipping: versions).filter { $0.hasSuffix(suffix) }
    guard !found.isEmpty else {
      throw DriverFailure(["\(folder): error: there is no schema file in this folder"], .usage)
    }
    return found.sorted()
  }

  enum Kind { case file, folder }

  /// Through symbolic links; nil for what is not there.
  static func kind(of path: String) -> Kind? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
    return isFolder.boolValue ? .folder : .file
  }

  /// Every file below a folder but hidden ones, which includes what is built. Links to folders are not
  /// followed: they may lead back.
  static func files(below folder: String, skipping skipped: String? = nil) throws -> [String] {
    try TransactionJournal.complete(in: folder)
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw DriverFailure(["\(folder): error: the folder cannot be read; check its permissions"], .usage)
    }
    return try names.sorted().flatMap { name -> [String] in
      guard !name.hasPrefix(".") else { return [] }
      let path = Session.join(folder, name)
      let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      guard type == .typeDirectory else { return [path] }
      return name == skipped ? [] : try files(below: path, skipping: skipped)
    }
  }
}
