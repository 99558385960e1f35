import SchemaLint
import Testing

@Suite struct NothingPreservedTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Pass {
        //         ^~~~ info[HIS002]: the history does not identify deleted 'Pass' objects
        @Relationship(.unique, inverse: nil) var person: Person?
        var number: Int
      }
      @Model class DayPass: Pass { var day: Date }
      @Model class Person { @Attribute(.unique) var code: String }
      """#,
      profiles: [.history],
      of: "HIS002")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.preserveValueOnDeletion) var name: String }
      @Model class BusinessTrip: Trip { var size: Int }
      @Model class Stop { @Attribute(.unique) var code: String }
      @Model class Link { @Transient var count: Int = 0 }
      @Model class Note { var text: String }
      """#,
      profiles: [.history],
      of: "HIS002")
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var name: String }
      """#,
      of: "HIS002")
  }
}
