import Testing

@Suite struct RtreeIsOrdinaryTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Spot {
        #Index<Spot>([\.name], .rtree([\.latitude, \.longitude]))
        //                     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ info[IDX008]: '.rtree' creates an ordinary index, which narrows a search by 'latitude' first
        var name: String
        var latitude: Double
        var longitude: Double
      }
      """#,
      of: "IDX008",
      chosen: #"""
        schema S 1.0.0
        @Model class Spot {
          #Index<Spot>([\.name], [\.latitude, \.longitude])
          var name: String
          var latitude: Double
          var longitude: Double
        }
        """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Spot { #Index<Spot>([\.latitude, \.longitude], .binary([\.longitude])); var latitude: Double; var longitude: Double }
      """#)
  }
}
