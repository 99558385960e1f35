import Testing

@Suite struct UniqueOnUnstableTypeTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name, \.start])
        //                     ^~~~~~~ warning[UNQ002]: 'start' is unique, but 'Date' is rounded
        var name: String
        var start: Date
        @Attribute(.unique) var digest: Data
        //         ^~~~~~~ warning[UNQ002]: 'digest' is unique, but 'Data' can be large
      }
      """#,
      of: "UNQ002")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.unique) var id: UUID; var start: Date; var price: Decimal }
      """#)
  }
}
