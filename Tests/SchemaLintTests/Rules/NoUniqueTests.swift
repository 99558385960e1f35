import SchemaLint
import Testing

@Suite struct NoUniqueTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name, \.size], [\.size])
        //            ^~~~~~~~~~~~~~~~ error[CKT002]: CloudKit does not know that 'name', 'size' is unique
        //                              ^~~~~~~~ error[CKT002]: CloudKit does not know that 'size' is unique
        @Attribute(.unique) var code: String
        //         ^~~~~~~ error[CKT002]: CloudKit does not know that 'code' is unique
        var name: String
        var size: Int
        @Relationship(.unique, inverse: nil) var pass: Pass?
        //            ^~~~~~~ error[CKT002]: CloudKit does not know that 'pass' is unique
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
