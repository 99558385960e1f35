import Testing

/// Annotated schemas with diagnostics about relationships.
@Suite struct RelationshipFixtureTests {
  @Test func missingInverse() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A { var b: B?; @Relationship(inverse: nil) var c: B? }
      //                     ^ warning[REL001]: relationship 'A.b' has no inverse
        @Model class B { var x: Int }
      """#)
  }

  @Test func ambiguousInverse() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A { var first: B?; var second: B? }
        @Model class B { var many: [A] }
      //                     ^~~~ error[REL002]: the inverse of 'B.many' could be 'A.first' or 'A.second'
      """#)
  }

  @Test func twoReferencesToTheSameModel() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class Employee { var manager: Employee?; var mentor: Employee? }
      //                            ^~~~~~~ warning[REL002]: 'Employee.manager' and 'Employee.mentor' are assumed to be inverses
        @Model class Page { var next: Page?; @Relationship(inverse: \Page.next) var previous: Page? }
        @Model class Folder { var parent: Folder?; var folders: [Folder] }
        @Model class Person { @Relationship(inverse: nil) var boss: Person?; @Relationship(inverse: nil) var guide: Person? }
      """#)
  }

  @Test func ambiguousOnBothSides() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A { var first: B?; var second: B? }
      //                     ^~~~~ error[REL002]: the inverse of 'A.first' could be 'B.many' or 'B.few'
        @Model class B { var many: [A]; var few: [A] }
      """#)
  }

  @Test func ambiguityResolvedByOneSide() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A { var first: B?; @Relationship(inverse: \B.many) var second: B? }
        @Model class B { var many: [A]; var few: [A] }
      """#)
  }

  @Test func inverseMismatch() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          @Relationship(inverse: \B.x) var a: B?
      //                         ^~~~ error[REL003]: 'B.x' is not a relationship
          @Relationship(inverse: \B.c) var b: B?
      //                         ^~~~ error[REL003]: 'B.c' refers to 'C' and cannot be the inverse of a property of 'A'
          @Relationship(inverse: \C.a) var c: B?
      //                         ^~~~ error[REL003]: 'A.c' refers to 'B', so its inverse must be a property of 'B', not 'C'
          @Relationship(inverse: \B.none) var d: B?
      //                         ^~~~~~~ error[REL003]: 'B.none' is declared to have no inverse
          @Relationship(inverse: \B.pair) var e: B?
          @Relationship(inverse: \B.pair) var f: B?
      //                         ^~~~~~~ error[REL003]: 'B.pair' is already the inverse of 'A.e'
        }
        @Model class B {
          var x: Int
          @Relationship(inverse: \C.b) var c: C?
          @Relationship(inverse: nil) var none: A?
          var pair: [A]
        }
        @Model class C { var b: B?; @Relationship(inverse: nil) var a: A? }
      """#)
  }

  @Test func inverseNotFound() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          @Relationship(inverse: \B.parnt) var a: [B]
      //                         ^~~~~~~~ error[SYN007]: 'B' has no property 'parnt'
          @Relationship(inverse: \Bb.parent) var b: [B]
      //                         ^~~~~~~~~~ error[SYN007]: 'Bb' is not a model of this schema
        }
        @Model class B { @Relationship(inverse: nil) var parent: A? }
      """#,
      fixed: #"""
          schema S 1.0.0
          @Model class A {
            @Relationship(inverse: \B.parent) var a: [B]
            @Relationship(inverse: \Bb.parent) var b: [B]
          }
          @Model class B { @Relationship(inverse: nil) var parent: A? }
        """#)
  }

  @Test func inverseOfSubclass() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class Trip { var hotel: Hotel? }
        @Model class BusinessTrip: Trip { var cost: Int }
        @Model class Hotel { @Relationship(inverse: \BusinessTrip.hotel) var trips: [BusinessTrip] }
      //                                            ^~~~~~~~~~~~~~~~~~~ error[REL003]: 'Hotel.trips' refers to 'BusinessTrip', but 'Trip.hotel' belongs to every 'Trip'
      """#)
  }

  @Test func modelCounts() {
    expectDiagnostics(
      #"""
        schema S 1.0.0
        @Model class A {
          @Relationship(minimumModelCount: 3, maximumModelCount: 2, inverse: nil) var a: [A]
      //                ^~~~~~~~~~~~~~~~~~~~ error[REL018]: the minimum of 3 models exceeds the maximum of 2
          @Relationship(minimumModelCount: -1, inverse: nil) var b: [A]
      //                ^~~~~~~~~~~~~~~~~~~~~ error[REL018]: a count cannot be negative
          @Relationship(maximumModelCount: 2, inverse: nil) var c: A?
      //                ^~~~~~~~~~~~~~~~~~~~ error[REL018]: to-one relationship 'c' cannot hold 2 models
          @Relationship(minimumModelCount: 1, maximumModelCount: 0, inverse: nil) var d: [A]
        }
      """#)
  }
}
