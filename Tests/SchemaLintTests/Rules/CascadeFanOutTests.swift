import SchemaLint
import Testing

@Suite struct CascadeFanOutTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class A { @Relationship(deleteRule: .cascade, inverse: nil) var b: [B] }
      //           ^ info[REL026]: deleting 'A' cascades 3 times: A.b → B.c → Special.d
      @Model class B { @Relationship(deleteRule: .cascade, inverse: nil) var c: [C] }
      @Model class C { var name: String }
      @Model class Special: C { @Relationship(deleteRule: .cascade, inverse: nil) var d: D? }
      @Model class D { var name: String }
      """#,
      of: "REL026", options: ["depth": .integer(2)])
  }

  @Test func manyModels() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class A {
      //           ^ info[REL026]: deleting 'A' deletes objects of more than 2 other models
        @Relationship(deleteRule: .cascade, inverse: nil) var b: [B]
        @Relationship(deleteRule: .cascade, inverse: nil) var c: [C]
        @Relationship(deleteRule: .cascade, inverse: nil) var d: [D]
      }
      @Model class B { var name: String }
      @Model class C { var name: String }
      @Model class D { var name: String }
      """#,
      of: "REL026", options: ["models": .integer(2)])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class A { @Relationship(deleteRule: .cascade, inverse: nil) var b: [B] }
      @Model class B { @Relationship(deleteRule: .cascade, inverse: nil) var c: [C] }
      @Model class C { @Relationship(deleteRule: .nullify, inverse: nil) var d: D? }
      @Model class D { @Relationship(deleteRule: .cascade, inverse: \D.parent) var children: [D]; var parent: D? }
      """#,
      of: "REL026", options: ["depth": .integer(2), "models": .integer(2)])
  }
}
