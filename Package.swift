// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Trellis",
  products: [
    .library(name: "Trellis", targets: ["Trellis"]),
    .library(name: "TrellisJSON", targets: ["TrellisJSON"]),
    .library(name: "StoreConformance", targets: ["StoreConformance"]),
    .library(name: "TrellisTesting", targets: ["TrellisTesting"]),
    .plugin(name: "GenerateModels", targets: ["GenerateModels"]),
    .plugin(name: "Schema", targets: ["Schema"]),
    .plugin(name: "SchemaEdit", targets: ["SchemaEdit"]),
    .plugin(name: "SchemaFixture", targets: ["SchemaFixture"]),
    .executable(name: "trellis", targets: ["SchemaTool"]),
    .executable(name: "trellis-fixture", targets: ["TrellisTool"]),
    // The plugins run them; SwiftPM looks for products with the names of the targets.
    .executable(name: "SchemaTool", targets: ["SchemaTool"]),
    .executable(name: "TrellisTool", targets: ["TrellisTool"]),
    .executable(name: "trips", targets: ["trips"]),
    .executable(name: "trips-widget", targets: ["trips-widget"]),
  ],
  targets: [
    // The compiler: text in, text out. Nothing here touches a file.
    .target(name: "SchemaDiagnostics"),
    // What the runtime and the compiler know of delete rules.
    .target(name: "DeletionRules"),
    .target(name: "SchemaSyntax", dependencies: ["SchemaDiagnostics"]),
    .target(name: "SchemaModel", dependencies: ["SchemaDiagnostics", "SchemaSyntax"]),
    .target(name: "SchemaDiff", dependencies: ["SchemaDiagnostics", "SchemaSyntax", "SchemaModel"]),
    .target(
      name: "SchemaVersions",
      dependencies: ["SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff"]),
    .target(
      name: "SchemaLint",
      dependencies: [
        "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SchemaFormat",
      ]),
    // Diagrams, and what follows from a deletion or an insertion.
    .target(
      name: "SchemaGraph", dependencies: ["DeletionRules", "SchemaDiagnostics", "SchemaModel", "SchemaDiff"]),
    // From other descriptions of models to schema files.
    .target(
      name: "SchemaImport",
      dependencies: [
        "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SchemaFormat",
      ]),
    .target(name: "SchemaFormat", dependencies: ["SchemaDiagnostics", "SchemaSyntax"]),
    .target(name: "SwiftSource"),
    .target(
      name: "SchemaEmitter",
      dependencies: [
        "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SwiftSource",
      ]),
    // Reads schema files, runs the compiler, writes Swift: shared by the two executables.
    .target(
      name: "SchemaDriver",
      dependencies: ["SchemaDiagnostics", "SchemaModel", "SchemaVersions", "SchemaEmitter"]),
    .executableTarget(name: "trellis-generate", dependencies: ["SchemaDriver"]),
    // What the verbs of `trellis` do.
    .target(
      name: "SchemaCommands",
      dependencies: [
        "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SchemaLint",
        "SchemaGraph", "SchemaImport", "SchemaFormat", "SchemaDriver", "StoreInspection",
      ]),
    // The tool, without the one verb that needs the runtime: checking a schema does not wait for that.
    .executableTarget(
      name: "SchemaTool", dependencies: ["SchemaDriver", "SchemaCommands"], path: "Sources/Executables/trellis"),
    .executableTarget(
      name: "TrellisTool", dependencies: ["SchemaDriver", "SchemaCommands", "FixtureCommands"],
      path: "Sources/Executables/trellis-fixture"),
    .plugin(
      name: "GenerateModels", capability: .buildTool(), dependencies: ["trellis-generate"]),
    .plugin(
      name: "Schema",
      capability: .command(
        intent: .custom(verb: "schema", description: "Check, lint and compare schema files.")),
      dependencies: ["SchemaTool"]),
    .plugin(
      name: "SchemaEdit",
      capability: .command(
        intent: .custom(verb: "schema-edit", description: "Release versions, rename, accept changes."),
        permissions: [
          .writeToPackageDirectory(reason: "Writes released versions, their lock, and schema files.")
        ]),
      dependencies: ["SchemaTool"]),
    .plugin(
      name: "SchemaFixture",
      capability: .command(
        intent: .custom(
          verb: "schema-fixture", description: "Write populated stores of the versions of a schema."),
        permissions: [.writeToPackageDirectory(reason: "Writes the stores that were asked for.")]),
      dependencies: ["TrellisTool"]),

    // The runtime.
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "Trellis", dependencies: ["CSQLite", "DeletionRules"]),
    // The store that keeps models in one JSON file.
    .target(name: "TrellisJSON", dependencies: ["Trellis"]),

    // Looks into stores, for the tool: what they are and what their rows mean to a newer version.
    .target(
      name: "StoreInspection",
      dependencies: [
        "CSQLite", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff",
      ]),

    // The verbs of `trellis` that need the runtime.
    .target(
      name: "FixtureCommands",
      dependencies: [
        "SchemaDiagnostics", "SchemaModel", "SchemaVersions", "SchemaDriver", "SchemaCommands", "SchemaFixtures",
      ]),

    // What every store must do, for authors of stores to run.
    .target(name: "StoreConformance", dependencies: ["Trellis"], plugins: ["GenerateModels"]),

    // What tests of a program need: populated stores of every version, and that they all open.
    .target(
      name: "TrellisTesting",
      dependencies: ["Trellis", "CSQLite", "SchemaDiagnostics", "SchemaModel", "SchemaFixtures"]),

    // Populated stores of every version of a schema, without the program.
    .target(
      name: "SchemaFixtures",
      dependencies: ["Trellis", "SchemaDiagnostics", "SchemaModel", "SchemaVersions"]),

    // The sample application, built as an application of a user is: what its programs share, and two
    // programs over one store.
    .target(name: "SampleTrips", dependencies: ["Trellis", "TrellisJSON"], plugins: ["GenerateModels"]),
    .executableTarget(name: "trips", dependencies: ["SampleTrips"]),
    .executableTarget(name: "trips-widget", dependencies: ["SampleTrips", "Trellis"]),

    .testTarget(
      name: "SchemaDiagnosticsTests", dependencies: ["SchemaDiagnostics"]),
    .testTarget(
      name: "SchemaSyntaxTests", dependencies: ["SchemaDiagnostics", "SchemaSyntax"]),
    .testTarget(
      name: "SchemaModelTests",
      dependencies: ["SchemaDiagnostics", "SchemaSyntax", "SchemaModel"]),
    .testTarget(
      name: "SchemaDiffTests", dependencies: ["SchemaDiagnostics", "SchemaModel", "SchemaDiff"]),
    .testTarget(
      name: "SchemaVersionsTests", dependencies: ["SchemaDiagnostics", "SchemaModel", "SchemaVersions"]),
    .testTarget(
      name: "SchemaLintTests",
      dependencies: ["SchemaDiagnostics", "SchemaModel", "SchemaVersions", "SchemaLint", "SchemaShapes"]),
    .testTarget(
      name: "SchemaGraphTests", dependencies: ["SchemaDiagnostics", "SchemaModel", "SchemaGraph"]),
    .testTarget(
      name: "SchemaFormatTests",
      dependencies: [
        "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaFormat", "SchemaEmitter",
      ]),
    .testTarget(
      name: "TrellisToolTests",
      dependencies: [
        "SchemaDiagnostics", "SchemaModel", "SchemaDiff", "SchemaVersions", "SchemaDriver",
        "SchemaCommands", "SchemaTool", "TestSupport",
      ]),
    .testTarget(
      name: "SchemaImportTests",
      dependencies: [
        "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaVersions", "SchemaFormat", "SchemaImport",
        "SchemaDriver",
        // Generated code is compiled against it.
        "Trellis",
      ],
      exclude: ["Models", "Swift"]),
    .testTarget(name: "SwiftSourceTests", dependencies: ["SwiftSource"]),
    .testTarget(
      name: "SchemaEmitterTests",
      dependencies: [
        "SchemaDiagnostics", "SchemaModel", "SchemaLint", "SwiftSource", "SchemaEmitter",
        "SchemaDriver",
      ]),
    .testTarget(name: "StructureTests"),
    .testTarget(name: "TrellisTests", dependencies: ["Trellis", "CSQLite", "TestSupport"]),
    .testTarget(
      name: "StoreConformanceTests", dependencies: ["Trellis", "TrellisJSON", "StoreConformance"]),
    .testTarget(
      name: "ContextTests",
      dependencies: ["Trellis", "InheritanceGolden", "RelationshipsGolden", "SampleTripsGolden"]),
    // The comparison of SQL with Swift that PredicateTests makes, for `./run test` to run optimised.
    .executableTarget(
      name: "PredicateLane", dependencies: ["Trellis"], path: "Tests/PredicateLane",
      plugins: ["GenerateModels"]),
    // The machine of LifeCycleTests, for `./run soak`: 150,000 random steps.
    .executableTarget(
      name: "LifeCycleLane", dependencies: ["Trellis"], path: "Tests/LifeCycleLane",
      plugins: ["GenerateModels"]),
    // Mutated schemas through the whole compiler, for `./run fuzz`: a million of them.
    .executableTarget(
      name: "SchemaFuzz",
      dependencies: [
        "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SchemaLint",
        "SchemaFormat",
        "SchemaEmitter", "SchemaGraph", "SchemaShapes",
      ], path: "Tests/SchemaFuzz"),
    // What several test targets share, and a program without Trellis that looks into their stores.
    .executableTarget(name: "StoreShell", dependencies: ["CSQLite"], path: "Tests/StoreShell"),
    .target(name: "TestSupport", dependencies: ["StoreShell"], path: "Tests/TestSupport"),
    // Large schemas of many kinds, for whoever has to cope with them.
    .target(name: "SchemaShapes", path: "Tests/SchemaShapes"),
    // Migrates a store, for tests to kill it.
    .executableTarget(
      name: "MigrationLane", dependencies: ["Trellis", "TrellisTesting", "SampleTripsGolden"],
      path: "Tests/MigrationLane"),
    // Another process, for HistoryTests.
    .executableTarget(
      name: "HistoryLane", dependencies: ["Trellis", "TrellisJSON"], path: "Tests/HistoryLane",
      plugins: ["GenerateModels"]),
    .testTarget(
      name: "TrellisTestingTests",
      dependencies: [
        "MigrationLane",
        "Trellis", "TrellisTesting", "AccessGolden", "InheritanceGolden", "InitializersGolden",
        "LandmineGolden", "RelationshipsGolden", "SampleTripsGolden", "SeveralGolden", "ValuesGolden",
      ], plugins: ["GenerateModels"]),
    .testTarget(
      name: "StoreInspectionTests",
      dependencies: ["SchemaCommands", "SchemaDriver", "Trellis", "TrellisTesting", "CSQLite", "SampleTripsGolden"]),
    .testTarget(
      name: "SchemaFixturesTests",
      dependencies: [
        "SchemaDiagnostics", "SchemaModel", "SchemaVersions", "SchemaDriver", "SchemaCommands", "SchemaFixtures",
        "FixtureCommands", "Trellis", "AccessGolden", "InheritanceGolden", "InitializersGolden",
        "LandmineGolden", "RelationshipsGolden", "SampleTripsGolden", "SeveralGolden", "ValuesGolden",
      ], plugins: ["GenerateModels"]),
    .testTarget(
      name: "SampleTripsTests",
      dependencies: ["SampleTrips", "trips", "trips-widget", "Trellis", "TrellisTesting"]),
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

