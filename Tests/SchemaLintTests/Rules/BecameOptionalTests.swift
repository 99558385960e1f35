import Testing

@Suite struct BecameOptionalTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        var name: String?
        //  ^~~~ info[MIG044]: 'Trip.name' was required in version 1.0.0 and is now optional
        var stops: [Stop]?
        //  ^~~~~ info[MIG044]: 'Trip.stops' was required in version 1.0.0 and is now optional
      }
      @Model class Stop {
        var trip: Trip?
        //  ^~~~ info[MIG044]: 'Stop.trip' was required in version 1.0.0 and is now optional
      }
      """#,
      of: "MIG044",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String; var stops: [Stop] = [] }
        @Model class Stop { var trip: Trip }
        """#
      ])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        var name: String = ""
        var note: String?
      }
      """#,
      of: "MIG044",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String? }
        """#
      ])
  }
}
