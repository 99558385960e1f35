import Foundation
import Testing
import Trellis

@Suite struct ContainerBehaviourTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func S037_allReachableModelsAreFound() throws {
    let container = try ModelContainer(for: Ship.self, configurations: memory())
    #expect(container.schema.entities.map(\.name).sorted() == ["Cabin", "Sailor", "Ship"])
    #expect(Schema([Sailor.self]) == Schema([Ship.self, Sailor.self, Cabin.self]))
    #expect(Schema([Harbour.self]).entities.map(\.name) == ["Harbour"])
    // A submodel includes its superclass; the superclass does not include its submodels.
    #expect(Schema([Tug.self]).entities.map(\.name).sorted() == ["Owner", "Tug", "Vessel"])
    let context = ModelContext(container)
    context.insert(Sailor(name: "Ann"))
    try context.save()
    #expect(throws: SwiftDataError.unknownSchema) { try context.fetch(FetchDescriptor<Harbour>()) }
  }

  private static let variable = "TRELLIS_DEFAULT_STORE"
  private static var isChild: Bool { ProcessInfo.processInfo.environment[variable] != nil }

  /// The environment determines the location of the default store. A second process of this test uses a separate one.
  @Test(.enabled(if: !isChild))
  func S038_withoutConfigurationsThereIsOneDefaultConfiguration() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [
      "--testing-library", "swift-testing", "--filter", "ContainerBehaviourTests.*opensTheDefaultStore",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging([
      Self.variable: "1", "XDG_DATA_HOME": scratch.folder.path,
    ]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let folder = try #require(try scratch.files().first)
    #expect(FileManager.default.fileExists(atPath: scratch.folder.appending(path: "\(folder)/default.store").path))
  }

  @Test(.enabled(if: isChild)) func opensTheDefaultStore() throws {
    let configuration = ModelConfiguration()
    #expect(configuration.name == "default" && configuration.schema == nil)
    #expect(configuration.allowsSave && !configuration.isStoredInMemoryOnly)
    for container in [
      try ModelContainer(for: Harbour.self),
      try ModelContainer(for: Schema([Harbour.self]), configurations: [ModelConfiguration]()),
    ] {
      #expect(container.configurations == [configuration])
      #expect(FileManager.default.fileExists(atPath: configuration.url.path))
    }
  }

  @Test func S039_theContainerReflectsItsArguments() throws {
    enum First: VersionedSchema {
      static let models: [any PersistentModel.Type] = [Harbour.self]
      static let versionIdentifier = Schema.Version(2, 1, 0)
    }
    enum Plan: SchemaMigrationPlan {
      static let schemas: [any VersionedSchema.Type] = [First.self]
      static let stages: [MigrationStage] = []
    }
    let schema = Schema(versionedSchema: First.self)
    let first = memory("one")
    let plain = try ModelContainer(for: schema, configurations: [first])
    #expect(plain.schema == schema && plain.schema.version == Schema.Version(2, 1, 0))
    #expect(plain.migrationPlan == nil && plain.configurations == [first])
    let planned = try ModelContainer(for: schema, migrationPlan: Plan.self, configurations: first)
    #expect(planned.migrationPlan == Plan.self)
    let typed = try ModelContainer(
      for: Harbour.self, migrationPlan: Plan.self, configurations: first)
    #expect(typed.migrationPlan == Plan.self && typed.schema.entities.map(\.name) == ["Harbour"])
    #expect(plain == plain && plain != planned)
  }

  @Test @MainActor func S040_theMainContextBelongsToTheMainActorAndAutosaves() throws {
    let container = try ModelContainer(for: Harbour.self, configurations: memory())
    let context = container.mainContext
    #expect(context.autosaveEnabled && context === container.mainContext)
    #expect(context.container === container)
    #expect(!ModelContext(container).autosaveEnabled)
  }

  @Test func S041_inMemoryStoresWriteNoFiles() throws {
    let before = try scratch.files()
    var container: ModelContainer? = try ModelContainer(for: Harbour.self, configurations: memory())
    var context = container.map(ModelContext.init)
    context?.insert(Harbour(name: "Bergen"))
    try context?.save()
    #expect(try container.map { try names(Harbour.self, \.name, in: $0) } == ["Bergen"])
    (context, container) = (nil, nil)
    #expect(try scratch.files() == before)
    let next = try ModelContainer(for: Harbour.self, configurations: memory())
    #expect(try names(Harbour.self, \.name, in: next) == [])
  }

  @Test func inMemoryContainersAreIndependent() async throws {
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...16 {
        group.addTask {
          let container = try ModelContainer(for: Harbour.self, configurations: memory())
          let context = ModelContext(container)
          for index in 0..<number { context.insert(Harbour(name: "\(index)")) }
          try context.save()
          return try ModelContext(container).fetchCount(FetchDescriptor<Harbour>()) - number
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 0, count: 16))
  }

  @Test func S042_readOnlyStoresAreNotWritten() throws {
    let url = scratch.url("harbours")
    do {
      let context = ModelContext(
        try ModelContainer(for: Harbour.self, configurations: ModelConfiguration(url: url)))
      context.insert(Harbour(name: "Bergen"))
      try context.save()
    }
    let before = try Data(contentsOf: url)
    let container = try ModelContainer(
      for: Harbour.self, configurations: ModelConfiguration(url: url, allowsSave: false))
    #expect(try names(Harbour.self, \.name, in: container) == ["Bergen"])
    let context = ModelContext(container)
    context.insert(Harbour(name: "Oslo"))
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.storeProblem == .notWritable)
    #expect(context.insertedModelsArray.count == 1)
    #expect(throws: SwiftDataError.self) { try container.erase() }
    container.deleteAllData()
    #expect(try names(Harbour.self, \.name, in: container) == ["Bergen"])
    #expect(try Data(contentsOf: url) == before)
  }

  @Test func S043_theStoreIsAtTheConfiguredURL() throws {
    // Unlike SwiftData, Trellis only creates the last folder: a mistyped path would otherwise leave a tree of empty
    // folders.
    let mistyped = ModelConfiguration(url: scratch.folder.appending(path: "deep/er/harbours.sqlite"))
    let error = #expect(throws: SwiftDataError.self) { try ModelContainer(for: Harbour.self, configurations: mistyped) }
    #expect(error?.storeProblem == .noFolder)
    let url = scratch.folder.appending(path: "deep/harbours.sqlite")
    let first = try ModelContainer(for: Harbour.self, configurations: ModelConfiguration(url: url))
    let context = ModelContext(first)
    context.insert(Harbour(name: "Bergen"))
    try context.save()
    #expect(FileManager.default.fileExists(atPath: url.path))
    let second = try ModelContainer(for: Harbour.self, configurations: ModelConfiguration(url: url))
    #expect(try names(Harbour.self, \.name, in: second) == ["Bergen"])
  }

  @Test func S044_disjointSchemasHaveSeparateStores() throws {
    let ships = ModelConfiguration(
      "ships", schema: Schema([Ship.self]), url: scratch.url("ships"))
    let harbours = ModelConfiguration(
      "harbours", schema: Schema([Harbour.self]), url: scratch.url("harbours"))
    let container = try ModelContainer(
      for: Ship.self, Harbour.self, configurations: ships, harbours)
    #expect(container.configurations == [ships, harbours])
    let context = ModelContext(container)
    let ship = Ship(name: "Fram", hull: 1)
    let harbour = Harbour(name: "Larvik")
    context.insert(ship)
    context.insert(harbour)
    try context.save()
    let shipStore = try #require(container.storeIdentifier(forConfigurationNamed: "ships"))
    let harbourStore = try #require(container.storeIdentifier(forConfigurationNamed: "harbours"))
    #expect(ship.persistentModelID.storeIdentifier == shipStore)
    #expect(harbour.persistentModelID.storeIdentifier == harbourStore && shipStore != harbourStore)
    #expect(container.configurationName(forStoreIdentifier: shipStore) == "ships")
    #expect(container.configurationName(forStoreIdentifier: "elsewhere") == nil)
    #expect(container.storeIdentifier(forConfigurationNamed: "elsewhere") == nil)
    // A container with one file has only the models of that file.
    let alone = try ModelContainer(
      for: Harbour.self, configurations: ModelConfiguration(url: scratch.url("harbours")))
    #expect(try names(Harbour.self, \.name, in: alone) == ["Larvik"])
    // The configuration without a schema contains the remaining models.
    let rest = try ModelContainer(for: Ship.self, Harbour.self, configurations: harbours, memory("rest"))
    let pad = ModelContext(rest)
    pad.insert(Ship(name: "Gjøa", hull: 2))
    try pad.save()
    #expect(try names(Harbour.self, \.name, in: rest) == ["Larvik"])
    #expect(try names(Ship.self, \.name, in: rest) == ["Gjøa"])
  }

  @Test func entitiesInTwoConfigurationsAreRejected() throws {
    let error = #expect(throws: SwiftDataError.duplicateConfiguration) {
      try ModelContainer(
        for: Ship.self, configurations: memory("a", Schema([Ship.self])),
        memory("b", Schema([Sailor.self])))
    }
    #expect(
      error?.explanation
        == "configurations 'a' and 'b' both contain 'Cabin': a model belongs to one store, so keep it and "
        + "its related models in only one of the two schemas")
  }

  @Test func onlyOneConfigurationCanOmitItsSchema() throws {
    let error = #expect(throws: SwiftDataError.duplicateConfiguration) {
      try ModelContainer(for: Ship.self, configurations: memory("a"), memory("b"))
    }
    #expect(
      error?.explanation
        == "configurations 'a' and 'b' have no schema: give all configurations but one a schema, so that each model "
        + "belongs to one store")
  }

  @Test func S045_deletingAllDataEmptiesTheStoreAtOnce() throws {
    for configuration in [memory(), ModelConfiguration(url: scratch.url("ships"))] {
      let container = try ModelContainer(for: Ship.self, configurations: configuration)
      for erase in [{ container.deleteAllData() }, { try container.erase() }] as [() throws -> Void] {
        let context = ModelContext(container)
        let ship = Ship(name: "Fram", hull: 1)
        ship.cabins = [Cabin(number: 1), Cabin(number: 2)]
        context.insert(ship)
        try context.save()
        try erase()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Ship>()) == 0)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Cabin>()) == 0)
        // The existing objects and the context remain usable.
        #expect(ship.name == "Fram")
        #expect(try context.fetch(FetchDescriptor<Ship>()).isEmpty)
        context.insert(Ship(name: "Gjøa", hull: 1))
        try context.save()
        #expect(try names(Ship.self, \.name, in: container) == ["Gjøa"])
        try erase()
      }
    }
  }

  @Test func S046_invalidConfigurationsThrowSpecificErrors() throws {
    func error(_ schema: Schema, _ configurations: ModelConfiguration...) -> SwiftDataError? {
      #expect(throws: SwiftDataError.self) {
        try ModelContainer(for: schema, configurations: configurations)
      }
    }
    let url = scratch.url("one")
    let all = Schema([Ship.self, Harbour.self])
    #expect(
      error(all, ModelConfiguration("a", url: url), ModelConfiguration("b", url: url))
        == .duplicateConfiguration)
    #expect(
      error(Schema([Ship.self]), memory("a", Schema([Harbour.self])))
        == .configurationSchemaNotFoundInContainerSchema)
    #expect(
      error(all, memory("a", Schema([Ship.self])))
        == .configurationSchemaNotFoundInContainerSchema)
    #expect(error(all, ModelConfiguration("a/b")) == .configurationFileNameContainsInvalidCharacters)
    #expect(
      error(all, ModelConfiguration(String(repeating: "long", count: 80)))
        == .configurationFileNameTooLong)
    #expect(try scratch.files() == [])
  }

  @Test func S047_storesThatCannotBeLoadedThrow() throws {
    let url = scratch.url("text")
    try Data("Once upon a time there was no database here.".utf8).write(to: url)
    let folder = scratch.folder.appending(path: "folder.store")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for place in [url, folder, URL(filePath: "/proc/nowhere/x.store")] {
      let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
        try ModelContainer(for: Harbour.self, configurations: ModelConfiguration(url: place))
      }
      #expect(error?.explanation?.isEmpty == false)
    }
    #expect(try Data(contentsOf: url).starts(with: Data("Once upon".utf8)))
  }
}
