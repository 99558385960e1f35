import Foundation
import SchemaCommands
import SchemaDriver
import TestSupport
import Testing

/// Tests of `trellis init`. `Tests/Consumers/run.sh` builds and runs the packages.
@Suite struct InitTests {
  @Test func newProgram() throws {
    try play { place in
      let (status, text) = place.run("init", "Journeys")
      #expect(status == .clean)
      #expect(
        text == """
          Journeys/Package.swift
          Journeys/Sources/Journeys/Journeys.schema
          Journeys/Sources/Journeys/Journeys.swift
          Journeys/.gitignore
          next: cd 'Journeys' && swift run (the first build compiles Trellis)

          """)
      #expect(
        try place.read("Journeys/Package.swift") == """
          // swift-tools-version: 6.3
          import PackageDescription

          let package = Package(
            name: "Journeys",
            dependencies: [
              .package(name: "Trellis", path: "\(Repository.root.path)")
            ],
            targets: [
              .executableTarget(
                name: "Journeys",
                dependencies: [.product(name: "Trellis", package: "Trellis")],
                plugins: [.plugin(name: "GenerateModels", package: "Trellis")])
            ]
          )

          """)
      for verb in [["check"], ["lint"], ["format", "--check"]] { #expect(place.run(verb).status == .clean, "\(verb)") }
      // Existing files are not overwritten.
      let before = try place.contents()
      #expect(place.run("init", "Journeys").text.contains("'trellis init --into Journeys' adds Trellis"))
      try FileManager.default.removeItem(at: place.root.appendingPathComponent("Journeys/Package.swift"))
      let again = place.run("init", "Journeys")
      #expect(again.status == .usage)
      #expect(
        again.text == "Journeys/Sources/Journeys/Journeys.schema: error: the file already exists; nothing was changed\n"
      )
      #expect(try place.contents() == before.filter { $0.key != "Journeys/Package.swift" })
    }
  }

  @Test func packageNamesAndLocations() throws {
    try play { place in
      func manifest(_ arguments: String...) throws -> String {
        let folder = "p\(Int.random(in: 0..<1_000_000))"
        let (status, text) = place.run(["init", "--name", "App", folder] + arguments)
        #expect(status == .clean, "\(text)")
        return try place.read(folder + "/Package.swift")
      }
      try place.write("trellis/Package.swift", "let package = Package(name: \"Trellis\")")
      #expect(try manifest("--trellis", "trellis").contains(".package(name: \"Trellis\", path: \"../trellis\")"))
      let url = try manifest("--library", "--trellis", "https://example.com/our/trellis.git")
      #expect(url.contains(".package(url: \"https://example.com/our/trellis.git\", from: \"\(ToolVersion.text)\")"))
      #expect(url.contains(".product(name: \"Trellis\", package: \"trellis\")"))
      #expect(url.contains("products: [.library(name: \"App\", targets: [\"App\"])]"))
      let models = try manifest("--swift-models")
      #expect(models.contains("name: \"SwiftData\", package: \"Trellis\",") && models.contains("plugins: plugins)"))
      let refused: [([String], String)] = [
        (["--name", "App", "--trellis", "nowhere"], "'nowhere' is not a checkout of Trellis"),
        (["--name", "a b"], "'a b' is not a module name"), (["--name", "Trellis"], "'Trellis' is also a target"),
        (["trips"], "'trips' is also a target of Trellis"), (["Schema"], "choose a different name with '--name'"),
        (["main"], "'main' is a reserved name"), (["--library", "main"], "'main' is a reserved name"),
        (["Größe"], "'Größe' is not an executable name (ASCII letters, digits and '_')"),
        (["trellis/Package.swift"], "'trellis/Package.swift' is a file, not a folder"),
        (["--library", "--executable"], "cannot be combined"), (["one", "two"], "name a single folder"),
      ]
      for (arguments, message) in refused {
        let (status, text) = place.run(["init"] + arguments)
        #expect(status == .usage && text.contains(message), "\(text)")
      }
    }
  }

  /// SwiftPM cannot build two targets with the same name.
  @Test func targetNamesOfTrellisAreReserved() throws {
    func folders(below path: String) throws -> [String] {
      let base = Repository.root.appending(path: path)
      return try FileManager.default.contentsOfDirectory(atPath: base.path).filter { name in
        // A branch may have left an empty folder.
        let files = FileManager.default.enumerator(atPath: base.appending(path: name).path)
        return files?.contains { ($0 as? String)?.contains(/\.(swift|modulemap|c)$/) ?? false } ?? false
      }
    }
    // `Package.swift` sets differently named folders for these targets.
    var names: Set = ["SchemaTool", "StoreTool", "PostgresTool"]
    names.formUnion(try folders(below: "Plugins"))
    for group in try folders(below: "Sources") { names.formUnion(try folders(below: "Sources/\(group)")) }
    #expect(TrellisDependency.targets == names)
    let manifest = try Repository.text("Package.swift")
    for name in names {
      let isDeclared = try Regex(#"(module|program|command)\(\s*"\#(name)"|name: "\#(name)"|\("\#(name)", ""#)
      #expect(try isDeclared.firstMatch(in: manifest) != nil, "\(name)")
    }
  }

  @Test func existingFilesAreKept() throws {
    try play { place in
      try place.write("Journeys/.gitignore", "*.log\n")
      try place.write("Journeys/README.md", "Mine\n")
      try place.write("Journeys/Sources/Journeys/main.swift", "print(1)\n")
      let (status, text) = place.run("init", "Journeys")
      #expect(status == .clean)
      #expect(
        text == """
          Journeys/Package.swift
          Journeys/Sources/Journeys/Journeys.schema
          Journeys/Sources/Journeys/main.swift: kept as the main file, so no '@main' type was added
          Journeys/.gitignore: kept; add the line '/.build'
          next: cd 'Journeys' && swift run (the first build compiles Trellis)

          """)
      #expect(
        try place.files == [
          "Journeys/.gitignore", "Journeys/Package.swift", "Journeys/README.md",
          "Journeys/Sources/Journeys/Journeys.schema", "Journeys/Sources/Journeys/main.swift",
        ])
      #expect(try place.read("Journeys/.gitignore") == "*.log\n")
      try place.write("Commuting/Sources/Commuting/Start.swift", "@main struct Start { static func main() {} }\n")
      #expect(place.run("init", "Commuting").text.contains("Start.swift: kept as the main file, so no '@main' type"))
      try place.write("Library/.gitignore", ".build/\n")
      #expect(place.run("init", "--library", "Library").text.contains("Library/.gitignore: kept\nnext: "))
    }
  }

  private static let added = ".package(name: \"Trellis\", path: \"../trellis\")"

  /// Manifests before and after Trellis is added.
  static let manifests: [(before: String, after: String)] = [
    (
      """
      // swift-tools-version: 6.3
      import PackageDescription

      let package = Package(
          name: "App",
          targets: [
              // The target.
              .executableTarget(
                  name: "App"
              ),
          ]
      )

      """,
      """
      // swift-tools-version: 6.3
      import PackageDescription

      let package = Package(
          name: "App",
          dependencies: [
              \(added)
          ],
          targets: [
              // The target.
              .executableTarget(
                  name: "App",
                  dependencies: [.product(name: "Trellis", package: "Trellis")],
                  plugins: [.plugin(name: "GenerateModels", package: "Trellis")]
              ),
          ]
      )

      """
    ),
    (
      """
      let package = Package(name: "App", dependencies: [.package(url: "u/x", from: "1.0.0")], targets: [
        .target(name: "App", dependencies: ["x"], path: "Code", plugins: []), .testTarget(name: "T")
      ])
      """,
      """
      let package = Package(name: "App", dependencies: [.package(url: "u/x", from: "1.0.0"), \(added)], targets: [
        .target(name: "App", dependencies: ["x", .product(name: "Trellis", package: "Trellis")], path: "Code", plugins: [.plugin(name: "GenerateModels", package: "Trellis")]), .testTarget(name: "T")
      ])
      """
    ),
    (
      """
      let package = Package(
        name: "App",
        dependencies: [
          .package(path: "../trellis"), // here
          .package(path: "../y") // there
        ],
        targets: [
          .target(
            name: "App",
            dependencies: [
              .product(name: "Y", package: "y"),
            ],
            swiftSettings: [.enableUpcomingFeature("ExistentialAny")],
          )
        ]
      )
      """,
      """
      let package = Package(
        name: "App",
        dependencies: [
          .package(path: "../trellis"), // here
          .package(path: "../y") // there
        ],
        targets: [
          .target(
            name: "App",
            dependencies: [
              .product(name: "Y", package: "y"),
              .product(name: "Trellis", package: "trellis"),
            ],
            swiftSettings: [.enableUpcomingFeature("ExistentialAny")],
            plugins: [.plugin(name: "GenerateModels", package: "trellis")],
          )
        ]
      )
      """
    ),
    (
      """
      let package = Package(
        name: "App",
        dependencies: [
          .package(path: "../y") // there
        ],
        targets: [.target(name: "App")]
      )
      """,
      """
      let package = Package(
        name: "App",
        dependencies: [
          .package(path: "../y"), // there
          \(added)
        ],
        targets: [.target(name: "App", dependencies: [.product(name: "Trellis", package: "Trellis")], plugins: [.plugin(name: "GenerateModels", package: "Trellis")])]
      )
      """
    ),
  ]

  @Test(arguments: manifests.indices) func manifestsAreExtended(_ index: Int) throws {
    let (before, after) = Self.manifests[index]
    let folder = before.contains("\"Code\"") ? "App/Code" : "App/Sources/App"
    try play { place in
      try place.write("trellis/Package.swift", "let package = Package(name: \"Trellis\")")
      try place.write("App/Package.swift", before)
      try place.write("\(folder)/App.swift", "let Item = 1")
      let call = ["init", "--into", "App", "--trellis", "trellis"]
      // The question can only be answered at a terminal.
      let start = try place.contents()
      let asked = place.run(call)
      #expect(asked.status == .findings)
      #expect(asked.text.hasPrefix("--- App/Package.swift\n+++ App/Package.swift\n@@ "), "\(asked.text)")
      #expect(
        asked.text.hasSuffix(
          "standard input is not a terminal: use '--yes' to apply these changes\nnothing was written\n"))
      #expect(try place.contents() == start)
      let agreed = place.run(call + ["--yes"])
      #expect(agreed.status == .clean)
      #expect(agreed.text.hasSuffix("next: cd 'App' && swift build (the first build compiles Trellis)\n"))
      #expect(try place.read("App/Package.swift") == after)
      // The target already has a type 'Item'.
      #expect(try place.read("\(folder)/App.schema").contains("class Entry {"))
      #expect(
        place.run(call).text == "App/Package.swift: nothing to do, target 'App' already uses Trellis and has a model\n")
    }
  }

  @Test func aPackageNeedsATarget() throws {
    try play { place in
      for targets in ["", ", targets: []"] {
        try place.write("Package.swift", "let package = Package(name: \"A\"\(targets))")
        let (status, text) = place.run("init", "--into", ".", "--yes")
        #expect(status == .usage)
        #expect(text.hasPrefix("Package.swift: error: the package has no target ("), "\(text)")
        #expect(text.hasSuffix("): add a target first\n"), "\(text)")
      }
      try place.write("Package.swift", "let package = Package(name: \"A\", targets: [.target(name: \"trips\")])")
      let (status, text) = place.run("init", "--into", ".", "--yes")
      #expect(status == .usage && text.contains("'trips' is also a target of Trellis"), "\(text)")
    }
  }

  @Test func unwritableFilesAreNamed() throws {
    try play { place in
      try place.write("F", "a file\n")
      let inside = place.run("init", "F/App")
      #expect(inside.status == .usage)
      #expect(
        inside.text.hasSuffix(
          "F/App/Package.swift: error: cannot write to this path; nothing was changed: 'F' is a file\n"),
        "\(inside.text)")
      // Permissions do not stop the superuser.
      guard geteuid() != 0 else { return }
      try place.write("P/Package.swift", "let package = Package(name: \"P\", targets: [.target(name: \"P\")])")
      try place.write("P/Sources/P/P.swift", "")
      let sources = place.root.appendingPathComponent("P/Sources/P").path
      #expect(chmod(sources, 0o555) == 0)
      let (status, text) = place.run("init", "--into", "P", "--yes")
      #expect(chmod(sources, 0o755) == 0)
      #expect(status == .usage)
      #expect(
        text.contains("P/Sources/P/P.schema: error: cannot write to this path; nothing was changed: folder "),
        "\(text)")
      #expect(try place.files == ["F", "P/Package.swift", "P/Sources/P/P.swift"])
    }
  }

  static let refusals: [(manifest: String, reason: String)] = [
    ("let package = Package(name: \"A\", targets: make())", "'targets' is not an array literal"),
    ("let package = Package(name: \"A\", targets: [.target(name: \"A\")] + more)", "'targets' is not an array literal"),
    ("let package = Package(name: \"A\", targets: [module(\"A\")])", "there is no target of the form '.target("),
    (
      "let package = Package(name: \"A\", targets: [.target(name: \"A\"), .target(name: \"B\")])",
      "there are several targets: choose one with '--target' ('A', 'B')"
    ),
    (
      "let package = Package(name: \"A\", targets: [.target(name: \"A\", plugins: plugins)])",
      "'plugins' is not an array literal"
    ),
    (
      "let package = Package(\n#if os(Linux)\nname: \"A\",\n#endif\ntargets: [])",
      "the call 'Package(…)' contains conditions"
    ),
    ("let package = make()", "there must be exactly one call 'Package(…)'"),
    ("let package = Package(", "it does not parse"),
  ]

  @Test(arguments: refusals) func uneditableManifests(manifest: String, reason: String) throws {
    try play { place in
      try place.write("Package.swift", manifest)
      let (status, text) = place.run("init", "--into", ".", "--yes", "--trellis", "https://example.com/trellis")
      #expect(status == .usage)
      #expect(
        text.hasPrefix("Package.swift: error: this manifest cannot be edited automatically: \(reason)"), "\(text)")
      #expect(
        text.hasSuffix(
          """
          Add these lines:

            // to the package's dependencies
            .package(url: "https://example.com/trellis", from: "\(ToolVersion.text)"),
            // to the target's dependencies
            .product(name: "Trellis", package: "trellis"),
            // to the target's plugins
            .plugin(name: "GenerateModels", package: "trellis"),

          """), "\(text)")
      #expect(try place.files == ["Package.swift"])
    }
  }
}
