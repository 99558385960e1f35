import SchemaLint
import Testing

@Suite struct RelationshipInverseTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(inverse: nil) var stop: Stop?
        //            ^~~~~~~~~~~~ error[CKT004]: relationship 'Trip.stop' has no inverse, which CloudKit does not support
      }
      @Model class Stop { var name: String? }
      """#,
      profiles: [.cloudkit],
      of: "CKT004")
  }

  @Test func compilerErrorsAreNotRepeated() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var stop: Stop?
        //  ^~~~ error[REL001]: relationship 'Trip.stop' has no inverse
      }
      @Model class Stop { var name: String? }
      """#,
      profiles: [.cloudkit],
      of: "REL001")
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var stop: Stop? }
      @Model class Stop { var name: String? }
      """#,
      profiles: [.cloudkit],
      of: "CKT004")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var stops: [Stop]? }
      @Model class Stop { var trip: Trip? }
      """#,
      profiles: [.cloudkit],
      of: "CKT004")
  }
}
