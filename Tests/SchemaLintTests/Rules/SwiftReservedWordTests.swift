import Testing

@Suite struct SwiftReservedWordTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var `default`: Int
        //  ^~~~~~~~~ warning[NAM003]: 'default' is a reserved word in Swift
        var kind: Kind
      }
      enum Kind: String { case `in`, out }
      //                       ^~~~ warning[NAM003]: 'in' is a reserved word in Swift
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var open: Bool; var `final`: Int; var from: Int; var migration: Int }
      """#)
  }
}
