import SchemaLint
import Testing

@Suite struct LocaleDependentDefaultTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var language: String = Locale.current.identifier
        //                     ^~~~~~~~~~~~~~~~~~~~~~~~~ warning[POR006]: what 'language' begins with depends on how the device is set: 'Locale.current'
        var name: String = String(localized: "New")
        //                 ^~~~~~~~~~~~~~~~~~~~~~~~ warning[POR006]: what 'name' begins with depends on how the device is set: 'localized'
        var place: Place?
      }
      struct Place: Codable { var day: String = Date.now.formatted() }
      //                          ^~~ warning[POR006]: what 'Place.day' begins with depends on how the device is set: 'formatted'
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
