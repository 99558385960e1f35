import Testing

@Suite struct OptionalWithDefaultTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var name: String? = "new"
        //                  ^~~~~ info[TYP006]: 'name' is optional and has the default value '"new"'
      }
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var name: String? = nil
        var note: String?
        var count: Int = 1
        @Transient var cached: Int? = 1
      }
      """#)
  }
}
