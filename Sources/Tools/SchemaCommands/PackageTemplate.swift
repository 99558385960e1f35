/// The files of a new package.
struct PackageTemplate {
  /// The name of the package, target and schema.
  let name: String
  let isLibrary: Bool
  /// True for models in a Swift file that imports `SwiftData`, false for a schema file.
  let hasSwiftModels: Bool
  /// The name of the model.
  var model = "Item"

  private var module: String { hasSwiftModels ? "SwiftData" : "Trellis" }
  /// The product name in the manifest.
  var product: String { module }
  /// The path of the file with the main type or the library function.
  var code: String { "Sources/\(name)/\(name).swift" }
  /// The path of Git's ignore list.
  static let ignored = ".gitignore"

  func files(_ dependency: TrellisDependency) -> [(path: String, text: String)] {
    [
      ("Package.swift", manifest(dependency)), modelFile(in: "Sources/\(name)"),
      (code, isLibrary ? library : program), (Self.ignored, "/.build\n"),
    ]
  }

  /// Returns the file with the model.
  func modelFile(in folder: String) -> (path: String, text: String) {
    hasSwiftModels ? ("\(folder)/\(model).swift", swiftModel) : ("\(folder)/\(name).schema", schema)
  }

  private func manifest(_ dependency: TrellisDependency) -> String {
    let products = isLibrary ? "\n  products: [.library(name: \"\(name)\", targets: [\"\(name)\"])]," : ""
    let plugin = "[.plugin(name: \"GenerateModels\", package: \"\(dependency.package)\")]"
    let product =
      hasSwiftModels
      ? """
      [
              .product(
                name: "SwiftData", package: "\(dependency.package)",
                condition: .when(platforms: [.linux, .android, .windows, .wasi]))
            ]
      """ : "[.product(name: \"Trellis\", package: \"\(dependency.package)\")]"
    let plugins =
      hasSwiftModels
      ? """
      // Apple's platforms have their own SwiftData.
      #if os(macOS)
        let plugins: [Target.PluginUsage] = []
      #else
        let plugins: [Target.PluginUsage] = \(plugin)
      #endif


      """ : ""
    return """
      // swift-tools-version: 6.3
      import PackageDescription

      \(plugins)let package = Package(
        name: "\(name)",\(hasSwiftModels ? "\n  platforms: [.macOS(.v15), .iOS(.v18)]," : "")\(products)
        dependencies: [
          \(dependency.element)
        ],
        targets: [
          .\(isLibrary ? "target" : "executableTarget")(
            name: "\(name)",
            dependencies: \(product),
            plugins: \(hasSwiftModels ? "plugins" : plugin))
        ]
      )

      """
  }

  private var schema: String {
    """
    schema \(name) 1.0.0

    /// Something to keep.
    @Model
    class \(model) {
        var title: String
        var isDone: Bool = false
        var created: Date = Date.now
    }

    """
  }

  private var swiftModel: String {
    let access = isLibrary ? "public " : ""
    return """
      import Foundation
      import SwiftData

      /// Something to keep.
      @Model
      \(access)final class \(model) {
        \(access)var title: String
        \(access)var isDone: Bool = false
        \(access)var created: Date = Date.now

        \(access)init(title: String) { self.title = title }
      }

      """
  }

  private var library: String {
    """
    import Foundation
    import \(module)

    /// Opens the store in a file, and creates a missing file.
    public func openStore(at url: URL) throws -> ModelContainer {
      try ModelContainer(for: \(model).self, configurations: ModelConfiguration(url: url))
    }

    """
  }

  private var program: String {
    """
    import Foundation
    import \(module)

    @main
    struct Program {
      static func main() {
        do {
          try run()
        } catch {
          // For example a store that does not fit the models any more.
          FileHandle.standardError.write(Data("\(name): \\(error)\\n".utf8))
          exit(1)
        }
      }

      static func run() throws {
        let container = try ModelContainer(for: \(model).self)
        let context = ModelContext(container)
        let number = try context.fetchCount(FetchDescriptor<\(model)>()) + 1
        context.insert(\(model)(title: "\(model) \\(number)"))
        try context.save()
        let open = FetchDescriptor<\(model)>(
          predicate: #Predicate { !$0.isDone }, sortBy: [SortDescriptor(\\.created)])
        for item in try context.fetch(open) { print(item.title, item.created) }
        print("kept in \\(container.configurations.first?.url.path ?? "memory")")
      }
    }

    """
  }
}
