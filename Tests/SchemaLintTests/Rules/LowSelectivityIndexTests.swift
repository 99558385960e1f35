import SchemaLint
import Testing

@Suite struct LowSelectivityIndexTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Index<Trip>([\.isOpen], [\.name])
        //            ^~~~~~~~ info[IDX006]: the index begins with 'isOpen', which has two values
        #Index<Trip>(.binary([\.kind, \.name]))
        //                    ^~~~~~ info[IDX006]: the index begins with 'kind', which has 3 values
        var isOpen: Bool?
        var name: String
        var kind: Kind
      }
      enum Kind: String, Codable { case work, leisure, school }
      """#,
      of: "IDX006")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Index<Trip>([\.name, \.isOpen], [\.kind])
        var isOpen: Bool
        var name: String
        var kind: Kind
      }
      enum Kind: String, Codable { case work, leisure, school }
      """#,
      of: "IDX006", options: ["cases": .integer(2)])
  }
}
