import Testing

@Suite struct EntityCommentTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      // Nothing.
      @Model class Trip { var kind: Kind }
      //           ^~~~ info[DOC001]: 'Trip' has no documentation comment
      ///
      @Model class Stop { var place: Place? }
      //           ^~~~ info[DOC001]: 'Stop' has no documentation comment
      enum Kind: String, Codable { case work }
      //   ^~~~ info[DOC001]: 'Kind' has no documentation comment
      struct Place: Codable { var city: String }
      //     ^~~~~ info[DOC001]: 'Place' has no documentation comment
      """#,
      of: "DOC001")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      /// A journey.
      @Model class Trip { var kind: Kind }
      /** Why. */
      enum Kind: String, Codable { case work }
      """#,
      of: "DOC001")
  }
}
