import Testing

@Suite struct DeprecatedWithoutReasonTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @available(*, deprecated)
      //            ^~~~~~~~~~ warning[DOC003]: 'Trip' is deprecated, but no replacement is given
      @Model class Trip {
        @available(*, deprecated) var name: String
        //            ^~~~~~~~~~ warning[DOC003]: 'Trip.name' is deprecated, but no replacement is given
        @available(macOS, deprecated: 14) var kind: Kind
        //                ^~~~~~~~~~ warning[DOC003]: 'Trip.kind' is deprecated, but no replacement is given
      }
      @available(*, deprecated) enum Kind: String, Codable { case work }
      //            ^~~~~~~~~~ warning[DOC003]: 'Kind' is deprecated, but no replacement is given
      """#,
      of: "DOC003")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @available(*, deprecated, renamed: "Journey")
      @Model class Trip {
        @available(*, deprecated, message: "use number") var name: String
        @available(macOS 14, *) var kind: Int
      }
      """#,
      of: "DOC003")
  }
}
