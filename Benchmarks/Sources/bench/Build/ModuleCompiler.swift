import Foundation

/// Compiles generated code as SwiftPM would, against a runtime that is built already.
struct ModuleCompiler {
  enum Configuration: String, CaseIterable { case debug, release }

  let configuration: Configuration
  /// The root of the package with the runtime, built in both configurations.
  let package: URL
  /// Where the objects go.
  let folder: URL
  /// Where the compiler keeps the modules of C libraries, for one build after another.
  let cache: URL

  var built: URL { package.appendingPathComponent(".build/\(configuration.rawValue)") }

  /// The tool that generates, of the same configuration.
  var tool: URL { built.appendingPathComponent("trellis") }

  func generate(_ schema: URL, access: String, into output: URL) throws {
    let outcome = try Child.run(
      tool,
      [
        "generate", "--out", output.path, "--module", "Large", "--access", access, "--root",
        schema.deletingLastPathComponent().path, schema.path,
      ])
    if let problem = outcome.problem { throw RawFailure(description: "'trellis generate' \(problem)") }
  }

  /// Seconds until the module is built; of a debug build what has not changed stays as it is.
  func compile(_ output: URL) throws -> Double {
    let sources = try FileManager.default.contentsOfDirectory(
      at: output, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
    let arguments = try arguments(sources)
    let (outcome, time) = try Sample.time {
      try Child.run(URL(fileURLWithPath: "/usr/bin/env"), ["swiftc"] + arguments)
    }
    if let problem = outcome.problem { throw RawFailure(description: "'swiftc' \(problem)") }
    return time / 1000
  }

  private func arguments(_ sources: [URL]) throws -> [String] {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var map: [String: [String: String]] = ["": ["swift-dependencies": file("Large.swiftdeps")]]
    for source in sources {
      let name = source.deletingPathExtension().lastPathComponent
      map[source.path] = [
        "object": file("\(name).o"), "swift-dependencies": file("\(name).swiftdeps"),
        "swiftmodule": file("\(name)~partial.swiftmodule"),
      ]
    }
    try JSONEncoder().encode(map).write(to: URL(fileURLWithPath: file("map.json")))
    let own =
      configuration == .debug
      ? ["-Onone", "-enable-testing", "-incremental", "-j2"]
      : ["-O", "-whole-module-optimization", "-num-threads", "2"]
    let modulemap = package.appendingPathComponent("Sources/Runtime/CSQLite/module.modulemap").path
    return own + [
      "-module-name", "Large", "-parse-as-library", "-c", "-g", "-swift-version", "6",
      "-emit-module", "-emit-module-path", file("Large.swiftmodule"),
      "-output-file-map", file("map.json"), "-module-cache-path", cache.path,
      "-I", built.appendingPathComponent("Modules").path, "-Xcc", "-fmodule-map-file=\(modulemap)",
    ] + sources.map(\.path)
  }

  private func file(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
