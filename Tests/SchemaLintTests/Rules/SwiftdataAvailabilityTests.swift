import SchemaLint
import Testing

@Suite struct SwiftdataAvailabilityTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name])
        //            ^~~~~~~~ error[POR002]: '#Unique' requires iOS 18, but the source also supports iOS 17
        #Index<Trip>([\.size])
        //           ^~~~~~~~ error[POR002]: '#Index' requires iOS 18, but the source also supports iOS 17
        @Attribute(.preserveValueOnDeletion) var name: String
        //         ^~~~~~~~~~~~~~~~~~~~~~~~ error[POR002]: '.preserveValueOnDeletion' requires iOS 18, but the source also supports iOS 17
        var size: Int
      }
      @Model class BusinessTrip: Trip { var budget: Int }
      //           ^~~~~~~~~~~~ error[POR002]: model inheritance requires iOS 26, but the source also supports iOS 17
      """#,
      profiles: [.swiftdata],
      of: "POR002",
      options: ["ios": .integer(17)])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name])
        #Index<Trip>([\.size])
        @Attribute(.preserveValueOnDeletion) var name: String
        @Attribute(.unique) var code: String
        var size: Int
      }
      @available(iOS 26, *) @Model class BusinessTrip: Trip { var budget: Int }
      """#,
      profiles: [.swiftdata],
      of: "POR002")
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.unique) var code: String }
      """#,
      profiles: [.swiftdata],
      of: "POR002",
      options: ["ios": .integer(17)])
  }
}
