// swift-tools-version: 6.3
import CompilerPluginSupport
import PackageDescription

// The targets by group. A group is a folder in `Sources`; the targets of tests are in `Tests`.

/// The compiler converts text and does not access files, except for `SchemaDriver`.
let compiler: [Target] = [
  .target(name: "SchemaDiagnostics"),
  // Delete rules, shared by the runtime and the compiler.
  .target(name: "DeletionRules"),
  .target(name: "SwiftSource"),
  .target(name: "SchemaSyntax", dependencies: ["SchemaDiagnostics"]),
  .target(name: "SchemaModel", dependencies: ["SchemaDiagnostics", "SchemaSyntax"]),
  .target(name: "SchemaDiff", dependencies: ["SchemaDiagnostics", "SchemaSyntax", "SchemaModel"]),
  .target(name: "SchemaVersions", dependencies: ["SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff"]),
  .target(
    name: "SchemaEmitter",
    dependencies: ["SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SwiftSource"]),
  // Reads schema files, runs the compiler and writes Swift. Shared by the executables.
  .target(
    name: "SchemaDriver",
    dependencies: ["SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaVersions", "SchemaEmitter"]),
  // The expansion of the macros `#Predicate` and `#Expression`, and the compiler's protocol, without swift-syntax.
  .target(name: "MacroExpansion", dependencies: ["SchemaDiagnostics", "SchemaSyntax", "SwiftSource"]),
]

