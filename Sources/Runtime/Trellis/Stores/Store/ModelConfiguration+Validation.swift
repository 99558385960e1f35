import Foundation

extension ModelConfiguration {
  /// Checks that the store and its group can have the names they were given.
  ///
  /// - Throws: ``SwiftDataError/configurationFileNameContainsInvalidCharacters`` or
  ///   ``SwiftDataError/configurationFileNameTooLong``.
  public func validate() throws {
    guard !isStoredInMemoryOnly else { return }
    try validateGroup()
    let file = isDefaultLocation ? "\(name).store" : url.lastPathComponent
    if isDefaultLocation {
      if !Self.isFileName(name) {
        throw SwiftDataError.configurationFileNameContainsInvalidCharacters.explained(
          "'\(name)' cannot be part of a file name: leave out '/' and control characters, or give "
            + "the configuration a 'url'")
      }
    } else if file.unicodeScalars.contains(where: Self.isInvalid) {
      throw SwiftDataError.configurationFileNameContainsInvalidCharacters.explained(
        "'\(file)' has characters a file name cannot have", path: url.path)
    }
    if file.utf8.count > CompanionFile.longestStoreName {
      throw SwiftDataError.configurationFileNameTooLong.explained(
        "'\(file)' has \(file.utf8.count) bytes, \(CompanionFile.longestStoreName) are allowed")
    }
  }

  private func validateGroup() throws {
    guard isDefaultLocation, let group = groupContainer.identifier else { return }
    guard Self.isFileName(group) else {
      throw SwiftDataError.configurationFileNameContainsInvalidCharacters.explained(
        "'\(group)' cannot be the identifier of a group container, which names a folder: leave out '/' and control "
          + "characters, as in 'group.com.example.trips'")
    }
    if group.utf8.count > 255 {
      throw SwiftDataError.configurationFileNameTooLong.explained(
        "the identifier of the group container '\(group)' has \(group.utf8.count) bytes, 255 are allowed")
    }
  }

  /// Whether a text names one file or folder.
  static func isFileName(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".." && !text.unicodeScalars.contains(where: isInvalid)
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
  /// - Throws: ``SwiftDataError/loadIssueModelContainer`` when the default location was requested
  ///   and this user has no home folder; as ``validate()`` for a group that cannot be.
  func storePath() throws -> String {
    try validateGroup()
    guard hasLocation else {
      throw SwiftDataError.loadIssueModelContainer.explained(
        "configuration '\(name)' has no place for its store, because this user has no home folder: "
          + "set XDG_DATA_HOME or give the configuration a 'url'")
    }
    return targetPath
  }

  /// The path of ``url`` with symbolic links followed, also for a missing file. Companion files use this path, so each link to
  /// a store finds the same files.
  private var targetPath: String {
    var path = url.path
    // Linux follows up to 40 links.
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
      path = next.hasPrefix("/") ? next : URL(fileURLWithPath: path).deletingLastPathComponent().path + "/" + next
    }
    return path
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
  func url(named name: String, in group: ModelConfiguration.GroupContainer = .none) -> URL? {
    guard var folder else { return nil }
    if let identifier = group.identifier {
      // One that names no folder is refused before a store opens, and must not lead elsewhere until then.
      folder.appendPathComponent("group-containers", isDirectory: true)
      folder.appendPathComponent(
        ModelConfiguration.isFileName(identifier) ? identifier : "invalid", isDirectory: true)
    } else {
      folder.appendPathComponent(program, isDirectory: true)
    }
    return folder.appendingPathComponent("\(name).store", isDirectory: false)
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
