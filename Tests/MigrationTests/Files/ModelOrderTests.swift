import ClassicV1
import ClassicV2
import Foundation
import Testing
import Trellis

/// Programs that list models in different orders.
@Suite struct ModelOrderTests {
  /// The name of a join table depends on the first model.
  private static let orders: [[any PersistentModel.Type]] = [
    [ClassicV1.Student.self, ClassicV1.Course.self], [ClassicV1.Course.self, ClassicV1.Student.self],
    [ClassicV1.Course.self],
  ]

  private let fixture: MigrationFixture

  init() throws { fixture = try MigrationFixture() }

  private func open(_ models: [any PersistentModel.Type], allowsSave: Bool = true) throws -> ModelContext {
    let schema = Schema(models)
    return ModelContext(
      try ModelContainer(
        for: schema, configurations: ModelConfiguration(schema: schema, url: fixture.url, allowsSave: allowsSave)))
  }

  private func titles(_ context: ModelContext) throws -> [String] {
    let descriptor = FetchDescriptor<ClassicV1.Student>(sortBy: [SortDescriptor(\.name)])
    return try context.fetch(descriptor).map { "\($0.name) \($0.courses.map(\.title).sorted())" }
  }

  @Test(arguments: orders.indices, orders.indices)
  func theOrderOfModelsIsIrrelevant(_ first: Int, _ second: Int) throws {
    let student = ClassicV1.Student(name: "s")
    student.courses = [ClassicV1.Course(title: "a"), ClassicV1.Course(title: "b")]
    let writer = try open(Self.orders[first])
    try writer.add([student])
    let other = try open(Self.orders[second])
    #expect(try titles(other) == ["s [\"a\", \"b\"]"])
    let new = ClassicV1.Student(name: "t")
    try other.add([new])
    new.courses = try other.all(ClassicV1.Course.self)
    try other.save()
    #expect(try titles(ModelContext(writer.container)) == ["s [\"a\", \"b\"]", "t [\"a\", \"b\"]"])
    #expect(try titles(open(Self.orders[second], allowsSave: false)).count == 2)
    let names = "'Student_courses', 'Course_students'"
    #expect(try fixture.shell("SELECT count(*) FROM sqlite_schema WHERE name IN (\(names))") == "1")
    #expect(try fixture.complaints() == "")
  }

  enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] { orders[0] + [ClassicV1.Tag.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [ClassicV2.Student.self, ClassicV2.Course.self, ClassicV2.Tag.self]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [MigrationSteps(fromVersion: V1.self, toVersion: V2.self, [Classic.makeEnrollments])]
    }
  }

  @Test func migrationsFindJoinTablesInAnyModelOrder() throws {
    let student = ClassicV1.Student(name: "s")
    student.courses = [ClassicV1.Course(title: "a"), ClassicV1.Course(title: "b")]
    let tag = ClassicV1.Tag(name: "t", weight: 1)
    tag.memos = [ClassicV1.Memo(text: "m")]
    try open([ClassicV1.Memo.self, ClassicV1.Course.self]).add([student, tag])
    #expect(try fixture.shell("SELECT count(*) FROM Course_students; SELECT count(*) FROM Memo_tags") == "2\n1")
    let context = try fixture.open(V2.self, Plan.self)
    #expect(Set(try context.all(ClassicV2.Enrollment.self).map(\.course.title)) == ["a", "b"])
    #expect(try context.all(ClassicV2.Tag.self).map { $0.memos.map(\.text) } == [["m"]])
    #expect(try fixture.complaints() == "")
  }
}
