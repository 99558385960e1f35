import Foundation

/// A minimal app with a single model and the build plugin.
struct ConsumerPackage {
  /// The library's package.
  let library: URL

  func write(to folder: URL) throws {
    let sources = folder.appendingPathComponent("Sources/Program")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    try Data(manifest.utf8).write(to: folder.appendingPathComponent("Package.swift"))
    try Data(Self.schema.utf8).write(to: sources.appendingPathComponent("Program.schema"))
    try Data(Self.program.utf8).write(to: sources.appendingPathComponent("main.swift"))
  }

  private var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "Program",
      dependencies: [.package(name: "Trellis", path: "\(library.path)")],
      targets: [
        .executableTarget(
          name: "Program", dependencies: [.product(name: "Trellis", package: "Trellis")],
          plugins: [.plugin(name: "GenerateModels", package: "Trellis")])
      ])
    """
  }

  private static let schema = """
    @Model
    final class Trip {
      var name: String
      var days: Int = 3
    }
    """

  private static let program = """
    import Trellis

    let container = try ModelContainer(
      for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Trip(name: "Lofoten"))
    try context.save()
    """
}
