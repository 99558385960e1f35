import SchemaLint
import Testing

@Suite struct PreserveVolatileTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.preserveValueOnDeletion) var updatedAt: Date
        //         ^~~~~~~~~~~~~~~~~~~~~~~~ info[HIS008]: 'updatedAt' of a deleted object finds it nowhere: it changed with its last save
      }
      """#,
      profiles: [.history],
      of: "HIS008")
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.preserveValueOnDeletion) var touched: Date
        //         ^~~~~~~~~~~~~~~~~~~~~~~~ info[HIS008]: 'touched' of a deleted object finds it nowhere: it changed with its last save
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
