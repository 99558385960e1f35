import Testing

@Suite struct ManyToManyWithoutIndexTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Note {
        var tagIDs: [UUID] = []
        //  ^~~~~~ warning[IDX003]: 'Note.tagIDs' is a list in a column: finding the objects that refer to a 'Tag' reads every row
        var categoryIds: Set<Int>?
        //  ^~~~~~~~~~~ warning[IDX003]: 'Note.categoryIds' is a list in a column: finding the objects that refer to a 'Category' reads every row
        @Attribute(.codable) var personIdentifiers: [PersistentIdentifier] = []
        //                       ^~~~~~~~~~~~~~~~~ warning[IDX003]: 'Note.personIdentifiers' is a list in a column: finding the objects that refer to a 'Person' reads every row
      }
      @Model class Draft: Note { var authorNumber: Int; var peopleIDs: [String] }
      //                                                    ^~~~~~~~~ warning[IDX003]: 'Draft.peopleIDs' is a list in a column: finding the objects that refer to a 'Person' reads every row
      @Model class Tag { var name: String }
      @Model class Category { var name: String }
      @Model class Person { var name: String }
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Note {
        var tags: [Tag]
        var tagNames: [String]
        var trackIDs: [UUID]
        var tagID: UUID?
        @Transient var tagIDs: [UUID] = []
      }
      @Model class Tag { var notes: [Note] }
      """#)
  }
}
