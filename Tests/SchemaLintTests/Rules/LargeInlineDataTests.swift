import SchemaLint
import Testing

@Suite struct LargeInlineDataTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var photo: Data?
        //  ^~~~~ info[TYP010]: the data of 'photo' is kept in the row, however large it is
        @Attribute(originalName: "d") var document: Data
        //                                ^~~~~~~~ info[TYP010]: the data of 'document' is kept in the row, however large it is
        var front, back: Data
        //  ^~~~~ info[TYP010]: the data of 'front' is kept in the row, however large it is
        //         ^~~~ info[TYP010]: the data of 'back' is kept in the row, however large it is
      }
      """#,
      of: "TYP010")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Attribute(.externalStorage) var photo: Data?
        var passwordHash: Data
        var thumb: Data
        @Transient var cache: Data? = nil
        @Attribute(.ephemeral) var draft: Data?
        var name: String
      }
      """#,
      of: "TYP010", options: ["small": .words(["thumb"])])
  }
}
