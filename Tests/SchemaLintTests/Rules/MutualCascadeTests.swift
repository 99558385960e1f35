import Testing

@Suite struct MutualCascadeTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop]
        //            ^~~~~~~~~~~~~~~~~~~~ error[REL006]: 'Trip.stops' and its inverse 'Stop.trip' both cascade: deleting either object deletes everything connected with it
      }
      @Model class Stop { @Relationship(.cascade) var trip: Trip? }
      @Model class Engine { @Relationship(.cascade) var car: Car? }
      //                                  ^~~~~~~~ error[REL006]: 'Engine.car' and its inverse 'Car.engine' both cascade: deleting either object deletes both
      @Model class Car { @Relationship(deleteRule: .cascade, inverse: \Engine.car) var engine: Engine? }
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop]
      }
      @Model class Stop { @Relationship(.nullify) var trip: Trip? }
      """#)
  }
}
