import Testing

@Suite struct StorageKindChangedTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        @Attribute(.externalStorage) var photo: Data
        //                               ^~~~~ warning[MIG071]: attribute 'Trip.photo': option '.externalStorage' added, and version 1.0.0 keeps it another way
        var note: String
        var count: Int = 0
        //  ^~~~~ warning[MIG071]: attribute 'Trip.count' was transient and is stored now, and version 1.0.0 keeps it another way
      }
      """#,
      of: "MIG071",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var photo: Data; var note: String; @Transient var count: Int = 0 }
        """#
      ])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        @Attribute(.externalStorage) var photo: Data?
        @Attribute(.preserveValueOnDeletion, .spotlight, .allowsCloudEncryption) var name: String
      }
      """#,
      of: "MIG071",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String }
        """#
      ])
  }
}
