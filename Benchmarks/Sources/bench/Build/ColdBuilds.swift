import Foundation

/// Measures full builds: the smallest app with a single model, and the same app with SQLite's C API.
struct ColdBuilds {
  /// The library's package.
  let library: URL
  let folder: URL

  private enum Program: String, CaseIterable { case raw, ours }

  /// The results for both apps.
  private struct Result {
    var cold: [Program: BuildUsage] = [:]
    var nothing: [Program: BuildUsage] = [:]
    var executable: [Program: Int] = [:]
  }

  /// Measures each configuration once, because a build takes minutes.
  func measure() throws -> [Row] {
    let release = try measure("release")
    let debug = try measure("debug")
    return [
      row("cold-release", "cold release build", "CPU s", release.cold, 210, \.seconds),
      row("cold-release-memory", "peak memory", "MiB", release.cold, 1331, \.mebibytes),
      row("cold-debug", "cold debug build", "CPU s", debug.cold, 75, \.seconds),
      row("cold-debug-memory", "peak memory", "MiB", debug.cold, nil, \.mebibytes),
      row("nothing-to-do", "debug build, nothing to do", "CPU s", debug.nothing, 1.5, \.seconds),
      size("executable", "release executable", release.executable),
    ]
  }

  private func measure(_ configuration: String) throws -> Result {
    var result = Result()
    for program in Program.allCases {
      Console.note("cold \(configuration) build, \(program): takes several minutes")
      let place = folder.appendingPathComponent("cold-\(configuration)-\(program)")
      switch program {
      case .raw: try RawPackage(headers: library).write(to: place)
      case .ours: try ConsumerPackage(library: library).write(to: place)
      }
      result.cold[program] = try BuildUsage.measure(place, configuration)
      // The first build after a clean build plans again, because the plugin's outputs now exist.
      _ = try BuildUsage.measure(place, configuration)
      result.nothing[program] = try BuildUsage.measure(place, configuration)
      let built = place.appendingPathComponent(".build/\(configuration)/Program").resolvingSymlinksInPath()
      result.executable[program] = try FileManager.default.attributesOfItem(atPath: built.path)[.size] as? Int
      try FileManager.default.removeItem(at: place)
    }
    return result
  }

  private func row(
    _ name: String, _ title: String, _ unit: String, _ usage: [Program: BuildUsage], _ limit: Double?,
    _ value: (BuildUsage) -> Double
  ) -> Row {
    Row(
      name: name, title: title, unit: unit, limit: limit, raw: usage[.raw].map { [value($0)] } ?? [],
      ours: usage[.ours].map { [value($0)] } ?? [], isAbsolute: true)
  }

  private func size(_ name: String, _ title: String, _ sizes: [Program: Int]) -> Row {
    func mebibytes(_ program: Program) -> [Double] { sizes[program].map { [Double($0) / 1_048_576] } ?? [] }
    return Row(
      name: name, title: title, unit: "MiB", limit: nil, raw: mebibytes(.raw), ours: mebibytes(.ours),
      isAbsolute: true)
  }
}

extension BuildUsage {
  fileprivate var mebibytes: Double { Double(peakBytes) / 1_048_576 }
}

/// The ``ConsumerPackage`` app with SQLite's C API. It creates a table and inserts a row.
private struct RawPackage {
  /// The package that contains the module map for SQLite's headers.
  let headers: URL

  func write(to folder: URL) throws {
    let sources = folder.appendingPathComponent("Sources/Program")
    let module = folder.appendingPathComponent("Sources/CSQLiteRaw")
    for folder in [sources, module] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    for file in ["module.modulemap", "shim.h"] {
      try FileManager.default.copyItem(
        at: headers.appendingPathComponent("Benchmarks/Sources/CSQLiteRaw/\(file)"),
        to: module.appendingPathComponent(file))
    }
    try Data(Self.manifest.utf8).write(to: folder.appendingPathComponent("Package.swift"))
    try Data(Self.program.utf8).write(to: sources.appendingPathComponent("main.swift"))
  }

  private static let manifest = """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "Program",
      targets: [
        .systemLibrary(name: "CSQLiteRaw", pkgConfig: "sqlite3"),
        .executableTarget(name: "Program", dependencies: ["CSQLiteRaw"]),
      ])
    """

  private static let program = """
    import CSQLiteRaw

    var database: OpaquePointer?
    var statement: OpaquePointer?
    guard sqlite3_open(":memory:", &database) == SQLITE_OK,
      sqlite3_exec(database, "CREATE TABLE Trip (id INTEGER PRIMARY KEY, name TEXT, days INTEGER)", nil, nil, nil)
        == SQLITE_OK,
      sqlite3_prepare_v2(database, "INSERT INTO Trip (name, days) VALUES (?, ?)", -1, &statement, nil) == SQLITE_OK,
      sqlite3_bind_text(statement, 1, "Lofoten", -1, nil) == SQLITE_OK,
      sqlite3_bind_int64(statement, 2, 3) == SQLITE_OK, sqlite3_step(statement) == SQLITE_DONE
    else { fatalError(String(cString: sqlite3_errmsg(database))) }
    """
}
