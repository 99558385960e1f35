import Foundation
package import SchemaDriver

/// `trellis generate`: what the build plugin does, into a folder of one's choice.
package enum Generate: Verb {
  package static let name = "generate"
  package static let summary = "write the Swift files the build plugin would write"
  package static let options: Set<String> = ["--out", "--module", "--target", "--access", "--root"]
  package static let help = """
    Usage: trellis generate --out FOLDER [--module NAME] [--target NAME]
                            [--access internal|package|public] [--root FOLDER] FILES…

    Generates models, codecs, versions and stages. All of them are written, or none when a schema
    has an error; a file whose content is the same keeps its date.

      --out FOLDER     where the files go; made when it is not there
      --module NAME    the module they will be part of (the name of the output folder)
      --target NAME    what the files of the target are named after (the module)
      --access LEVEL   of everything whose access the schema does not state (internal)
      --root FOLDER    is left out of paths in generated code (the current folder)

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard !arguments.files.isEmpty else {
      throw DriverFailure(["error: 'trellis generate' needs schema files"], .usage)
    }
    let files = arguments.files.map(session.path)
    let folder = try arguments.required("--out")
    let module = arguments["--module"] ?? URL(fileURLWithPath: folder).lastPathComponent
    var generation = Generation(
      heads: files.filter(Generation.isHead), outputFolder: session.path(folder), module: module,
      target: arguments["--target"] ?? module, access: try arguments.access(),
      root: arguments["--root"].map(session.path) ?? FileManager.default.currentDirectoryPath)
    generation.inputs = files.filter { !Generation.isHead($0) }
    let (status, messages) = generation.run()
    session.say(messages)
    return status
  }
}
