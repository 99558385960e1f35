import Testing

@Suite struct VolatileDefaultTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.1.0
      @Model class Trip {
        var name: String
        var identifier: UUID = UUID()
        //                     ^~~~~~ warning[TYP005]: all rows from version 1.0.0 get the same value of 'UUID()'
        var made = Date()
        //         ^~~~~~ warning[TYP005]: all rows from version 1.0.0 get the same value of 'Date()'
        var seen: Date = .now
        //               ^~~~ warning[TYP005]: all rows from version 1.0.0 get the same value of '.now'
        var luck: Int = Int.random(in: 0...9)
        //              ^~~~~~~~~~~~~~~~~~~~~ warning[TYP005]: all rows from version 1.0.0 get the same value of 'Int.random(in: 0...9)'
      }
      @Model class Old { var x: Int; var y: Date? = Date.now }
      //                                            ^~~~~~~~ warning[TYP005]: all rows from version 1.0.0 get the same value of 'Date.now'
      """#,
      of: "TYP005",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String; @Transient var seen: Date = .now }
        @Model class Old { var x: Int }
        """#
      ])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.1.0
      @Model class Trip {
        var name: String
        var code: UUID = UUID()
        var made: Date = Date(timeIntervalSince1970: 0)
        var filled: UUID = UUID()
        @Transient var opened: Date = .now
      }
      @Model class New { var identifier: UUID = UUID() }
      migration from 1.0.0 { fill Trip.filled = old.code }
      """#,
      of: "TYP005",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String; var code: UUID = UUID() }
        """#
      ])
  }

  @Test func staysSilentWithoutReleasedVersions() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var identifier: UUID = UUID(); var made: Date = Date() }
      """#)
  }
}
