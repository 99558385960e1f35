import Testing

@Suite struct NullifyIntoRequiredTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(deleteRule: .nullify, inverse: \Stop.trip) var stops: [Stop]
        //            ^~~~~~~~~~~~~~~~~~~~ error[REL005]: deleting 'Trip' sets 'Stop.trip' to nil, but it is required
      }
      @Model class Stop { var trip: Trip }
      @Model class Engine { var car: Car? }
      //                        ^~~ error[REL005]: deleting 'Engine' sets 'Car.engine' to nil, but it is required
      @Model class Car { @Relationship(inverse: \Engine.car) var engine: Engine }
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop]
        @Relationship(inverse: \Note.trip) var notes: [Note]
      }
      @Model class Stop { var trip: Trip }
      @Model class Note { var trip: Trip? }
      """#)
  }
}
