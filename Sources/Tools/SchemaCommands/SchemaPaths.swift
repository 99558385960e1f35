import Foundation
import SchemaDiagnostics
import SchemaDriver
import SchemaModel

/// Resolves command-line paths to schema files.
package enum SchemaPaths {
  package static let suffix = ".schema"
  package static let swiftSuffix = ".swift"
  static let lockSuffix = ".lock"
  static let versions = "versions"

  /// Returns the given files, and the current schema files of given folders. The default is the session's folder.
  ///
  /// - Parameter swift: True to include Swift files with models.
  static func files(_ paths: [String], _ session: Session, swift: Bool = false) throws -> [String] {
    guard !paths.isEmpty else { return try contents(of: session.folder.isEmpty ? "." : session.folder, swift) }
    return try paths.map(session.path).flatMap { path in
      guard kind(of: path) == .file else { return kind(of: path) == nil ? [path] : try contents(of: path, swift) }
      if path.hasSuffix(swiftSuffix) {
        guard swift else {
          throw DriverFailure(["\(path):1:1: error: this command edits schema files only, not Swift files"], .usage)
        }
        guard declaresModels(path) else {
          throw DriverFailure(["\(path):1:1: error: the file declares no model"], .usage)
        }
        return [path]
      }
      guard path.hasSuffix(suffix) else {
        throw DriverFailure(
          ["\(path): error: not a schema file (expected the extension '\(suffix)')"], .usage)
      }
      try TransactionJournal.complete(in: SchemaFolder.folder(of: path))
      return [path]
    }
  }

  private static func contents(of folder: String, _ swift: Bool) throws -> [String] {
    // Skip version folders only below the given folder, so that the given folder may be a released version.
    let found = try files(below: folder, skipping: versions).filter {
      $0.hasSuffix(suffix) || swift && $0.hasSuffix(swiftSuffix) && declaresModels($0)
    }
    guard !found.isEmpty else {
      throw DriverFailure(
        ["\(folder): error: there is no schema file in this folder: name the file or its folder"], .usage)
    }
    return found.sorted()
  }

  private static func declaresModels(_ path: String) -> Bool {
    guard let data = FileManager.default.contents(atPath: path), data.range(of: Data("Model".utf8)) != nil else {
      return false
    }
    let file = SourceFile(path: path, bytes: Array(data))
    return Generation.mayDeclareModels(String(decoding: data, as: UTF8.self)) && SwiftSources.declaresModels(file)
  }

  enum Kind { case file, folder }

  /// Returns the kind of file after following symbolic links, or nil if it does not exist.
  static func kind(of path: String) -> Kind? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
    return isFolder.boolValue ? .folder : .file
  }

  /// Returns all files below a folder, except hidden files, which include build products. Symbolic links to folders are
  /// skipped, because they can form cycles.
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
