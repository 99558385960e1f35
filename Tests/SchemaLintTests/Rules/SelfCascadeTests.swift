import Testing

@Suite struct SelfCascadeTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Node {
        @Relationship(deleteRule: .cascade) var children: [Node]
        //            ^~~~~~~~~~~~~~~~~~~~ error[REL009]: 'Node.children' and 'Node.parent' both cascade: deleting an object deletes every connected object
        @Relationship(deleteRule: .cascade, inverse: \Node.children) var parent: Node?
      }
      @Model class Person {
        @Relationship(.cascade, inverse: \Person.friends) var friends: [Person]
        //            ^~~~~~~~ error[REL009]: 'Person.friends' cascades in both directions: deleting an object deletes every connected object
      }
      @Model class Part {
        @Relationship(deleteRule: .cascade, inverse: nil) var parts: [Part]
        //            ^~~~~~~~~~~~~~~~~~~~ info[REL009]: an object in 'Part.parts' can have two parents and is deleted with the first
      }
      """#)
  }

  @Test func withinAHierarchy() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Item { @Relationship(deleteRule: .cascade) var folder: Folder? }
      //                                ^~~~~~~~~~~~~~~~~~~~ error[REL009]: 'Item.folder' and 'Folder.items' both cascade: deleting an object deletes every connected object
      @Model class Folder: Item { @Relationship(deleteRule: .cascade, inverse: \Item.folder) var items: [Item] }
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Node {
        var parent: Node?
        @Relationship(deleteRule: .cascade, inverse: \Node.parent) var children: [Node]
      }
      @Model class Page {
        @Relationship(deleteRule: .cascade, inverse: \Page.previous) var next: Page?
        var previous: Page?
      }
      @Model class Folder { @Relationship(deleteRule: .cascade, inverse: nil) var pages: [Page] }
      """#)
  }
}
