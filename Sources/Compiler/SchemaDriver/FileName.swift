/// Names of files that are made from the text of a schema or from the command line.
package enum FileName {
  /// - Throws: A failure of usage for a name that leads to another folder.
  package static func checked(_ name: String) throws(DriverFailure) -> String {
    let refused = name.isEmpty || name == "." || name == ".." || name.utf8.contains { $0 == 0x2F || $0 == 0 }
    guard !refused else {
      throw DriverFailure(["error: '\(name)' is not a valid file name, nothing was written"], .usage)
    }
    return name
  }

  /// A path below a folder, every part of which is a name.
  package static func checked(path: String) throws(DriverFailure) -> String {
    for part in path.split(separator: "/", omittingEmptySubsequences: false) { _ = try checked(String(part)) }
    return path
  }
}
