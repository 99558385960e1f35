// swift-tools-version: 6.3
import CompilerPluginSupport
import PackageDescription

let package = Package(
  name: "Trellis",
  products: [
    .library(name: "Trellis", targets: ["Trellis"]),
    // For platforms without Apple's module of this name.
    .library(name: "SwiftData", targets: ["SwiftData"]),
    .library(name: "TrellisJSON", targets: ["TrellisJSON"]),
    .library(name: "TrellisPostgres", targets: ["TrellisPostgres"]),
    .library(name: "StoreConformance", targets: ["StoreConformance"]),
    .library(name: "TrellisTesting", targets: ["TrellisTesting"]),
    .plugin(name: "GenerateModels", targets: ["GenerateModels"]),
    .plugin(name: "Schema", targets: ["Schema"]),
    .plugin(name: "SchemaEdit", targets: ["SchemaEdit"]),
    .plugin(name: "SchemaFixture", targets: ["SchemaFixture"]),
    .executable(name: "trellis", targets: ["SchemaTool"]),
    .executable(name: "trellis-fixture", targets: ["TrellisTool"]),
    .executable(name: "trellis-postgres", targets: ["PostgresTool"]),
    // Executables of the plugins. SwiftPM requires products with the names of the targets.
    .executable(name: "SchemaTool", targets: ["SchemaTool"]),
    .executable(name: "TrellisTool", targets: ["TrellisTool"]),
    .executable(name: "trips", targets: ["trips"]),
    .executable(name: "trips-widget", targets: ["trips-widget"]),
  ],
  targets: [
    // The compiler. These targets convert text and do not access files.
    .target(name: "SchemaDiagnostics"),
    // Delete rules, shared by the runtime and the compiler.
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
        "SchemaReports",
      ]),
    // Differences between versions and diagnostics, for people to read.
    .target(name: "SchemaReports", dependencies: ["SchemaDiagnostics", "SchemaModel", "SchemaDiff"]),
    // Diagrams, and the consequences of deletions and insertions.
    .target(
      name: "SchemaGraph", dependencies: ["DeletionRules", "SchemaDiagnostics", "SchemaModel", "SchemaDiff"]),
    // Conversion of other model descriptions to schema files.
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
    // Reads schema files, runs the compiler and writes Swift. Shared by the executables.
    .target(
      name: "SchemaDriver",
      dependencies: ["SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaVersions", "SchemaEmitter"]),
    .executableTarget(name: "trellis-generate", dependencies: ["SchemaDriver"]),
    // The verbs of `trellis`.
    .target(
      name: "SchemaCommands",
      dependencies: [
        "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SchemaLint",
        "SchemaReports", "SchemaGraph", "SchemaImport", "SchemaFormat", "SchemaDriver", "StoreInspection",
      ]),
    // The tool without the verb that needs the runtime, so that schema checks do not build the runtime.
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

    // The expansion of the macros `#Predicate` and `#Expression`, and the compiler's protocol, without swift-syntax.
    .target(name: "MacroExpansion", dependencies: ["SchemaDiagnostics", "SchemaSyntax", "SwiftSource"]),
    .macro(name: "TrellisMacros", dependencies: ["MacroExpansion"]),

    // The runtime.
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    // Connections, statements, transactions and files: this module knows no models.
    .target(name: "TrellisSQLite", dependencies: ["CSQLite"]),
    // The macros are declared by generated code. SwiftPM hands them to the targets that depend on this one.
    .target(name: "Trellis", dependencies: ["TrellisSQLite", "CSQLite", "DeletionRules", "TrellisMacros"]),
    // Trellis under the name of Apple's module, for programs that are written for it.
    .target(name: "SwiftData", dependencies: ["Trellis"]),
    // The store that keeps models in one JSON file.
    .target(name: "TrellisJSON", dependencies: ["Trellis"]),

    // The store that keeps models in a PostgreSQL database. Only its users need libpq.
    .systemLibrary(
      name: "CPostgres", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(name: "TrellisPostgres", dependencies: ["Trellis", "CPostgres"]),

    // Inspects stores for the tool: their versions and the effects of migrations on their rows.
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

    // The verbs for stores in PostgreSQL databases. Only their users need libpq.
    .target(
      name: "PostgresCommands",
      dependencies: [
        "SchemaDiagnostics", "SchemaModel", "SchemaVersions", "SchemaDriver", "SchemaCommands", "SchemaFixtures",
        "FixtureCommands", "StoreInspection", "Trellis", "TrellisPostgres",
      ]),
    .executableTarget(
      name: "PostgresTool", dependencies: ["SchemaDriver", "SchemaCommands", "PostgresCommands"],
      path: "Sources/Executables/trellis-postgres"),

    // The conformance suite for authors of stores.
    .target(name: "StoreConformance", dependencies: ["Trellis"], plugins: ["GenerateModels"]),

    // Support for tests of programs: populated stores of every version and checks of their migrations.
    .target(
      name: "TrellisTesting",
      dependencies: ["Trellis", "CSQLite", "SchemaDiagnostics", "SchemaModel", "SchemaFixtures"]),

    // Populated stores for versions of a schema, without the program.
    .target(
      name: "SchemaFixtures",
      dependencies: ["Trellis", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaVersions"]),

    // The sample application with the structure of a user's application: a shared target and two programs with one
    // store.
    .target(
      name: "SampleTrips", dependencies: ["Trellis", "TrellisJSON", "TrellisPostgres"], plugins: ["GenerateModels"]),
    .executableTarget(name: "trips", dependencies: ["SampleTrips"]),
    .executableTarget(name: "trips-widget", dependencies: ["SampleTrips", "Trellis"]),

    .testTarget(
      name: "SchemaDiagnosticsTests", dependencies: ["SchemaDiagnostics", "SchemaReports"]),
    .testTarget(
      name: "SchemaSyntaxTests", dependencies: ["TestSupport", "SchemaDiagnostics", "SchemaSyntax"]),
    // Reads recorded messages from its folder, and compares with the macro of the toolchain's Foundation.
    .testTarget(
      name: "MacroExpansionTests",
      dependencies: ["TestSupport", "SchemaDiagnostics", "SchemaSyntax", "MacroExpansion"],
      exclude: ["Messages"]),
    .testTarget(
      name: "SchemaModelTests",
      dependencies: ["TestSupport", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaReports"]),
    .testTarget(
      name: "SchemaDiffTests", dependencies: ["SchemaDiagnostics", "SchemaModel", "SchemaDiff", "SchemaReports"]),
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
        "TestSupport", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaFormat", "SchemaEmitter",
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
        "TestSupport", "TestTraits", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaVersions",
        "SchemaFormat", "SchemaImport", "SchemaDriver",
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
    .testTarget(name: "TrellisTests", dependencies: ["Trellis", "CSQLite", "TestSupport", "TestStores", "TestTraits"]),
    .testTarget(
      name: "StoreConformanceTests", dependencies: ["Trellis", "TrellisJSON", "StoreConformance", "TestStores"]),
    .testTarget(
      name: "ContextTests",
      dependencies: [
        "TestSupport", "TestStores", "Trellis", "InheritanceGolden", "RelationshipsGolden", "SampleTripsGolden",
      ]),
    // Models that are classes in Swift files.
    .testTarget(
      name: "SwiftModelTests",
      dependencies: ["TestSupport", "Trellis", "TrellisJSON", "TrellisPostgres", "TrellisSQLite", "PostgresSupport"],
      plugins: ["GenerateModels"]),
    .testTarget(name: "SwiftDataTests", dependencies: ["SwiftData"], plugins: ["GenerateModels"]),
    // The comparison of SQL with Swift that PredicateTests makes, for `./run test` to run optimised.
    .executableTarget(
      name: "PredicateLane", dependencies: ["TestSupport", "Trellis"], path: "Tests/PredicateLane",
      plugins: ["GenerateModels"]),
    // The machine of LifeCycleTests, for `./run soak`: 150,000 random steps.
    .executableTarget(
      name: "LifeCycleLane", dependencies: ["TestSupport", "TestStores", "Trellis"], path: "Tests/LifeCycleLane",
      plugins: ["GenerateModels"]),
    // Mutated schemas through the whole compiler, for `./run fuzz`: a million of them.
    .executableTarget(
      name: "SchemaFuzz",
      dependencies: [
        "TestSupport", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SchemaLint",
        "SchemaFormat",
        "SchemaEmitter", "SchemaGraph", "SchemaShapes",
      ], path: "Tests/SchemaFuzz"),
    // Shared code of test targets, and a program without Trellis that reads stores.
    .executableTarget(name: "StoreShell", dependencies: ["CSQLite"], path: "Tests/StoreShell"),
    .target(name: "TestSupport", dependencies: ["StoreShell"], path: "Tests/TestSupport"),
    .target(name: "TestTraits", path: "Tests/TestTraits"),
    // Shared code of the custom stores in tests.
    .target(name: "TestStores", dependencies: ["Trellis"], path: "Tests/TestStores"),
    // Large schemas of many kinds for performance tests.
    .target(name: "SchemaShapes", path: "Tests/SchemaShapes"),
    // A private PostgreSQL server for tests.
    .target(
      name: "PostgresSupport", dependencies: ["Trellis", "TrellisPostgres"], path: "Tests/PostgresSupport",
      exclude: ["cluster.sh", "pooler.sh"]),
    .testTarget(
      name: "PostgresTests",
      dependencies: [
        "Trellis", "TrellisPostgres", "PostgresSupport", "TestSupport", "TestStores", "TestTraits", "StoreConformance",
      ],
      plugins: ["GenerateModels"]),
    // The verbs of `trellis-postgres` and the migration matrix with a real server.
    .testTarget(
      name: "PostgresToolTests",
      dependencies: [
        "SchemaDriver", "SchemaCommands", "SchemaFixtures", "FixtureCommands", "PostgresCommands", "PostgresTool",
        "PostgresSupport", "TestTraits",
        "Trellis", "TrellisPostgres", "TrellisTesting", "AccessGolden", "InheritanceGolden", "InitializersGolden",
        "LandmineGolden", "RelationshipsGolden", "SampleTripsGolden", "SeveralGolden", "ValuesGolden",
      ]),
    // Migrations of a server store, compared with those of a file.
    .testTarget(
      name: "PostgresMigrationTests",
      dependencies: [
        "Trellis", "TrellisPostgres", "TrellisTesting", "PostgresSupport", "TestSupport", "TestTraits", "ClassicV1",
        "ClassicV2", "ClassicV3", "SampleTripsGolden",
      ],
      plugins: ["GenerateModels"]),
    // Migrates a store in a process that tests kill.
    .executableTarget(
      name: "MigrationLane", dependencies: ["Trellis", "TrellisTesting", "SampleTripsGolden"],
      path: "Tests/MigrationLane"),
    // A second process for HistoryTests.
    .executableTarget(
      name: "HistoryLane", dependencies: ["TestSupport", "Trellis", "TrellisJSON"], path: "Tests/HistoryLane",
      plugins: ["GenerateModels"]),
    .testTarget(
      name: "TrellisTestingTests",
      dependencies: [
        "MigrationLane", "TestTraits",
        "Trellis", "TrellisJSON", "TrellisTesting", "AccessGolden", "InheritanceGolden", "InitializersGolden",
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

// Golden files with generated code, compiled as they are and with the main actor as default isolation.
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
        // The generated code contains the name of its module.
        .unsafeFlags(["-module-alias", "\(golden)=\(golden)MainActor"]),
      ]),
  ]
}

// Versions of a schema for StoreTests, one module each.
for version in ["NotesV1", "NotesV2"] {
  package.targets.append(
    .target(
      name: version, dependencies: ["Trellis"], path: "Tests/Versions/\(version)",
      plugins: ["GenerateModels"]))
}

// Tests of the runtime by area. Each target has its own schema, which the plugin generates.
for area in [
  "Aggregate", "Batch", "Concurrency", "Container", "Fetch", "History", "LifeCycle", "Predicate",
  "Relationship", "Storage", "Store",
] {
  package.targets.append(
    .testTarget(
      name: "\(area)Tests",
      dependencies: [
        "Trellis", "TestSupport", "TestStores", "TestTraits", "InheritanceGolden", "RelationshipsGolden",
        "SampleTripsGolden",
      ]
        + (["History", "Relationship", "Store"].contains(area) ? ["PostgresSupport", "TrellisPostgres"] : [])
        + (area == "Store" ? ["CSQLite", "TrellisJSON", "NotesV1", "NotesV2"] : [])
        + (area == "History" ? ["TrellisJSON", "HistoryLane"] : [])
        + (area == "Relationship" ? ["DeletionRules", "SchemaDiagnostics", "SchemaModel", "SchemaGraph"] : []),
      plugins: ["GenerateModels"]))
}

// Applications written for Apple's SwiftData. They have the settings of a new package.
let apps = ["Clinic", "Newsroom", "Orchard", "Workshop"]
for app in apps {
  package.targets.append(
    .executableTarget(
      name: app, dependencies: ["SwiftData"], path: "Tests/Apps/\(app)", swiftSettings: [.treatAllWarnings(as: .error)],
      plugins: ["GenerateModels"]))
}

// Tests of migrations with one module for each version.
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

// The groups of targets in `Sources/`.
let groups = [
  "Compiler": [
    "DeletionRules", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SwiftSource",
    "SchemaEmitter", "SchemaDriver", "MacroExpansion",
  ],
  "Tools": [
    "SchemaReports", "SchemaLint", "SchemaFormat", "SchemaGraph", "SchemaImport", "SchemaFixtures", "StoreInspection",
    "SchemaCommands",
    "FixtureCommands", "PostgresCommands",
  ],
  "Runtime": [
    "TrellisMacros", "CSQLite", "TrellisSQLite", "Trellis", "SwiftData", "TrellisJSON", "CPostgres", "TrellisPostgres",
  ],
  "Testing": ["TrellisTesting", "StoreConformance"],
  "Sample": ["SampleTrips", "trips", "trips-widget"],
  "Executables": ["trellis-generate"],
]
for (group, names) in groups {
  for target in package.targets where names.contains(target.name) { target.path = "Sources/\(group)/\(target.name)" }
}

for target in package.targets where target.type != .plugin && target.type != .system && !apps.contains(target.name) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .treatAllWarnings(as: .error),
    ]
  // These targets contain a store with the initialiser of 2024.
  if ["StoreConformanceTests", "StoreTests"].contains(target.name) {
    target.swiftSettings?.append(.treatWarning("DeprecatedDeclaration", as: .warning))
  }
}

// `./run test` sets this, because SwiftPM compiles the executables of command plugins a second time, as tools of the
// build. The packages of `Tests/Consumers` test the command plugins.
if Context.environment["TRELLIS_COMMAND_PLUGINS"] == "0" {
  let plugins = ["Schema", "SchemaEdit", "SchemaFixture"]
  package.products.removeAll { plugins.contains($0.name) }
  package.targets.removeAll { plugins.contains($0.name) }
}

// `TRELLIS_TESTS="A B"` limits the package to these test targets and their dependencies. SwiftPM builds every target of
// a package for its tests, and a build with a sanitizer shares no objects with other builds.
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
