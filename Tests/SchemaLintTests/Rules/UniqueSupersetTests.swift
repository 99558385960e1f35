import Testing

@Suite struct UniqueSupersetTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.code, \.name])
        //            ^~~~~~~~~~~~~~~~ info[UNQ005]: 'code' is already unique, so this key never detects a conflict
        #Unique<Trip>([\.name, \.day], [\.day, \.name, \.part])
        //                             ^~~~~~~~~~~~~~~~~~~~~~~ info[UNQ005]: 'name', 'day' are already unique, so this key never detects a conflict
        @Attribute(.unique) var code: String
        var name: String
        var day: Int
        var part: Int
      }
      @Model class BusinessTrip: Trip {
        #Unique<BusinessTrip>([\.code, \.company])
        //                    ^~~~~~~~~~~~~~~~~~~ info[UNQ005]: 'code' is already unique, so this key never detects a conflict
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

  @Test func differentPoliciesAreIntentional() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { #Unique<Trip>([\.code, \.name], onConflict: .fail); @Attribute(.unique) var code: String; var name: String }
      //                                ^~~~~~~~~~~~~~~~ info[UNQ005]: 'code' is already unique, so this key never detects a conflict
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
