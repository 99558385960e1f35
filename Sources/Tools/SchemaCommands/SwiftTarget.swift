import Foundation
import SchemaDriver

/// A target with models in Swift files, in SwiftPM's layout: `Sources/Journeys` and `Schemas/Journeys`.
struct SwiftTarget: Hashable {
  /// The folder that contains the Swift files.
  let sources: String
  /// The target name.
  let name: String
  /// The folder that contains the schema files.
  let home: String
  /// The target's folder below `Schemas`, which might not exist.
  private let schemas: String

  /// Creates the target that contains a Swift file. For a file outside `Sources` and `Tests`, the folder is the target.
  init(ofFile path: String) {
    let folder = SchemaFolder.folder(of: path)
    let parts = folder.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let group = parts.lastIndex(where: Self.groups.contains), group + 1 < parts.endIndex else {
      self.init(
        sources: folder, name: URL(fileURLWithPath: folder.isEmpty ? "." : folder).lastPathComponent, home: folder,
        schemas: folder)
      return
    }
    // A folder that contains several targets has no Swift files itself.
    let ends = (group + 2)...parts.endIndex
    let end = ends.first { Self.hasSwiftFile(parts[..<$0].joined(separator: "/")) } ?? group + 2
    let sources = parts[..<end].joined(separator: "/")
    let name = parts[end - 1]
    let schemas = Self.place(parts[..<group].joined(separator: "/"), of: path) + "Schemas/" + name
    let home = Self.hasFile(sources, SchemaPaths.suffix) ? sources : schemas
    self.init(sources: sources, name: name, home: home, schemas: schemas)
  }

  /// Creates the target for a schema folder. Returns nil if the folder does not belong to a target.
  init?(home folder: String) {
    let full = URL(fileURLWithPath: folder.isEmpty ? "." : folder)
    let group = full.deletingLastPathComponent()
    let name = full.lastPathComponent
    let place = Self.place(SchemaFolder.folder(of: SchemaFolder.folder(of: folder)), of: folder)
    if Self.groups.contains(group.lastPathComponent) {
      self.init(sources: folder, name: name, home: folder, schemas: place + "Schemas/" + name)
    } else if group.lastPathComponent == "Schemas" {
      let candidates = Self.groups.map { place + "\($0)/\(name)" }
      guard let sources = candidates.first(where: { SchemaPaths.kind(of: $0) == .folder }) else { return nil }
      self.init(sources: sources, name: name, home: folder, schemas: folder)
    } else {
      return nil
    }
  }

  private init(sources: String, name: String, home: String, schemas: String) {
    self.sources = sources
    self.name = name
    self.home = home
    self.schemas = schemas
  }

  /// Returns the package path as a prefix for other paths. Empty for the working directory.
  private static func place(_ package: String, of path: String) -> String {
    package.isEmpty && !path.hasPrefix("/") ? "" : package + "/"
  }

  /// Returns the Swift files below the source folder.
  func files() throws -> [String] {
    try SchemaPaths.files(below: sources.isEmpty ? "." : sources, skipping: SchemaPaths.versions)
      .filter { $0.hasSuffix(SchemaPaths.swiftSuffix) }
  }

  /// The folder that contains the released versions, which may be below `Schemas` even if the schema files are next to
  /// the Swift files.
  var released: String {
    func hasVersions(_ folder: String) -> Bool {
      SchemaPaths.kind(of: Session.join(folder, SchemaPaths.versions)) == .folder
    }
    return !hasVersions(home) && hasVersions(schemas) ? schemas : home
  }

  /// The module name.
  var module: String { name.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() }

  private static let groups = ["Sources", "Tests"]

  private static func hasSwiftFile(_ folder: String) -> Bool { hasFile(folder, SchemaPaths.swiftSuffix) }

  private static func hasFile(_ folder: String, _ suffix: String) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return names.contains { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }
  }
}
