import SchemaLint
import Testing

@Suite struct LargeInlineDataTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var photo: Data?
        //  ^~~~~ info[TYP010]: 'photo' is stored in the row, regardless of its size
        @Attribute(originalName: "d") var document: Data
        //                                ^~~~~~~~ info[TYP010]: 'document' is stored in the row, regardless of its size
        var front, back: Data
        //  ^~~~~ info[TYP010]: 'front' is stored in the row, regardless of its size
        //         ^~~~ info[TYP010]: 'back' is stored in the row, regardless of its size
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
