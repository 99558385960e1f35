import Foundation
import SchemaDiagnostics
import SchemaDriver
import SchemaImport

/// Finds Core Data models in the file system.
enum CoreDataFiles {
  private static let bundle = ".xcdatamodeld"
  private static let version = ".xcdatamodel"
  private static let mapping = ".xcmappingmodel"

  /// Finds models by path: models, single versions, `contents` files, and folders that contain models.
  ///
  /// - Parameter name: Returns the schema name for a model name.
  static func find(
    _ paths: [String], named name: (String) throws(DriverFailure) -> String
  ) throws -> [CoreDataSource] {
    try paths.flatMap { path -> [CoreDataSource] in
      switch SchemaPaths.kind(of: path) {
      case nil: throw DriverFailure(["\(path):1:1: error: no such file"], .usage)
      case .file: return [try single(path, folder: (path as NSString).deletingLastPathComponent, name)]
      case .folder:
        let found = try models(path)
        guard !found.isEmpty else {
          throw DriverFailure(["\(path): error: the folder contains no Core Data model ('.xcdatamodeld')"], .usage)
        }
        return try found.map { try source($0, mappings: mappings(path), name) }
      }
    }
  }

  private static func source(
    _ path: String, mappings: [String], _ name: (String) throws(DriverFailure) -> String
  ) throws -> CoreDataSource {
    guard path.hasSuffix(bundle) else { return try single(Session.join(path, "contents"), folder: path, name) }
    let versions = try names(path).filter { $0.hasSuffix(version) }
    guard !versions.isEmpty else {
      throw DriverFailure(["\(path): error: the model contains no version ('.xcdatamodel')"], .usage)
    }
    let current = Session.join(path, ".xccurrentversion")
    return CoreDataSource(
      name: try name(path),
      versions: try versions.map { folder in
        try read(Session.join(Session.join(path, folder), "contents"), as: String(folder.dropLast(version.count)))
      },
      current: SchemaPaths.kind(of: current) == .file ? try file(current) : nil, mappings: mappings)
  }

  private static func single(
    _ path: String, folder: String, _ name: (String) throws(DriverFailure) -> String
  ) throws -> CoreDataSource {
    let owner = (path as NSString).lastPathComponent == "contents" ? folder : path
    let title = ((owner as NSString).lastPathComponent as NSString).deletingPathExtension
    return CoreDataSource(name: try name(owner), versions: [try read(path, as: title)])
  }

  private static func read(_ path: String, as name: String) throws -> CoreDataSource.Version {
    guard SchemaPaths.kind(of: path) == .file else {
      throw DriverFailure(
        ["\(path):1:1: error: the file is missing; open the model in a current Xcode to create it"],
        .usage)
    }
    return CoreDataSource.Version(name: name, file: try file(path))
  }

  /// Returns the file contents without checking them. The reader reports errors.
  private static func file(_ path: String) throws -> SourceFile {
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
    guard size <= SchemaReader.largestFile else {
      throw DriverFailure(
        [
          "\(path):1:1: error: the file is \(size >> 20) MiB; the limit is \(SchemaReader.largestFile >> 20) MiB"
        ],
        .unparsable)
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw DriverFailure(["\(path):1:1: error: the file cannot be read; check its permissions"], .usage)
    }
    return SourceFile(path: path, bytes: Array(data))
  }

  /// Returns the folder itself if it is a model, otherwise the models in it. Versions inside models are omitted.
  private static func models(_ path: String) throws -> [String] {
    if hasSuffix(path, bundle) || hasSuffix(path, version) { return [trimmed(path)] }
    return try folders(path).flatMap { try models(Session.join(path, $0)) }
  }

  private static func mappings(_ path: String) throws -> [String] {
    if hasSuffix(path, mapping) { return [trimmed(path)] }
    return try folders(path).flatMap { try mappings(Session.join(path, $0)) }
  }

  /// Returns the subfolders. Symbolic links are skipped, because they can form cycles.
  private static func folders(_ path: String) throws -> [String] {
    try names(path).filter { name in
      let type =
        try? FileManager.default.attributesOfItem(atPath: Session.join(path, name))[.type] as? FileAttributeType
      return !name.hasPrefix(".") && type == .typeDirectory
    }
  }

  private static func names(_ path: String) throws -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw DriverFailure(["\(path): error: the folder cannot be read; check its permissions"], .usage)
    }
    return names.sorted()
  }

  private static func hasSuffix(_ path: String, _ suffix: String) -> Bool { trimmed(path).hasSuffix(suffix) }

  /// Removes the trailing slashes that shells add on completion.
  private static func trimmed(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.last == "/" { path = path.dropLast() }
    return String(path)
  }
}
