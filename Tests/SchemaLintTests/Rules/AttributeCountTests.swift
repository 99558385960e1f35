import SchemaLint
import Testing

@Suite struct AttributeCountTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var a: Int; var b: Int }
      @Model class BusinessTrip: Trip { var c, d: Int }
      //           ^~~~~~~~~~~~ info[TYP021]: 'BusinessTrip' has 4 attributes, more than 2
      @Model class SalesTrip: BusinessTrip { var e: Int }
      """#,
      of: "TYP021", options: ["limit": .integer(2)])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var a: Int; var b: Int; @Transient var c: Int = 0; @Relationship(inverse: nil) var d: Trip? }
      """#,
      of: "TYP021", options: ["limit": .integer(2)])
  }
}
