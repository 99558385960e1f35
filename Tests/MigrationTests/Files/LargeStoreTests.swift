import ClassicV1
import ClassicV2
import ClassicV3
import Foundation
import Synchronization
import TestSupport
import Testing
import Trellis

/// Migrations of many rows. With `TRELLIS_ROUNDS=80`, they have a million rows and print the measured times.
@Suite(.serialized) struct LargeStoreTests {
  enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Reading.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Reading.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum V3: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV3.Reading.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
  }

  enum InPlace: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
  }

  enum Filling: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V3.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: V1.self, toVersion: V3.self,
          [
            .fill(ClassicV1.Reading.Snapshot.self, ClassicV3.Reading.Snapshot.self, ["value"]) {
              $1.value = Int($0.value * 1000)
            }
          ])
      ]
    }
  }

  /// Rewrites all rows with SQL only.
  enum Copying: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [MigrationSteps(fromVersion: V1.self, toVersion: V2.self, [.custom("nothing") { _ in }])]
    }
  }

  static let count = Repetitions.scaled(12_600, upTo: 1_000_000)
  static let isMeasurement = count >= 1_000_000

  private let fixture: MigrationFixture

  init() throws {
    fixture = try MigrationFixture()
    fixture.options.keepsBackup = false
    let start = Date(timeIntervalSinceReferenceDate: 0)
    try fixture.open(V1.self).insert(
      contentsOf: (0..<Self.count).lazy.map { number in
        ClassicV1.Reading.Snapshot(
          station: "station \(number % 50)", sensor: "sensor \(number % 7)", unit: "°C",
          sequence: number, quality: number % 3, flags: 0, value: Double(number) / 4,
          deviation: 0.5, taken: start.addingTimeInterval(Double(number)), isChecked: number % 2 == 0)
      })
  }

  /// The peak memory in KiB.
  private static var peakMemory: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.split(separator: " ").dropLast().last ?? "") } ?? 0
  }

  private func measure(_ name: String, _ body: () throws -> Void) throws {
    let before = Self.peakMemory
    let clock = ContinuousClock()
    let time = try clock.measure(body)
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    print(
      "migration \(name): \(Self.count) rows, \(Int(seconds * 1000)) ms, "
        + "\(Int(Double(Self.count) / seconds)) rows/s, peak memory +\(Self.peakMemory - before) KiB")
    if Self.isMeasurement { #expect(Self.peakMemory - before < 64 * 1024) }
  }

  @Test func additionsAndRenamesRewriteNoRows() throws {
    try measure("in place") { _ = try fixture.open(V2.self, InPlace.self) }
    let context = try fixture.open(V2.self, InPlace.self)
    let last = try #require(
      try context.fetch(
        FetchDescriptor<ClassicV2.Reading>(sortBy: [SortDescriptor(\.sequence, order: .reverse)])
          .limited(to: 1)
      ).first)
    #expect(last.place == "station \((Self.count - 1) % 50)" && last.rank == 5 && last.note == nil)
  }

  @Test func fillsVisitEachRowOnce() throws {
    let heard = Mutex<[MigrationProgress]>([])
    fixture.options.observer = { progress in heard.withLock { $0.append(progress) } }
    try measure("with a fill") { _ = try fixture.open(V3.self, Filling.self) }
    let context = try fixture.open(V3.self, Filling.self)
    var sum = 0
    try context.enumerateSnapshots(as: ClassicV3.Reading.Snapshot.self) { sum += $0.value }
    #expect(sum == (0..<Self.count).reduce(0) { $0 + $1 * 250 })
    let steps = heard.withLock { $0 }
    let rows = steps.filter { $0.activity == .rows(entity: "Reading") }
    #expect(rows.count > Self.count / 10_000 && rows.last?.completedRows == Self.count)
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $1.completedRows - $0.completedRows <= 10_000 })
    #expect(steps.allSatisfy { $0.expectedRows == Self.count && $0.fraction <= 1 })
    #expect(steps.last?.activity == .check && steps.last?.fraction == 1)
    #expect(rows.last?.description.hasSuffix(" of \(Self.count) rows (100 %), model 'Reading'") == true)
    #expect(steps.first?.from == Schema.Version(1, 0, 0) && steps.first?.to == Schema.Version(3, 0, 0))
  }

  @Test func rowsAreCopiedInSQL() throws {
    try measure("in SQL") { _ = try fixture.open(V2.self, Copying.self) }
    #expect(try fixture.complaints() == "")
    #expect(try fixture.shell("SELECT COUNT(*) FROM Reading WHERE rank = 5") == "\(Self.count)")
  }
}

extension FetchDescriptor {
  fileprivate func limited(to count: Int) -> Self {
    var descriptor = self
    descriptor.fetchLimit = count
    return descriptor
  }
}
