import Foundation

/// Compiles generated code with SwiftPM's options and a prebuilt runtime.
struct ModuleCompiler {
  enum Configuration: String, CaseIterable { case debug, release }

  let configuration: Configuration
  /// The package root, built in both configurations.
  let package: URL
  /// The folder for object files.
  let folder: URL
  /// The compiler's module cache, shared by all builds.
  let cache: URL

  var built: URL { package.appendingPathComponent(".build/\(configuration.rawValue)") }

  /// The generator, built in this configuration.
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

  /// Compiles a module and returns the time in seconds. Debug builds are incremental.
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
      "-load-plugin-executable", built.appendingPathComponent("TrellisMacros-tool").path + "#TrellisMacros",
      "-I", built.appendingPathComponent("Modules").path, "-Xcc", "-fmodule-map-file=\(modulemap)",
    ] + sources.map(\.path)
  }

  private func file(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
