import Testing

@Suite struct UnreachableEntityTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var stops: [Stop] }
      @Model class Stop { var trip: Trip? }
      @Model class Photo { var stop: UUID }
      //           ^~~~~ info[REL022]: 'Photo' is not connected by any relationship
      @Model class Panorama: Photo { var angle: Int }
      """#,
      of: "REL022")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var name: String }
      @Model class BusinessTrip: Trip { @Relationship(inverse: nil) var guide: Guide? }
      @Model class Person { var name: String }
      @Model class Guide: Person { var number: Int }
      """#,
      of: "REL022")
  }

  @Test func staysSilentWithoutAnyRelationship() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var name: String }
      @Model class Note { var text: String }
      """#,
      of: "REL022")
  }
}
