import Testing

@Suite struct FileMatchesSchemaTests {
  @Test func fires() {
    expectFindings(
      #"""
      // Copyright
      schema Journeys 1.0.0
      //              ^~~~~ info[NAM014]: schema 'Journeys' is in a file named 'Trips'
      @Model class Trip { var name: String }
      """#,
      of: "NAM014", path: "Sources/Trips.schema")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema Trips 1.0.0
      @Model class Trip { var name: String }
      """#,
      of: "NAM014", path: "Sources/App/Trips.schema")
  }
}
