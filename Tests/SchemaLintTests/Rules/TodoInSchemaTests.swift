import Testing

@Suite struct TodoInSchemaTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      /// A journey.
      /// TODO: or a trip?
      //  ^~~~~~~~~~~~~~~~ info[DOC005]: 'TODO' in an unreleased version
      @Model class Trip {
        var name: String // FIXME
        //                  ^~~~~ info[DOC005]: 'FIXME' in an unreleased version
        /*
         * TODO(anna): units
         //^~~~~~~~~~~~~~~~~ info[DOC005]: 'TODO' in an unreleased version
         */
        var distance: Int
      }
      // TODO
      // ^~~~ info[DOC005]: 'TODO' in an unreleased version
      """#,
      of: "DOC005")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      /// What a TODO list has.
      @Model class Trip {
        var todo: String = "// TODO: nothing"
        var text: String // todo
        // TODOS are elsewhere
      }
      """#,
      of: "DOC005")
  }
}
