import Foundation
import FuzzSupport
import SchemaDiagnostics
import SchemaLint
import SchemaModel
import SchemaShapes

// Runs mutated schemas through the whole tool.
//
//     SchemaFuzz [--count N] [--seed N] [--from N] [--jobs N] [--root FOLDER] [--save FOLDER]
//     SchemaFuzz --server …, which sends edits of the schemas to the language server
//     SchemaFuzz --show N --seed N [--root FOLDER]
//     SchemaFuzz --size MEGABYTES [--shape NAME] [--strict] [--tool PATH] [--write FOLDER]
//
// Schema number N of a seed is the same on all machines, so '--from N --count 1' repeats a failure. Several processes
// test separate ranges. A schema that causes a trap or a hang is saved to a file.

if let size = option("--size").flatMap({ Double($0) }) {
  let shapes = SchemaShape.all.filter { shape in option("--shape").map { shape.name.hasPrefix($0) } ?? true }
  if let folder = option("--write") {
    for shape in shapes {
      let name = shape.name.replacing(" ", with: "-").replacing(",", with: "")
      _ = FileManager.default.createFile(
        atPath: "\(folder)/\(name).schema", contents: Data(shape.text(Int(size * 1_048_576))))
    }
  }
  // Default settings, or all rules.
  var settings = LintSettings()
  if CommandLine.arguments.contains("--strict") {
    settings = LintSettings(profiles: Set(LintProfile.allCases))
    settings.preset = .strict
  }
  exit(Growth(megabytes: size, tool: option("--tool"), settings: settings).run(shapes) ? 0 : 1)
}

let root = option("--root") ?? FileManager.default.currentDirectoryPath
let corpus = Corpus(root: root)
guard !corpus.origins.isEmpty else {
  note("error: there are no schemas below this folder; name the package: --root FOLDER\n")
  exit(2)
}
let isServer = CommandLine.arguments.contains("--server")
let seed = option("--seed").flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
let count = max(1, option("--count").flatMap { Int($0) } ?? 1_000_000)
let first = option("--from").flatMap { Int($0) } ?? 0
let worker = Worker(
  seed: seed, corpus: corpus, board: option("--worker").flatMap { Board($0, isNew: false) }, folder: option("--save"))

if let number = option("--show").flatMap({ Int($0) }) {
  FileHandle.standardOutput.write(Data(worker.text(number).text))
  exit(0)
}
let isAlone = option("--worker") == nil
if !isAlone || count == 1 {
  if isAlone { note(String(decoding: worker.text(first).text, as: UTF8.self) + "\n") }
  let broken = isServer ? worker.edit(first..<(first + count)) : worker.run(first..<(first + count))
  exit(isAlone && broken > 0 ? 1 : 0)
}

let folder =
  option("--save")
  ?? FileManager.default.temporaryDirectory.appendingPathComponent("trellis-fuzz-\(seed)").path
do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
  note("error: \(folder) cannot be made; name another one: --save FOLDER\n")
  exit(2)
}
let jobs = option("--jobs").flatMap { Int($0) } ?? ProcessInfo.processInfo.activeProcessorCount
note("seed \(seed), \(count) texts from \(corpus.origins.count) schemas and \(corpus.words.count) words\n")
let supervisor = Supervisor(
  seed: seed, folder: folder, arguments: ["--root", root] + (isServer ? ["--server"] : []), suffix: "schema",
  words: ("texts", "compile", isServer ? "have answers" : "are formatted"))
exit(supervisor.run(first..<(first + count), jobs: max(1, jobs)))
