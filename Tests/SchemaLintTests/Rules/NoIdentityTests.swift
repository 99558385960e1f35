import SchemaLint
import Testing

@Suite struct NoIdentityTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var name: String }
      //           ^~~~ warning[TYP018]: 'Trip' objects cannot be identified outside their store
      @Model class BusinessTrip: Trip { @Attribute(.unique) var number: Int }
      """#,
      profiles: [.history], of: "TYP018")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.unique) var code: UUID }
      @Model class BusinessTrip: Trip { var number: Int }
      @Model class Seat { #Unique<Seat>([\.row, \.letter]); var row: Int; var letter: String }
      """#,
      profiles: [.history], of: "TYP018")
  }

  @Test func staysSilentWithoutTheProfile() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var name: String }
      """#)
  }
}