/// The parts of the tool `trellis`.
let tools: [Target] = [
  .target(name: "SchemaFormat", dependencies: ["SchemaDiagnostics", "SchemaSyntax"]),
  // Differences between versions and diagnostics, for people to read.
  .target(name: "SchemaReports", dependencies: ["SchemaDiagnostics", "SchemaModel", "SchemaDiff"]),
  .target(
    name: "SchemaLint",
    dependencies: [
      "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SchemaFormat",
      "SchemaReports",
    ]),
  // Diagrams, and the consequences of deletions and insertions.
  .target(name: "SchemaGraph", dependencies: ["DeletionRules", "SchemaDiagnostics", "SchemaModel", "SchemaDiff"]),
  // Conversion of other model descriptions to schema files.
  .target(
    name: "SchemaImport",
    dependencies: [
      "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SchemaFormat",
    ]),
  // Inspects stores: their versions and the effects of migrations on their rows.
  .target(
    name: "StoreInspection",
    dependencies: ["CSQLite", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff"]),
  // Populated stores for versions of a schema, without the app.
  .target(
    name: "SchemaFixtures",
    dependencies: ["Trellis", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaVersions"]),
  // The verbs of `trellis`, those that also need the runtime, and those that also need libpq.
  .target(
    name: "SchemaCommands",
    dependencies: [
      "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SchemaLint",
      "SchemaReports", "SchemaGraph", "SchemaImport", "SchemaFormat", "SchemaDriver", "StoreInspection",
    ]),
  .target(
    name: "FixtureCommands",
    dependencies: [
      "SchemaDiagnostics", "SchemaModel", "SchemaVersions", "SchemaDriver", "SchemaCommands", "SchemaFixtures",
    ]),
  .target(
    name: "PostgresCommands",
    dependencies: [
      "SchemaDiagnostics", "SchemaModel", "SchemaVersions", "SchemaDriver", "SchemaCommands", "SchemaFixtures",
      "FixtureCommands", "StoreInspection", "Trellis", "TrellisPostgres",
    ]),
]

/// The libraries of apps. Only users of the server store need libpq.
let runtime: [Target] = [
  .systemLibrary(
    name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
  .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
  // Connections, statements, transactions and files: this module knows no models.
  .target(name: "TrellisSQLite", dependencies: ["CSQLite"]),
  // The macros are declared by generated code. SwiftPM hands them to the targets that depend on this one.
  .macro(name: "TrellisMacros", dependencies: ["MacroExpansion"]),
  .target(name: "Trellis", dependencies: ["TrellisSQLite", "CSQLite", "DeletionRules", "TrellisMacros"]),
  // Trellis under the name of Apple's module.
  .target(name: "SwiftData", dependencies: ["Trellis"]),
  // The store that keeps models in one JSON file.
  .target(name: "TrellisJSON", dependencies: ["Trellis"]),
  .target(name: "TrellisPostgres", dependencies: ["Trellis", "CPostgres"]),
]

/// Libraries for the tests of apps and of custom stores.
let testing: [Target] = [
  .target(name: "StoreConformance", dependencies: ["Trellis"], plugins: ["GenerateModels"]),
  .target(
    name: "TrellisTesting",
    dependencies: ["Trellis", "CSQLite", "SchemaDiagnostics", "SchemaModel", "SchemaFixtures"]),
]

/// The sample application: a shared target, and two programs with one store.
let sample: [Target] = [
  .target(
    name: "SampleTrips", dependencies: ["Trellis", "TrellisJSON", "TrellisPostgres"], plugins: ["GenerateModels"]),
  .executableTarget(name: "trips", dependencies: ["SampleTrips"]),
  .executableTarget(name: "trips-widget", dependencies: ["SampleTrips", "Trellis"]),
]

/// The generator of the plugin, and the tool with three sets of verbs: schema checks do not build the runtime.
let executables: [Target] = [
  .executableTarget(name: "trellis-generate", dependencies: ["SchemaDriver"]),
  .executableTarget(
    name: "SchemaTool", dependencies: ["SchemaDriver", "SchemaCommands"], path: "Sources/Executables/trellis"),
  .executableTarget(
    name: "TrellisTool", dependencies: ["SchemaDriver", "SchemaCommands", "FixtureCommands"],
    path: "Sources/Executables/trellis-fixture"),
  .executableTarget(
    name: "PostgresTool", dependencies: ["SchemaDriver", "SchemaCommands", "PostgresCommands"],
    path: "Sources/Executables/trellis-postgres"),
]

let commandPlugins: [Target] = [
  .plugin(
    name: "Schema",
    capability: .command(intent: .custom(verb: "schema", description: "Check, lint and compare schema files.")),
    dependencies: ["SchemaTool"]),
  .plugin(
    name: "SchemaEdit",
    capability: .command(
      intent: .custom(verb: "schema-edit", description: "Release versions, rename, accept changes."),
      permissions: [.writeToPackageDirectory(reason: "Writes released versions, their lock, and schema files.")]),
    dependencies: ["SchemaTool"]),
  .plugin(
    name: "SchemaFixture",
    capability: .command(
      intent: .custom(verb: "schema-fixture", description: "Write populated stores of the versions of a schema."),
      permissions: [.writeToPackageDirectory(reason: "Writes the stores that were asked for.")]),
    dependencies: ["TrellisTool"]),
]

/// The modules of the compiler and the tool that do not need the runtime.
let compilerModules: [Target.Dependency] = [
  "DeletionRules", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SchemaEmitter",
  "SchemaDriver", "SwiftSource", "MacroExpansion", "SchemaFormat", "SchemaReports", "SchemaLint", "SchemaGraph",
]
let goldens = ["Inheritance", "Relationships", "SampleTrips", "Values"]
let generated = ["Access", "Initializers", "Landmine", "Several"]
let versions = ["NotesV1", "NotesV2", "ClassicV1", "ClassicV2", "ClassicV3"]

/// Modules and programs that tests share, in `Tests/<name>` unless they have a path.
let testSupport: [Target] =
  [
    .target(name: "TestSupport", dependencies: ["StoreShell"]),
    .target(name: "TestTraits"),
    .target(name: "TestStores", dependencies: ["Trellis"]),
    // Random rows, predicates and steps for several stores and for release builds.
    .target(
      name: "TestWorlds", dependencies: ["Trellis", "TestSupport", "TestStores"], plugins: ["GenerateModels"]),
    // The compiled versions of all schemas in `Schemas`.
    .target(
      name: "TestSchemas",
      dependencies: ["Trellis"] + (goldens.map { $0 + "Golden" } + generated).map { .init(stringLiteral: $0) }),
    // Large schemas of many kinds for performance tests.
    .target(name: "SchemaShapes"),
    // A private PostgreSQL server.
    .target(
      name: "PostgresSupport", dependencies: ["Trellis", "TrellisPostgres"], exclude: ["cluster.sh", "pooler.sh"]),
    // Reads stores without Trellis.
    .executableTarget(name: "StoreShell", dependencies: ["CSQLite"]),
    // Programs for release builds: predicates in SQL and in Swift, random steps of objects' life cycles, mutated schemas.
    .executableTarget(name: "PredicateLane", dependencies: ["TestWorlds", "TestSupport", "Trellis"]),
    .executableTarget(name: "LifeCycleLane", dependencies: ["TestWorlds", "TestSupport", "TestStores", "Trellis"]),
    .executableTarget(name: "SchemaFuzz", dependencies: ["TestSupport", "SchemaShapes"] + compilerModules),
    // Processes that tests start and kill.
    .executableTarget(name: "MigrationLane", dependencies: ["Trellis", "TrellisTesting", "SampleTripsGolden"]),
    .executableTarget(
      name: "HistoryLane", dependencies: ["TestSupport", "Trellis", "TrellisJSON"], plugins: ["GenerateModels"]),
  ]
  // Generated code that is checked in, and generated code that is only compiled. The schema with the most difficult names
  // has the main actor as default isolation.
  + goldens.map { .target(name: $0 + "Golden", dependencies: ["Trellis"], path: "Tests/Goldens/\($0)Golden") }
  + generated.map {
    .target(
      name: $0, dependencies: ["Trellis"], path: "Tests/Generated/\($0)",
      swiftSettings: $0 == "Landmine" ? [.defaultIsolation(MainActor.self)] : [], plugins: ["GenerateModels"])
  }
  // One module for each version of a schema.
  + versions.map {
    .target(name: $0, dependencies: ["Trellis"], path: "Tests/Versions/\($0)", plugins: ["GenerateModels"])
  }

/// Tests of one part of the package, in `Tests/<name>Tests`. Those with schemas use the plugin.
func tests(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], generates: Bool = true
) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: ["TestSupport", "TestTraits"] + dependencies, exclude: exclude,
    plugins: generates ? ["GenerateModels"] : [])
}

let runtimeModules: [Target.Dependency] = [
  "Trellis", "TestStores", "InheritanceGolden", "RelationshipsGolden", "SampleTripsGolden",
]
let serverModules: [Target.Dependency] = ["TrellisPostgres", "PostgresSupport"]

let testTargets: [Target] = [
  tests("Structure", generates: false),
  tests("Compiler", compilerModules, exclude: ["Macros/Messages"], generates: false),
  tests("SchemaLint", ["SchemaShapes"] + compilerModules, generates: false),
  tests(
    "Tool",
    [
      "SchemaTool", "SchemaCommands", "FixtureCommands", "SchemaFixtures", "SchemaImport", "Trellis", "TrellisJSON",
      "TrellisTesting", "TestSchemas", "MigrationLane", "CSQLite", "InheritanceGolden", "RelationshipsGolden",
      "SampleTripsGolden", "ValuesGolden",
    ] + compilerModules, exclude: ["Import/Models", "Import/Swift"]),
  tests("Trellis", ["Trellis", "CSQLite", "TestStores", "TestWorlds"], generates: false),
  tests("Query", ["TestWorlds"] + runtimeModules),
  tests("Context", ["TestWorlds"] + runtimeModules),
  tests("Batch", runtimeModules),
  tests(
    "Relationship", ["DeletionRules", "SchemaDiagnostics", "SchemaModel", "SchemaGraph"] + runtimeModules + serverModules),
  tests("History", ["TrellisJSON", "HistoryLane"] + runtimeModules + serverModules),
  tests(
    "Store", ["CSQLite", "TrellisJSON", "StoreConformance", "NotesV1", "NotesV2"] + runtimeModules + serverModules),
  tests(
    "Migration",
    [
      "Trellis", "TrellisJSON", "TrellisTesting", "CSQLite", "ClassicV1", "ClassicV2", "ClassicV3", "SampleTripsGolden",
    ] + serverModules),
  tests(
    "Postgres",
    [
      "Trellis", "TestStores", "TestWorlds", "TestSchemas", "StoreConformance", "TrellisTesting", "SchemaDriver",
      "SchemaCommands", "SchemaFixtures", "FixtureCommands", "PostgresCommands", "PostgresTool", "SampleTripsGolden",
    ] + serverModules),
  tests("SwiftModel", ["Trellis", "TrellisJSON", "TrellisSQLite"] + serverModules),
  tests("SwiftData", ["SwiftData"]),
  tests("SampleTrips", ["SampleTrips", "trips", "trips-widget", "Trellis", "TrellisTesting"], generates: false),
]

for (group, targets) in [
  "Compiler": compiler, "Tools": tools, "Runtime": runtime, "Testing": testing, "Sample": sample,
  "Executables": executables,
] {
  for target in targets where target.path == nil { target.path = "Sources/\(group)/\(target.name)" }
}
for target in testSupport where target.path == nil { target.path = "Tests/\(target.name)" }

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
  targets: compiler + tools + runtime + testing + sample + executables + commandPlugins + testSupport + testTargets
    + [.plugin(name: "GenerateModels", capability: .buildTool(), dependencies: ["trellis-generate"])],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .plugin && target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .treatAllWarnings(as: .error),
    ]
  // Contains a store with the initialiser of 2024.
  if target.name == "StoreTests" { target.swiftSettings?.append(.treatWarning("DeprecatedDeclaration", as: .warning)) }
}

// `./run test` sets this, because SwiftPM compiles the executables of command plugins a second time, as tools of the
// build. The package in `Tests/Consumers` tests the command plugins.
if Context.environment["TRELLIS_COMMAND_PLUGINS"] == "0" {
  let plugins = Set(commandPlugins.map(\.name))
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
