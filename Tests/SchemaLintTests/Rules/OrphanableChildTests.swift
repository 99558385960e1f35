import Testing

@Suite struct OrphanableChildTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(deleteRule: .nullify, inverse: \Stop.trip) var stops: [Stop]
        //            ^~~~~~~~~~~~~~~~~~~~ info[REL019]: nothing refers to a 'Stop' after its 'Trip' is deleted
        @Relationship(inverse: \Guide.trip) var guides: [Guide]
        //                                      ^~~~~~ info[REL019]: nothing refers to a 'Guide' after its 'Trip' is deleted
      }
      @Model class Stop { var trip: Trip? }
      @Model class Guide { var trip: Trip? }
      """#,
      of: "REL019")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var stops: [Stop]
        @Relationship(deleteRule: .cascade) var legs: [Leg]
        var guides: [Guide]
        var hotels: [Hotel]
        @Relationship(inverse: nil) var tags: [Tag]
      }
      @Model class Stop { var trip: Trip?; var hotel: Hotel? }
      @Model class Leg { var trip: Trip? }
      @Model class Guide { var trip: Trip?; @Attribute(.unique) var name: String }
      @Model class Hotel { var trip: Trip?; var stops: [Stop] }
      @Model class Tag { var name: String }
      """#,
      of: "REL019")
  }
}
