import Foundation
package import SchemaDriver

/// `trellis generate`: writes the files of the build plugin to a folder.
package enum Generate: Verb {
  package static let name = "generate"
  package static let summary = "write the Swift files the build plugin would write"
  package static let options: Set<String> = ["--out", "--module", "--target", "--access", "--config"]
  package static let flags: Set<String> = ["--check"]
  package static let help = """
    Usage: trellis generate --out FOLDER [--module NAME] [--target NAME]
                            [--access internal|package|public] [--config FILE] [--check] [PATH…]

    Generates models, codecs, versions and stages. All of them are written, or none when a schema
    has an error; a file whose content is the same keeps its date, and a file that was not generated
    is never replaced.

    PATH is a schema file or a folder; without one it is every schema below this folder. Released
    versions and their lock are found beside each file, in 'versions'. A Swift file with models may be
    named as well; the types it uses are found in the other Swift files of its target.

      --out FOLDER     where the files go; made when it is not there
      --module NAME    the module they will be part of (the name of the output folder)
      --target NAME    what the files of the target are named after (the module)
      --access LEVEL   of everything whose access the schema does not state (internal)
      --config FILE    instead of the nearest 'schema.config.json', which may state the access and the
                       names of types that the module declares in Swift
      --check          writes nothing, prints how the files differ from what would be written, and ends
                       with 1 when they do

    Generated code names schemas by their paths below '--root', or the current folder.

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
      throw DriverFailure(["error: 'trellis generate' needs a schema file that is edited by hand"], .usage)
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
