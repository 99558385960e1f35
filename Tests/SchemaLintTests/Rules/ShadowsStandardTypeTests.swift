import Testing

@Suite struct ShadowsStandardTypeTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Task { var result: Result }
      //           ^~~~ warning[NAM007]: 'Task' hides the standard type with the same name
      enum Result: String { case good, bad }
      //   ^~~~~~ warning[NAM007]: 'Result' hides the standard type with the same name
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class SyncTask { var result: ReviewResult }
      enum ReviewResult: String { case good, bad }
      """#)
  }
}
