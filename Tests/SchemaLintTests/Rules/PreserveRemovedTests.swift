import Testing

@Suite struct PreserveRemovedTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        var code: String
        //  ^~~~ warning[MIG072]: 'Trip.code' is no longer preserved on deletion
        @Attribute(originalName: "nom") var name: String
        //                                  ^~~~ warning[MIG072]: 'Trip.name' is no longer preserved on deletion
      }
      """#,
      of: "MIG072",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { @Attribute(.preserveValueOnDeletion) var code: String; @Attribute(.preserveValueOnDeletion) var nom: String }
        """#
      ],
      chosen: #"""
        schema S 2.0.0
        @Model class Trip {
          @Attribute(.preserveValueOnDeletion) var code: String
          @Attribute(.preserveValueOnDeletion, originalName: "nom") var name: String
        }
        """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        @Attribute(.preserveValueOnDeletion) var code: String
        var name: String
      }
      """#,
      of: "MIG072",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { @Attribute(.preserveValueOnDeletion) var code: String; var name: String }
        """#
      ])
  }
}
