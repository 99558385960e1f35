import Testing

@Suite struct CascadeWrongWayTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(inverse: \Stop.trip) var stops: [Stop] }
      @Model class Stop { @Relationship(deleteRule: .cascade) var trip: Trip? }
      //                                ^~~~~~~~~~~~~~~~~~~~ warning[REL007]: deleting a member of 'Trip.stops' deletes the 'Trip' that contains all members
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] }
      @Model class Stop { var trip: Trip?; @Relationship(.cascade, inverse: \Photo.stop) var photo: Photo? }
      @Model class Photo { var stop: Stop? }
      """#)
  }
}
