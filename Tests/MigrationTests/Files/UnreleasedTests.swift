import CSQLite
import ClassicV1
import ClassicV2
import ClassicV3
import Foundation
import Testing
import Trellis

/// Models that change before the first release, when stores already have rows.
@Suite struct UnreleasedTests {
  enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Trip.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Trip.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  /// A version without external values.
  enum Bare: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Home.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  /// The first version and another version that only adds a model.
  enum Released: SchemaMigrationPlan {
    enum Second: VersionedSchema {
      static var models: [any PersistentModel.Type] { [ClassicV1.Trip.self, ClassicV1.Home.self] }
      static var versionIdentifier: Schema.Version { Schema.Version(1, 1, 0) }
    }
    static var schemas: [any VersionedSchema.Type] { [V1.self, Second.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: Second.self)] }
  }

  private let fixture: MigrationFixture
  private let photo = Data(repeating: 7, count: 200_000)

  init() throws { fixture = try MigrationFixture() }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)) ?? []).sorted()
  }

  /// The number of files beside a store.
  private func files(of name: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(
      atPath: fixture.folder.appendingPathComponent(name + "-external").path
    ).count
  }

  private func writeFirst() throws {
    let context = try fixture.open(V1.self)
    try context.add([ClassicV1.Trip(title: "Oslo", budget: 9.5, note: nil, kind: .business, photo: photo)])
  }

  @Test func theErrorMentionsTheOptionAndFreezing() throws {
    try writeFirst()
    let before = try fixture.everything()
    let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) { try fixture.open(V2.self) }
    let text = error?.explanation ?? ""
    #expect(text.contains("'migration.whileUnreleased = .moveAside'"))
    #expect(text.contains("'swift package --allow-writing-to-package-directory schema-edit freeze'"))
    #expect(text.contains("Trip.budget"), "the differences stay: \(text)")
    #expect(error?.storeProblem == .differentSchema)
    #expect(try fixture.everything() == before)
    #expect(names.filter { $0.contains(".old") }.isEmpty)
  }

  @Test func theErrorOfAReleasedSchemaNamesTheGeneratedPlan() {
    func text(hasReleases: Bool, _ plan: (any SchemaMigrationPlan.Type)? = nil) -> String {
      let source = SchemaSource(name: "Trips", fingerprint: "1", text: "schema Trips 1.0.0", hasReleases: hasReleases)
      let schema = Schema(
        entities: [], version: Schema.Version(1, 0, 0), encodingVersion: Schema.schemaEncodingVersion, conflicting: [],
        source: source)
      return ProgramVersions(schema, plan).refusal(["'Trip.note' is gone"])
    }
    #expect(text(hasReleases: true).hasSuffix("'migrationPlan: TripsMigrationPlan.self'"))
    // The program's plan lacks the step.
    #expect(text(hasReleases: true, Released.self).contains("write a migration plan"))
    #expect(text(hasReleases: false).contains("write a migration plan"))
  }

  @Test func theStoreIsMovedAsideWithItsExternalValues() throws {
    try writeFirst()
    fixture.options.whileUnreleased = .moveAside
    for round in 1...2 {
      let context = try fixture.open(V2.self)
      #expect(try context.fetchCount(FetchDescriptor<ClassicV2.Trip>()) == round - 1)
      #expect(try files(of: "test.store") == round - 1, "the former files have only the name beside the copy")
      try context.add([ClassicV2.Trip(name: "Bergen", cents: 1, kind: .personal, photo: photo)])
    }
    let old = try #require(names.first { $0.hasSuffix(".old") })
    #expect(old.wholeMatch(of: #/test\.store\.\d{4}-\d\d-\d\dT\d{6}\.old/#) != nil)
    #expect(names.contains(old + "-external") && names.filter { $0.contains(".old") }.count == 2)
    let schema = Schema(versionedSchema: V1.self)
    let container = try ModelContainer(
      for: schema,
      configurations: ModelConfiguration(schema: schema, url: fixture.folder.appendingPathComponent(old)))
    let trip = try #require(try ModelContext(container).all(ClassicV1.Trip.self).first)
    #expect(trip.title == "Oslo" && trip.photo == photo)
  }

  /// The path is a symbolic link to a file in another folder. The file does not exist at first.
  @Test func companionFilesAreBesideTheTargetOfASymbolicLink() throws {
    let folder = fixture.folder.appendingPathComponent("real")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: fixture.url.path, withDestinationPath: "real/own.store")
    try writeFirst()
    let schema = Schema(versionedSchema: V1.self)
    for url in [fixture.url, folder.appendingPathComponent("own.store")] {
      let container = try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema, url: url))
      #expect(try ModelContext(container).all(ClassicV1.Trip.self).map(\.photo) == [photo])
    }
    fixture.options.whileUnreleased = .moveAside
    #expect(try fixture.open(V2.self).all(ClassicV2.Trip.self).isEmpty)
    #expect(names == ["real", "test.store"])
    let own = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let old = try #require(own.first { $0.hasSuffix(".old") })
    #expect(own.contains(old + "-external") && own.contains("own.store-external"))
  }

  @Test func externalFilesAreMovedEvenIfTheNewSchemaHasNone() throws {
    try writeFirst()
    fixture.options.whileUnreleased = .moveAside
    #expect(try fixture.open(Bare.self).all(ClassicV1.Home.self).isEmpty)
    let old = try #require(names.first { $0.hasSuffix(".old") })
    #expect(try files(of: "test.store") == 0)
    #expect(try files(of: old) == 1)
    #expect(try fixture.open(Bare.self).all(ClassicV1.Home.self).isEmpty)
  }

  @Test func compatibleStoresRemainInPlace() throws {
    try writeFirst()
    fixture.options.whileUnreleased = .moveAside
    #expect(try fixture.open(V1.self).all(ClassicV1.Trip.self).count == 1)
    // An added model opens without a plan.
    #expect(try fixture.open(Released.Second.self).all(ClassicV1.Trip.self).count == 1)
    // The store now has version 1.1.0, which a program with version 1.0.0 cannot open. Neither version is released.
    #expect(try fixture.open(V1.self).all(ClassicV1.Trip.self).isEmpty)
    #expect(names.filter { $0.hasSuffix(".old") }.count == 1)
  }

  @Test func releasedStoresAreNeverMoved() throws {
    fixture.options.whileUnreleased = .moveAside
    try writeFirst()
    // A program with two versions opens the store without changing its rows.
    #expect(try fixture.open(V1.self, Released.self).all(ClassicV1.Trip.self).count == 1)
    let before = try fixture.everything()
    let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) { try fixture.open(V2.self) }
    #expect(error?.explanation?.contains("whileUnreleased") == false)
    #expect(try fixture.everything() == before)
    #expect(names.filter { $0.contains(".old") }.isEmpty)
  }

  /// The program waits for the lock, as it always does when it opens a store.
  @Test func concurrentWritersPreventMovingTheStore() throws {
    try writeFirst()
    fixture.options.whileUnreleased = .moveAside
    var writer: OpaquePointer?
    defer { sqlite3_close(writer) }
    let opened = sqlite3_open(fixture.url.path, &writer)
    #expect(opened == SQLITE_OK && sqlite3_exec(writer, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    let error = #expect(throws: SwiftDataError.self) { try fixture.open(V2.self) }
    #expect(error?.storeProblem == .locked)
    #expect(names.filter { $0.contains(".old") }.isEmpty)
  }

  /// The file keeps its identity, so that open containers notice the change.
  @Test func openContainersRejectTheNewStore() throws {
    try writeFirst()
    fixture.options.whileUnreleased = .moveAside
    let holder = try fixture.open(V1.self)
    let trip = try #require(try holder.all(ClassicV1.Trip.self).first)
    let context = try fixture.open(V2.self)
    try context.add([ClassicV2.Trip(name: "Bergen", cents: 1, kind: .personal)])
    #expect(throws: SwiftDataError.backwardMigration) { try holder.all(ClassicV1.Trip.self) }
    trip.title = "Tromsø"
    #expect(throws: SwiftDataError.backwardMigration) { try holder.save() }
    #expect(try fixture.open(V2.self).all(ClassicV2.Trip.self).map(\.name) == ["Bergen"])
    #expect(try fixture.complaints() == "")
    #expect(names.filter { $0.hasSuffix(".old") }.count == 1)
  }

  /// Two builds are launched concurrently and keep replacing each other's store.
  @Test func concurrentLaunchesLoseNoRows() async throws {
    try writeFirst()
    var options = fixture.options
    options.whileUnreleased = .moveAside
    let (folder, url, own) = (fixture.folder, fixture.url, options)
    let saved = await withTaskGroup(of: String?.self) { group in
      for number in 0..<8 {
        group.addTask {
          do {
            let schema = number % 4 == 0 ? Schema(versionedSchema: V1.self) : Schema(versionedSchema: V2.self)
            var configuration = ModelConfiguration(schema: schema, url: url)
            configuration.migration = own
            let context = ModelContext(try ModelContainer(for: schema, configurations: configuration))
            if number % 4 == 0 {
              try context.add([ClassicV1.Trip(title: "\(number)", budget: 1, note: nil, kind: .personal)])
            } else {
              try context.add([ClassicV2.Trip(name: "\(number)", cents: 1, kind: .personal)])
            }
            return "\(number)"
          } catch {
            // A launch that loses the race throws a store error rather than an SQLite error.
            return error is SwiftDataError && !"\(error)".contains("SQLite error") ? nil : "\(error)"
          }
        }
      }
      return await group.reduce(into: Set<String>()) { if let name = $1 { $0.insert(name) } }
    }
    var found = Set<String>()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name == "test.store" || name.hasSuffix(".old") {
      let file = folder.appendingPathComponent(name).path
      #expect(try fixture.shell("PRAGMA integrity_check", file: file) == "ok", "\(name)")
      let column = try fixture.shell(
        "SELECT name FROM pragma_table_info('Trip') WHERE name IN ('title', 'name')", file: file)
      found.formUnion(
        try fixture.shell("SELECT \(column) FROM Trip", file: file).split(separator: "\n").map(String.init))
    }
    #expect(found.subtracting(["Oslo"]) == saved)
  }

  @Test(arguments: ["reader", "client", "damaged"])
  func storesThatCannotBeMovedRemainInPlace(_ reason: String) throws {
    try writeFirst()
    fixture.options.whileUnreleased = .moveAside
    switch reason {
    case "client": fixture.options.role = .client
    case "damaged":
      try fixture.shell("DELETE FROM \"trellis_metadata\" WHERE \"key\" = 'schema'")
    default: break
    }
    let error = #expect(throws: SwiftDataError.self) { try fixture.open(V2.self, allowsSave: reason != "reader") }
    #expect(error?.storeProblem != nil)
    #expect(names.filter { $0.contains(".old") }.isEmpty)
    #expect(names.contains("test.store"))
  }
}
