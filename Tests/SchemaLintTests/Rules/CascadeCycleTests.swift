import Testing

@Suite struct CascadeCycleTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class A { @Relationship(deleteRule: .cascade, inverse: nil) var b: B? }
      //                             ^~~~~~~~~~~~~~~~~~~~ warning[REL008]: cascades from 'A' return to 'A': A.b → B.c → C.a
      @Model class B { @Relationship(deleteRule: .cascade, inverse: nil) var c: [C] }
      @Model class C { @Relationship(deleteRule: .cascade, inverse: nil) var a: A? }
      """#)
  }

  @Test func everyCycleIsReported() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class A { @Relationship(deleteRule: .cascade, inverse: nil) var b: B? }
      //                             ^~~~~~~~~~~~~~~~~~~~ warning[REL008]: cascades from 'A' return to 'A': A.b → B.a
      @Model class B { @Relationship(deleteRule: .cascade, inverse: nil) var a: A? }
      @Model class C { @Relationship(deleteRule: .cascade, inverse: nil) var d: D? }
      //                             ^~~~~~~~~~~~~~~~~~~~ warning[REL008]: cascades from 'C' return to 'C': C.d → D.c
      @Model class D { @Relationship(deleteRule: .cascade, inverse: nil) var c: C? }
      """#)
  }

  @Test func throughAnAncestor() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(deleteRule: .cascade, inverse: nil) var guide: Guide? }
      //                                ^~~~~~~~~~~~~~~~~~~~ warning[REL008]: cascades from 'Trip' return to 'Trip': Trip.guide → Guide.trips
      @Model class BusinessTrip: Trip { var cost: Int }
      @Model class Guide { @Relationship(deleteRule: .cascade, inverse: nil) var trips: [BusinessTrip] }
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class A { @Relationship(deleteRule: .cascade, inverse: nil) var b: B? }
      @Model class B { @Relationship(deleteRule: .cascade, inverse: nil) var c: [C] }
      @Model class C { @Relationship(deleteRule: .nullify, inverse: nil) var a: A? }
      @Model class Node { @Relationship(deleteRule: .cascade) var children: [Node]; var parent: Node? }
      """#)
  }

  @Test func siblingsAreDistinct() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var name: String }
      @Model class WorkTrip: Trip {
        @Relationship(deleteRule: .cascade, inverse: nil) var guide: Guide?
      }
      @Model class FreeTrip: Trip { var mood: Int }
      @Model class Guide { @Relationship(deleteRule: .cascade, inverse: nil) var trips: [FreeTrip] }
      """#)
  }
}
