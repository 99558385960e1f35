import Testing

@Suite struct UniqueIncludesRelationshipTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { var stops: [Stop] }
      @Model class Stop { #Unique<Stop>([\.trip, \.number]); var trip: Trip?; var number: Int }
      //                                 ^~~~~~ warning[UNQ008]: deleting a 'Trip' sets 'Stop.trip' to nil, and keys that contain nil never conflict
      @Model class Base { var owner: Folder? }
      @Model class Page: Base { #Unique<Page>([\.number, \.owner]); var number: Int }
      //                                                 ^~~~~~~ warning[UNQ008]: deleting a 'Folder' sets 'Base.owner' to nil, and keys that contain nil never conflict
      @Model class Folder { @Relationship(deleteRule: .nullify) var pages: [Base] }
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(.cascade) var stops: [Stop]; @Relationship(.deny) var legs: [Leg] }
      @Model class Stop { #Unique<Stop>([\.trip, \.number]); var trip: Trip?; var number: Int }
      @Model class Leg { #Unique<Leg>([\.trip, \.number]); var trip: Trip; var number: Int }
      @Model class Seat { @Relationship(.unique) var guest: Guest?; var row: Int }
      @Model class Guest { var seat: Seat? }
      """#)
  }
}
