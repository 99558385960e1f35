import SchemaLint
import Testing

@Suite struct MatchPatternTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip2 {
      //           ^~~~~ warning[NAM012]: 'Trip2' does not match '[A-Z][a-zA-Z]*', the entity name pattern
        var id: UUID
        //  ^~ warning[NAM012]: 'id' does not match '[a-z]{3,}', the property name pattern
        @Relationship(inverse: nil) var to: Trip2?
        //                              ^~ warning[NAM012]: 'to' does not match '[a-z]{3,}', the property name pattern
        var name: String
        var kind: Kind2
      }
      enum Kind2: String, Codable { case work, freeTime }
      //                                       ^~~~~~~~ warning[NAM012]: 'freeTime' does not match '[a-z]+', the case name pattern
      """#,
      of: "NAM012",
      options: [
        "patterns": .table([
          "entity": #"[A-Z][a-zA-Z]*"#, "property": #"[a-z]{3,} -- three letters at least"#, "case": #"[a-z]+"#,
        ])
      ])
  }

  @Test func invalidPattern() {
    expectFindings(
      #"""
      schema S 1.0.0
      //       ^~~~~ warning[NAM012]: '[A-Z' is not a valid regular expression: expected ']'
      @Model class Trip { var name: String }
      """#,
      of: "NAM012", options: ["patterns": .table(["entity": #"[A-Z"#])])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip2 { var name: String; @Relationship(inverse: nil) var nextTrip: Trip2? }
      enum Kind: String, Codable { case freeTime }
      """#,
      of: "NAM012", options: ["patterns": .table(["enum": #"[A-Z][a-z]*"#, "type": #".*"#, "attribute": #"[a-z]+"#])])
  }

  @Test func staysSilentWithoutPatterns() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip2 { var name: String }
      """#)
  }

  @Test func patternsAreValidatedBeforeUse() {
    #expect(throws: Never.self) { try MatchPattern.check(["case": "[a-z]+ -- words"]) }
    #expect(throws: SettingFailure.self) { try MatchPattern.check(["entity": "("]) }
    #expect {
      try MatchPattern.check(["entities": "a"])
    } throws: { error in
      let known = "'entity', 'enum', 'struct', 'attribute', 'relationship', 'case', 'field', 'type', 'property'"
      return (error as? SettingFailure)?.message.contains(known) ?? false
    }
  }
}
