import Testing

@Suite struct TypeWidenedTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        var size: Int64?
        //  ^~~~ info[MIG032]: attribute 'Trip.size': type changed from 'Int32' to 'Int64?'; no values are lost
        var place: Place
      }
      struct Place: Codable { var number: Int64 }
      //     ^~~~~ info[MIG032]: field 'Place.number': type changed from 'Int8' to 'Int64'; no values are lost
      """#,
      of: "MIG032",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var size: Int32; var place: Place }
        struct Place: Codable { var number: Int8 }
        """#
      ])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        var size: Int?
        @Transient var count: Int64 = 0
      }
      """#,
      of: "MIG032",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var size: Int; @Transient var count: Int32 = 0 }
        """#
      ])
  }
}
