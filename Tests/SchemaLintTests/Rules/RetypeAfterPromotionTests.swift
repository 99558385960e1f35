import SchemaLint
import Testing

@Suite struct RetypeAfterPromotionTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        var size: Int64?
        //  ^~~~ error[CKT022]: attribute 'Trip.size': type changed from 'Int32' to 'Int64?', but the old type has been in CloudKit production since version 1.0.0
        var stops: [Stop]?
        //  ^~~~~ error[CKT022]: relationship 'Trip.stops': type changed from 'Stop?' to '[Stop]?', but the old type has been in CloudKit production since version 1.0.0
      }
      @Model class Stop { var trip: Trip? }
      """#,
      profiles: [.cloudkit],
      of: "CKT022",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var size: Int32; var stops: Stop? }
        @Model class Stop { var trip: Trip? }
        """#
      ],
      promoted: "1.0.0")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        var size: Int?
        @Transient var count: Int64 = 0
      }
      """#,
      profiles: [.cloudkit],
      of: "CKT022",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var size: Int; @Transient var count: Int32 = 0 }
        """#
      ],
      promoted: "1.0.0")
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var size: Int64 }
      """#,
      profiles: [.cloudkit],
      of: "CKT022",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var size: Int32 }
        """#
      ])
  }
}
