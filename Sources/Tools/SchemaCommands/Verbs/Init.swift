import Foundation
import SchemaDiagnostics
package import SchemaDriver
import SchemaSyntax

/// `trellis init`: creates a package, or adds Trellis to a package.
package enum Init: Verb {
  package static let name = "init"
  package static let summary = "Create a package, or add Trellis to a package"
  package static let options: Set<String> = ["--into", "--name", "--target", "--trellis"]
  package static let flags: Set<String> = ["--executable", "--library", "--swift-models", "--yes"]
  package static let help = """
    Usage: trellis init [--executable|--library] [--swift-models] [--name NAME] [--trellis PATH|URL] [FOLDER]
           trellis init --into FOLDER [--target NAME] [--swift-models] [--trellis PATH|URL] [--yes]

    Creates a package in FOLDER (default: the current folder) with a manifest, a model, and code that
    saves and fetches objects, ready for 'swift run'. With '--into', adds Trellis to a target of the
    package in FOLDER: it shows the changes to the manifest and applies them after you enter 'y', or with
    '--yes'. A target that has no models gets one. Existing files are never overwritten.

      --executable       create an executable (default)
      --library          create a library, for 'swift build'
      --swift-models     declare the model in a Swift file, as a '@Model' class with 'import SwiftData'
      --name NAME        the name of the package, target and schema (default: the name of the folder)
      --target NAME      the target that uses Trellis, if the package has several
      --trellis PATH|URL a checkout or repository of Trellis. The default is the path of the checkout that
                         this tool was built from, which works on a single machine. A relative path is
                         written relative to the package. A URL is written with the version of this tool
      --yes              apply the changes to the manifest without asking

    Exits with 1 if the changes were not confirmed, and with 2 if a file already exists or the manifest
    cannot be edited. In the latter case it prints the lines to add.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard !arguments.has("--executable") || !arguments.has("--library") else {
      throw DriverFailure(["error: '--executable' and '--library' cannot be combined"], .usage)
    }
    if let folder = arguments["--into"] { return try extend(folder, arguments, &session) }
    guard arguments.files.count < 2 else {
      throw DriverFailure(["error: 'trellis init' creates a single package: name a single folder"], .usage)
    }
    return try create(arguments.files.first ?? ".", arguments, &session)
  }

  // MARK: New packages

  private static func create(
    _ written: String, _ arguments: Arguments, _ session: inout Session
  ) throws -> ExitStatus {
    guard arguments["--target"] == nil else {
      throw DriverFailure(["error: '--target' requires '--into'; use '--name' for a new package"], .usage)
    }
    let folder = session.path(written)
    guard SchemaPaths.kind(of: folder) != .file else {
      throw DriverFailure(["error: '\(written)' is a file, not a folder"], .usage)
    }
    guard SchemaPaths.kind(of: Session.join(folder, "Package.swift")) == nil else {
      throw DriverFailure(
        ["error: '\(written)' already contains a package: 'trellis init --into \(written)' adds Trellis to it"], .usage)
    }
    let title = URL(fileURLWithPath: folder.isEmpty ? "." : folder).standardizedFileURL.lastPathComponent
    let name = try checked(arguments["--name"] ?? title, isLibrary: arguments.has("--library"))
    let template = PackageTemplate(
      name: name, isLibrary: arguments.has("--library"), hasSwiftModels: arguments.has("--swift-models"))
    let dependency = try TrellisDependency(arguments["--trellis"], of: folder, session)
    var transaction = FileTransaction()
    var kept: [String] = []
    let main = template.isLibrary ? nil : try program(in: Session.join(folder, "Sources/\(name)"))
    for file in template.files(dependency) {
      let path = Session.join(folder, file.path)
      if file.path == template.code, let main, main != path {
        kept.append("\(session.shown(main)): kept as the main file, so no '@main' type was added\n")
      } else if file.path == PackageTemplate.ignored, let old = FileManager.default.contents(atPath: path) {
        let hasBuild = old.range(of: Data(".build".utf8)) != nil
        kept.append("\(session.shown(path)): kept\(hasBuild ? "" : "; add the line '/.build'")\n")
      } else {
        transaction.write(Array(file.text.utf8), to: path) { _ in "the file already exists" }
      }
    }
    try transaction.commit()
    session.say(transaction.paths.map { session.shown($0) + "\n" }.joined())
    session.note(kept.joined())
    let command = template.isLibrary ? "swift build" : "swift run"
    session.note(next(command, in: written))
    return .clean
  }

  /// Returns the existing file with the entry point. A module can contain only one `main.swift` or `@main` type.
  private static func program(in sources: String) throws -> String? {
    guard SchemaPaths.kind(of: sources) == .folder else { return nil }
    return try SchemaPaths.files(below: sources).first { path in
      path.hasSuffix("/main.swift")
        || path.hasSuffix(SchemaPaths.swiftSuffix)
          && FileManager.default.contents(atPath: path)?.range(of: Data("@main".utf8)) != nil
    }
  }

  private static func next(_ command: String, in folder: String) -> String {
    "next: \(folder == "." ? "" : "cd '\(folder)' && ")\(command) (the first build compiles Trellis)\n"
  }

  /// Checks a name for the module and schema.
  private static func checked(_ name: String, isLibrary: Bool) throws(DriverFailure) -> String {
    let isName =
      name.first.map { $0.isLetter || $0 == "_" } ?? false
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && Keyword(rawValue: name) == nil
    guard isName else {
      throw DriverFailure(
        ["error: '\(name)' is not a module name (letters, digits and '_'): choose a name with '--name'"], .usage)
    }
    // The main function's symbol contains the name, and linkers accept only ASCII letters.
    guard isLibrary || name.allSatisfy(\.isASCII) else {
      throw DriverFailure(
        ["error: '\(name)' is not an executable name (ASCII letters, digits and '_'): choose a name with '--name'"],
        .usage)
    }
    // Reject the compiler's main module, the modules that the new files import, and the types that they declare.
    guard !["main", "Foundation", "Swift", "Item", "Program"].contains(name) else {
      throw DriverFailure(["error: '\(name)' is a reserved name: choose a different name with '--name'"], .usage)
    }
    guard !TrellisDependency.targets.contains(name) else {
      throw DriverFailure(
        [
          "error: '\(name)' is also a target of Trellis, and SwiftPM target names must be unique: choose a "
            + "different name with '--name'"
        ], .usage)
    }
    return name
  }

  // MARK: Existing packages

  private static func extend(
    _ written: String, _ arguments: Arguments, _ session: inout Session
  ) throws -> ExitStatus {
    for option in ["--executable", "--library"] where arguments.has(option) {
      throw DriverFailure(["error: '\(option)' is for new packages and cannot be combined with '--into'"], .usage)
    }
    guard arguments.files.isEmpty, arguments["--name"] == nil else {
      throw DriverFailure(["error: '--into' cannot be combined with a folder or '--name'; use '--target'"], .usage)
    }
    let folder = session.path(written)
    let path = Session.join(folder, "Package.swift")
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw DriverFailure(
        ["error: '\(written)' contains no 'Package.swift': 'trellis init \(written)' creates a package"], .usage)
    }
    let manifest = SourceFile(path: session.shown(path), bytes: Array(bytes))
    let dependency = try TrellisDependency(arguments["--trellis"], of: folder, session)
    var template = PackageTemplate(name: "", isLibrary: false, hasSwiftModels: arguments.has("--swift-models"))
    let edits: ManifestEdits
    do {
      edits = try ManifestEdits(
        manifest, target: arguments["--target"],
        adding: .init(dependency: dependency.element, package: dependency.package, product: template.product))
    } catch let refusal as ManifestEdits.Refusal {
      guard !refusal.lacksTarget else {
        throw DriverFailure(
          ["\(manifest.path): error: the package has no target (\(refusal.reason)): add a target first"], .usage)
      }
      throw DriverFailure(
        [
          "\(manifest.path): error: this manifest cannot be edited automatically: \(refusal.reason). Add these lines:",
          "",
          "  // to the package's dependencies", "  \(dependency.element),",
          "  // to the target's dependencies",
          "  .product(name: \"\(template.product)\", package: \"\(dependency.package)\"),",
          "  // to the target's plugins",
          "  .plugin(name: \"GenerateModels\", package: \"\(dependency.package)\"),",
        ], .usage)
    }
    let target = edits.target.name
    guard !TrellisDependency.targets.contains(target) else {
      throw DriverFailure(
        [
          "\(manifest.path): error: '\(target)' is also a target of Trellis, and SwiftPM target names must be "
            + "unique: rename your target first"
        ], .usage)
    }
    let sources = Session.join(folder, edits.path ?? Self.sources(of: target, edits.target.kind, in: folder))
    guard SchemaPaths.kind(of: sources) == .folder else {
      throw DriverFailure(
        ["\(manifest.path): error: the folder '\(session.shown(sources))' of target '\(target)' is missing"], .usage)
    }
    var transaction = FileTransaction()
    let changes = UnifiedDiff.text(from: manifest.bytes, to: edits.edited.bytes, path: manifest.path)
    if !changes.isEmpty { transaction.write(edits.edited.bytes, to: path) }
    if try !hasModels(sources, target, in: folder) {
      let words = try SchemaPaths.files(below: sources).filter { $0.hasSuffix(SchemaPaths.swiftSuffix) }
        .compactMap { FileManager.default.contents(atPath: $0).map { String(decoding: $0, as: UTF8.self) } }
      template = PackageTemplate(
        name: target.replacing(/[^\p{L}\p{N}_]/, with: "_"), isLibrary: edits.target.kind == "target",
        hasSwiftModels: template.hasSwiftModels)
      // Choose a name that the target does not use.
      template.model =
        ["Item", "Entry", "Note"].first { name in !words.contains { $0.contains(name) } } ?? template.name + "Item"
      let file = template.modelFile(in: sources)
      transaction.write(Array(file.text.utf8), to: file.path) { _ in "the file already exists" }
    }
    guard !transaction.isEmpty else {
      session.say("\(manifest.path): nothing to do, target '\(target)' already uses Trellis and has a model\n")
      return .clean
    }
    let summary = changes + transaction.paths.filter { $0 != path }.map { "new: \(session.shown($0))\n" }.joined()
    guard agrees(to: summary, arguments, &session) else {
      session.note("nothing was written\n")
      return .findings
    }
    try transaction.commit()
    session.note(next("swift build", in: written))
    return .clean
  }

  /// Shows the changes. Returns true with `--yes`, or if the user confirms the changes on the terminal.
  private static func agrees(to summary: String, _ arguments: Arguments, _ session: inout Session) -> Bool {
    if arguments.has("--yes") {
      session.say(summary)
      return true
    }
    guard let console = session.console, let answer = console.answer else {
      session.say(summary)
      session.note("standard input is not a terminal: use '--yes' to apply these changes\n")
      return false
    }
    _ = console.write(summary + "Apply these changes? [y/N] ")
    return ["y", "yes"].contains(answer()?.lowercased())
  }

  /// Returns a target's default source folder according to SwiftPM's rules.
  private static func sources(of target: String, _ kind: String, in folder: String) -> String {
    let groups = kind == "testTarget" ? ["Tests", "Sources"] : ["Sources", "Source", "src", "srcs"]
    let found = groups.first { SchemaPaths.kind(of: Session.join(folder, "\($0)/\(target)")) == .folder }
    if let found { return "\(found)/\(target)" }
    // If the package has a single target, the sources may be in the folder itself.
    return groups.first { SchemaPaths.kind(of: Session.join(folder, $0)) == .folder } ?? "Sources/\(target)"
  }

  private static func hasModels(_ sources: String, _ target: String, in folder: String) throws -> Bool {
    let places = [sources, Session.join(folder, "Schemas/\(target)")]
    return try places.filter { SchemaPaths.kind(of: $0) == .folder }.contains { place in
      try SchemaPaths.files(below: place).contains { path in
        path.hasSuffix(SchemaPaths.suffix)
          || path.hasSuffix(SchemaPaths.swiftSuffix)
            && Generation.mayDeclareModels(
              FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? "")
      }
    }
  }
}
