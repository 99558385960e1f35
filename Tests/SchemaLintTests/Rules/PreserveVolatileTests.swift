import SchemaLint
import Testing

@Suite struct PreserveVolatileTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.preserveValueOnDeletion) var updatedAt: Date
        //         ^~~~~~~~~~~~~~~~~~~~~~~~ info[HIS008]: 'updatedAt' cannot identify a deleted object: it changed with the last save
      }
      """#,
      profiles: [.history],
      of: "HIS008")
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.preserveValueOnDeletion) var touched: Date
        //         ^~~~~~~~~~~~~~~~~~~~~~~~ info[HIS008]: 'touched' cannot identify a deleted object: it changed with the last save
      }
      """#,
      profiles: [.history],
      of: "HIS008",
      options: ["names": .words(["touched"])])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.preserveValueOnDeletion) var createdAt: Date
        var updatedAt: Date
      }
      """#,
      profiles: [.history],
      of: "HIS008")
  }
}
