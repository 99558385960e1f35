import SchemaLint
import Testing

@Suite struct IndexOnBlobTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Index<Trip>([\.place])
        //            ^~~~~~~ warning[IDX004]: no predicate uses an index over 'place'
        #Index<Trip>([\.name, \.place, \.code], [\.code])
        //                    ^~~~~~~ warning[IDX004]: no predicate uses an index over 'place'
        var ticket: Data?
        var name: String
        var code: Int
        var place: Place
        var shape: Shape
      }
      @Model class BusinessTrip: Trip { #Index<BusinessTrip>([\.shape, \.code]); var x: Int }
      //                                                      ^~~~~~~ warning[IDX004]: no predicate uses an index over 'shape'
      struct Place: Codable, Hashable { var city: String }
      enum Shape: Codable { case circle(radius: Double), point }
      """#,
      fixed: #"""
        schema S 1.0.0
        @Model class Trip {
          #Index<Trip>([\.name], [\.code])
          var ticket: Data?
          var name: String
          var code: Int
          var place: Place
          var shape: Shape
        }
        @Model class BusinessTrip: Trip { var x: Int }
        struct Place: Codable, Hashable { var city: String }
        enum Shape: Codable { case circle(radius: Double), point }
        """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Index<Trip>([\.name, \.kind], [\.start], [\.ticket])
        #Index<Trip>(.rtree([\.latitude, \.longitude]))
        var name: String
        var kind: Kind
        var start: Date
        var latitude: Double
        var longitude: Double
        var ticket: Data
      }
      @Model class Seat { #Index<Seat>([\.options], [\.row]); var options: Options; @Attribute(.raw) var row: Row }
      enum Kind: String, Codable { case work, leisure }
      struct Options: OptionSet, Codable { var rawValue: Int }
      struct Row: RawRepresentable, Codable { var rawValue: Int }
      """#,
      of: "IDX004")
  }
}
