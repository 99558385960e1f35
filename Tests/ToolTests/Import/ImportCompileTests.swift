import Foundation
import SchemaDriver
import SchemaImport
import TestSupport
import TestTraits
import Testing

/// Imported schemas and versions must pass `check`, and the generated Swift must compile with the imported Swift.
@Suite(.waiting) struct ImportCompileTests {
  /// Cases that use the macro '@MyMacro', which no Swift file of a test can declare.
  private static let withForeignMacros: Set<String> = ["Swift/withattrs"]

  /// The cases of a short run: a model with several versions and a mapping, and Swift files with a migration and with
  /// handwritten code. There are only a few, because each case runs the compiler for up to two seconds.
  private static let short: Set<String> = ["Models/Garden", "Swift/stages", "Swift/uses"]

  private static let cases = ImportCase.all.filter {
    Repetitions.isThorough ? !withForeignMacros.contains($0.testDescription) : short.contains($0.testDescription)
  }

  @Test func casesOfAShortRunExist() {
    #expect(Self.short.isSubset(of: ImportCase.all.map(\.testDescription)))
  }

  @Test(arguments: cases)
  func everyCaseChecksAndCompiles(_ test: ImportCase) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("import \(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try test.run(try test.inputs)
    try GeneratedModules(result, in: folder, rest: try test.rest).compile()
  }
}

/// The modules generated from an import: one, or one for each folder with a schema.
struct GeneratedModules {
  let folder: URL
  private let modules: [String: [URL]]
  private let swift: [URL]

  /// - Parameter rest: The handwritten Swift files beside the schema.
  init(_ result: ImportResult, in folder: URL, rest: [String: [UInt8]]) throws {
    self.folder = folder
    var modules: [String: [URL]] = [:]
    let heads = result.files.map(\.path).filter { $0.hasSuffix(".schema") && !$0.contains("versions/") }
    for file in result.files {
      let url = folder.appendingPathComponent(file.path)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.text.utf8).write(to: url)
      let first = file.path.split(separator: "/").first.map(String.init) ?? ""
      let isApart = heads.contains("\(first)/\(first).schema")
      modules[isApart ? first : "App", default: []].append(url)
    }
    self.modules = modules
    swift = try rest.map { path, bytes in
      let url = folder.appendingPathComponent((path as NSString).lastPathComponent)
      try Data(bytes).write(to: url)
      return url
    }
  }

  func compile(sourceLocation: SourceLocation = #_sourceLocation) throws {
    for (module, files) in modules.sorted(by: { $0.key < $1.key }) {
      let schemas = files.map(\.path).filter { !$0.hasSuffix(".swift") }
      let output = folder.appendingPathComponent("Generated \(module)")
      var generation = Generation(
        heads: schemas.filter(Generation.isHead), outputFolder: output.path, module: module, target: module,
        access: nil,
        root: folder.path)
      generation.inputs = schemas.filter { !Generation.isHead($0) }
      let (status, messages) = generation.run()
      #expect(status == .clean, "\(messages)", sourceLocation: sourceLocation)
      guard status == .clean else { continue }
      let generated = try FileManager.default.contentsOfDirectory(atPath: output.path).map { output.path + "/" + $0 }
      let written = (files.filter { $0.pathExtension == "swift" } + swift).map(\.path)
      let problems = try Self.typecheck(
        generated.filter { $0.hasSuffix(".swift") }.sorted() + written, module: module, in: folder)
      #expect(problems.isEmpty, "\(problems)", sourceLocation: sourceLocation)
    }
  }

  /// The compiler's diagnostics; empty if there are none.
  static func typecheck(
    _ files: [String], module: String, in folder: URL, flags: [String] = ["-suppress-warnings"]
  ) throws -> String {
    let products = Bundle.main.bundleURL
    let built = [products, products.deletingLastPathComponent()].map { $0.appendingPathComponent("Modules") }
      .first { FileManager.default.fileExists(atPath: $0.appendingPathComponent("Trellis.swiftmodule").path) }
    let modules = try #require(built, "the runtime is not built beside \(products.path)")
    let macros = built?.deletingLastPathComponent().appendingPathComponent("TrellisMacros-tool").path
    let root = Repository.root
    return try swiftc(
      [
        "-typecheck", "-swift-version", "6", "-parse-as-library", "-module-name", module, "-I", modules.path,
        "-load-plugin-executable", "\(try #require(macros))#TrellisMacros",
        "-I", try foreign(files, folder).path, "-Xcc",
        "-fmodule-map-file=\(root.path)/Sources/Runtime/CSQLite/module.modulemap",
      ] + flags + files)
  }

  /// Creates empty modules in place of those that exist only on Apple's platforms.
  private static func foreign(_ files: [String], _ folder: URL) throws -> URL {
    let place = folder.appendingPathComponent("Foreign")
    guard !FileManager.default.fileExists(atPath: place.path) else { return place }
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let empty = place.appendingPathComponent("empty.swift")
    try Data().write(to: empty)
    let text = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined(separator: "\n")
    for name in ["CoreLocation", "SwiftUI", "UIKit"] where text.contains("import \(name)") {
      let problems = try swiftc(
        [
          "-emit-module", "-parse-as-library", "-module-name", name, "-emit-module-path",
          place.appendingPathComponent("\(name).swiftmodule").path, empty.path,
        ])
      #expect(problems.isEmpty, "\(problems)")
    }
    return place
  }

  private static func swiftc(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swiftc"] + arguments
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? "" : "swiftc ends with \(process.terminationStatus):\n\(text)"
  }
}
