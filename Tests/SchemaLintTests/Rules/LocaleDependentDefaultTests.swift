import SchemaLint
import Testing

@Suite struct LocaleDependentDefaultTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var language: String = Locale.current.identifier
        //                     ^~~~~~~~~~~~~~~~~~~~~~~~~ warning[POR006]: the default of 'language' depends on a device setting: 'Locale.current'
        var name: String = String(localized: "New")
        //                 ^~~~~~~~~~~~~~~~~~~~~~~~ warning[POR006]: the default of 'name' depends on a device setting: 'localized'
        var place: Place?
      }
      struct Place: Codable { var day: String = Date.now.formatted() }
      //                          ^~~ warning[POR006]: the default of 'Place.day' depends on a device setting: 'formatted'
      """#,
      profiles: [.portable],
      of: "POR006")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var language: String = "Locale.current"
        var created: Date = Date.now
        @Transient var shown: String = Locale.current.identifier
      }
      """#,
      profiles: [.portable],
      of: "POR006")
  }
}
