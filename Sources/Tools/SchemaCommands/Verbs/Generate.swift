import Foundation
package import SchemaDriver

/// `trellis generate`: writes the same files as the build plugin.
package enum Generate: Verb {
  package static let name = "generate"
  package static let summary = "Generate the same Swift files as the build plugin"
  package static let options: Set<String> = ["--out", "--module", "--target", "--access", "--config"]
  package static let flags: Set<String> = ["--check"]
  package static let help = """
    Usage: trellis generate --out FOLDER [--module NAME] [--target NAME]
                            [--access internal|package|public] [--config FILE] [--check] [PATH…]

    Generates models, codecs, versions and stages. If a schema has an error, nothing is written. A file
    whose contents are unchanged keeps its date, and a file that was not generated is never replaced.

    PATH is a schema file or a folder. The default is every schema below the current folder. Released
    versions and lock files are read from the 'versions' folder next to each file. PATH can also be a
    Swift file with models; the types that it uses are found in the target's other Swift files.

      --out FOLDER     the output folder, which is created if it is missing
      --module NAME    the module that contains the output (default: the name of the output folder)
      --target NAME    the target, which output files are named after (default: the module)
      --access LEVEL   the access level if the schema states none (default: internal)
      --config FILE    use this file instead of the nearest 'schema.config.json'. It can set the access
                       level and list the names of types that the module declares in Swift
      --check          print the differences from the existing files, write nothing, and exit with 1 if
                       there are any

    Generated code refers to schemas by their paths relative to '--root' or the current folder.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let folder = try arguments.required("--out")
    let module = arguments["--module"] ?? URL(fileURLWithPath: folder).lastPathComponent
    // A lock file is not a head file.
    let locks = arguments.files.filter { $0.hasSuffix(SchemaPaths.lockSuffix) }
    let others = arguments.files.filter { !$0.hasSuffix(SchemaPaths.lockSuffix) }
    let files = try SchemaPaths.files(
      others, session, swift: others.contains { $0.hasSuffix(SchemaPaths.swiftSuffix) })
    let heads = files.filter(Generation.isHead)
    guard !heads.isEmpty else {
      throw DriverFailure(["error: 'trellis generate' needs a schema file that is not a released version"], .usage)
    }
    var inputs = Set(locks.map(session.path) + files.filter { !Generation.isHead($0) })
    let targets = Set(heads.filter { $0.hasSuffix(SchemaPaths.swiftSuffix) }.map { SwiftTarget(ofFile: $0) })
    let folders = Set(heads.map(SchemaFolder.folder) + targets.map(\.home))
    for folder in folders { inputs.formUnion(try SchemaFolder.inputs(of: folder)) }
    let configuration = try Configuration.find(for: SchemaFolder.folder(of: heads[0]), arguments, session)
    var generation = Generation(
      heads: heads, outputFolder: session.path(folder), module: module,
      target: arguments["--target"] ?? module, access: try arguments.access() ?? configuration?.access,
      root: session.folder.isEmpty ? FileManager.default.currentDirectoryPath : session.folder)
    generation.declares = configuration?.declares ?? []
    generation.inputs = inputs.sorted()
    generation.swiftFiles = try targets.flatMap { try $0.files() }.filter { !heads.contains($0) }
    guard !arguments.has("--check") else { return try check(generation, &session) }
    let (status, messages) = generation.run()
    session.say(messages)
    return status
  }

  private static func check(_ generation: Generation, _ session: inout Session) throws -> ExitStatus {
    let (files, messages) = try generation.stale()
    session.note(messages)
    for file in files { session.say(UnifiedDiff.text(from: file.old, to: file.new, path: file.path)) }
    return files.isEmpty ? .clean : .findings
  }
}
