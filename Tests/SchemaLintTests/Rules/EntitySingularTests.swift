import SchemaLint
import Testing

@Suite struct EntitySingularTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trips { var name: String }
      //           ^~~~~ info[NAM008]: model name 'Trips' is plural
      @Model class BusinessCategories { var name: String }
      //           ^~~~~~~~~~~~~~~~~~ info[NAM008]: model name 'BusinessCategories' is plural
      @Model class People { var name: String }
      //           ^~~~~~ info[NAM008]: model name 'People' is plural
      @Model class TaxBoxes { var name: String }
      //           ^~~~~~~~ info[NAM008]: model name 'TaxBoxes' is plural
      """#,
      of: "NAM008")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var stops: Int; var kind: Kinds }
      @Model class Address { var name: String }
      @Model class UserSettings { var name: String }
      @Model class Status { var name: String }
      @Model class Alps { var name: String }
      enum Kinds: String, Codable { case a }
      """#,
      of: "NAM008", options: ["exceptions": .words(["Alps"])])
  }
}
