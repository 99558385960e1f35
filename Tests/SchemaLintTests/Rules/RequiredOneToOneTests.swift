import Testing

@Suite struct RequiredOneToOneTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Car { @Relationship(deleteRule: .cascade, inverse: \Engine.car) var engine: Engine }
      //                                                                               ^~~~~~ warning[REL016]: neither 'Car' nor 'Engine' can be created first: each requires the other
      @Model class Engine { @Relationship(deleteRule: .deny) var car: Car }
      @Model class Person { @Relationship(deleteRule: .deny, inverse: \Person.twin) var twin: Person }
      //                                                                                ^~~~ warning[REL016]: the first 'Person' requires an existing 'Person' for 'Person.twin'
      """#,
      of: "REL016")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Car { @Relationship(deleteRule: .cascade, inverse: \Engine.car) var engine: Engine? }
      @Model class Engine { @Relationship(deleteRule: .deny) var car: Car }
      @Model class Trip { @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] }
      @Model class Stop { var trip: Trip }
      @Model class Country {
        @Relationship(deleteRule: .cascade, inverse: \Capital.country) var capital: Capital
        init() { self.capital = Capital(country: self) }
      }
      @Model class Capital { @Relationship(deleteRule: .cascade) var country: Country }
      """#,
      of: "REL016")
  }
}
