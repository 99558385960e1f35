import Testing

@Suite struct RequiredCycleTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Node { @Relationship(inverse: nil) var parent: Node }
      //                                                  ^~~~~~ error[REL017]: no first 'Node' can be created: Node.parent is required
      @Model class A { @Relationship(inverse: nil) var b: B }
      //                                               ^ error[REL017]: no first 'A' can be created: A.b → B.c → C.a are required
      @Model class B { @Relationship(inverse: nil) var c: C }
      @Model class C { @Relationship(inverse: nil) var a: A }
      @Model class Outside { @Relationship(inverse: nil) var a: A }
      """#)
  }

  @Test func initialiserThatTakesTheRelationship() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Link {
        @Relationship(inverse: nil) var next: Link
        //                              ^~~~ error[REL017]: no first 'Link' can be created: Link.next is required
        init(next: Link) { self.next = next }
      }
      """#)
  }

  @Test func throughAnAncestor() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Item { @Relationship(inverse: nil) var shelf: Shelf }
      //                                                  ^~~~~ error[REL017]: no first 'Item' can be created: Item.shelf → Shelf.first are required
      @Model class Book: Item { var title: String }
      @Model class Shelf { @Relationship(inverse: nil) var first: Book }
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Item { var name: String }
      @Model class Box: Item { @Relationship(inverse: nil) var content: Item }
      @Model class A { @Relationship(inverse: nil) var b: B }
      @Model class B { @Relationship(inverse: nil) var a: A? }
      @Model class Trip { @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] }
      @Model class Stop { var trip: Trip }
      @Model class Link {
        @Relationship(inverse: nil) var next: Link
        init() { self.next = self }
        init(next: Link) { self.next = next }
      }
      """#)
  }
}
