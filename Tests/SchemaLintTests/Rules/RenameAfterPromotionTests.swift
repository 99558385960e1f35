import SchemaLint
import Testing

@Suite struct RenameAfterPromotionTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 3.0.0
      @Model(originalName: "Trip") class Journey {
        //                               ^~~~~~~ error[CKT021]: model 'Trip' renamed to 'Journey', but the old name has been in CloudKit production since version 1.0.0
        @Attribute(originalName: "label") var title: String?
        //                                    ^~~~~ error[CKT021]: attribute 'Journey.name' renamed to 'title', but the old name has been in CloudKit production since version 1.0.0
      }
      """#,
      profiles: [.cloudkit],
      of: "CKT021",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String? }
        """#,
        #"""
        schema S 2.0.0
        @Model class Trip { @Attribute(originalName: "name") var label: String? }
        """#,
      ],
      promoted: "1.0.0")
  }

  @Test func staysSilent() {
    // Renamed and renamed back through a version that was not promoted.
    expectFindings(
      #"""
      schema S 3.0.0
      @Model class Trip { @Attribute(originalName: "label") var name: String? }
      """#,
      profiles: [.cloudkit],
      of: "CKT021",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String? }
        """#,
        #"""
        schema S 2.0.0
        @Model class Trip { @Attribute(originalName: "name") var label: String? }
        """#,
      ],
      promoted: "1.0.0")
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip { @Attribute(originalName: "name") var label: String? }
      """#,
      profiles: [.cloudkit],
      of: "CKT021",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { var name: String? }
        """#
      ])
  }
}
