import Testing

@Suite struct RepeatedEntityPrefixTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Person {
        var personName: String
        //  ^~~~~~~~~~ info[NAM010]: 'personName' repeats the model name 'Person'
        @Relationship(inverse: nil) var personHome: Home?
        //                              ^~~~~~~~~~ info[NAM010]: 'personHome' repeats the model name 'Person'
      }
      @Model class URLList { var urlListTitle: String }
      //                         ^~~~~~~~~~~~ info[NAM010]: 'urlListTitle' repeats the model name 'URLList'
      @Model class Home { var homeURL: URL? }
      //                      ^~~~~~~ info[NAM010]: 'homeURL' repeats the model name 'Home'
      """#,
      of: "NAM010")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Person {
        var name: String
        var personID: UUID
        var personality: String
        var personDescription: String
        var person: Int
      }
      @Model class Guide: Person { var personNumber: Int }
      """#,
      of: "NAM010")
  }
}
