// swift-tools-version: 6.3
import CompilerPluginSupport
import PackageDescription

// The targets by group. A group is a folder in `Sources`; the targets of tests are in `Tests`.

/// Dependencies as one text: target names with spaces between them.
func targets(_ names: String) -> [Target.Dependency] {
  names.split(separator: " ").map { .init(stringLiteral: "\($0)") }
}

func module(_ name: String, _ names: String = "", plugins: [Target.PluginUsage] = []) -> Target {
  .target(name: name, dependencies: targets(names), plugins: plugins)
}

func program(_ name: String, _ names: String, path: String? = nil, plugins: [Target.PluginUsage] = []) -> Target {
  .executableTarget(name: name, dependencies: targets(names), path: path, plugins: plugins)
}

/// The compiler converts text and does not access files, except for `SchemaDriver`.
let compiler: [Target] = [
  module("SchemaDiagnostics"), module("SwiftSource"),
  // Facts about value types and delete rules, shared by the runtime and the compiler.
  module("SchemaFacts"),
  module("SchemaSyntax", "SchemaDiagnostics"),
  module("SchemaModel", "SchemaFacts SchemaDiagnostics SchemaSyntax"),
  module("SchemaDiff", "SchemaDiagnostics SchemaSyntax SchemaModel"),
  module("SchemaVersions", "SchemaDiagnostics SchemaSyntax SchemaModel SchemaDiff"),
  module("SchemaEmitter", "SchemaDiagnostics SchemaSyntax SchemaModel SchemaDiff SchemaVersions SwiftSource"),
  // Reads schema files, runs the compiler and writes Swift. Shared by the executables.
  module("SchemaDriver", "SchemaDiagnostics SchemaSyntax SchemaModel SchemaVersions SchemaEmitter"),
  // The expansion of the macros `#Predicate` and `#Expression`, and the compiler's protocol, without swift-syntax.
  module("MacroExpansion", "SchemaDiagnostics SchemaSyntax SwiftSource"),
]

let storeTools =
  "Trellis CSQLite SchemaFacts SchemaDiagnostics SchemaSyntax SchemaModel SchemaVersions SchemaFixtures StoreInspection"
let storeCommands =
  storeTools + " SchemaDriver SchemaImport SchemaExport SchemaCommands AppleStore StoreTransfer StoreCare StoreStudio"
let schemaTools = """
  SchemaDiagnostics SchemaSyntax SchemaModel SchemaDiff SchemaVersions SchemaLint SchemaReports SchemaGraph \
  SchemaFormat SchemaDriver
  """

/// The parts of the tool `trellis`.
let tools: [Target] = [
  module("SchemaFormat", "SchemaDiagnostics SchemaSyntax"),
  // Differences between versions and diagnostics, for people to read.
  module("SchemaReports", "SchemaDiagnostics SchemaModel SchemaDiff"),
  module(
    "SchemaLint", "SchemaDiagnostics SchemaSyntax SchemaModel SchemaDiff SchemaVersions SchemaFormat SchemaReports"),
  // Diagrams, and the consequences of deletions and insertions.
  module("SchemaGraph", "SchemaFacts SchemaDiagnostics SchemaModel SchemaDiff"),
  // Conversion of other model descriptions to schema files.
  module("SchemaImport", "SchemaDiagnostics SchemaSyntax SchemaModel SchemaDiff SchemaVersions SchemaFormat"),
  module("SchemaExport", "SchemaFacts SchemaDiagnostics SchemaSyntax SchemaModel SchemaVersions SwiftSource"),
  // Inspects stores: their versions and the effects of migrations on their rows.
  module("StoreInspection", "CSQLite SchemaDiagnostics SchemaSyntax SchemaModel SchemaDiff SchemaVersions"),
  // Populated stores for versions of a schema, without the app.
  module("SchemaFixtures", "Trellis SchemaDiagnostics SchemaSyntax SchemaModel SchemaVersions"),
  // Import and export of rows, and checks, copies and migrations of stores.
  module("StoreTransfer", storeTools + " MacroExpansion SchemaImport SchemaFormat SchemaLint AppleStore StoreCare"),
  module("AppleStore", "SchemaDiagnostics SchemaImport"), module("StoreCare", storeTools),
  // The verbs of `trellis`, the language server, the verbs that need the runtime, and those that need libpq.
  module("SchemaCommands", schemaTools + " SchemaImport SchemaExport StoreInspection"),
  module("SchemaServer", schemaTools + " SchemaFacts SchemaCommands"),
  // The studio, and the files of its page, which a C file embeds.
  .target(name: "StudioPage", exclude: ["Page"]),
  module(
    "StoreStudio",
    storeTools + " SchemaDriver SchemaGraph SchemaReports SchemaCommands StoreTransfer StoreCare StudioPage"),
  module("StoreCommands", storeCommands), module("PostgresCommands", storeCommands + " StoreCommands TrellisPostgres"),
]

