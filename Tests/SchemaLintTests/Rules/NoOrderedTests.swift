import SchemaLint
import Testing

@Suite struct NoOrderedTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(.ordered, deleteRule: .cascade) var stops: [Stop]?
        //            ^~~~~~~~ error[CKT006]: 'Trip.stops' is ordered, which CloudKit does not support
      }
      @Model class Stop { var trip: Trip? }
      """#,
      profiles: [.cloudkit],
      of: "CKT006")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var stops: [Stop]? }
      @Model class Stop { var trip: Trip? }
      """#,
      profiles: [.cloudkit],
      of: "CKT006")
  }
}
