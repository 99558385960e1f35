import SchemaLint
import Testing

@Suite struct RequiredAfterPromotionTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        var name: String = ""
        //  ^~~~ error[CKT024]: 'Trip.name' is now required, but devices with version 1.0.0 write records that lack it
        var size: Int
        //  ^~~~ error[CKT024]: 'Trip.size' is now required, but devices with version 1.0.0 write records that lack it
      }
      migration from 1.0.0 {
        fill Trip.size = 1
      }
      """#,
      profiles: [.cloudkit],
      of: "CKT024",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String?; var size: Int? }
        """#
      ],
      promoted: "1.0.0",
      chosen: #"""
        schema S 2.0.0
        @Model class Trip {
          var name: String? = ""
          var size: Int?
        }
        migration from 1.0.0 {
          fill Trip.size = 1
        }
        """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        var name: String?
        var size: Int = 0
      }
      """#,
      profiles: [.cloudkit],
      of: "CKT024",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String? }
        """#
      ],
      promoted: "1.0.0")
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var name: String = "" }
      """#,
      profiles: [.cloudkit],
      of: "CKT024",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String? }
        """#
      ])
  }
}
