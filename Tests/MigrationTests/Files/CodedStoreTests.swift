import Foundation
import Testing
import TrellisJSON

@testable import Trellis

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
  private var json: URL { fixture.folder.appendingPathComponent("test.json") }

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
    "the text of 'Thing.plain' is coded in another way ('Plain')",
    "the text of 'Thing.maybe' is coded in another way ('Plain')",
    "the text of 'Thing.cents' is coded in another way ('Cents')",
    "the text of 'Thing.inner' is coded in another way ('Inner')",
  ]

  private func expectComplaints(_ error: SwiftDataError?, inFile: Bool = false) {
    let text = error?.explanation ?? ""
    for complaint in Self.complaints { #expect(text.contains(complaint), "\(text)") }
    // Renamed in the text, one more with a default, and separate columns.
    #expect(!text.contains("keyed") && text.contains("flat") == inFile, "\(text)")
    #expect(error?.storeProblem == .differentSchema)
  }

  // MARK: The default store

  @Test func anOlderProgramDoesNotOpenANewerStore() throws {
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

  @Test func aNewerProgramWithoutAPlanDoesNotOpenAnOlderStore() throws {
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

  @Test func aPlanWrittenByHandLeadsOn() throws {
    try fixture.open(Old.self).add([Self.old("a")])
    let context = try fixture.open(New.self, ByHand.self)
    #expect(try context.all(Thing.self).map(\.name) == ["by hand"])
    #expect(try fixture.shell("SELECT plain FROM Thing") == #"{"pp":1,"qq":"one"}"#)
  }

  /// A beta version wrote the store with the version number of the release.
  @Test func anotherFormUnderTheSameNumberIsUnknown() throws {
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
      #expect(text.contains("the text of 'Thing.plain' is coded in another way in the store ('Plain')"), "\(text)")
      #expect(throws: SwiftDataError.unknownDataStoreSchema) { try fixture.open(New.self) }
    }
  }

  // MARK: JSON files

  private func file(
    _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)? = nil
  ) throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: version), migrationPlan: plan,
        configurations: [JSONFileConfiguration(url: json)]))
  }

  private var text: String { get throws { try String(contentsOf: json, encoding: .utf8) } }

  private func expectFileUntouched(_ body: () throws -> Void) throws {
    let before = try text
    try body()
    #expect(try text == before)
  }

  @Test func aFileSaysHowItIsCoded() throws {
    try file(Old.self).add([Self.old("a")])
    #expect(try text.contains(#""Thing.keyed":"Keyed(a=x b)""#) && !text.contains("schemaVersion"))
    #expect(try file(Old.self).all(Old.Thing.self).count == 1)
  }

  @Test(arguments: [true, false]) func aNewerProgramWithoutAPlanDoesNotReadAnOlderFile(_ isNumbered: Bool) throws {
    try file(Old.self, isNumbered ? First.self : nil).add([Self.old("a")])
    try expectFileUntouched {
      let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) { try file(New.self) }
      expectComplaints(error, inFile: true)
    }
    // Without a version number, the forms identify the version.
    let things = try file(New.self, CodedMigrationPlan.self).all(Thing.self)
    #expect(things.map(\.maybe) == [Plain(p: 2, q: "two")] && things.map(\.cents.value) == [5])
    // No fill sets this value; it is copied by the names of its columns.
    #expect(things.map(\.flat) == [Plain(p: 6, q: "six")])
    #expect(try text.contains(#""pp":6"#) && text.contains(#""schemaVersion": "2.0.0""#))
  }

  @Test(arguments: [true, false]) func anOlderProgramDoesNotReadANewerFile(_ isNumbered: Bool) throws {
    try file(New.self, isNumbered ? CodedMigrationPlan.self : nil).add([Self.thing("a")])
    try expectFileUntouched {
      let error = isNumbered ? SwiftDataError.backwardMigration : .unknownDataStoreSchema
      for plan in [nil, First.self] as [(any SchemaMigrationPlan.Type)?] {
        #expect(throws: error) { try file(Old.self, plan) }
      }
    }
  }

  /// A file without forms has values as Swift codes them.
  @Test func aFileWithoutFormsIsRefused() throws {
    try file(New.self, CodedMigrationPlan.self).add([Self.thing("a")])
    let lines = try text.split(separator: "\n", omittingEmptySubsequences: false)
    try Data(lines.filter { !$0.hasPrefix("\"codedForms\"") }.joined(separator: "\n").utf8).write(to: json)
    try expectFileUntouched {
      for plan in [nil, CodedMigrationPlan.self] as [(any SchemaMigrationPlan.Type)?] {
        let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) { try file(New.self, plan) }
        #expect(error?.storeProblem == .differentSchema)
      }
    }
  }
}
