import SchemaLint
import Testing

@Suite struct PlatformWidthIntegerTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var distance: Int
        //  ^~~~~~~~ info[TYP016]: 'distance' is as wide as the platform makes 'Int'
        var stops: UInt?
        //  ^~~~~ info[TYP016]: 'stops' is as wide as the platform makes 'UInt'
        var nights = 3
        //  ^~~~~~ info[TYP016]: 'nights' is as wide as the platform makes 'Int'
        var rows, seats: Int
        //  ^~~~ info[TYP016]: 'rows' is as wide as the platform makes 'Int'
        //        ^~~~~ info[TYP016]: 'seats' is as wide as the platform makes 'Int'
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
