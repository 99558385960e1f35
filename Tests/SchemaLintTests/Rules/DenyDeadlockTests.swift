import Testing

@Suite struct DenyDeadlockTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Order { @Relationship(deleteRule: .deny, inverse: \Bill.order) var bills: [Bill] }
      //                                 ^~~~~~~~~~~~~~~~~ error[REL011]: each relationship denies the owner's deletion while the next object exists: Order.bills → Bill.order
      @Model class Bill { @Relationship(.deny) var order: Order? }
      """#)
  }

  @Test func cycleOfRequiredRelationships() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class A { @Relationship(.deny, inverse: nil) var b: B }
      //                             ^~~~~ error[REL011]: each relationship denies the owner's deletion while the next object exists: A.b → B.c → C.a
      @Model class B { @Relationship(.deny, inverse: nil) var c: C }
      @Model class C { @Relationship(.deny, inverse: nil) var a: A }
      """#,
      of: "REL011")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Order { @Relationship(deleteRule: .deny, inverse: \Bill.order) var bills: [Bill] }
      @Model class Bill { var order: Order? }
      @Model class A { @Relationship(.deny, inverse: nil) var b: B? }
      @Model class B { @Relationship(.deny, inverse: nil) var a: A }
      """#)
  }
}
