import SchemaLint
import Testing

@Suite struct TooManyIndexesTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Index<Trip>([\.name], [\.day])
        //                     ^~~~~~~ info[IDX005]: 'Trip' has 3 indexes, more than 2
        @Attribute(.unique) var code: Int
        var name: String
        var day: Int
      }
      @Model class BusinessTrip: Trip { #Index<BusinessTrip>([\.company]); var company: String }
      //                                                     ^~~~~~~~~~~ info[IDX005]: 'BusinessTrip' has 4 indexes, more than 2
      """#,
      of: "IDX005", options: ["limit": .integer(2)])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { #Index<Trip>([\.name], [\.day]); var name: String; var day: Int }
      @Model class BusinessTrip: Trip { var company: String }
      """#,
      of: "IDX005", options: ["limit": .integer(2)])
  }
}
