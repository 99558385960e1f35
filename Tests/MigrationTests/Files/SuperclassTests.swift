import ClassicV1
import ClassicV2
import Foundation
import Testing
import Trellis

/// Classes whose superclass changes in the next version.
@Suite struct SuperclassTests {
  enum Figures1: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [
        ClassicV1.Figure.self, ClassicV1.Square.self, ClassicV1.Cube.self, ClassicV1.Ink.self,
        ClassicV1.Drawing.self,
      ]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum Figures2: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [
        ClassicV2.Figure.self, ClassicV2.Square.self, ClassicV2.Cube.self, ClassicV2.Ink.self,
        ClassicV2.Drawing.self,
      ]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum Inferred: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Figures1.self, Figures2.self] }
    static var stages: [MigrationStage] { [] }
  }

  enum Accepted: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Figures1.self, Figures2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: Figures1.self, toVersion: Figures2.self,
          [.accept(["Drawing.squares", "Drawing.best", "Ink.squares"])])
      ]
    }
  }

  enum Post1: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [ClassicV1.Mail.self, ClassicV1.Parcel.self, ClassicV1.Desk.self]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum Post2: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [ClassicV2.Mail.self, ClassicV2.Parcel.self, ClassicV2.Desk.self]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum PostInferred: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Post1.self, Post2.self] }
    static var stages: [MigrationStage] { [] }
  }

  enum PostAccepted: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Post1.self, Post2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [MigrationSteps(fromVersion: Post1.self, toVersion: Post2.self, [.accept(["Desk.mails"])])]
    }
  }

  enum Store1: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [ClassicV1.Bin.self, ClassicV1.Crate.self, ClassicV1.Shelf.self]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum Store2: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [ClassicV2.Bin.self, ClassicV2.Crate.self, ClassicV2.Shelf.self]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum StoreInferred: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Store1.self, Store2.self] }
    static var stages: [MigrationStage] { [] }
  }

  enum StoreCustom: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Store1.self, Store2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: Store1.self, toVersion: Store2.self,
          [
            .custom("crates") { rows in
              try rows.forEach(ClassicV1.Crate.Snapshot.self) { crates in
                try rows.new.insert(
                  contentsOf: crates.map { ClassicV2.Crate.Snapshot(name: $0.name, size: $0.size) })
              }
            }
          ])
      ]
    }
  }

  private let fixture: MigrationFixture

  init() throws { fixture = try MigrationFixture() }

  private func drawFigures() throws {
    let context = try fixture.open(Figures1.self)
    let square = ClassicV1.Square(name: "square", side: 1)
    let cube = ClassicV1.Cube(name: "cube", side: 2, depth: 3)
    let drawing = ClassicV1.Drawing(name: "d")
    let other = ClassicV1.Drawing(name: "e")
    try context.add([square, cube, drawing, other])
    drawing.squares = [square, cube]
    drawing.all = [square, cube]
    drawing.best = cube
    other.best = square
    let mark = ClassicV1.Ink(name: "m")
    context.insert(mark)
    mark.squares = [square, cube]
    try context.save()
  }

  @Test func referencesToAnotherClassAreNotDroppedSilently() throws {
    try drawFigures()
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try fixture.open(Figures2.self, Inferred.self)
    }
    let text = "\(try #require(error))"
    for part in [
      "'Drawing.squares'", "'Drawing.best'", "'Ink.squares'", "not of class 'Square'", "('Cube')", "Drawing/",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
    #expect(!text.contains("Drawing.all"))
    #expect(try fixture.open(Figures1.self).all(ClassicV1.Cube.self).count == 1)
  }

  @Test func acceptedReferencesAreDroppedAndOthersAreKept() throws {
    try drawFigures()
    let context = try fixture.open(Figures2.self, Accepted.self)
    let drawings = try context.fetch(
      FetchDescriptor<ClassicV2.Drawing>(sortBy: [SortDescriptor(\.name)]))
    #expect(drawings[0].squares.map(\.name) == ["square"])
    #expect(Set(drawings[0].all.map(\.name)) == ["square", "cube"])
    #expect(drawings.map { $0.best?.name } == [nil, "square"])
    #expect(try context.all(ClassicV2.Ink.self).map { $0.squares.map(\.name) } == [["square"]])
    #expect(try context.all(ClassicV2.Cube.self).map(\.depth) == [3])
    #expect(try fixture.complaints() == "")
  }

  private func post() throws {
    let context = try fixture.open(Post1.self)
    let mail = ClassicV1.Mail(name: "letter")
    let parcel = ClassicV1.Parcel(name: "parcel", weight: 5)
    parcel.photo = Data(repeating: 7, count: 300_000)
    let desk = ClassicV1.Desk(name: "desk")
    try context.add([mail, parcel, desk])
    desk.mails = [mail, parcel]
    desk.parcel = parcel
    try context.save()
  }

  @Test func aSubclassBecomesARoot() throws {
    try post()
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try fixture.open(Post2.self, PostInferred.self)
    }
    #expect("\(try #require(error))".contains("'Desk.mails' refers to models that are not of class 'Mail'"))
    let context = try fixture.open(Post2.self, PostAccepted.self)
    let desk = try #require(try context.all(ClassicV2.Desk.self).first)
    #expect(desk.mails.map(\.name) == ["letter"])
    #expect(desk.parcel?.name == "parcel" && desk.parcel?.weight == 5)
    #expect(desk.parcel?.photo == Data(repeating: 7, count: 300_000))
    #expect(try context.all(ClassicV2.Mail.self).map(\.name) == ["letter"])
    try context.add([ClassicV2.Mail(name: "new"), ClassicV2.Parcel(name: "new", weight: 1)])
    #expect(try context.all(ClassicV2.Parcel.self).count == 2)
    #expect(try fixture.complaints() == "")
  }

  /// Both tables number their rows from one. A reference must not refer to another row with its number.
  @Test func aRootBecomesASubclassInACustomStep() throws {
    let old = try fixture.open(Store1.self)
    let crate = ClassicV1.Crate(name: "crate", size: 3)
    let shelf = ClassicV1.Shelf()
    try old.add([ClassicV1.Bin(name: "bin"), crate, shelf])
    shelf.crate = crate
    try old.save()
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try fixture.open(Store2.self, StoreInferred.self)
    }
    #expect("\(try #require(error))".contains("'Crate' was in a different table: create its rows in a custom step"))
    let context = try fixture.open(Store2.self, StoreCustom.self)
    #expect(try context.all(ClassicV2.Crate.self).map { "\($0.name) \($0.size)" } == ["crate 3"])
    #expect(Set(try context.all(ClassicV2.Bin.self).map(\.name)) == ["bin", "crate"])
    #expect(try context.all(ClassicV2.Shelf.self).map { $0.crate == nil } == [true])
    #expect(try fixture.complaints() == "")
  }
}
