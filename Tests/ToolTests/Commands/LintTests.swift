import Foundation
import SchemaDriver
import Testing

/// Tests of `trellis lint`: configuration, comments, baselines, fixes and reports.
@Suite struct LintTests {
  private static let schema = """
    schema Trips 1.0.0

    @Model
    class Trip {
        #Index<Trip>([\\.name], [\\.name, \\.place])
        var name: String
        var place: String
        var Kind: String
    }

    """

  @Test func compactOutput() throws {
    try play { place in
      try place.write("Trips.schema", Self.schema)
      let (status, text) = place.run("lint")
      #expect(status == .findings)
      #expect(
        text == """
          Trips.schema:5:18: note: the index over 'name' is already covered by another index [IDX001 redundant-index]
          Trips.schema:5:28: note: the covering index is here
          Trips.schema:5:18: note: remove it
          Trips.schema:8:9: warning: 'Trip.Kind' is not in lowerCamelCase [NAM002 property-lower-camel]
          Trips.schema:8:9: note: rename it to 'kind' and write '@Attribute(originalName: "Kind")'
          1 file, \(Self.ruleCount(place)) rules, 0 migration steps: 1 warning, 1 info

          """)
    }
  }

  private static func ruleCount(_ place: Playground, _ arguments: String...) -> Int {
    place.run(["rules"] + arguments)
      .text.split(separator: "\n").count
  }

  @Test func theConfigurationSelectsRules() throws {
    try play { place in
      try place.write("Sources/App/Model/Trips.schema", Self.schema)
      try place.write(
        "Sources/App/schema.config.json",
        """
        {
          "rules": { "IDX001": "off", "property-lower-camel": "error" }
        }
        """)
      try place.write("Package.swift", "")
      let (status, text) = place.run("lint", "--quiet")
      #expect(status == .findings && !text.contains("IDX001"))
      #expect(text.contains("Trips.schema:8:9: error: 'Trip.Kind' is not in lowerCamelCase"))
      #expect(place.run("lint", "--quiet", "--no-config").text.contains("IDX001"))
      #expect(place.run("lint", "--quiet", "--severity", "NAM002=info").status == .clean)
      #expect(!place.run("lint", "--quiet", "--disable", "NAM002").text.contains("NAM002"))
      #expect(place.run("lint", "--quiet", "--enable", "IDX001").text.contains("IDX001"))
      let listed = place.run("rules", "--all", "Sources/App").text
      #expect(listed.contains("NAM002 property-lower-camel") && listed.contains("off"))
    }
  }

  @Test func pathsCanHaveDifferentRules() throws {
    try play { place in
      try place.write("Legacy/Trips.schema", Self.schema)
      try place.write("New/Trips.schema", Self.schema)
      try place.write(
        "schema.config.json",
        #"{ "paths": { "Legacy/**": { "rules": { "NAM002": "off", "IDX001": "warning" } } } }"#)
      let text = place.run("lint", "--quiet").text
      #expect(!text.contains("Legacy/Trips.schema:8:9"))
      #expect(text.contains("New/Trips.schema:8:9: warning"))
      #expect(text.contains("Legacy/Trips.schema:5:18: warning"))
      #expect(text.contains("New/Trips.schema:5:18: note"))
    }
  }

  @Test(arguments: [
    (#"{ "rulse": {} }"#, "1:3: error: unknown key 'rulse'; did you mean 'rules'?"),
    ("{\n  \"rules\": { \"NAM02\": \"off\" } }", "2:14: error: there is no rule 'NAM02'; did you mean 'NAM002'?"),
    (#"{ "rules": { "NAM002": "of" } }"#, "1:14: error: 'NAM002' must be off, info, warning or error, not 'of'"),
    (#"{ "rules": { "NAM002": ["off"] } }"#, "'NAM002' must be a level, or a list with a level and options"),
    (#"{ "rules": { "NAM002": ["error", { "limit": 3 }] } }"#, "'NAM002' has no option 'limit'"),
    (
      #"{ "preset": "strickt" }"#,
      "1:3: error: preset must be one of minimal, recommended, strict, comments, not 'strickt'; did you mean 'strict'?"
    ),
    (#"{ "profiles": "history" }"#, "'profiles' must be a list of strings"),
    (#"{ "profiles": ["histroy"] }"#, "did you mean 'history'?"),
    (#"{ "promoted": { "cloudkit": "one" } }"#, "'one' is not a version (expected a form such as 1.2.0)"),
    (#"{ "paths": { "*": { "level": 1 } } }"#, "unknown key 'level'; the only known key is 'rules'"),
    ("[1]", "1:1: error: the configuration is not a JSON object"),
    ("{", "error: the configuration is not JSON"),
  ])
  func invalidConfigurationsAreReported(_ json: String, _ message: String) throws {
    try play { place in
      try place.write("Trips.schema", Self.schema)
      try place.write("schema.config.json", json)
      let (status, text) = place.run("lint")
      #expect(status == .usage)
      #expect(text.contains("schema.config.json:"), "\(text)")
      #expect(text.contains(message), "\(text)")
    }
  }

  @Test func fixesCauseNoNewFindings() throws {
    try play { place in
      try place.write("Trips.schema", Self.schema)
      let dry = place.run("lint", "--fix-dry-run")
      #expect(dry.status == .clean && dry.text.contains("+    #Index<Trip>([\\.name, \\.place])"))
      #expect(try place.read("Trips.schema") == Self.schema)
      let (status, text) = place.run("lint", "--fix", "--quiet")
      #expect(status == .findings && text.contains("NAM002") && !text.contains("IDX001"))
      #expect(text.contains("1 finding fixed in 1 file\n"))
      #expect(try place.read("Trips.schema") == Self.schema.replacing("[\\.name], ", with: ""))
      #expect(place.run("lint", "--fix").text.contains("0 findings fixed"))
    }
  }

  /// Mistakes with only one possible correction are fixed, although the rules do not run on a schema that does not
  /// compile.
  @Test func compilerErrorsAreFixed() throws {
    try play { place in
      try place.write(
        "Trips.schema",
        """
        schema Trips 1.0.0

        @Model
        class Trip {
            @Attribute(.uniqe) var name: String
            var tags: String[] = []
            var kind: Kind = .walk
            var length: Dobule
        }

        enum Kind: String, Codable {
            case walk, ride,
        }

        """)
      let (status, text) = place.run("lint", "--fix", "--quiet")
      #expect(status == .unparsable && text.contains("3 findings fixed in 1 file\n"), "\(text)")
      // The user has to choose a type.
      #expect(text.contains("error: unknown type 'Dobule'"))
      let fixed = try place.read("Trips.schema")
      for line in ["@Attribute(.unique) var name: String", "var tags: [String] = []", "case walk, ride\n"] {
        #expect(fixed.contains(line), "\(fixed)")
      }
    }
  }

  @Test func baselinesHideExistingFindings() throws {
    try play { place in
      try place.write("Trips.schema", Self.schema)
      #expect(place.run("lint", "--write-baseline").status == .clean)
      // Findings are recognized after their lines moved.
      try place.write("Trips.schema", Self.schema.replacing("@Model", with: "// A comment.\n\n@Model"))
      #expect(place.run("lint", "--baseline", ".schema-baseline.json").status == .clean)
      #expect(place.run("lint").status == .findings)
      try place.write(
        "Trips.schema",
        Self.schema.replacing("Kind", with: "kind").replacing("place: S", with: "Place: S").replacing(
          "\\.place", with: "\\.Place"))
      let (status, text) = place.run("lint", "--baseline", ".schema-baseline.json")
      #expect(status == .findings && text.contains("'Trip.Place'"))
      #expect(text.contains("1 finding obsolete"))
      place.run("lint", "--baseline", ".schema-baseline.json", "--prune-baseline")
      #expect(!(try place.read(".schema-baseline.json")).contains("Kind"))
      #expect(place.run("lint", "--baseline", "missing.json").status == .usage)
      try place.write("broken.json", "{}")
      #expect(place.run("lint", "--baseline", "broken.json").text.contains("not a valid baseline"))
    }
  }

  @Test func onlyFindingsSinceARevision() throws {
    try play { place in
      try place.write("Model/Trips.schema", Self.schema)
      try place.git("init")
      try place.git("add", "-A")
      try place.git("commit", "-m", "one")
      #expect(place.run("lint", "--since", "HEAD").status == .clean)
      try place.write("Model/Trips.schema", "// Moved.\n" + Self.schema.replacing("place", with: "Place"))
      let (status, text) = place.run("lint", "--since", "HEAD", "--quiet")
      #expect(status == .findings)
      #expect(text.contains("'Trip.Place'") && !text.contains("'Trip.Kind'"))
      #expect(place.run("lint", "--since", "nowhere").status == .usage)
    }
  }

  @Test func severalReportsAtOnce() throws {
    try play { place in
      try place.write("Trips.schema", Self.schema)
      let (status, text) = place.run(
        "lint", "--quiet", "--output", "sarif:out/a.sarif", "--output", "junit:a.xml", "--output", "gitlab:q.json",
        "--output", "github:-")
      #expect(status == .findings)
      #expect(text.contains("::warning file=Trips.schema,line=8,endLine=8,col=9,endColumn=13,title=NAM002"))
      #expect(try place.read("out/a.sarif").contains("\"2.1.0\""))
      #expect(try place.read("a.xml").contains("Trips.schema\" tests=\"2\" failures=\"2\" errors=\"0\">"))
      #expect(try place.read("q.json").contains("\"check_name\" : \"NAM002\""))
      #expect(place.run("lint", "--output", "sarf:x").status == .usage)
      #expect(place.run("lint", "--output", "sarif:-", "--output", "json:-").status == .usage)
      #expect(place.run("lint", "--format", "text", "--color", "always").text.contains("\u{1B}["))
      #expect(!place.run("lint", "--format", "text").text.contains("\u{1B}["))
    }
  }

  @Test func schemasThatDoNotCompileAreNotLinted() throws {
    try play { place in
      try place.write("A/Trips.schema", Self.schema)
      try place.write("B/Broken.schema", "schema B 1.0.0\n@Model class A { var a: Strin }\n")
      let (status, text) = place.run("lint")
      #expect(status == .unparsable)
      // The other folder is still linted.
      #expect(text.contains("NAM002") && text.contains("TYP001"))
    }
  }

  @Test func configuredPatternsAreValidated() throws {
    try play { place in
      try place.write("Trips.schema", Self.schema)
      try place.write(
        "schema.config.json",
        ##"{ "rules": { "NAM012": ["warning", { "patterns": { "entity": "[A-Z]{3} -- three capitals" } }] } }"##)
      #expect(place.run("lint", "--quiet").text.contains("NAM012"))
      try place.write(
        "schema.config.json", ##"{ "rules": { "NAM012": ["warning", { "patterns": { "entity": "[A-Z" } }] } }"##)
      let (status, text) = place.run("lint")
      #expect(status == .usage && text.contains("schema.config.json:1:14: error: "), "\(text)")
    }
  }

  @Test func untestedStepsAreFoundInAPackage() throws {
    try play { place in
      try place.write("Sources/App/Trips.schema", Self.schema)
      place.run("freeze")
      try place.write(
        "Sources/App/Trips.schema",
        Self.schema.replacing("1.0.0", with: "2.0.0") + "\nmigration from 1.0.0 {\n    custom moveTrips\n}\n")
      // Without a package, the tests are unknown.
      #expect(!place.run("lint", "--quiet").text.contains("MIG080"))
      try place.write("Package.swift", "")
      try place.write("Tests/AppTests/A.swift", "// MigrationMatrix(plan: TripsMigrationPlan.self)")
      #expect(place.run("lint", "--quiet").text.contains("MIG080"))
      try place.write("Tests/AppTests/A.swift", "let matrix = MigrationMatrix(plan: TripsMigrationPlan.self)")
      #expect(!place.run("lint", "--quiet").text.contains("MIG080"))
    }
  }

  @Test func formattingIsCheckedOnRequest() throws {
    try play { place in
      try place.write("Trips.schema", Self.schema.replacing("    var name", with: "  var   name"))
      #expect(!place.run("lint", "--quiet").text.contains("SYN014"))
      #expect(
        place.run("lint", "--quiet", "--enable", "SYN014").text.contains(
          "Trips.schema:6:3: warning: the file is not formatted"))
      place.run("lint", "--enable", "SYN014", "--fix")
      #expect(try place.read("Trips.schema") == Self.schema.replacing("[\\.name], ", with: ""))
      #expect(place.run("--version").text == "trellis 0.1.0\n")
      #expect(place.run("lint", "--formt", "json").text.contains("unknown option '--formt'; did you mean '--format'?"))
    }
  }
}
