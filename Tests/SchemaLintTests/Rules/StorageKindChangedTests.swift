import Testing

@Suite struct StorageKindChangedTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        @Attribute(.externalStorage) var photo: Data
        //                               ^~~~~ warning[MIG071]: attribute 'Trip.photo': option '.externalStorage' added, and version 1.0.0 keeps it another way
        @Attribute(.allowsCloudEncryption) var note: String
        //                                     ^~~~ warning[MIG071]: attribute 'Trip.note': option '.allowsCloudEncryption' added, and version 1.0.0 keeps it another way
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
        @Attribute(.preserveValueOnDeletion, .spotlight) var name: String
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
