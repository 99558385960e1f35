import Foundation

/// Measures how long the toolchain takes to generate and build code.
///
/// The runtime is built in advance. From the seconds per model, the time for a module with a single model is
/// subtracted, because it includes the compiler launch.
struct BuildRows {
  let package: URL
  let folder: URL
  let rounds: Int
  /// True to omit the rows for single modules, which take the most time.
  let onlyCold: Bool

  private static let sizes = [1, 10, 50, 200]

  func measure() throws -> [Row] {
    var rows: [Row] = []
    if onlyCold { return [try lines()] + (try ColdBuilds(library: package, folder: folder).measure()) }
    rows += try PredicateRows(compiler: { compiler(.debug, $0) }, folder: folder, rounds: rounds).measure()
    rows += try SwiftModelRows(compiler: { compiler(.debug, $0) }, folder: folder, rounds: rounds).measure()
    for configuration in ModuleCompiler.Configuration.allCases {
      for access in ["internal", "public"] { rows += try scaling(configuration, access) }
    }
    rows.append(try edit())
    rows.append(try debugGenerator())
    rows.append(try lines())
    return rows + (try ColdBuilds(library: package, folder: folder).measure())
  }

  private func scaling(
    _ configuration: ModuleCompiler.Configuration, _ access: String
  ) throws -> [Row] {
    let limit =
      configuration == .debug ? 0.15 : 0.3
    var single: Double?
    return try Self.sizes.map { size in
      var row = Row(
        name: "compile-\(configuration.rawValue)-\(access)-\(size)",
        title: "compile \(configuration.rawValue), \(size) \(access), one",
        unit: "s", limit: size < 10 ? nil : limit, isAbsolute: true)
      Console.note("\(row.name) ", end: "")
      // An unmeasured first build fills the module cache.
      for round in (size == 1 ? -1 : 0)..<rounds {
        let place = folder.appendingPathComponent("\(row.name)-\(round)")
        let time = try compiler(configuration, place).compile(
          try generated(size, access, configuration, in: place))
        if round >= 0 { row.ours.append(single.map { (time - $0) / Double(size - 1) } ?? time) }
        try? FileManager.default.removeItem(at: place)
        Console.note(String(format: "%.1f s ", time), end: "")
      }
      Console.note("")
      if size == 1 { single = row.oursMedian }
      return row
    }
  }

  /// Measures the time from saving a schema with two models to a compiled debug module, excluding SwiftPM's planning.
  private func edit() throws -> Row {
    var row = Row(
      name: "edit", title: "schema edit, 2 models, debug", unit: "s",
      limit: 4, isAbsolute: true)
    Console.note(row.name)
    for round in 0..<rounds {
      let place = folder.appendingPathComponent("edit-\(round)")
      let compiler = compiler(.debug, place)
      let output = try generated(2, "internal", .debug, in: place)
      _ = try compiler.compile(output)
      let schema = place.appendingPathComponent("Large.schema")
      let text = try String(contentsOf: schema, encoding: .utf8)
      let edited = text.replacingOccurrences(
        of: "  var title: String\n", with: "  var title: String\n  var subtitle: String?\n")
      try Data(edited.utf8).write(to: schema)
      let (compiled, time) = try Sample.time {
        try compiler.generate(schema, access: "internal", into: output)
        return try compiler.compile(output)
      }
      _ = compiled
      row.ours.append(time / 1000)
    }
    return row
  }

  private func debugGenerator() throws -> Row {
    Console.note("generate-debug")
    return try GeneratorRow.measure(
      GeneratorRow(
        name: "generate-debug", models: 1000, limit: 2500,
        tool: compiler(.debug, folder).tool),
      rounds: rounds, in: folder)
  }

  /// The number of generated lines for a model with ten attributes, including models and codecs.
  private func lines() throws -> Row {
    let place = folder.appendingPathComponent("lines")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let schema = place.appendingPathComponent("Large.schema")
    try Data(SyntheticSchema.tenAttributes.utf8).write(to: schema)
    let output = place.appendingPathComponent("Large")
    try compiler(.debug, place).generate(schema, access: "internal", into: output)
    let files = try FileManager.default.contentsOfDirectory(at: output, includingPropertiesForKeys: nil)
    let count = try files.filter {
      $0.lastPathComponent.hasSuffix("+Models.swift") || $0.lastPathComponent.hasSuffix("+Codecs.swift")
    }.map {
      try String(contentsOf: $0, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false).count - 1
    }
    return Row(
      name: "generated-lines", title: "generated for ten attributes", unit: "lines", limit: 200,
      ours: [Double(count.reduce(0, +))], isAbsolute: true)
  }

  private func compiler(_ configuration: ModuleCompiler.Configuration, _ place: URL) -> ModuleCompiler {
    ModuleCompiler(
      configuration: configuration, package: package,
      folder: place.appendingPathComponent("objects"), cache: folder.appendingPathComponent("cache"))
  }

  private func generated(
    _ models: Int, _ access: String, _ configuration: ModuleCompiler.Configuration, in place: URL
  ) throws -> URL {
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let schema = place.appendingPathComponent("Large.schema")
    try Data(SyntheticSchema.plain(models: models).utf8).write(to: schema)
    let output = place.appendingPathComponent("Large")
    try compiler(configuration, place).generate(schema, access: access, into: output)
    return output
  }
}
