import Foundation

extension ModelConfiguration {
  /// What file systems allow, less the longest ending SQLite puts behind a name.
  static let longestFileName = 255 - "-journal".utf8.count

  /// Checks that the store can have the name it was given.
  ///
  /// - Throws: ``SwiftDataError/configurationFileNameContainsInvalidCharacters`` or
  ///   ``SwiftDataError/configurationFileNameTooLong``.
  public func validate() throws {
    guard !isStoredInMemoryOnly else { return }
    let file = isDefaultLocation ? "\(name).store" : url.lastPathComponent
    if isDefaultLocation {
      let isReserved = name.isEmpty || name == "." || name == ".."
      if isReserved || name.unicodeScalars.contains(where: Self.isInvalid) {
        throw SwiftDataError.configurationFileNameContainsInvalidCharacters.explained(
          "'\(name)' cannot be part of a file name: leave out '/' and control characters, or give "
            + "the configuration a 'url'")
      }
    } else if file.unicodeScalars.contains(where: Self.isInvalid) {
      throw SwiftDataError.configurationFileNameContainsInvalidCharacters.explained(
        "'\(file)' has characters a file name cannot have", path: url.path)
    }
    if file.utf8.count > Self.longestFileName {
      throw SwiftDataError.configurationFileNameTooLong.explained(
        "'\(file)' has \(file.utf8.count) bytes, \(Self.longestFileName) are allowed")
    }
  }

  private static func isInvalid(_ scalar: Unicode.Scalar) -> Bool {
    #if os(Windows)
      return scalar.value < 32 || scalar.value == 127
        || "/\\:*?\"<>|".unicodeScalars.contains(scalar)
    #else
      return scalar.value < 32 || scalar.value == 127 || scalar == "/"
    #endif
  }

  /// The file to open.
  ///
  /// - Throws: ``SwiftDataError/loadIssueModelContainer`` when the default location was asked for
  ///   and this user has no home folder.
  func storeURL() throws -> URL {
    guard hasLocation else {
      throw SwiftDataError.loadIssueModelContainer.explained(
        "configuration '\(name)' has no place for its store, because this user has no home folder: "
          + "set XDG_DATA_HOME or give the configuration a 'url'")
    }
    return url
  }
}

/// The folder in which stores without a `url` are kept.
struct StoreLocation {
  var environment: [String: String]
  var home: String?
  var program: String

  static var current: StoreLocation {
    let environment = ProcessInfo.processInfo.environment
    return StoreLocation(
      environment: environment, home: environment["HOME"] ?? NSHomeDirectory(),
      program: ProcessInfo.processInfo.processName)
  }

  /// The file of a configuration; nil without a home folder.
  func url(named name: String) -> URL? {
    guard let folder else { return nil }
    return folder.appendingPathComponent(program, isDirectory: true)
      .appendingPathComponent("\(name).store", isDirectory: false)
  }

  private var folder: URL? {
    #if canImport(Darwin)
      return FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
    #else
      // A relative XDG_DATA_HOME is to be ignored, says the specification.
      if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
        return URL(fileURLWithPath: data, isDirectory: true)
      }
      guard let home, !home.isEmpty, home != "/" else { return nil }
      return URL(fileURLWithPath: home, isDirectory: true)
        .appendingPathComponent(".local/share", isDirectory: true)
    #endif
  }
}
