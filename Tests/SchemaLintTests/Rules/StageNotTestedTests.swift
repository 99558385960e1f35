import SchemaDiagnostics
import SchemaLint
import Testing

@Suite struct StageNotTestedTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var name: String }
      migration from 1.0.0 {
        custom tidyNames
        //     ^~~~~~~~~ warning[MIG080]: no test runs the custom step 'tidyNames'
      }
      """#,
      of: "MIG080",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String; var size: Int? }
        """#
      ],
      testWords: ["MigrationMatrix", "OtherMigrationPlan"])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var name: String }
      migration from 1.0.0 {
        custom tidyNames
      }
      """#,
      of: "MIG080",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String; var size: Int? }
        """#
      ],
      testWords: ["MigrationMatrix", "SMigrationPlan"])
    // The tests were not read.
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var name: String }
      migration from 1.0.0 {
        custom tidyNames
      }
      """#,
      of: "MIG080",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String; var size: Int? }
        """#
      ])
    // The stage contains only steps that the compiler generates.
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        var name: String
        var days: Int
      }
      migration from 1.0.0 {
        fill Trip.days = 1
      }
      """#,
      of: "MIG080",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String }
        """#
      ],
      testWords: [])
  }

  @Test func wordsInATest() {
    let test = SourceFile(
      path: "",
      text: """
        @Test func opens() throws {
          // OtherMigrationPlan
          try MigrationMatrix(App.SMigrationPlan.self, changing: ["NoMigrationPlan"]).check()
        }
        """)
    let words = MigrationTests.words(in: test)
    #expect(words.isSuperset(of: ["MigrationMatrix", "SMigrationPlan"]))
    #expect(words.isDisjoint(with: ["OtherMigrationPlan", "NoMigrationPlan"]))
    #expect(MigrationTests.words(in: SourceFile(path: "", text: "let plan = SMigrationPlan.self")).isEmpty)
  }
}
