import Testing

@Suite struct IndexChangedTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        //         ^~~~ info[MIG073]: model 'Trip': binary index of [size] removed
        #Index<Trip>([\.name])
        //           ^~~~~~~~ info[MIG073]: model 'Trip': binary index of [name] added
        var name: String
        var size: Int
      }
      """#,
      of: "MIG073",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { #Index<Trip>([\.size]); var name: String; var size: Int }
        """#
      ])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 2.0.0
      @Model class Trip {
        #Index<Trip>([\.title])
        @Attribute(originalName: "name") var title: String
      }
      @Model class Stop {
        #Index<Stop>([\.code])
        var code: String
      }
      """#,
      of: "MIG073",
      released: [
        #"""
        schema S 1.0.0
        @Model class Trip { #Index<Trip>([\.name]); var name: String }
        """#
      ])
  }
}