// Versions of a schema for StoreTests, one module a version.
for version in ["NotesV1", "NotesV2"] {
  package.targets.append(
    .target(
      name: version, dependencies: ["Trellis"], path: "Tests/Versions/\(version)",
      plugins: ["GenerateModels"]))
}

// The runtime's behaviour by area; each target has a schema of its own, built by the plugin.
for area in [
  "Aggregate", "Batch", "Concurrency", "Container", "Fetch", "History", "LifeCycle", "Predicate",
  "Relationship", "Storage", "Store",
] {
  package.targets.append(
    .testTarget(
      name: "\(area)Tests",
      dependencies: ["Trellis", "TestSupport", "InheritanceGolden", "RelationshipsGolden", "SampleTripsGolden"]
        + (area == "Store" ? ["CSQLite", "TrellisJSON", "NotesV1", "NotesV2"] : [])
        + (area == "History" ? ["TrellisJSON", "HistoryLane"] : [])
        + (area == "Relationship" ? ["DeletionRules", "SchemaDiagnostics", "SchemaModel", "SchemaGraph"] : []),
      plugins: ["GenerateModels"]))
}

// The migrations: what a program has of each version, one module a version.
for version in ["ClassicV1", "ClassicV2", "ClassicV3"] {
  package.targets.append(
    .target(
      name: version, dependencies: ["Trellis"], path: "Tests/Versions/\(version)",
      plugins: ["GenerateModels"]))
}
package.targets.append(
  .testTarget(
    name: "MigrationTests",
    dependencies: [
      "Trellis", "TrellisJSON", "TestSupport", "TrellisTesting", "CSQLite", "ClassicV1", "ClassicV2", "ClassicV3",
    ],
    plugins: ["GenerateModels"]))

