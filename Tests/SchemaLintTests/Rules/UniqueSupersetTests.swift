import Testing

@Suite struct UniqueSupersetTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.code, \.name])
        //            ^~~~~~~~~~~~~~~~ info[UNQ005]: 'code' is unique already, so that this key never finds anything
        #Unique<Trip>([\.name, \.day], [\.day, \.name, \.part])
        //                             ^~~~~~~~~~~~~~~~~~~~~~~ info[UNQ005]: 'name', 'day' are unique already, so that this key never finds anything
        @Attribute(.unique) var code: String
        var name: String
        var day: Int
        var part: Int
      }
      @Model class BusinessTrip: Trip {
        #Unique<BusinessTrip>([\.code, \.company])
        //                    ^~~~~~~~~~~~~~~~~~~ info[UNQ005]: 'code' is unique already, so that this key never finds anything
        var company: String
      }
      """#,
      of: "UNQ005",
      fixed: #"""
        schema S 1.0.0
        @Model class Trip {
          #Unique<Trip>([\.name, \.day])
          @Attribute(.unique) var code: String
          var name: String
          var day: Int
          var part: Int
        }
        @Model class BusinessTrip: Trip {
          var company: String
        }
        """#)
  }

  @Test func anotherPolicyIsTheAuthorsChoice() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { #Unique<Trip>([\.code, \.name], onConflict: .fail); @Attribute(.unique) var code: String; var name: String }
      //                                ^~~~~~~~~~~~~~~~ info[UNQ005]: 'code' is unique already, so that this key never finds anything
      """#,
      of: "UNQ005")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.code, \.name], [\.code, \.day])
        var code: String
        var name: String
        var day: Int
      }
      """#,
      of: "UNQ005")
  }
}
