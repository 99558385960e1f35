import SchemaLint
import Testing

@Suite struct PreserveLargeTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.preserveValueOnDeletion) var photo: Data?
        //         ^~~~~~~~~~~~~~~~~~~~~~~~ warning[HIS004]: the history keeps the complete 'photo' for every deleted object
        @Attribute(.externalStorage, .preserveValueOnDeletion) var text: String
        //                           ^~~~~~~~~~~~~~~~~~~~~~~~ warning[HIS004]: the history keeps the complete 'text' for every deleted object
      }
      """#,
      profiles: [.history],
      of: "HIS004")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.preserveValueOnDeletion) var name: String
        @Attribute(.externalStorage) var photo: Data
      }
      """#,
      profiles: [.history],
      of: "HIS004")
  }
}