// `Sources/` is grouped; its folders are the map of the system.
let groups = [
  "Compiler": [
    "DeletionRules", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SwiftSource",
    "SchemaEmitter", "SchemaDriver",
  ],
  "Tools": [
    "SchemaLint", "SchemaFormat", "SchemaGraph", "SchemaImport", "SchemaFixtures", "StoreInspection", "SchemaCommands",
    "FixtureCommands",
  ],
  "Runtime": ["CSQLite", "Trellis", "TrellisJSON"],
  "Testing": ["TrellisTesting", "StoreConformance"],
  "Sample": ["SampleTrips", "trips", "trips-widget"],
  "Executables": ["trellis-generate"],
]
for (group, names) in groups {
  for target in package.targets where names.contains(target.name) { target.path = "Sources/\(group)/\(target.name)" }
}

for target in package.targets where target.type != .plugin && target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .treatAllWarnings(as: .error),
    ]
  // A store of theirs is written in the spelling of 2024.
  if ["StoreConformanceTests", "StoreTests"].contains(target.name) {
    target.swiftSettings?.append(.treatWarning("DeprecatedDeclaration", as: .warning))
  }
}

// `TRELLIS_TESTS="A B"` leaves nothing but these test targets and what they need: a build with a
// sanitizer shares nothing with others, and SwiftPM builds every target of a package for its tests.
if let wanted = Context.environment["TRELLIS_TESTS"]?.split(separator: " ").map(String.init) {
  var kept = Set(wanted)
  var queue = wanted
  while let name = queue.popLast() {
    guard let target = package.targets.first(where: { $0.name == name }) else { continue }
    var needed: [String] = []
    for case .byNameItem(let name, _) in target.dependencies { needed.append(name) }
    for case .plugin(let name, _) in target.plugins ?? [] { needed.append(name) }
    queue += needed.filter { kept.insert($0).inserted }
  }
  package.products = []
  package.targets.removeAll { !kept.contains($0.name) }
}
