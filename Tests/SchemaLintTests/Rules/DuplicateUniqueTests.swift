import Testing

@Suite struct DuplicateUniqueTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name])
        //            ^~~~~~~~ warning[UNQ004]: 'name' is already unique
        #Unique<Trip>([\.code, \.part], [\.part, \.code])
        //                              ^~~~~~~~~~~~~~~~ warning[UNQ004]: 'part', 'code' are already unique
        @Attribute(.unique) var name: String
        var code: String
        var part: Int
      }
      """#,
      of: "UNQ004",
      fixed: #"""
        schema S 1.0.0
        @Model class Trip {
          #Unique<Trip>([\.code, \.part])
          @Attribute(.unique) var name: String
          var code: String
          var part: Int
        }
        """#)
  }

  @Test func differentPoliciesAreIntentional() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name], onConflict: .fail)
        //            ^~~~~~~~ warning[UNQ004]: 'name': the conflict policy is '.replace' there and '.fail' here
        @Attribute(.unique) var name: String
      }
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.name, \.code], [\.code])
        var name: String
        var code: String
      }
      """#)
  }
}
