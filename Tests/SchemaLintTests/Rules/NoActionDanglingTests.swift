import Testing

@Suite struct NoActionDanglingTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(deleteRule: .noAction, inverse: \Stop.trip) var stops: [Stop] }
      //                                ^~~~~~~~~~~~~~~~~~~~~ warning[REL014]: deleting 'Trip' leaves a dangling reference in 'Stop.trip'
      @Model class Stop { var trip: Trip? }
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(deleteRule: .noAction, inverse: nil) var stops: [Stop] }
      @Model class Stop { @Relationship(inverse: nil) var trip: Trip? }
      """#)
  }
}
