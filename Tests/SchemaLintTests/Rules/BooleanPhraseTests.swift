import SchemaLint
import Testing

@Suite struct BooleanPhraseTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Item {
        var visible: Bool
        //  ^~~~~~~ info[NAM011]: Bool 'visible' does not read as a statement
        var done, isOpen: Bool
        //  ^~~~ info[NAM011]: Bool 'done' does not read as a statement
        @Transient var expressDelivery: Bool? = nil
        //             ^~~~~~~~~~~~~~~ info[NAM011]: Bool 'expressDelivery' does not read as a statement
      }
      """#,
      of: "NAM011")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Item {
        var isVisible: Bool
        var hasPhoto = false
        var allowsGuests: Bool?
        var shouldRemind: Bool
        var preferWindow: Bool
        var visible: Int
      }
      """#,
      of: "NAM011", options: ["words": .words(["prefer"])])
  }
}
