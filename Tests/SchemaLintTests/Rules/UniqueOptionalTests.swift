import Testing

@Suite struct UniqueOptionalTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name, \.code])
        //                     ^~~~~~ info[UNQ001]: 'code' is unique and optional: objects with a nil value never conflict
        var name: String
        var code: String?
        @Attribute(.unique, originalName: "n") var number: Int?
        //         ^~~~~~~ info[UNQ001]: 'number' is unique and optional: objects with a nil value never conflict
      }
      """#,
      of: "UNQ001")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { #Unique<Trip>([\.name, \.code]); var name: String; var code: String; var x: Int? }
      """#)
  }
}
