import Testing

@Suite struct PropertyLowerCamelTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var Name: String
        //  ^~~~ warning[NAM002]: 'Trip.Name' is not in lowerCamelCase
        @Transient var start_date: Int = 0
        //             ^~~~~~~~~~ warning[NAM002]: 'Trip.start_date' is not in lowerCamelCase
        @Relationship(inverse: nil) var Next: Trip?
        //                              ^~~~ warning[NAM002]: 'Trip.Next' is not in lowerCamelCase
        var kind: Kind
      }
      enum Kind: String { case Private, atWork }
      //                       ^~~~~~~ warning[NAM002]: 'Kind.Private' is not in lowerCamelCase
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var name: String; var startURL: URL; var place: Place }
      struct Place: Codable { var zip_code: String }
      """#)
  }
}
