/// Validates file names that come from schema text or the command line.
package enum FileName {
  /// - Throws: A usage error if the name is empty or would refer to a different folder.
  package static func checked(_ name: String) throws(DriverFailure) -> String {
    let refused = name.isEmpty || name == "." || name == ".." || name.utf8.contains { $0 == 0x2F || $0 == 0 }
    guard !refused else {
      throw DriverFailure(["error: '\(name)' is not a valid file name; nothing was written"], .usage)
    }
    return name
  }

  /// Validates each component of a relative path.
  package static func checked(path: String) throws(DriverFailure) -> String {
    for part in path.split(separator: "/", omittingEmptySubsequences: false) { _ = try checked(String(part)) }
    return path
  }
}
