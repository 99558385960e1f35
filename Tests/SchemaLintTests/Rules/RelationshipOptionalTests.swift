import SchemaLint
import Testing

@Suite struct RelationshipOptionalTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var stops: [Stop] = []
        //  ^~~~~ error[CKT003]: relationship 'Trip.stops' is not optional, which CloudKit does not support
      }
      @Model class Stop {
        var trip: Trip
        //  ^~~~ error[CKT003]: relationship 'Stop.trip' is not optional, which CloudKit does not support
      }
      """#,
      profiles: [.cloudkit],
      of: "CKT003",
      chosen: #"""
        schema S 1.0.0
        @Model class Trip {
          var stops: [Stop]? = []
        }
        @Model class Stop {
          var trip: Trip?
        }
        """#)
  }

  @Test func findingsWithoutAFix() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var first: [Stop] = [], last: [Stop] = []
        //  ^~~~~ error[CKT003]: relationship 'Trip.first' is not optional, which CloudKit does not support
        //                      ^~~~ error[CKT003]: relationship 'Trip.last' is not optional, which CloudKit does not support
      }
      @Model class Stop {
        @Relationship(inverse: \Trip.first) var start: Trip?
        @Relationship(inverse: \Trip.last) var end: Trip?
      }
      """#,
      profiles: [.cloudkit],
      of: "CKT003")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var stops: [Stop]? }
      @Model class Stop { var trip: Trip? }
      """#,
      profiles: [.cloudkit],
      of: "CKT003")
  }
}