/// The libraries of apps. Only users of the server store need libpq.
let runtime: [Target] = [
  .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
  .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
  // Connections, statements, transactions and files, without models; schemas, values, predicates and the interface of
  // stores; the SQL store.
  module("TrellisSQLite", "CSQLite"), module("TrellisModel", "TrellisSQLite CSQLite SchemaFacts"),
  module("TrellisStore", "TrellisModel TrellisSQLite CSQLite SchemaFacts"),
  // Generated code declares the macros. SwiftPM hands them to targets that depend on `Trellis`: contexts and containers.
  .macro(name: "TrellisMacros", dependencies: ["MacroExpansion"]),
  module("Trellis", "TrellisModel TrellisStore TrellisSQLite CSQLite SchemaFacts TrellisMacros"),
  // Trellis under the name of Apple's module, and the server store.
  module("SwiftData", "Trellis"), module("TrellisPostgres", "Trellis CPostgres"),
]
/// Libraries for the tests of apps and of custom stores.
let testing = [
  module("StoreConformance", "Trellis", plugins: ["GenerateModels"]),
  module("TrellisTesting", "Trellis CSQLite SchemaDiagnostics SchemaModel SchemaFixtures"),
]
/// The example of a custom store, and the sample application: a shared target, and two programs with one store.
let sample = [
  module("JSONStore", "Trellis"),
  module("SampleTrips", "Trellis JSONStore TrellisPostgres", plugins: ["GenerateModels"]),
  program("trips", "SampleTrips"), program("trips-widget", "SampleTrips Trellis"),
]
/// The generator of the plugin, and the tool with three sets of verbs: schema checks do not build the runtime.
let executables: [Target] = [
  program("trellis-generate", "SchemaDriver"),
  program("SchemaTool", "SchemaDriver SchemaCommands SchemaServer", path: "Sources/Executables/trellis"),
  program("StoreTool", "SchemaDriver SchemaCommands StoreCommands", path: "Sources/Executables/trellis-store"),
  program("PostgresTool", "SchemaDriver SchemaCommands PostgresCommands", path: "Sources/Executables/trellis-postgres"),
]

/// A plugin with a verb of `swift package`, which builds and runs a program of this package.
func command(_ name: String, _ verb: String, _ description: String, writes: String? = nil) -> Target {
  let permissions = writes.map { PluginPermission.writeToPackageDirectory(reason: $0) }
  let intent = PluginCommandIntent.custom(verb: verb, description: description)
  return .plugin(name: name, capability: .command(intent: intent, permissions: permissions.map { [$0] } ?? []))
}

let commands = [
  command("Schema", "schema", "Check, lint and compare schema files."),
  command(
    "SchemaEdit", "schema-edit", "Release versions, rename, accept changes.",
    writes: "Writes released versions, their lock, and schema files."),
  command(
    "SchemaStore", "schema-store", "Import, export, check, copy and migrate stores, and write populated ones.",
    writes: "Writes the stores and files that were asked for."),
]
let plugins =
  [.plugin(name: "GenerateModels", capability: .buildTool(), dependencies: ["trellis-generate"])] + commands
