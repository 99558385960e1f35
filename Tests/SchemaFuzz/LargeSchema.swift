import SchemaDiagnostics
import SchemaLint
import SchemaModel

/// A schema of many megabytes, as no person writes it.
enum LargeSchema {
  /// Whether it is judged in less than two seconds.
  static func lint(megabytes: Int) -> Bool {
    let file = SourceFile(path: "Large.schema", text: text(megabytes << 20))
    let clock = ContinuousClock()
    var findings = 0
    let time = clock.measure {
      let compilation = SchemaCompiler.compile([file])
      findings = SchemaLinter.lint(LintInput(compilation)).findings.count
    }
    let seconds = time / .seconds(1)
    print("\(file.bytes.count >> 20) MiB: \(seconds) s, \(findings) findings")
    return seconds < 2
  }

  private static func text(_ size: Int) -> String {
    var text = "schema Large 1.0.0\n\n"
    text.reserveCapacity(size + 4_096)
    var index = 0
    while text.utf8.count < size {
      text += """
        /// One of many.
        @Model
        class Trip\(index) {
            #Unique<Trip\(index)>([\\.code])
            #Index<Trip\(index)>([\\.name], [\\.start, \\.name])

            var code: String
            var name: String = ""
            var start: Date
            var end: Date?
            var budget: Decimal?
            var kind: Kind\(index) = .work
            var tags: [String] = []
            @Attribute(.externalStorage) var photo: Data?
            @Relationship(deleteRule: .cascade, inverse: \\Stop\(index).trip) var stops: [Stop\(index)] = []
            @Relationship(inverse: \\Trip\(index + 1).previous) var next: Trip\(index + 1)?
            var previous: Trip\(max(index - 1, 0))?
        }

        @Model
        class Stop\(index) {
            var title: String = ""
            var order: Int = 0
            var trip: Trip\(index)?
        }

        enum Kind\(index): String, Codable { case work, leisure, other }


        """
      index += 1
    }
    // The last one has nobody behind it.
    return text.replacing("    @Relationship(inverse: \\Trip\(index).previous) var next: Trip\(index)?\n", with: "")
      .replacing("var previous: Trip", with: "var previous: Trip")
  }
}
