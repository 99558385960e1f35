import Testing

@Suite struct ImplicitRawValuesTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var kind: Kind; var levels: [Level]? }
      enum Kind: Int, Codable { case work, leisure }
      //                             ^~~~ warning[TYP007]: 'Kind.work' is stored as 0 because of its position
      enum Level: UInt8, Codable {
        case low = 10
        case middle, high
        //   ^~~~~~ warning[TYP007]: 'Level.middle' is stored as 11 because of its position
      }
      """#,
      fixed: #"""
        schema S 1.0.0
        @Model class Trip { var kind: Kind; var levels: [Level]? }
        enum Kind: Int, Codable { case work = 0, leisure = 1 }
        enum Level: UInt8, Codable {
          case low = 10
          case middle = 11, high = 12
        }
        """#)
  }

  @Test func insideAStruct() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var place: Place }
      struct Place: Codable { var kind: Kind }
      enum Kind: Int, Codable { case town }
      //                             ^~~~ warning[TYP007]: 'Kind.town' is stored as 0 because of its position
      """#,
      fixed: #"""
        schema S 1.0.0
        @Model class Trip { var place: Place }
        struct Place: Codable { var kind: Kind }
        enum Kind: Int, Codable { case town = 0 }
        """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var kind: Kind; var level: Level; @Transient var state: State = .idle }
      enum Kind: String, Codable { case work, leisure }
      enum Level: Int, Codable { case low = 1, high = 2 }
      enum State: Int, Codable { case idle }
      """#)
  }
}
