import Testing

@Suite struct UniqueOnUnstableTypeTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name, \.price])
        //                     ^~~~~~~ warning[UNQ002]: 'price' is unique, but 'Double' is rounded
        var name: String
        var price: Double
        @Attribute(.unique) var photo: Data
        //         ^~~~~~~ warning[UNQ002]: 'photo' is unique, but 'Data' can be large
      }
      """#,
      of: "UNQ002")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.unique) var id: UUID; var start: Date; var price: Decimal }
      @Model class Stay { #Unique<Stay>([\.name, \.start]); var name: String; var start: Date }
      @Model class Page { @Attribute(.unique) var sha256: Data; var text: String }
      @Model class Device { @Attribute(.unique) var peerID: Data; var name: String }
      """#)
  }
}
