import SchemaLint
import Testing

@Suite struct PlatformWidthIntegerTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var distance: Int
        //  ^~~~~~~~ info[TYP016]: the width of 'distance' depends on the platform's 'Int'
        var stops: UInt?
        //  ^~~~~ info[TYP016]: the width of 'stops' depends on the platform's 'UInt'
        var nights = 3
        //  ^~~~~~ info[TYP016]: the width of 'nights' depends on the platform's 'Int'
        var rows, seats: Int
        //  ^~~~ info[TYP016]: the width of 'rows' depends on the platform's 'Int'
        //        ^~~~~ info[TYP016]: the width of 'seats' depends on the platform's 'Int'
      }
      """#,
      profiles: [.portable], of: "TYP016")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var distance: Int64
        var stops: UInt32?
        @Transient var cached: Int = 0
        @Attribute(.ephemeral) var open: Int = 0
      }
      """#,
      profiles: [.portable], of: "TYP016")
  }

  @Test func staysSilentWithoutTheProfile() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var distance: Int }
      """#)
  }
}