let goldens = ["Inheritance", "Relationships", "SampleTrips", "Values"]
let generated = ["Access", "Initializers", "Landmine", "Several"]
let versions = ["ClassicV1", "ClassicV2", "ClassicV3"]
let schemaModules = (goldens.map { $0 + "Golden" } + generated).joined(separator: " ")
let compilerModules = """
  SchemaFacts SchemaDiagnostics SchemaSyntax SchemaModel SchemaDiff SchemaVersions SchemaEmitter SchemaDriver \
  SwiftSource MacroExpansion SchemaFormat SchemaReports SchemaLint SchemaGraph SchemaShapes
  """
let runtimeModules = "Trellis TestStores InheritanceGolden RelationshipsGolden SampleTripsGolden"
let serverModules = "TrellisPostgres PostgresSupport"
let storeModules = runtimeModules + " " + serverModules
let toolModules =
  compilerModules + " SchemaCommands StoreCommands StoreTransfer StoreStudio SchemaFixtures TrellisTesting TestSchemas"
let toolTests = "\(runtimeModules) \(toolModules) SchemaTool StoreTool SchemaServer SchemaImport SchemaExport CSQLite"

/// `./run test --all` and the commands that run a lane set `TRELLIS_ALL`, which adds the lanes and slow tests.
let isComplete = Context.environment["TRELLIS_ALL"] != nil
/// Programs that `./run` builds in release mode: predicates, life cycles of objects, mutated files.
let lanes = [
  program("PredicateLane", "TestWorlds TestSupport Trellis"), module("FuzzSupport"),
  program("LifeCycleLane", "TestWorlds TestSupport TestStores Trellis"),
  program("SchemaFuzz", "TestSupport FuzzSupport SchemaCommands SchemaServer " + compilerModules),
  program("StoreFuzz", "TestSupport FuzzSupport AppleStoreFiles " + storeCommands + " StoreCommands"),
]
/// Modules and programs that tests share.
let testSupport: [Target] =
  [
    module("TestSupport", "StoreShell"),
    // `SchemaShapes` has large schemas for performance tests.
    module("TestTraits"), module("SchemaShapes"), module("TestStores", "Trellis"),
    // Random rows, predicates and steps for several stores and for release builds; a reader of stores without Trellis.
    module("TestWorlds", "Trellis TestSupport TestStores", plugins: ["GenerateModels"]),
    module("TestSchemas", "Trellis TrellisTesting " + schemaModules), program("StoreShell", "CSQLite"),
    // A private PostgreSQL server, and a writer of stores as Core Data writes them.
    module("PostgresSupport", "Trellis TrellisPostgres"), module("AppleStoreFiles", "SchemaImport Trellis"),
    program("MigrationLane", "Trellis TrellisTesting SampleTripsGolden"),
    program("HistoryLane", "TestSupport TestStores Trellis", plugins: ["GenerateModels"]),
  ] + (isComplete ? lanes : [])
  // Generated code that is checked in and that is only compiled, and one module for each version of a schema.
  + ["Swift5", "Swift6"].map { module($0, "SwiftData", plugins: ["GenerateModels"]) }
  + goldens.map { .target(name: $0 + "Golden", dependencies: ["Trellis"], path: "Tests/Goldens/\($0)Golden") }
  + (generated.map { ("Generated", $0) } + versions.map { ("Versions", $0) }).map { folder, name in
    .target(name: name, dependencies: ["Trellis"], path: "Tests/\(folder)/\(name)", plugins: ["GenerateModels"])
  }

/// Tests of one part of the package, in `Tests/<name>Tests`. Each is compiled in one pass, because in batch mode each
/// batch expands the macros of all tests.
func tests(
  _ name: String, _ names: String = "", exclude: [String] = [], generates: Bool = true
) -> Target {
  let onePass = ["-wmo", "-disable-batch-mode", "-no-emit-module-separately-wmo", "-num-threads", "1"]
  return .testTarget(
    name: name + "Tests", dependencies: targets("TestSupport TestTraits " + names), exclude: exclude,
    swiftSettings: [.unsafeFlags(onePass)], plugins: generates ? ["GenerateModels"] : [])
}

