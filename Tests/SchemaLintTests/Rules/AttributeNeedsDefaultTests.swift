import SchemaLint
import Testing

@Suite struct AttributeNeedsDefaultTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var name: String
        //  ^~~~ error[CKT001]: 'name' is required and has no default value, which CloudKit does not support
        var first, last: Date
        //  ^~~~~ error[CKT001]: 'first' is required and has no default value, which CloudKit does not support
        //         ^~~~ error[CKT001]: 'last' is required and has no default value, which CloudKit does not support
      }
      @Model class BusinessTrip: Trip {
        var kind: Kind
        //  ^~~~ error[CKT001]: 'kind' is required and has no default value, which CloudKit does not support
      }
      enum Kind: String, Codable { case work }
      """#,
      profiles: [.cloudkit],
      of: "CKT001")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var name: String = ""
        var size = 3
        var note: String?
        @Transient var isOpen: Bool = false
        @Attribute(.ephemeral) var isNew: Bool
      }
      """#,
      profiles: [.cloudkit],
      of: "CKT001")
    // The rule applies to synchronised schemas only.
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var name: String }
      """#,
      of: "CKT001")
  }
}
