import Testing

@Suite struct ImplicitDeleteRuleTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(.ordered, inverse: \Stop.trip) var stops: [Stop]
        //                                               ^~~~~ info[REL015]: 'Trip.stops' has no delete rule and defaults to '.nullify'
        @Relationship(inverse: nil)
        private var hidden: Stop?
        //          ^~~~~~ info[REL015]: 'Trip.hidden' has no delete rule and defaults to '.nullify'
        var friends: [Guide]
        //  ^~~~~~~ info[REL015]: 'Trip.friends' has no delete rule and defaults to '.nullify'
      }
      @Model class Stop { @Relationship var trip: Trip? }
      //                                    ^~~~ info[REL015]: 'Stop.trip' has no delete rule and defaults to '.nullify'
      @Model class Guide {
        @available(macOS 14, *) public var trips: [Trip]
        //                                 ^~~~~ info[REL015]: 'Guide.trips' has no delete rule and defaults to '.nullify'
        var next: Guide?, previous: Guide?
        //  ^~~~ info[REL015]: 'Guide.next' has no delete rule and defaults to '.nullify'
        //                ^~~~~~~~ info[REL015]: 'Guide.previous' has no delete rule and defaults to '.nullify'
      }
      """#,
      of: "REL015",
      fixed: #"""
        schema S 1.0.0
        @Model class Trip {
          @Relationship(.ordered, deleteRule: .nullify, inverse: \Stop.trip) var stops: [Stop]
          @Relationship(deleteRule: .nullify, inverse: nil)
          private var hidden: Stop?
          @Relationship(deleteRule: .nullify) var friends: [Guide]
        }
        @Model class Stop { @Relationship(deleteRule: .nullify) var trip: Trip? }
        @Model class Guide {
          @available(macOS 14, *) @Relationship(deleteRule: .nullify) public var trips: [Trip]
          var next: Guide?, previous: Guide?
        }
        """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(.cascade, inverse: \Stop.trip) var stops: [Stop]; var name: String }
      @Model class Stop { @Relationship(deleteRule: .nullify) var trip: Trip? }
      """#,
      of: "REL015")
  }

  @Test func staysSilentUnlessStrict() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var stops: [Stop] }
      @Model class Stop { var trip: Trip? }
      """#)
  }
}