let testTargets: [Target] =
  [
    tests("Compiler", compilerModules, exclude: ["Macros/Messages"], generates: false),
    tests("Structure", generates: false), tests("SchemaLint", compilerModules, generates: false),
    tests("Server", compilerModules + " SchemaCommands SchemaServer", generates: false),
    tests(
      "Tool", toolTests + " MigrationLane ValuesGolden JSONStore StoreConformance TrellisPostgres",
      exclude: ["Import/Models", "Import/Swift", "Examples/Vocabulary"]),
    tests("Care", toolTests + " StoreCare"), tests("Studio", toolTests + " StoreCare"),
    tests("Transfer", toolTests + " ValuesGolden AppleStore AppleStoreFiles SwiftData", exclude: ["Schemas/Goldens"]),
    tests("Context", "\(runtimeModules) TestWorlds"), tests("Query", "\(runtimeModules) TestWorlds"),
    tests("Relationship", "\(storeModules) SchemaFacts SchemaDiagnostics SchemaModel SchemaGraph"),
    tests("Batch", runtimeModules), tests("History", "\(storeModules) HistoryLane"),
    tests("Migration", "\(storeModules) TrellisTesting CSQLite ClassicV1 ClassicV2 ClassicV3"),
    tests("SwiftModel", "Trellis TrellisSQLite TestStores " + serverModules),
    tests("SampleTrips", "SampleTrips trips trips-widget Trellis TrellisTesting", generates: false),
    tests("Trellis", "Trellis CSQLite TestStores TestWorlds", generates: false),
    tests("Store", "\(storeModules) CSQLite StoreConformance JSONStore"), tests("SwiftData", "SwiftData Swift5 Swift6"),
    tests(
      "Postgres", "\(storeModules) \(toolModules) TestWorlds StoreConformance PostgresCommands PostgresTool"),
  ] + (isComplete ? [tests("ServerFault", "\(storeModules) TestWorlds StoreConformance")] : [])

for (group, targets) in [
  "Compiler": compiler, "Tools": tools, "Runtime": runtime, "Testing": testing, "Sample": sample,
  "Executables": executables,
] {
  for target in targets where target.path == nil { target.path = "Sources/\(group)/\(target.name)" }
}
for target in testSupport where target.path == nil { target.path = "Tests/\(target.name)" }

let libraries = ["Trellis", "SwiftData", "TrellisPostgres", "StoreConformance", "TrellisTesting"]
// Tests start `SchemaTool`, which is also the product's name if `TRELLIS_TESTS` limits the package.
let programs = [
  ("trellis", "SchemaTool"), ("trellis-store", "StoreTool"), ("trellis-postgres", "PostgresTool"),
  ("SchemaTool", "SchemaTool"), ("trips", "trips"), ("trips-widget", "trips-widget"),
]

let package = Package(
  name: "Trellis",
  products: libraries.map { .library(name: $0, targets: [$0]) }
    + plugins.map { .plugin(name: $0.name, targets: [$0.name]) }
    + programs.map { .executable(name: $0, targets: [$1]) },
  targets: compiler + tools + runtime + testing + sample + executables + plugins + testSupport + testTargets,
  swiftLanguageModes: [.v6]
)

// `Swift5` has warnings that are errors in later language modes.
for target in package.targets where target.type != .plugin && target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? [])
    + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].map { .enableUpcomingFeature($0) }
    + (["Landmine", "Swift5", "Swift6"].contains(target.name) ? [.defaultIsolation(MainActor.self)] : [])
    + (target.name == "Swift5"
      ? [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])] : [.treatAllWarnings(as: .error)])
}

// `TRELLIS_TESTS="A B"` limits the package to these test targets and their dependencies. SwiftPM builds every target of
// a package for its tests, and a build with a sanitizer shares no objects with other builds.
if let wanted = Context.environment["TRELLIS_TESTS"]?.split(separator: " ").map(String.init) {
  var (kept, queue) = (Set(wanted), wanted)
  while let name = queue.popLast() {
    guard let target = package.targets.first(where: { $0.name == name }) else { continue }
    for case .byNameItem(let name, _) in target.dependencies where kept.insert(name).inserted { queue.append(name) }
    for case .plugin(let name, _) in target.plugins ?? [] where kept.insert(name).inserted { queue.append(name) }
  }
  package.products = []
  package.targets.removeAll { !kept.contains($0.name) }
}
