import AppleStore
import AppleStoreFiles
import Foundation
import SchemaDiagnostics
import SchemaFormat
import SchemaImport
import StoreTransfer
import TestSupport
import Testing

/// Imports with the app's sources: enums and structs have their types, and the store needs no model.
@Suite struct AppleModelSourceTests {
  private typealias M = TestModels

  private static let source = """
    import SwiftData

    enum AppleMood: String, Codable { case calm, rough }
    enum AppleDrink: Codable { case water, mixed(bitters: String, drops: Int) }
    struct AppleSpot: Codable { var city: String; var height: Double?; var isNear: Bool }

    @Model final class AppleLog {
      var title: String
      var mood: AppleMood
      var backup: AppleMood?
      var drink: AppleDrink?
      var spot: AppleSpot
      var other: AppleSpot?
      var seen: Date
      @Transient var isOpen = false
      init(title: String) { self.title = title }
    }
    """

  private static let model = M.model(
    [
      M.entity(
        "AppleLog",
        [
          M.attribute("title", "String"), M.attribute("mood", "String"), M.attribute("seen", "Date"),
          M.attribute("backup", "Composite", optional: true, className: "AppleMood", composite: "AppleMood"),
          M.attribute("drink", "Transformable", optional: true, className: "AppleDrink"),
          M.attribute("spot", "Composite", className: "AppleSpot", composite: "AppleSpot"),
          M.attribute("other", "Composite", optional: true, className: "AppleSpot", composite: "AppleSpot"),
        ])
    ],
    [
      M.composite("AppleMood", [M.attribute("rawValue", "String")]),
      M.composite(
        "AppleSpot",
        [
          M.attribute("city", "String"), M.attribute("height", "Double", optional: true),
          M.attribute("isNear", "Boolean"),
        ]),
    ])

  private static func store(_ model: CoreDataModel?) throws -> AppleTestStore {
    try AppleTestStore(
      model, [("AppleLog", 1, 0)],
      """
      CREATE TABLE ZAPPLELOG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISNEAR INTEGER,
        ZISNEAR1 INTEGER, ZHEIGHT FLOAT, ZHEIGHT1 FLOAT, ZSEEN TIMESTAMP, ZCITY VARCHAR, ZCITY1 VARCHAR, ZMOOD VARCHAR,
        ZRAWVALUE VARCHAR, ZTITLE VARCHAR, ZDRINK BLOB);
      INSERT INTO ZAPPLELOG VALUES
        (1, 1, 1, NULL, 1, NULL, 3.3333333333333335, 100, NULL, 'Os"lo', 'calm', 'rough', 'one',
         \(hexadecimal(Array(#"{"mixed":{"bitters":"a/b","drops":2}}"#.utf8)))),
        (2, 1, 1, 0, 0, 5, NULL, 100.5, 'Rome', '', 'rough', NULL, 'two', NULL)
      """)
  }

  @Test(arguments: [true, false])
  func enumsAndStructsComeFromTheSources(_ hasCache: Bool) throws {
    let store = try Self.store(hasCache ? Self.model : nil)
    let file = SourceFile(path: "Log.swift", text: Self.source)
    let imported = try store.imported(models: .swift([file]))
    #expect(imported.copy.isComplete)
    #expect(imported.schema == SchemaFormatter.format(imported.schema))
    #expect(
      try imported.rows("SELECT id, title, mood, backup, drink, spot, other, seen FROM AppleLog ORDER BY id") == [
        #"1|one|calm|rough|{"mixed":{"bitters":"a/b","drops":2}}|{"city":"Os\"lo","height":3.3333333333333335,"isNear":true}||100.0"#,
        #"2|two|rough|||{"city":"","isNear":false}|{"city":"Rome","height":5,"isNear":false}|100.5"#,
      ])
  }

  /// Without sources, raw values have their own type, and encoded values are data.
  @Test func typesWithoutSources() throws {
    let store = try Self.store(Self.model)
    let imported = try store.imported()
    for line in [
      "var mood: String", "var backup: String?", "var drink: Data?", "@Attribute(.flattened) var spot: AppleSpot",
      "@Attribute(.flattened) var other: AppleSpot?",
    ] {
      #expect(imported.schema.contains(line), "missing: \(line)\n\(imported.schema)")
    }
    #expect(
      imported.notes.map(\.topic).filter { ["raw-value", "archived-value"].contains($0) }
        == ["raw-value", "archived-value"])
    #expect(
      try imported.rows("SELECT other, other_city, spot_city, spot_height FROM AppleLog ORDER BY id") == [
        "||Os\"lo|3.33333333333333", "1|Rome||",
      ])
  }

  @Test func propertiesThatTheStoreDoesNotHave() throws {
    let store = try Self.store(Self.model)
    let optional = SourceFile(
      path: "Log.swift", text: Self.source.replacing("var seen: Date", with: "var seen: Date\n  var extra: Int?"))
    let imported = try store.imported(models: .swift([optional]))
    #expect(imported.report.notes.contains("'AppleLog.extra' is missing in the store and is nil in every row"))
    let required = SourceFile(
      path: "Log.swift", text: Self.source.replacing("var seen: Date", with: "var seen: Date\n  var extra: Int"))
    #expect(
      throws: AppleStoreProblem(
        "the store has no values for 'AppleLog.extra'; import it with the sources that wrote it, and migrate the new "
          + "store afterwards")
    ) { _ = try AppleStoreImport(store.url.path, models: .swift([required]), name: "Voyages").planned() }
  }
}

extension AppleStoreImport {
  fileprivate func planned() throws -> CopyPlan { try plan(for: target()).plan }
}
