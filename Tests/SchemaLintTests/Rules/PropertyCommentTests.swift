import Testing

@Suite struct PropertyCommentTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var name: String
        //  ^~~~ info[DOC002]: 'Trip.name' has no documentation comment
        /// In metres.
        var distance: Int
        @Relationship(inverse: nil)
        var next: Trip?
        //  ^~~~ info[DOC002]: 'Trip.next' has no documentation comment
      }
      """#,
      of: "DOC002")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        /// As on the ticket.
        var name: String
        /** In metres. */ var distance: Int
      }
      """#,
      of: "DOC002")
  }
}
