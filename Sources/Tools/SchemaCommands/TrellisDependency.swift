import Foundation
import SchemaDriver

/// A package manifest's dependency on Trellis.
package struct TrellisDependency {
  /// The element in the `dependencies` list.
  let element: String
  /// The package name that targets use.
  let package: String

  /// The names of Trellis targets and executables that are visible to packages. A package cannot use these names for
  /// targets of its own.
  package static let targets = Set(
    """
    AppleStore CPostgres CSQLite SchemaFacts GenerateModels JSONStore MacroExpansion PostgresCommands PostgresTool \
    SampleTrips Schema SchemaCommands SchemaDiagnostics SchemaDiff SchemaDriver SchemaEdit SchemaEmitter \
    SchemaExport SchemaFixtures SchemaFormat SchemaGraph SchemaImport SchemaLint SchemaModel SchemaReports \
    SchemaServer SchemaStore SchemaSyntax SchemaTool SchemaVersions StoreCare StoreCommands StoreConformance \
    StoreInspection StoreStudio StudioPage StoreTool StoreTransfer SwiftData SwiftSource trellis Trellis \
    trellis-generate trellis-postgres trellis-store TrellisMacros TrellisModel TrellisPostgres TrellisSQLite \
    TrellisStore TrellisTesting trips trips-widget
    """.split(separator: " ").map(String.init))

  /// - Parameters:
  ///   - location: A checkout path or a URL, or nil for the checkout that this tool was built from.
  ///   - folder: The folder of the package that depends on Trellis.
  init(_ location: String?, of folder: String, _ session: Session) throws(DriverFailure) {
    if let location, location.contains("://") || location.hasPrefix("git@") {
      let quoted = try Self.quoted(location)
      element = ".package(url: \(quoted), from: \"\(ToolVersion.text)\")"
      package = ManifestEdits.identity(location)
      return
    }
    var path: String
    if let location {
      path = try Self.checkout(location, session)
      // Keep a relative path, but make it relative to the package folder.
      if !location.hasPrefix("/") { path = Self.relative(path, to: Self.full(folder)) }
    } else {
      path = try Self.ownCheckout()
    }
    element = ".package(name: \"Trellis\", path: \(try Self.quoted(path)))"
    package = "Trellis"
  }

  private static func checkout(_ location: String, _ session: Session) throws(DriverFailure) -> String {
    let path = full(session.path(location))
    guard isTrellis(path) else {
      throw DriverFailure(["error: '\(location)' is not a checkout of Trellis"], .usage)
    }
    return path
  }

  /// Returns the checkout that this tool was built from, unless the checkout is inside a package's build folder.
  private static func ownCheckout(_ source: String = #filePath) throws(DriverFailure) -> String {
    // Drop `Sources/Tools/SchemaCommands` and the file name.
    let root = source.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
    guard isTrellis(root), !root.contains("/.build/") else {
      throw DriverFailure(
        ["error: the checkout that this tool was built from no longer exists: use '--trellis PATH|URL'"], .usage)
    }
    return root
  }

  private static func isTrellis(_ folder: String) -> Bool {
    let manifest = FileManager.default.contents(atPath: folder + "/Package.swift")
    return manifest.map { String(decoding: $0, as: UTF8.self).contains("name: \"Trellis\"") } ?? false
  }

  private static func full(_ path: String) -> String {
    URL(fileURLWithPath: path.isEmpty ? "." : path).standardizedFileURL.path
  }

  private static func relative(_ path: String, to folder: String) -> String {
    let (to, from) = (URL(fileURLWithPath: path).pathComponents, URL(fileURLWithPath: folder).pathComponents)
    let shared = zip(to, from).prefix { $0 == $1 }.count
    let parts = Array(repeating: "..", count: from.count - shared) + to.dropFirst(shared)
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  private static func quoted(_ text: String) throws(DriverFailure) -> String {
    guard !text.contains(where: { $0 == "\"" || $0 == "\\" || $0.isNewline }) else {
      throw DriverFailure(["error: '\(text)' cannot be used in a manifest: use a different path or URL"], .usage)
    }
    return "\"\(text)\""
  }
}
