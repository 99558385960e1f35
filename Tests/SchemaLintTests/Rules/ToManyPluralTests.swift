import SchemaLint
import Testing

@Suite struct ToManyPluralTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(inverse: \Stop.trips) var stop: [Stop]
        //                                      ^~~~ info[NAM009]: 'Trip.stop' holds many 'Stop' objects, but its name is singular
        @Relationship(inverse: \Stop.lastTrip) var finalStop: [Stop]?
        //                                         ^~~~~~~~~ info[NAM009]: 'Trip.finalStop' holds many 'Stop' objects, but its name is singular
      }
      @Model class Stop { var trips: Trip?; var lastTrip: Trip? }
      //                      ^~~~~ info[NAM009]: 'Stop.trips' holds a single 'Trip' object, but its name is plural
      """#,
      of: "NAM009")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(inverse: \Stop.trip) var bucketList: [Stop]
        @Relationship(inverse: nil) var visited: [Stop]
        @Relationship(inverse: nil) var stops2: [Stop]
        @Relationship(inverse: nil) var address: Stop?
        @Relationship(inverse: nil) var sheep: [Sheep]
      }
      @Model class Stop { var trip: Trip? }
      @Model class Sheep { var name: String }
      """#,
      of: "NAM009", options: ["exceptions": .words(["sheep"])])
  }
}
