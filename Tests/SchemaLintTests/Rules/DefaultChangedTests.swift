import Testing

@Suite struct DefaultChangedTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        var size: Int = 2
        //  ^~~~ info[MIG070]: attribute 'Trip.size': default changed from '1' to '2': existing rows keep their values
        var place: Place
      }
      struct Place: Codable { var town: String = "Bergen" }
      //     ^~~~~ info[MIG070]: field 'Place.town': default changed from '"Oslo"' to '"Bergen"': values stored before the field was added are read with the new default
      """#,
      of: "MIG070",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var size: Int = 1; var place: Place }
        struct Place: Codable { var town: String = "Oslo" }
        """#
      ])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        var size: Int = 1
        var name: String = ""
        var days: Int
        @Transient var count: Int = 2
        var level: Int = 5
      }
      migration from 1.0.0 {
        fill Trip.level = 5
      }
      """#,
      of: "MIG070",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var size: Int  =  1; var name: String; var days: Int = 3; @Transient var count: Int = 1; var level: Int = 4 }
        """#
      ])
  }
}
