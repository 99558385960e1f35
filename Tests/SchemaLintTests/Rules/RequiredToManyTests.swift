import Testing

@Suite struct RequiredToManyTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(inverse: \Stop.trip) var stops: [Stop]
        //                                     ^~~~~ info[TYP019]: 'Trip.stops' does not declare an empty initial value
        @Relationship(inverse: nil) private var hidden: Array<Stop>, shown: [Stop] = []
        //                                      ^~~~~~ info[TYP019]: 'Trip.hidden' does not declare an empty initial value
      }
      @Model class Stop { var trip: Trip? }
      """#,
      of: "TYP019",
      fixed: #"""
        schema S 1.0.0
        @Model class Trip {
          @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
          @Relationship(inverse: nil) private var hidden: Array<Stop> = [], shown: [Stop] = []
        }
        @Model class Stop { var trip: Trip? }
        """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
        @Relationship(inverse: nil) var others: [Stop]?
        var names: [String]
      }
      @Model class Stop { var trip: Trip? }
      """#,
      of: "TYP019")
  }
}
