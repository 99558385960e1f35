import Testing

@Suite struct EntityUpperCamelTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class trip_plan { var kind: tripKind; var place: PLACE_NAME }
      //           ^~~~~~~~~ warning[NAM001]: type name 'trip_plan' is not in UpperCamelCase
      enum tripKind: String { case a }
      //   ^~~~~~~~ warning[NAM001]: type name 'tripKind' is not in UpperCamelCase
      struct PLACE_NAME: Codable { var text: String }
      //     ^~~~~~~~~~ warning[NAM001]: type name 'PLACE_NAME' is not in UpperCamelCase
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var kind: URLKind; var name: String }
      enum URLKind: String { case a }
      @Model class Ärzte { var x: Int }
      """#)
  }
}
