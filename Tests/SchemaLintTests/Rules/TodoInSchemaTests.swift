import Testing

@Suite struct TodoInSchemaTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      /// A journey.
      /// TODO: or a trip?
      //  ^~~~~~~~~~~~~~~~ info[DOC005]: 'TODO' in a version that is not released yet
      @Model class Trip {
        var name: String // FIXME
        //                  ^~~~~ info[DOC005]: 'FIXME' in a version that is not released yet
        /*
         * TODO(anna): units
         //^~~~~~~~~~~~~~~~~ info[DOC005]: 'TODO' in a version that is not released yet
         */
        var distance: Int
      }
      // TODO
      // ^~~~ info[DOC005]: 'TODO' in a version that is not released yet
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
