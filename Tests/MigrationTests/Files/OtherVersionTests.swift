import ClassicV1
import ClassicV2
import Foundation
import Testing
import Trellis

/// Classes of one version in a context of another, for example `Trip` instead of `V1.Trip`.
@Suite(.serialized) struct OtherVersionTests {
  typealias V1 = RefusalTests.V1
  typealias V2 = RefusalTests.V2

  enum Plan: SchemaMigrationPlan {
    nonisolated(unsafe) static var will: (ModelContext) throws -> Void = { _ in }
    nonisolated(unsafe) static var did: (ModelContext) throws -> Void = { _ in }
    static var schemas: [any VersionedSchema.Type] { [Small.V1.self, Small.V2.self] }
    static var stages: [MigrationStage] {
      [.custom(fromVersion: Small.V1.self, toVersion: Small.V2.self, willMigrate: will, didMigrate: did)]
    }
  }

  enum Small {
    enum V1: VersionedSchema {
      static var models: [any PersistentModel.Type] { [ClassicV1.Tag.self] }
      static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    }
    enum V2: VersionedSchema {
      static var models: [any PersistentModel.Type] { [ClassicV2.Tag.self] }
      static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    }
  }

  private let fixture: MigrationFixture

  init() throws { fixture = try MigrationFixture() }

  typealias Call = (name: String, body: @Sendable (ModelContext) throws -> Void)

  /// Without a check, each call would return rows of the wrong version or trap.
  static let calls: [Call] = [
    ("fetch", { _ = try $0.fetch(FetchDescriptor<ClassicV2.Trip>()) }),
    ("fetch where", { _ = try $0.fetch(FetchDescriptor<ClassicV2.Trip>(predicate: #Predicate { $0.cents > 1 })) }),
    ("count", { _ = try $0.fetchCount(FetchDescriptor<ClassicV2.Trip>()) }),
    ("identifiers", { _ = try $0.fetchIdentifiers(FetchDescriptor<ClassicV2.Trip>()) }),
    ("delete", { try $0.delete(model: ClassicV2.Trip.self) }),
    ("enumerate", { try $0.enumerate(FetchDescriptor<ClassicV2.Trip>()) { _ in } }),
    ("snapshots", { try $0.enumerateSnapshots(as: ClassicV2.Trip.Snapshot.self) { _ in } }),
    ("fetch snapshots", { _ = try $0.fetchSnapshots(FetchDescriptor(), as: ClassicV2.Trip.Snapshot.self) }),
    ("insert", { try $0.insert(contentsOf: [ClassicV2.Trip.Snapshot(name: "x", cents: 1, kind: .business)]) }),
    ("upsert", { try $0.upsert(contentsOf: [ClassicV2.Trip.Snapshot(name: "x", cents: 1, kind: .business)]) }),
  ]

  @Test(arguments: calls.indices)
  func classesOfAnotherVersionAreNamed(_ index: Int) throws {
    let call = Self.calls[index]
    let context = try fixture.open(V1.self)
    try context.add([ClassicV1.Trip(title: "Oslo", budget: 1.5)])
    for _ in 0..<2 {
      let error = #expect(throws: SwiftDataError.unknownSchema, "\(call.name)") { try call.body(context) }
      #expect(error?.explanation?.contains("is 'ClassicV1.Trip', not 'ClassicV2.Trip'") == true, "\(call.name)")
    }
    #expect(try context.all(ClassicV1.Trip.self).map(\.title) == ["Oslo"])
  }

  /// The save of the stage throws, which ends the migration.
  @Test(arguments: [true, false])
  func migrationsDoNotContinueWithoutAModel(_ isBefore: Bool) throws {
    try fixture.open(Small.V1.self).add([ClassicV1.Tag(name: "a", weight: 1)])
    let before = try fixture.everything()
    Plan.will = { context in
      guard isBefore else { return }
      context.insert(ClassicV2.Tag(name: "b", weight: 2))
      try context.save()
    }
    Plan.did = { context in
      guard !isBefore else { return }
      context.insert(ClassicV1.Tag(name: "b", weight: 2))
      try context.save()
    }
    let error = #expect(throws: SwiftDataError.self) { try fixture.open(Small.V2.self, Plan.self) }
    #expect(error == .unknownSchema && error?.description.contains("the container's class 'Tag' is") == true)
    #expect(try fixture.everything() == before && fixture.backups.isEmpty)
  }
}
