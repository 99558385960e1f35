import SchemaLint
import Testing

@Suite struct NoDenyTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(deleteRule: .deny, inverse: \Stop.trip) var stops: [Stop]?
        //            ^~~~~~~~~~~~~~~~~ error[CKT005]: 'Trip.stops' denies deletions, which CloudKit does not support
      }
      @Model class Stop {
        @Relationship(.deny) var trip: Trip?
        //            ^~~~~ error[CKT005]: 'Stop.trip' denies deletions, which CloudKit does not support
      }
      """#,
      profiles: [.cloudkit],
      of: "CKT005")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(deleteRule: .cascade) var stops: [Stop]? }
      @Model class Stop { var trip: Trip? }
      """#,
      profiles: [.cloudkit],
      of: "CKT005")
  }
}
