import SchemaLint
import Testing

@Suite struct InverseOnBothSidesTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop]
        @Relationship(inverse: \Guide.trips)
        var guides: [Guide]
      }
      @Model class Stop { @Relationship(inverse: \Trip.stops) var trip: Trip? }
      //                                ^~~~~~~~~~~~~~~~~~~~ info[REL004]: 'Trip.stops' already names 'Stop.trip' as its inverse
      @Model class Guide {
        @Relationship(.nullify, inverse: \Trip.guides)
        //                      ^~~~~~~~~~~~~~~~~~~~~ info[REL004]: 'Trip.guides' already names 'Guide.trips' as its inverse
        var trips: [Trip]
        @Relationship(originalName: "x", inverse: \Guide.deputy) var boss: Guide?
        @Relationship(inverse: \Guide.boss) public var deputy: Guide?
        //            ^~~~~~~~~~~~~~~~~~~~ info[REL004]: 'Guide.boss' already names 'Guide.deputy' as its inverse
      }
      """#,
      profiles: [.swiftdata], of: "REL004",
      fixed: #"""
        schema S 1.0.0
        @Model class Trip {
          @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop]
          @Relationship(inverse: \Guide.trips)
          var guides: [Guide]
        }
        @Model class Stop { var trip: Trip? }
        @Model class Guide {
          @Relationship(.nullify)
          var trips: [Trip]
          @Relationship(originalName: "x", inverse: \Guide.deputy) var boss: Guide?
          public var deputy: Guide?
        }
        """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(inverse: \Stop.trip) var stops: [Stop]
        @Relationship(inverse: \Trip.friends) var friends: [Trip]
        @Relationship(inverse: nil) var next: Trip?
      }
      @Model class Stop { @Relationship(deleteRule: .nullify) var trip: Trip? }
      """#,
      profiles: [.swiftdata], of: "REL004")
  }

  @Test func staysSilentWithoutTheProfile() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(inverse: \Stop.trip) var stops: [Stop] }
      @Model class Stop { @Relationship(inverse: \Trip.stops) var trip: Trip? }
      """#)
  }
}
