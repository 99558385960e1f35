import SchemaDiagnostics
import SchemaModel
import SchemaVersions
import Testing

/// Tests of values whose encoding changed.
@Suite struct CodingStageTests {
  private let old = """
    struct V: Codable { var p: Int; var q: String? }
    @Model class A { var v: V; var list: [V] = []; @Attribute(.flattened) var flat: V }

    """
  private var new: String {
    old.replacing("String? }", with: "String?; enum CodingKeys: String, CodingKey { case p = \"pp\", q } }")
  }

  @Test func changedCodingIsReportedUntilItIsHandled() throws {
    let finding =
      "2:2 MIG033 field 'V.p': stored name changed from 'p' to 'pp', but the migration from 1.0.0 "
      + "does not handle it"
    #expect(findings(try history(old, new)) == [finding])
    let error = try #require(try history(old, new).0.check().first)
    #expect(
      error.help
        == "make 'CodingKeys' name the field as before ('case p'), or set the values in 'migration from 1.0.0': "
        + "'fill A.v = …', 'fill A.list = …', or accept the change: 'accept MIG033 V.p -- \"reason\"'")
    // The columns of `flat` are named after its properties, so only `v` and `list` need values.
    let fill = "fill A.v = V(p: old.v.p, q: old.v.q)\n"
    #expect(findings(try history(old, new + "migration from 1.0.0 {\n\(fill)}\n")) == [finding])
    #expect(findings(try history(old, new + "migration from 1.0.0 {\n\(fill)fill A.list = []\n}\n")) == [])
    #expect(
      findings(try history(old, new + "migration from 1.0.0 {\naccept MIG033 V.p -- \"none yet\"\n}\n")) == [])
    #expect(
      findings(try history(old, new.replacing("\"pp\"", with: "\"p\"")))
        == ["2:1 MIG004 (warning) versions 1.0.0 and 2.0.0 of 'S' are the same"])
  }

  @Test func customCodingIsReported() throws {
    let code = "String?; init(from decoder: any Decoder) throws { p = 1 } }"
    let old = self.old.replacing("@Attribute(.flattened) var flat: V", with: "")
    let new = old.replacing("String? }", with: code)
    #expect(
      findings(try history(old, new)) == [
        "2:2 MIG033 struct 'V' now uses custom coding, but the migration from 1.0.0 "
          + "does not handle it"
      ])
    #expect(findings(try history(old, new + "migration from 1.0.0 { accept MIG033 V -- \"reads both\" }\n")) == [])
    let enums = "enum E: Codable { case a }\n@Model class A { var e: E }\n"
    #expect(
      findings(
        try history(
          enums, enums.replacing("case a }", with: "case a; enum CodingKeys: String, CodingKey { case a = \"z\" } }"))
      )
      .first?.hasPrefix("2:2 MIG033 enum 'E' now uses custom coding") == true)
  }

  /// Released types keep their coding keys and their custom code.
  @Test func typesWithDifferentCodingAreNotShared() throws {
    let changed = try history(old, new).0
    #expect(changed.typeHomes(of: changed.frozen[0]).isEmpty)
    let same = try history(old, old).0
    #expect(Array(same.typeHomes(of: same.frozen[0]).keys) == ["V"])
  }

  /// The fingerprint contains no coded form if Swift synthesizes the encoding.
  @Test func addingCodingKeysEditsAReleasedVersion() throws {
    let lock = try history(old, old).0.rebuiltLock
    let (edited, files) = try history(new, new, lock: { _ in lock })
    #expect(findings((edited, files)).first?.contains("was edited after its release") == true)
  }
}
