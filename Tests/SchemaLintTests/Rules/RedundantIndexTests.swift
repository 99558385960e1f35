import Testing

@Suite struct RedundantIndexTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Index<Trip>([\.name], [\.start, \.end], [\.start])
        //           ^~~~~~~~ info[IDX001]: the index over 'name' is already covered by a unique constraint
        //                                       ^~~~~~~~~ info[IDX001]: the index over 'start' is already covered by another index
        #Index<Trip>([\.start, \.end])
        //           ^~~~~~~~~~~~~~~~ info[IDX001]: the index over 'start', 'end' is already covered by another index
        @Attribute(.unique) var name: String
        var start: Int
        var end: Int
      }
      """#,
      fixed: #"""
        schema S 1.0.0
        @Model class Trip {
          #Index<Trip>([\.start, \.end])
          @Attribute(.unique) var name: String
          var start: Int
          var end: Int
        }
        """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name, \.start])
        #Index<Trip>([\.start], [\.end, \.start], .rtree([\.end]))
        var name: String
        var start: Int
        var end: Int
      }
      """#,
      of: "IDX001")
  }
}
