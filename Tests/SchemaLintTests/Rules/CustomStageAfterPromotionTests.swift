import SchemaLint
import Testing

@Suite struct CustomStageAfterPromotionTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var name: String? }
      migration from 1.0.0 {
        custom tidyNames
        //     ^~~~~~~~~ warning[CKT023]: custom step 'tidyNames' runs on every device separately, and version 1.0.0 is synchronized
      }
      """#,
      profiles: [.cloudkit],
      of: "CKT023",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var nom: String? }
        """#
      ],
      promoted: "1.0.0")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { var name: String? }
      migration from 1.0.0 {
        custom tidyNames
      }
      """#,
      profiles: [.cloudkit],
      of: "CKT023",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var nom: String? }
        """#
      ])
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        var name: String?
        var size: Int
      }
      migration from 1.0.0 {
        fill Trip.size = 1
      }
      """#,
      profiles: [.cloudkit],
      of: "CKT023",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String? }
        """#
      ],
      promoted: "1.0.0")
  }
}
