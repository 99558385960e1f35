import SchemaLint
import Testing

@Suite struct DropAfterPromotionTests {
  /// The released version.
  private static let before = [
    #"""
    schema S 1.0.0
    @Model class Trip { var name: String?; var size: Int?; @Transient var x: Int = 0; var stops: [Stop]? }
    @Model class Stop { var trip: Trip? }
    @Model class Pass { var number: Int? }
    """#,
    #"""
    schema S 2.0.0
    @Model class Trip { var name: String?; var stops: [Stop]? }
    @Model class Stop { var trip: Trip? }
    migration from 1.0.0 {
      accept MIG011 Trip.size -- "gone"
      accept MIG010 Pass -- "gone"
    }
    """#,
  ]

  @Test func fires() {
    expectFindings(
      #"""
      schema S 3.0.0
      //       ^~~~~ error[CKT020]: model 'Pass' removed, although it has been in CloudKit production since version 1.0.0
      @Model class Trip {
        //         ^~~~ error[CKT020]: attribute 'Trip.size' removed, its type was 'Int?', although it has been in CloudKit production since version 1.0.0
        //         ^~~~ error[CKT020]: relationship 'Trip.stops' removed, its type was '[Stop]?', although it has been in CloudKit production since version 1.0.0
        @Transient var name: String?
        //             ^~~~ error[CKT020]: attribute 'Trip.name' is no longer stored, although it has been in CloudKit production since version 1.0.0
      }
      @Model class Stop {
        //         ^~~~ error[CKT020]: relationship 'Stop.trip' removed, its type was 'Trip?', although it has been in CloudKit production since version 1.0.0
        var code: Int?
      }
      """#,
      profiles: [.cloudkit],
      of: "CKT020",
      released: Self.before,
      promoted: "1.0.0")
  }

  @Test func staysSilent() {
    // No version is promoted, or only a version after the removal.
    expectFindings(
      #"""
      schema S 3.0.0
      @Model class Trip { var name: String?; var stops: [Stop]?; var other: Int? }
      @Model class Stop { var trip: Trip? }
      """#,
      profiles: [.cloudkit],
      of: "CKT020",
      released: Self.before)
    expectFindings(
      #"""
      schema S 3.0.0
      @Model class Trip { var name: String?; var stops: [Stop]?; var other: Int? }
      @Model class Stop { var trip: Trip? }
      """#,
      profiles: [.cloudkit],
      of: "CKT020",
      released: Self.before,
      promoted: "2.1.0")
    expectFindings(
      #"""
      schema S 3.0.0
      @Model class Trip { var name: String? }
      """#,
      profiles: [.cloudkit],
      of: "CKT020",
      released: Self.before,
      promoted: "0.9.0")
  }
}
