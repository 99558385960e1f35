import SchemaLint
import Testing

@Suite struct ChainTooLongTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 3.0.0
      //       ^~~~~ info[MIG082]: a store with version 1.0.0 needs 2 migration steps, more than 1
      @Model class Trip { var a: Int?; var b: Int?; var c: Int? }
      """#,
      of: "MIG082",
      options: ["limit": .integer(1)],
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var a: Int? }
        """#,
        #"""
        schema S 2.0.0
        @Model class Trip { var a: Int?; var b: Int? }
        """#,
      ])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 3.0.0
      @Model class Trip { var a: Int?; var b: Int?; var c: Int? }
      """#,
      of: "MIG082",
      options: ["limit": .integer(2)],
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var a: Int? }
        """#,
        #"""
        schema S 2.0.0
        @Model class Trip { var a: Int?; var b: Int? }
        """#,
      ])
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var a: Int? }
      """#,
      of: "MIG082",
      options: ["limit": .integer(0)])
  }
}
