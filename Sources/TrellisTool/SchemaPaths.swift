import Foundation
import SchemaDriver

/// What people name on the command line where schema files belong.
enum SchemaPaths {
  /// Files as they are, and of a folder the schema files in it that are edited by hand.
  static func files(_ paths: [String], verb: String) throws -> [String] {
    guard !paths.isEmpty else {
      throw DriverFailure(["error: 'trellis \(verb)' needs schema files"], .usage)
    }
    return try paths.flatMap { path in
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      return isThere && isFolder.boolValue ? try contents(of: path) : [path]
    }
  }

  private static func contents(of folder: String) throws -> [String] {
    let listing = FileManager.default.enumerator(atPath: folder)
    var found: [String] = []
    while let path = listing?.nextObject() as? String {
      // Seen from the folder that was named, so that a frozen version can be named too.
      if path.hasSuffix(".schema"), Generation.isHead(path) { found.append(path) }
    }
    guard !found.isEmpty else {
      throw DriverFailure(["\(folder): error: there is no schema file in this folder"], .usage)
    }
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    return found.sorted().map { base + $0 }
  }
}
