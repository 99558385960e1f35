import SchemaLint
import Testing

@Suite struct IdentityNotPreservedTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name, \.part])
        //            ^~~~~~~~~~~~~~~~ warning[HIS001]: unique 'name', 'part' are not preserved on deletion
        var name: String
        @available(macOS 14, *) public var part: Int
      }
      @Model class Stop {
        @Attribute(.unique, originalName: "c") var code: String
        //         ^~~~~~~ warning[HIS001]: unique 'code' is not preserved on deletion
      }
      """#,
      profiles: [.history], of: "HIS001",
      fixed: #"""
        schema S 1.0.0
        @Model class Trip {
          #Unique<Trip>([\.name, \.part])
          @Attribute(.preserveValueOnDeletion) var name: String
          @available(macOS 14, *) @Attribute(.preserveValueOnDeletion) public var part: Int
        }
        @Model class Stop {
          @Attribute(.unique, .preserveValueOnDeletion, originalName: "c") var code: String
        }
        """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name], [\.code])
        @Attribute(.preserveValueOnDeletion) var name: String
        var code: String
      }
      @Model class Stop { #Unique<Stop>([\.a, \.b]); @Attribute(.preserveValueOnDeletion) var a: Int; var b: Int }
      @Model class Note { var text: String }
      """#,
      profiles: [.history], of: "HIS001")
  }
}
