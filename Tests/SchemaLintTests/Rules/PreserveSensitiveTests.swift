import SchemaLint
import Testing

@Suite struct PreserveSensitiveTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Person {
        @Attribute(.allowsCloudEncryption, .preserveValueOnDeletion) var phone: String
        //                                 ^~~~~~~~~~~~~~~~~~~~~~~~ warning[HIS005]: 'phone' is worth encrypting, and stays readable in the history after its object is deleted
      }
      """#,
      profiles: [.history],
      of: "HIS005")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Person {
        @Attribute(.allowsCloudEncryption) var phone: String
        @Attribute(.preserveValueOnDeletion) var number: Int
      }
      """#,
      profiles: [.history],
      of: "HIS005")
  }
}
