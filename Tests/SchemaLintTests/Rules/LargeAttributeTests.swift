import SchemaLint
import Testing

@Suite struct LargeAttributeTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var photo: Data?
        //  ^~~~~ warning[CKT009]: data in 'photo' may exceed CloudKit's record size limit
        @Attribute(originalName: "f") var film: Data
        //                                ^~~~ warning[CKT009]: data in 'film' may exceed CloudKit's record size limit
      }
      """#,
      profiles: [.cloudkit],
      of: "CKT009",
      fixed: #"""
        schema S 1.0.0
        @Model class Trip {
          @Attribute(.externalStorage) var photo: Data?
          @Attribute(.externalStorage, originalName: "f") var film: Data
        }
        """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Index<Trip>([\.checksum])
        @Attribute(.externalStorage) var photo: Data
        @Attribute(.ephemeral) var preview: Data?
        @Attribute(.unique) var key: Data
        var checksum: Data
        var name: String
      }
      """#,
      profiles: [.cloudkit],
      of: "CKT009")
  }
}
