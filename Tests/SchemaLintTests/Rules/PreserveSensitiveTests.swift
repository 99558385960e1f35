import SchemaLint
import Testing

@Suite struct PreserveSensitiveTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Person {
        @Attribute(.allowsCloudEncryption, .preserveValueOnDeletion) var phone: String
        //                                 ^~~~~~~~~~~~~~~~~~~~~~~~ warning[HIS005]: 'phone' is sensitive, but remains readable in the history after the object is deleted
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
