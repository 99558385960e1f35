import SchemaDriver
import Testing

/// Tests of `trellis graph`. Other suites test the diagrams.
struct GraphTests {
  static let schema = """
    schema S 1.0.0
    @Model class A { @Relationship(deleteRule: .cascade, inverse: \\B.a) var bs: [B] = []; var kind: K = K.x }
    @Model class B { var a: A? }
    @Model class C { var x: Int? }
    enum K: String, Codable { case x }

    """

  @Test func formats() throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", Self.schema)
      let (status, mermaid) = folder.run("graph")
      #expect(status == .clean)
      #expect(mermaid.contains("  A \"0..1\" *-- \"0..*\" B : bs #40;cascade#41; / a\n"))
      #expect(folder.run("graph", "--format", "dot", "S.schema").text.hasPrefix("digraph schema {"))
      let json = folder.run("graph", "--format", "json").text
      #expect(json.contains("\"deleteRule\" : \"cascade\""))
      #expect(folder.run("graph", "--models-only").text.contains("class K") == false)
      #expect(folder.run("graph", "--focus", "A", "--depth", "0").text.contains("class B") == false)
      #expect(folder.run("graph", "--focus", "A").text.contains("  class C") == false)
      #expect(folder.run("graph", "--focus", "A", "--focus", "`C`").text.contains("  class C"))
    }
  }

  @Test func outputToAFile() throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", Self.schema)
      let (status, text) = folder.run("graph", "--output", "s.dot")
      #expect(status == .clean)
      #expect(text == "wrote s.dot\n")
      #expect(try folder.read("s.dot") == folder.run("graph", "--format", "dot").text)
      // As for reports, missing folders are created, and an existing folder is not accepted as the output file.
      #expect(folder.run("graph", "--output", "new/s.dot").status == .clean)
      #expect(try folder.read("new/s.dot") == folder.read("s.dot"))
      #expect(folder.run("graph", "--output", "new").status == .usage)
      #expect(folder.run("graph", "--output", "s.html").status == .clean)
      #expect(try folder.read("s.html").hasPrefix("<!DOCTYPE html>"))
      #expect(folder.run("graph", "--format", "svg", "--output", "-").text.hasPrefix("<svg "))
    }
  }

  @Test func diagramOfAChange() throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", Self.schema)
      #expect(folder.run("freeze").status == .clean)
      try folder.write(
        "S.schema",
        Self.schema.replacing("1.0.0", with: "1.1.0").replacing("var x: Int?", with: "var x: Int?; var y: Int?"))
      let text = folder.run("graph", "--diff", "..").text
      #expect(text.contains("y: Int? « added »"))
      #expect(!text.contains("class A"))
      #expect(text.contains("%% 2 models are left out"))
      #expect(folder.run("graph", "--diff", "1.0.0..head").text == text)
      #expect(folder.run("graph", "--diff", "versions/S-1.0.0..S.schema").text == text)
      #expect(folder.run("graph", "--diff", "nothing").status == .usage)
      #expect(folder.run("graph", "--diff", "1.0.0..", "--focus", "A").text.contains("class A"))
    }
  }

  @Test func invalidDiagramOptions() throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", Self.schema)
      #expect(
        folder.run("graph", "--focus", "AA").text == "error: there is no model 'AA'; did you mean 'A'?\n"
          || folder.run("graph", "--focus", "AA").text == "error: there is no model 'AA'\n")
      #expect(folder.run("graph", "--depth", "-1").status == .usage)
      #expect(folder.run("graph", "--depth", "1").status == .usage)
      #expect(folder.run("graph", "--format", "png").status == .usage)
      try folder.write("S.schema", "schema S 1.0.0\n@Model class A { var x: Nope<")
      #expect(folder.run("graph").status == .unparsable)
      try folder.write("S.schema", "")
      #expect(folder.run("graph", "nowhere").status == .usage)
    }
  }
}

/// Tests of `trellis explain`.
struct ExplainTests {
  @Test func explanationsOfDeletionsAndInsertions() throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", GraphTests.schema)
      let (status, text) = folder.run("explain", "delete", "A")
      #expect(status == .clean)
      #expect(text.hasPrefix("deleting a 'A' (S.schema:2:14)\n└─ every 'B' in 'A.bs' is deleted by .cascade ("))
      #expect(folder.run("explain", "delete", "A", "S.schema").text == text)
      #expect(folder.run("explain", "insert", "C").text.hasSuffix("└─ no requirements: every property has a default\n"))
      #expect(folder.run("explain", "--format", "json", "delete", "A").text.contains("\"amount\" : \"all\""))
      try folder.write("T/T.schema", "schema T 1.0.0\n@Model class A { var x: Int }\n")
      #expect(folder.run("explain", "delete", "A").text.contains("\ndeleting a 'A' (T/T.schema:2:14)\n"))
      #expect(folder.run("explain", "delete", "A", "T").text.hasPrefix("deleting a 'A' (T/T.schema:2:14)\n"))
    }
  }

  @Test func explanationsOfRules() throws {
    try play { (folder: Playground) throws in
      let (status, text) = folder.run("explain", "REL008")
      #expect(status == .clean)
      #expect(text.hasPrefix("REL008 cascade-cycle: warning, in the preset 'recommended'"))
      for part in [
        "\nCascades do not form a cycle.\n", "\nWhy\n  A deletion follows the cycle",
        "\nInstead\n  Break the cycle", "\nSuppress\n  // schema:ignore REL008 -- why",
      ] { #expect(text.contains(part), "\(part)") }
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
      #expect(folder.run("explain", "rel008").text == text)
      #expect(folder.run("explain", "cascade-cycle").text == text)
      #expect(folder.run("explain", "REL008", "--format", "json").text.contains("\"name\" : \"cascade-cycle\""))
    }
  }

  @Test func invalidSubjectsOfExplain() throws {
    try play { (folder: Playground) throws in
      try folder.write("S.schema", "schema S 1.0.0\n@Model class Journey { var x: Int? }\n")
      let calls: [([String], String)] = [
        (["explain"], "error: 'trellis explain' needs 'delete MODEL', 'insert MODEL' or a rule\n"),
        (
          ["explain", "delet"],
          "error: 'trellis explain' needs 'delete MODEL', 'insert MODEL' or a rule, not 'delet'"
            + "; did you mean 'delete'?\n"
        ),
        (
          ["explain", "cascade-cycel"],
          "error: 'trellis explain' needs 'delete MODEL', 'insert MODEL' or a rule, not 'cascade-cycel'"
            + "; did you mean 'cascade-cycle'?\n"
        ),
        (["explain", "REL008", "x"], "error: 'trellis explain REL008' accepts no path\n"),
        (["explain", "delete"], "error: 'trellis explain delete' needs a model name\n"),
        (["explain", "insert", "Journy"], "error: there is no model 'Journy'; did you mean 'Journey'?\n"),
      ]
      for (call, text) in calls {
        let (status, found) = folder.run(call)
        #expect(status == .usage)
        #expect(found == text)
      }
      try folder.write("S.schema", "schema S 1.0.0\n@Model class Journey { var x }\n")
      #expect(folder.run("explain", "delete", "Journey").status == .unparsable)
    }
  }
}
