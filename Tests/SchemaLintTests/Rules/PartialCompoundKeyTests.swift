import SchemaLint
import Testing

@Suite struct PartialCompoundKeyTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name, \.part, \.year])
        //            ^~~~~~~~~~~~~~~~~~~~~~~~ warning[HIS007]: the key is preserved on deletion except for 'part', 'year'
        @Attribute(.preserveValueOnDeletion) var name: String
        var part: Int
        @Attribute(originalName: "y") var year: Int
      }
      """#,
      profiles: [.history],
      of: "HIS007",
      fixed: #"""
        schema S 1.0.0
        @Model class Trip {
          #Unique<Trip>([\.name, \.part, \.year])
          @Attribute(.preserveValueOnDeletion) var name: String
          @Attribute(.preserveValueOnDeletion) var part: Int
          @Attribute(.preserveValueOnDeletion, originalName: "y") var year: Int
        }
        """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name, \.part], [\.code])
        @Attribute(.preserveValueOnDeletion) var name: String
        var part: Int
        @Attribute(.preserveValueOnDeletion) var code: Int
      }
      @Model class Stop {
        #Unique<Stop>([\.name, \.part])
        var name: String
        var part: Int
      }
      """#,
      profiles: [.history],
      of: "HIS007")
  }
}
