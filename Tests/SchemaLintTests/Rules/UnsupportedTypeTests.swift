import SchemaLint
import Testing

@Suite struct UnsupportedTypeTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var size: UInt64 = 0
        //        ^~~~~~ error[CKT007]: 'size' can be a number CloudKit has no room for
        var count: UInt?
        //         ^~~~~ error[CKT007]: 'count' can be a number CloudKit has no room for
        @Attribute(.codable) var others: [PersistentIdentifier] = []
        //                               ^~~~~~~~~~~~~~~~~~~~~~ error[CKT007]: 'others' names an object of one store, and nothing on another device
      }
      """#,
      profiles: [.cloudkit],
      of: "CKT007")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var size: UInt32 = 0
        var counts: [UInt64] = []
        @Transient var other: UInt64 = 0
      }
      """#,
      profiles: [.cloudkit],
      of: "CKT007")
  }
}
