import SchemaLint
import Testing

@Suite struct UnsupportedTypeTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var size: UInt64 = 0
        //        ^~~~~~ error[CKT007]: 'size' may contain a number that does not fit into a CloudKit record
        var count: UInt?
        //         ^~~~~ error[CKT007]: 'count' may contain a number that does not fit into a CloudKit record
        @Attribute(.codable) var others: [PersistentIdentifier] = []
        //                               ^~~~~~~~~~~~~~~~~~~~~~ error[CKT007]: 'others' only identifies an object within a store, not on other devices
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
