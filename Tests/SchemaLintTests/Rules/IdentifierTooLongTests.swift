import SchemaLint
import Testing

@Suite struct IdentifierTooLongTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var theNumberThatTheAuthorityForFlightsGaveToTheAircraftOfTheReturnFlight: Int
        //  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ warning[NAM013]: 'theNumberThatTheAuthorityForFlightsGaveToTheAircraftOfTheReturnFlight' has 69 bytes, more than 63
      }
      """#,
      of: "NAM013")
  }

  @Test func customLimit() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Crossing { var übersee: Bool; var duration: Int; var destination: String }
      //                                                                 ^~~~~~~~~~~ warning[NAM013]: 'destination' has 11 bytes, more than 8
      """#,
      of: "NAM013", options: ["limit": .integer(8)])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var name: String; @Transient var destination: String? = nil; var kind: Kind }
      enum Kind: String, Codable { case professional }
      """#,
      of: "NAM013", options: ["limit": .integer(8)])
  }
}
