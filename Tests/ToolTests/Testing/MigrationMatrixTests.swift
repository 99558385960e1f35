import Foundation
import SampleTripsGolden
import Testing
import Trellis
import TrellisTesting

private typealias V1 = SampleTripsSchema.V1_0_0
private typealias V2 = SampleTripsSchema.V2_0_0

/// The matrix must report all lost data and nothing else.
struct MigrationMatrixTests {
  @Test func losslessPlansPass() throws {
    let report = try MigrationMatrix(SampleTripsMigrationPlan.self).check()
    #expect(report.hops.count == 3)
    #expect(report.rows > 100)
    #expect(report.description.hasPrefix("3 hops, ") && report.statements > 100 && report.links > 50)
  }

  @Test func plansWithOneVersionAreRejected() {
    enum Single: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self] }
      static var stages: [MigrationStage] { [] }
    }
    #expect(throws: MigrationMatrixError.self) { try MigrationMatrix(Single.self).check() }
  }

  @Test func lostRowsAreReported() {
    enum Losing: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V2.self, SampleTripsSchema.V3_0_0.self] }
      static var stages: [MigrationStage] {
        [
          .custom(
            fromVersion: V2.self, toVersion: SampleTripsSchema.V3_0_0.self,
            willMigrate: { context in
              try context.delete(model: V2.BucketListItem.self)
              try context.save()
            }, didMigrate: nil)
        ]
      }
    }
    expect(Losing.self, finds: "24 of 24 rows of 'BucketListItem' are missing")
  }

  enum Spoiling: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V2.self, SampleTripsSchema.V3_0_0.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: V2.self, toVersion: SampleTripsSchema.V3_0_0.self,
          [
            .custom("spoil") { rows in
              for item in try rows.new.fetch(FetchDescriptor<BucketListItem>()) { item.details = "spoilt" }
            }
          ])
      ]
    }
  }

  @Test func changedValuesAreReported() {
    expect(Spoiling.self, finds: "'BucketListItem.details' of row 1 has changed; before: ")
    #expect(throws: Never.self) {
      try MigrationMatrix(Spoiling.self, changing: ["BucketListItem.details"]).check()
    }
  }

  @Test func changedRelationshipsAreReported() {
    enum Cutting: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V2.self, SampleTripsSchema.V3_0_0.self] }
      static var stages: [MigrationStage] { [] }
      static var steps: [MigrationSteps] {
        [
          MigrationSteps(
            fromVersion: V2.self, toVersion: SampleTripsSchema.V3_0_0.self,
            [
              .custom("cut") { rows in
                for trip in try rows.new.fetch(FetchDescriptor<Trip>()) where trip.bucketList.count > 1 {
                  trip.bucketList.removeLast()
                }
              }
            ])
        ]
      }
    }
    expect(Cutting.self, finds: "'Trip.bucketList' of row 1 has changed; before: [")
    expect(Cutting.self, finds: "'BucketListItem.trip' of row ")
    #expect(throws: Never.self) {
      try MigrationMatrix(Cutting.self, changing: ["BucketListItem.trip", "Trip.bucketList"]).check()
    }
  }

  @Test func problemsDescribeTheirLocation() {
    do {
      try MigrationMatrix(Spoiling.self, rowsPerModel: 2, killedAt: 0).check()
      Issue.record("nothing was found")
    } catch MigrationMatrixError.failed(let problems) {
      let problem = problems[0]
      #expect(problem.hop == "2.0.0 → 3.0.0" && problem.model == "BucketListItem" && problem.key == "1")
      #expect(problem.property == "details" && problem.expected == "[\"\"]" && problem.found == "[\"spoilt\"]")
      #expect(problem.advice.contains("changing: [\"BucketListItem.details\"]"))
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func plansThatChangeEverythingAreRejected() {
    let models: Set<String> = ["Trip", "BucketListItem"]
    #expect {
      try MigrationMatrix(Spoiling.self, rowsPerModel: 2, changing: models).check()
    } throws: { error in
      if case MigrationMatrixError.nothingCompared? = error as? MigrationMatrixError { true } else { false }
    }
  }

  @Test func manyStatementsAreSampledEvenly() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("images-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appendingPathComponent("store")
    try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
    let images = StoreImages(of: store, in: folder.appendingPathComponent("images"), limit: 10)
    for number in 0..<100 {
      try Data("\(number / 30)".utf8).write(to: store.appendingPathComponent("a"))
      images.take()
    }
    #expect(images.statements == 100 && images.looks == 7)
    #expect(images.images.map(\.statement) == [0, 32, 64, 96])
    for (statement, image) in images.images {
      #expect(try Data(contentsOf: image.appendingPathComponent("a")) == Data("\(statement / 30)".utf8))
    }
  }

  @Test func missingFilesAreReported() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("facts-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appendingPathComponent("a.store")
    try StoreFixture(SampleTripsSchema.Current.self).write(to: url)
    #expect(try StoreFacts(of: url).complaints == [])
    let files = url.path + "-external"
    let names = try FileManager.default.contentsOfDirectory(atPath: files).filter { $0.hasSuffix("-300000") }
    #expect(names.count > 1)
    try FileManager.default.removeItem(atPath: files + "/" + names[0])
    try Data([1]).write(to: URL(fileURLWithPath: files + "/" + names[1]))
    #expect(
      try Set(StoreFacts(of: url).complaints)
        == Set(names.prefix(2).map { "the file '\($0)' of 'Trip.photo' is missing or damaged" }))
  }

  @Test func storesThatDoNotOpenAreReported() {
    // Duplicate trips violate the constraint of version 2.
    enum Lightweight: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
    }
    expect(Lightweight.self, finds: "1.0.0 → 2.0.0: ")
  }

  private func expect(
    _ plan: any SchemaMigrationPlan.Type, finds text: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      try MigrationMatrix(plan).check()
      Issue.record("nothing was found", sourceLocation: sourceLocation)
    } catch {
      #expect("\(error)".contains(text), "\(error)", sourceLocation: sourceLocation)
    }
  }
}
