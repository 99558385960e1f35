import Foundation
import SchemaDriver

// The build tool plugin's executable:
//
//     trellis-generate --out FOLDER --module NAME --target NAME --root FOLDER [--access LEVEL]
//                      [--config FILE] [--swift-file FILE]… [--complete FOLDER]… [--input FILE]… HEAD…
//
// If no HEAD is given, the tool writes only the macros.

func generation(_ arguments: Arguments) throws -> Generation {
  let configured = try arguments["--config"].map { try Configuration.read($0) }
  var generation = Generation(
    heads: arguments.files, outputFolder: try arguments.required("--out"),
    module: try arguments.required("--module"), target: try arguments.required("--target"),
    access: try configured?.access ?? arguments.access(),
    root: arguments["--root"] ?? "")
  generation.declares = configured?.declares ?? []
  generation.swiftFiles = arguments.options["--swift-file"] ?? []
  generation.inputs = arguments.options["--input"] ?? []
  generation.completeFolders = arguments.options["--complete"] ?? []
  return generation
}

do {
  let arguments = try Arguments(
    CommandLine.arguments.dropFirst(),
    options: [
      "--out", "--module", "--target", "--root", "--access", "--config", "--swift-file", "--complete",
      "--input",
    ])
  let (status, messages) = try generation(arguments).run()
  exit(StandardStream.finish(status, output: messages).rawValue)
} catch let failure as DriverFailure {
  exit(StandardStream.finish(failure.status, output: failure.messages.joined(separator: "\n") + "\n").rawValue)
}
