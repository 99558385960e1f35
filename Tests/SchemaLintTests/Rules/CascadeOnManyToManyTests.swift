import Testing

@Suite struct CascadeOnManyToManyTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Note { @Relationship(deleteRule: .cascade, inverse: \Tag.notes) var tags: [Tag] }
      //                                ^~~~~~~~~~~~~~~~~~~~ warning[REL010]: deleting a single 'Note' deletes every related 'Tag', including shared objects
      @Model class Tag { var notes: [Note] }
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Note { @Relationship(inverse: \Tag.notes) var tags: [Tag] }
      @Model class Tag { var notes: [Note]; @Relationship(.cascade, inverse: \Use.tag) var uses: [Use] }
      @Model class Use { var tag: Tag? }
      """#)
  }
}
