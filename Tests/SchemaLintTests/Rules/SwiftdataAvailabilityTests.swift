import SchemaLint
import Testing

@Suite struct SwiftdataAvailabilityTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name])
        //            ^~~~~~~~ error[POR002]: '#Unique' is there since iOS 18, and the source is for iOS 17 too
        #Index<Trip>([\.size])
        //           ^~~~~~~~ error[POR002]: '#Index' is there since iOS 18, and the source is for iOS 17 too
        @Attribute(.preserveValueOnDeletion) var name: String
        //         ^~~~~~~~~~~~~~~~~~~~~~~~ error[POR002]: '.preserveValueOnDeletion' is there since iOS 18, and the source is for iOS 17 too
        var size: Int
      }
      @Model class BusinessTrip: Trip { var budget: Int }
      //           ^~~~~~~~~~~~ error[POR002]: a model that inherits is there since iOS 26, and the source is for iOS 17 too
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
