import Testing

/// Tests of the ranges of version diagnostics.
@Suite struct VersionRangeTests {
  /// The released version of most tests.
  private static let before = [
    #"""
    schema S 1.0.0
    @Model class Trip { var name: String }
    """#
  ]

  @Test func versionNumbers() {
    expectFindings(
      #"""
      schema S 1.0.0
      //       ^~~~~ error[MIG001]: version 1.0.0 of 'S' is released, but the schema has changed since
      @Model class Trip { var name: String; var size: Int? }
      """#,
      of: "MIG001",
      released: Self.before)
    expectFindings(
      #"""
      schema S 2.0.0
      //       ^~~~~ warning[MIG004]: versions 1.0.0 and 2.0.0 of 'S' are the same
      @Model class Trip { var name: String }
      """#,
      of: "MIG004",
      released: Self.before)
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var name: String; var size: Int? }
      migration from 0.9.0 {
        //           ^~~~~ error[MIG005]: stores migrate to 2.0.0 from 1.0.0, not from 0.9.0
      }
      """#,
      of: "MIG005",
      released: Self.before)
  }

  @Test func removedDeclarations() {
    expectFindings(
      #"""
      schema S 2.0.0
      //       ^~~~~ error[MIG010]: model 'Stop' removed, but the migration from 1.0.0 does not handle it
      @Model class Trip { var name: String }
      """#,
      of: "MIG010",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String }
        @Model class Stop { var code: Int }
        """#
      ])
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var name: String }
      migration from 1.0.0 {
        //           ^~~~~ error[MIG011]: attribute 'Trip.size' removed, its type was 'Int', but the migration from 1.0.0 does not handle it
        accept MIG011 Trip.days -- "counted"
      }
      """#,
      of: "MIG011",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String; var size: Int; var days: Int }
        """#
      ])
    expectFindings(
      #"""
      schema S 2.0.0
      //       ^~~~~ error[MIG012]: relationship 'Trip.stops' removed, its type was '[Stop]', but the migration from 1.0.0 does not handle it
      //       ^~~~~ error[MIG012]: relationship 'Stop.trip' removed, its type was 'Trip?', but the migration from 1.0.0 does not handle it
      @Model class Trip { var name: String }
      @Model class Stop { var code: Int }
      """#,
      of: "MIG012",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String; var stops: [Stop] = [] }
        @Model class Stop { var code: Int; var trip: Trip? }
        """#
      ])
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var kind: Kind }
      enum Kind: String, Codable { case work }
      //   ^~~~ error[MIG013]: case 'Kind.leisure' removed, but the migration from 1.0.0 does not handle it
      """#,
      of: "MIG013",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var kind: Kind }
        enum Kind: String, Codable { case work, leisure }
        """#
      ])
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var kind: Kind }
      enum Kind: Int, Codable { case work = 2 }
      //   ^~~~ error[MIG014]: case 'Kind.work': raw value changed from '1' to '2', but the migration from 1.0.0 does not handle it
      """#,
      of: "MIG014",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var kind: Kind }
        enum Kind: Int, Codable { case work = 1 }
        """#
      ])
  }

  @Test func names() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var title: String }
      //                      ^~~~~ error[MIG020]: attribute 'Trip.label' removed, its type was 'String', and 'Trip.title' is new and similar
      """#,
      of: "MIG020",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var label: String }
        """#
      ])
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        var name: String
        @Attribute(originalName: "lable") var note: String?
        //                                    ^~~~ error[MIG021]: 'Trip.note' is renamed from 'lable', which no earlier version declares
      }
      """#,
      of: "MIG021",
      released: Self.before)
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        @Attribute(originalName: "name") var title: String
        @Attribute(originalName: "name") var label: String = ""
        //                                   ^~~~~ error[MIG022]: 'label' and 'title' are both renamed from 'Trip.name'
      }
      """#,
      of: "MIG022",
      released: Self.before)
    expectFindings(
      #"""
      schema S 3.0.0
      @Model class Trip {
        var name: String
        var size: Int?
        //  ^~~~ warning[MIG024]: 'Trip.size' existed in an earlier version and is now a different declaration
      }
      """#,
      of: "MIG024",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String; var size: String }
        """#,
        #"""
        schema S 2.0.0
        @Model class Trip { var name: String }
        migration from 1.0.0 {
          accept MIG011 Trip.size -- "gone"
        }
        """#,
      ])
  }

  @Test func types() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var name: Int }
      //                      ^~~~ error[MIG030]: attribute 'Trip.name': type changed from 'String' to 'Int', but the migration from 1.0.0 does not handle it
      """#,
      of: "MIG030",
      released: Self.before)
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var size: Int8 }
      //                      ^~~~ error[MIG031]: attribute 'Trip.size': type changed from 'Int' to 'Int8', but the migration from 1.0.0 does not handle it
      """#,
      of: "MIG031",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var size: Int }
        """#
      ])
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var place: Place }
      struct Place: Codable { var town: String }
      //     ^~~~~ error[MIG033]: field 'Place.street' removed, its type was 'String', but the migration from 1.0.0 does not handle it
      """#,
      of: "MIG033",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var place: Place }
        struct Place: Codable { var town: String; var street: String }
        """#
      ])
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var name: String }
      @Model class Stop: Trip { var code: Int }
      //           ^~~~ error[MIG034]: model 'Stop': superclass changed from none to 'Trip', and rows in stores of 1.0.0 require a custom step
      """#,
      of: "MIG034",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String }
        @Model class Stop { var code: Int }
        """#
      ])
  }

  @Test func newlyRequiredProperties() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var name: String }
      //                      ^~~~ error[MIG040]: attribute 'Trip.name': type changed from 'String?' to 'String', but the migration from 1.0.0 does not handle it
      """#,
      of: "MIG040",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String? }
        """#
      ])
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        var name: String
        var size: Int
        //  ^~~~ error[MIG041]: attribute 'Trip.size' added with type 'Int', but the migration from 1.0.0 does not handle it
      }
      """#,
      of: "MIG041",
      released: Self.before)
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var name: String }
      @Model class Stop { @Relationship(inverse: nil) var trip: Trip; var code: Int }
      //                                                  ^~~~ error[MIG042]: relationship 'Stop.trip' added with type 'Trip', but the migration from 1.0.0 does not handle it
      """#,
      of: "MIG042",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String }
        @Model class Stop { var code: Int }
        """#
      ])
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var name: String; var day: Date }
      migration from 1.0.0 {
        fill Trip.day = Date()
        //   ^~~~~~~~ warning[MIG043]: the value of 'Trip.day' differs each time the migration runs
      }
      """#,
      of: "MIG043",
      released: Self.before)
  }

  @Test func constraintsAndRelationships() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        #Unique<Trip>([\.name])
        //            ^~~~~~~~ error[MIG050]: model 'Trip': [name] is now unique, but the migration from 1.0.0 does not handle it
        var name: String
      }
      """#,
      of: "MIG050",
      released: Self.before)
    expectFindings(
      #"""
      schema S 2.0.0
      //       ^~~~~ warning[MIG051]: model 'Trip': [name] is no longer unique: a save that previously replaced a row now inserts a duplicate
      @Model class Trip { var name: String }
      """#,
      of: "MIG051",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { @Attribute(.unique) var name: String }
        """#
      ])
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { @Relationship(deleteRule: .cascade) var stops: [Stop] = [] }
      //                                                          ^~~~~ error[MIG060]: relationship 'Trip.stops': delete rule changed from '.nullify' to '.cascade': existing rows are now deleted with their owner
      @Model class Stop { var trip: Trip? }
      """#,
      of: "MIG060",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var stops: [Stop] = [] }
        @Model class Stop { var trip: Trip? }
        """#
      ])
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var stops: Stop? }
      //                      ^~~~~ error[MIG061]: relationship 'Trip.stops': type changed from '[Stop]' to 'Stop?', but the migration from 1.0.0 does not handle it
      @Model class Stop { var trip: Trip? }
      """#,
      of: "MIG061",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var stops: [Stop] = [] }
        @Model class Stop { var trip: Trip? }
        """#
      ])
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { @Relationship(inverse: \Stop.last) var stops: [Stop] = [] }
      //                                                         ^~~~~ error[MIG062]: relationship 'Trip.stops': inverse changed from 'first' to 'last', but the migration from 1.0.0 does not handle it
      @Model class Stop { @Relationship(inverse: nil) var first: Trip?; var last: Trip? }
      """#,
      of: "MIG062",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { @Relationship(inverse: \Stop.first) var stops: [Stop] = [] }
        @Model class Stop { var first: Trip?; @Relationship(inverse: nil) var last: Trip? }
        """#
      ])
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { @Relationship(maximumModelCount: 3) var stops: [Stop] = [] }
      //                                                          ^~~~~ error[MIG063]: relationship 'Trip.stops': maximum count changed from 'none' to '3', but the migration from 1.0.0 does not handle it
      @Model class Stop { var trip: Trip? }
      """#,
      of: "MIG063",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var stops: [Stop] = [] }
        @Model class Stop { var trip: Trip? }
        """#
      ])
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var stops: [Stop] = [] }
      //                      ^~~~~ error[MIG064]: relationship 'Trip.stops' is no longer ordered, but the migration from 1.0.0 does not handle it
      @Model class Stop { var trip: Trip? }
      """#,
      of: "MIG064",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { @Relationship(.ordered) var stops: [Stop] = [] }
        @Model class Stop { var trip: Trip? }
        """#
      ])
  }
}
