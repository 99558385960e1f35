// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Trellis",
  products: [
    .library(name: "Trellis", targets: ["Trellis"]),
    .plugin(name: "GenerateModels", targets: ["GenerateModels"]),
    .executable(name: "trellis", targets: ["TrellisTool"]),
    .executable(name: "trips", targets: ["SampleTrips"]),
  ],
  targets: [
    // The compiler: text in, text out. Nothing here touches a file.
    .target(name: "SchemaDiagnostics"),
    .target(name: "SchemaSyntax", dependencies: ["SchemaDiagnostics"]),
    .target(name: "SchemaModel", dependencies: ["SchemaDiagnostics", "SchemaSyntax"]),
    .target(name: "SwiftSource"),
    .target(
      name: "SchemaEmitter", dependencies: ["SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SwiftSource"]),
    // Reads schema files, runs the compiler, writes Swift: shared by the two executables.
    .target(
      name: "SchemaDriver", dependencies: ["SchemaDiagnostics", "SchemaModel", "SchemaEmitter"]),
    .executableTarget(name: "trellis-generate", dependencies: ["SchemaDriver"]),
    .executableTarget(
      name: "TrellisTool", dependencies: ["SchemaDiagnostics", "SchemaModel", "SchemaDriver"]),
    .plugin(
      name: "GenerateModels", capability: .buildTool(), dependencies: ["trellis-generate"]),

    // The runtime.
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "Trellis", dependencies: ["CSQLite"]),

    // The sample application, built as an application of a user is.
    .executableTarget(
      name: "SampleTrips", dependencies: ["Trellis"], plugins: ["GenerateModels"]),

    .testTarget(
      name: "SchemaDiagnosticsTests", dependencies: ["SchemaDiagnostics"]),
    .testTarget(
      name: "SchemaSyntaxTests", dependencies: ["SchemaDiagnostics", "SchemaSyntax"]),
    .testTarget(
      name: "SchemaModelTests",
      dependencies: ["SchemaDiagnostics", "SchemaSyntax", "SchemaModel"]),
    .testTarget(name: "SwiftSourceTests", dependencies: ["SwiftSource"]),
    .testTarget(
      name: "SchemaEmitterTests",
      dependencies: [
        "SchemaDiagnostics", "SchemaModel", "SwiftSource", "SchemaEmitter", "SchemaDriver",
      ]),
    .testTarget(name: "StructureTests"),
    .testTarget(name: "TrellisTests", dependencies: ["Trellis"]),
    .testTarget(name: "ContextTests", dependencies: ["Trellis", "SampleTripsGolden"]),
    .testTarget(name: "SampleTripsTests", dependencies: ["SampleTrips", "Trellis"]),
  ],
  swiftLanguageModes: [.v6]
)

// Generated code that is checked in, compiled as it is and once more with the main actor as default.
for name in [
  "Access", "Inheritance", "Initializers", "Landmine", "Relationships", "SampleTrips", "Several",
  "Values",
] {
  let golden = "\(name)Golden"
  package.targets += [
    .target(name: golden, dependencies: ["Trellis"], path: "Tests/Goldens/\(golden)"),
    .target(
      name: "\(golden)MainActor", dependencies: ["Trellis"],
      path: "Tests/Goldens/MainActor/\(golden)",
      swiftSettings: [
        .defaultIsolation(MainActor.self),
        // The text names its own module.
        .unsafeFlags(["-module-alias", "\(golden)=\(golden)MainActor"]),
      ]),
  ]
}

for target in package.targets where target.type != .plugin && target.type != .system {
  target.swiftSettings = (target.swiftSettings ?? []) + [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}
