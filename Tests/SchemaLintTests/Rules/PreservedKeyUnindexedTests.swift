import SchemaLint
import Testing

@Suite struct PreservedKeyUnindexedTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
          /// Of the airline.
          @Attribute(.preserveValueOnDeletion) var number: Int
          //                                       ^~~~~~ info[IDX007]: 'number' is preserved as an identifier, but finding an object by it reads every row
          @Attribute(.preserveValueOnDeletion) var start: Date
      }
      @Model class Stop: Trip { @Attribute(.preserveValueOnDeletion) var place: String? }
      //                                                                 ^~~~~ info[IDX007]: 'place' is preserved as an identifier, but finding an object by it reads every row
      """#,
      profiles: [.history], of: "IDX007",
      fixed: #"""
        schema S 1.0.0
        @Model class Trip {
            #Index<Trip>([\.number])
            /// Of the airline.
            @Attribute(.preserveValueOnDeletion) var number: Int
            @Attribute(.preserveValueOnDeletion) var start: Date
        }
        @Model class Stop: Trip { #Index<Stop>([\.place]); @Attribute(.preserveValueOnDeletion) var place: String? }
        """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        #Unique<Trip>([\.number, \.part])
        #Index<Trip>([\.place])
        @Attribute(.preserveValueOnDeletion) var number: Int
        @Attribute(.preserveValueOnDeletion) var part: Int
        @Attribute(.preserveValueOnDeletion) var place: String
        @Attribute(.preserveValueOnDeletion) var isOpen: Bool
        var note: String
      }
      """#,
      profiles: [.history], of: "IDX007")
  }
}
