import SchemaLint
import Testing

@Suite struct NoUniqueTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name, \.size], [\.size])
        //            ^~~~~~~~~~~~~~~~ error[CKT002]: 'name', 'size' cannot be unique in CloudKit
        //                              ^~~~~~~~ error[CKT002]: 'size' cannot be unique in CloudKit
        @Attribute(.unique) var code: String
        //         ^~~~~~~ error[CKT002]: 'code' cannot be unique in CloudKit
        var name: String
        var size: Int
        @Relationship(.unique, inverse: nil) var pass: Pass?
        //            ^~~~~~~ error[CKT002]: 'pass' cannot be unique in CloudKit
      }
      @Model class Pass { var number: Int }
      """#,
      profiles: [.cloudkit],
      of: "CKT002")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var code: String }
      """#,
      profiles: [.cloudkit],
      of: "CKT002")
  }
}
