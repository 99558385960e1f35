import Testing

@Suite struct StorageKindChangedTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        @Attribute(.externalStorage) var photo: Data
        //                               ^~~~~ warning[MIG071]: attribute 'Trip.photo': option '.externalStorage' added, which differs from the storage in version 1.0.0
        var note: String
        var count: Int = 0
        //  ^~~~~ warning[MIG071]: attribute 'Trip.count' was transient and is now stored, which differs from the storage in version 1.0.0
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
