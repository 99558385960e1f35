import Testing

@Suite struct RedundantIndexTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Index<Trip>([\.name], [\.start, \.end], [\.start])
        //           ^~~~~~~~ info[IDX001]: the index of 'name' does what a unique constraint does
        //                                       ^~~~~~~~~ info[IDX001]: the index of 'start' does what another index does
        #Index<Trip>([\.start, \.end])
        //           ^~~~~~~~~~~~~~~~ info[IDX001]: the index of 'start', 'end' does what another index does
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
