import ClassicV1
import ClassicV2
import Foundation
import Testing
import Trellis

/// Tests of `MigrationStage.custom(willMigrate:didMigrate:)`.
@Suite struct CustomStageTests {
  enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Tag.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  /// The version with unique tag names.
  enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Tag.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  struct Stop: Error, Equatable {}

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self,
          willMigrate: { context in
            var seen: [String: ClassicV1.Tag] = [:]
            let tags = try context.fetch(
              FetchDescriptor<ClassicV1.Tag>(sortBy: [SortDescriptor(\.weight)]))
            for tag in tags {
              if let first = seen[tag.name] {
                first.marks += tag.marks
                first.memos += tag.memos
                context.delete(tag)
              } else {
                seen[tag.name] = tag
              }
            }
            try context.save()
          },
          didMigrate: { context in
            for tag in try context.all(ClassicV2.Tag.self) { tag.weight *= 10 }
            context.insert(ClassicV2.Tag(name: "added", weight: 0))
            try context.save()
            // Not saved, so not kept.
            context.insert(ClassicV2.Tag(name: "dropped", weight: 0))
          })
      ]
    }
  }

  enum NoClosures: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [.custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: nil)]
    }
  }

  enum ThrowsBefore: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self,
          willMigrate: { context in
            try context.delete(model: ClassicV1.Tag.self)
            try context.save()
            throw Stop()
          }, didMigrate: nil)
      ]
    }
  }

  enum ThrowsAfter: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self,
          willMigrate: { context in
            for tag in try context.all(ClassicV1.Tag.self) { tag.name += "\(tag.weight)" }
            try context.save()
          },
          didMigrate: { context in
            context.insert(ClassicV2.Tag(name: "x", weight: 0))
            try context.save()
            throw Stop()
          })
      ]
    }
  }

  private let fixture: MigrationFixture

  init() throws {
    fixture = try MigrationFixture()
    let context = try fixture.open(V1.self)
    let tags = [("a", 1), ("b", 2), ("a", 3)].map { ClassicV1.Tag(name: $0, weight: $1) }
    try context.add(tags)
    let memo = ClassicV1.Memo(text: "m")
    let mark = ClassicV1.Mark(text: "k")
    context.insert(memo)
    context.insert(mark)
    memo.tags = [tags[2]]
    mark.tag = tags[2]
    try context.save()
  }

  private func tags(_ context: ModelContext) throws -> [ClassicV2.Tag] {
    try context.fetch(FetchDescriptor<ClassicV2.Tag>(sortBy: [SortDescriptor(\.name)]))
  }

  @Test func S122_closuresSeeTheModelsOfTheirVersionAndCanSave() throws {
    let context = try fixture.open(V2.self, Plan.self)
    let tags = try tags(context)
    #expect(tags.map(\.name) == ["a", "added", "b"])
    #expect(tags.map(\.weight) == [10, 0, 20])
    #expect(tags[0].memos.map(\.text) == ["m"] && tags[0].marks.map(\.text) == ["k"])
    #expect(try fixture.complaints() == "")
    #expect(fixture.backups == ["test.store.backup-1.0.0"])
  }

  @Test func S122_closuresCanBeNil() throws {
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try fixture.open(V2.self, NoClosures.self)
    }
    #expect(error?.storeProblem == .migrationFailed)
    #expect(error?.details.first?.rule == .unique)
    #expect(error?.details.first?.properties == ["name"])
    #expect(error?.details.first?.reason.contains("'a'") == true)
    #expect(error?.details.first?.others.count == 1)
    let context = try fixture.open(V1.self)
    for tag in try context.all(ClassicV1.Tag.self) { tag.name += "\(tag.weight)" }
    try context.save()
    #expect(try tags(fixture.open(V2.self, NoClosures.self)).map(\.name) == ["a1", "a3", "b2"])
  }

  @Test(arguments: [true, false])
  func S123_aThrowingClosureKeepsTheOldStore(_ isBefore: Bool) throws {
    let before = try fixture.shell("SELECT * FROM Tag; SELECT * FROM trellis_metadata")
    #expect(throws: Stop()) {
      isBefore
        ? try fixture.open(V2.self, ThrowsBefore.self) : try fixture.open(V2.self, ThrowsAfter.self)
    }
    #expect(try fixture.shell("SELECT * FROM Tag; SELECT * FROM trellis_metadata") == before)
    #expect(try fixture.complaints() == "")
    #expect(fixture.backups.isEmpty)
    let context = try fixture.open(V1.self)
    #expect(try context.all(ClassicV1.Tag.self).map(\.name) == ["a", "b", "a"])
    #expect(try tags(fixture.open(V2.self, Plan.self)).count == 3)
  }
}
