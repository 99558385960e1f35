import SchemaLint
import Testing

@Suite struct SwiftdataInexpressibleTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model(originalName: "Journey") class Trip {
        //                                  ^~~~ warning[POR001]: SwiftData has no syntax for a model's original name
        #Unique<Trip>([\.name], [\.size], onConflict: .fail)
        //                                ^~~~~~~~~~~~~~~~~ warning[POR001]: SwiftData has no syntax for a conflict policy
        @Attribute(.unique, onConflict: .keep) var code: String
        //                  ^~~~~~~~~~~~~~~~~ warning[POR001]: SwiftData has no syntax for a conflict policy
        var name: String
        var size: Int
        @Attribute(.flattened) var place: Place
        //         ^~~~~~~~~~ warning[POR001]: SwiftData has no syntax for a storage option
        @Attribute(.unknown(.default)) var kind: Kind = .work
        //         ^~~~~~~~~~~~~~~~~~ warning[POR001]: SwiftData has no syntax for a fallback for unknown values
        @Relationship(.ordered) var stops: [Stop]
        //            ^~~~~~~~ warning[POR001]: SwiftData has no syntax for an ordered list
      }
      @Model class Stop { var trip: Trip? }
      struct Place: Codable { var town: String }
      enum Kind: String, Codable { case work }
      """#,
      profiles: [.swiftdata],
      of: "POR001")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name])
        @Attribute(.unique) var code: String
        var name: String
        @Relationship(deleteRule: .cascade) var stops: [Stop]
      }
      @Model class Stop { var trip: Trip? }
      """#,
      profiles: [.swiftdata],
      of: "POR001")
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.json) var names: [String] }
      """#,
      of: "POR001")
  }
}
