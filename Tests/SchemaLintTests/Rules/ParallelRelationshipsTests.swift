import Testing

@Suite struct ParallelRelationshipsTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(inverse: nil) var stop: Stop?
        @Relationship(inverse: nil) var stops: [Stop]
        //                              ^~~~~ info[REL025]: 'stop' and 'stops' both refer to 'Stop', but their names do not distinguish them
        @Relationship(inverse: nil) var guide1, guide2: Guide?
        //                                      ^~~~~~ info[REL025]: 'guide1' and 'guide2' both refer to 'Guide', but their names do not distinguish them
      }
      @Model class Stop { var name: String }
      @Model class Guide { var name: String }
      """#,
      of: "REL025")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(inverse: nil) var guide: Guide?
        @Relationship(inverse: nil) var substitute: Guide?
        @Relationship(inverse: nil) var guides: [Person]
      }
      @Model class Guide { var name: String }
      @Model class Person { var name: String }
      """#,
      of: "REL025")
  }
}
