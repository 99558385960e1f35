import Foundation
import Testing

@testable import Trellis
@testable import TrellisModel

/// Stores whose values are encoded differently from the program's types: `Coded.schema` and its released version, which
/// differ only in encoding.
@Suite struct CodedStoreTests {
  private typealias Old = CodedSchema.V1_0_0
  private typealias New = CodedSchema.V2_0_0

  /// The plan of the older program.
  private enum First: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Old.self] }
    static var stages: [MigrationStage] { [] }
  }

  /// A handwritten plan for the generated versions.
  private enum ByHand: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Old.self, New.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: Old.self, toVersion: New.self,
          willMigrate: { context in
            for thing in try context.all(Old.Thing.self) { context.delete(thing) }
            try context.save()
          },
          didMigrate: { context in
            context.insert(CodedStoreTests.thing("by hand"))
            try context.save()
          })
      ]
    }
  }

  private let fixture: MigrationFixture

  init() throws { fixture = try MigrationFixture() }

  private static func old(_ name: String) -> Old.Thing {
    Old.Thing(
      name: name, plain: Old.Plain(p: 1, q: "one"), maybe: Old.Plain(p: 2, q: "two"),
      keyed: Old.Keyed(a: 3, b: 4), cents: Old.Cents(value: 5), inner: Old.Thing.Inner(n: 9),
      flat: Old.Plain(p: 6, q: "six"))
  }

  fileprivate static func thing(_ name: String) -> Thing {
    Thing(
      name: name, plain: Plain(p: 1, q: "one"), maybe: Plain(p: 2, q: "two"), keyed: Keyed(width: 3),
      cents: Cents(value: 5), inner: Thing.Inner(n: 9), flat: Plain(p: 6, q: "six"))
  }

  private func contents() throws -> String {
    try fixture.shell("SELECT * FROM trellis_metadata; SELECT * FROM Thing")
  }

  private func expectUntouched(_ body: () throws -> Void) throws {
    let before = try contents()
    try body()
    #expect(try contents() == before)
    #expect(try fixture.complaints() == "")
  }

  /// The messages of a rejection.
  private static let complaints = [
    "the text of 'Thing.plain' is encoded differently ('Plain')",
    "the text of 'Thing.maybe' is encoded differently ('Plain')",
    "the text of 'Thing.cents' is encoded differently ('Cents')",
    "the text of 'Thing.inner' is encoded differently ('Inner')",
  ]

  private func expectComplaints(_ error: SwiftDataError?) {
    let text = error?.explanation ?? ""
    for complaint in Self.complaints { #expect(text.contains(complaint), "\(text)") }
    // These changes are harmless: a rename that keeps the encoded name, a new field with a default, and fields in
    // separate columns.
    #expect(!text.contains("keyed") && !text.contains("flat"), "\(text)")
    #expect(error?.storeProblem == .differentSchema)
  }

  @Test func olderProgramsDoNotOpenANewerStore() throws {
    try fixture.open(New.self).add([Self.thing("a")])
    try expectUntouched {
      for plan in [nil, First.self] as [(any SchemaMigrationPlan.Type)?] {
        for allowsSave in [true, false] {
          let error = #expect(throws: SwiftDataError.backwardMigration) {
            try fixture.open(Old.self, plan, allowsSave: allowsSave)
          }
          #expect(error?.storeProblem == .newerSchema)
        }
      }
    }
  }

  @Test func newerProgramsWithoutAPlanDoNotOpenAnOlderStore() throws {
    try fixture.open(Old.self).add([Self.old("a")])
    try expectUntouched {
      expectComplaints(
        #expect(throws: SwiftDataError.unknownDataStoreSchema) { try fixture.open(New.self) })
      // Without a plan, the models determine the version.
      let configuration = ModelConfiguration(url: fixture.url)
      expectComplaints(
        #expect(throws: SwiftDataError.unknownDataStoreSchema) {
          try ModelContainer(for: Schema([Thing.self]), configurations: configuration)
        })
      #expect(throws: SwiftDataError.unknownDataStoreSchema) {
        try fixture.open(New.self, allowsSave: false)
      }
    }
    #expect(
      try fixture.open(New.self, CodedMigrationPlan.self).all(Thing.self).map(\.maybe)
        == [Plain(p: 2, q: "two")])
  }

  @Test func handwrittenPlansMigrateCodedValues() throws {
    try fixture.open(Old.self).add([Self.old("a")])
    let context = try fixture.open(New.self, ByHand.self)
    #expect(try context.all(Thing.self).map(\.name) == ["by hand"])
    #expect(try fixture.shell("SELECT plain FROM Thing") == #"{"pp":1,"qq":"one"}"#)
  }

  /// A beta version wrote the store with the version number of the release.
  @Test func aDifferentCodingUnderTheSameVersionNumberIsUnknown() throws {
    try fixture.open(New.self).add([Self.thing("a")])
    try fixture.shell(
      """
      UPDATE trellis_metadata SET value = 'other' WHERE key = 'fingerprint';
      UPDATE trellis_metadata SET value = replace(value, 'Plain(p=pp', 'Plain(p=beta') WHERE key = 'schema'
      """)
    try expectUntouched {
      let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) {
        try fixture.open(New.self, CodedMigrationPlan.self)
      }
      let text = error?.explanation ?? ""
      #expect(text.contains("differs from version 2.0.0"), "\(text)")
      #expect(text.contains("the text of 'Thing.plain' is encoded differently ('Plain')"), "\(text)")
      #expect(throws: SwiftDataError.unknownDataStoreSchema) { try fixture.open(New.self) }
    }
  }
}
