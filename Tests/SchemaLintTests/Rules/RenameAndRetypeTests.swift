import Testing

@Suite struct RenameAndRetypeTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        @Attribute(originalName: "days") var length: Double
        //                                   ^~~~~~ warning[MIG025]: attribute 'Trip.length': type changed from 'Int' to 'Double', and it was named 'days' in version 1.0.0
      }
      """#,
      of: "MIG025",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var days: Int }
        """#
      ])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        @Attribute(originalName: "days") var length: Int?
        var size: Double
        @Attribute(originalName: "nom") var name: String
      }
      """#,
      of: "MIG025",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var days: Int; var size: Int; var nom: String }
        """#
      ])
    // Released versions cannot be edited.
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { @Attribute(originalName: "days") var length: Double }
      """#,
      of: "MIG025",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var days: Int }
        """#,
        #"""
        schema S 2.0.0
        @Model class Trip { @Attribute(originalName: "days") var length: Double }
        """#,
      ])
  }
}
