import Testing

@Suite struct SeveralUniqueKeysTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Item {
        #Unique<Item>([\.number], [\.title, \.part])
        //                        ^~~~~~~~~~~~~~~~~ warning[UNQ003]: a new object can match one row by 'number' and another by 'title', 'part', and is then rejected
        var number: Int
        var title: String
        var part: Int
      }
      @Model class Person { @Attribute(.unique) var mail: String }
      @Model class Guide: Person { @Attribute(.unique, onConflict: .keep) var badge: Int }
      //                                      ^~~~~~~ warning[UNQ003]: a new object can match one row by 'mail' and another by 'badge', and is then rejected
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Item {
        @Attribute(.unique) var number: Int
        @Attribute(.unique, onConflict: .fail) var title: String
      }
      @Model class BigTrip {
        @Attribute(.unique) var id: UUID
        @Attribute(.unique) var bigTripID: String
        @Attribute(.unique) var uuidString: String
      }
      @Model class Trip { #Unique<Trip>([\.name, \.day], [\.name]); var name: String; var day: Int }
      """#)
  }
}
