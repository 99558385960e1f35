import Testing

@Suite struct SuppressionTests {
  @Test func beforeAndAfterADeclaration() {
    expectFindings(
      #"""
      schema S 1.0.0
      // schema:ignore NAM001 -- the server calls it so
      @Model class trip {
        // schema:ignore property-lower-camel -- as in the file that is imported
        var Name: String
        @Attribute(originalName: "x") // schema:ignore NAM002 -- the same
        var Place: String
        var Kind: String // schema:ignore NAM002 -- the same
      }
      """#)
  }

  @Test func suppressionsOfATypeDoNotApplyToItsMembers() {
    expectFindings(
      #"""
      schema S 1.0.0
      // schema:ignore NAM002 -- all of them
      //               ^~~~~~ warning[SYN012]: 'NAM002' suppresses no finding here
      @Model class Trip {
        var Name: String
        //  ^~~~ warning[NAM002]: 'Trip.Name' is not in lowerCamelCase
      }
      """#,
      fixed: #"""
        schema S 1.0.0
        @Model class Trip {
          var Name: String
        }
        """#)
  }

  @Test func wholeFile() {
    expectFindings(
      #"""
      schema S 1.0.0
      // schema:ignore-file NAM002 -- names are those of the server
      @Model class Trip { var Name: String; var Place: String }
      """#)
  }

  @Test func unknownUnusedAndUnexplainedSuppressions() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        // schema:ignore NAM02 NAM002 -- misspelt
        //               ^~~~~ warning[SYN011]: there is no rule 'NAM02' to ignore
        var Name: String
        // schema:ignore NAM002
      //^~~~~~~~~~~~~~~~~~~~~~~ warning[SYN013]: 'schema:ignore' gives no reason
        var Place: String
        var day: String // schema:ignore NAM002, NAM001 -- gone
        //                               ^~~~~~ warning[SYN012]: 'NAM002' suppresses no finding here
        //                                       ^~~~~~ warning[SYN012]: 'NAM001' suppresses no finding here
        // schema:ignore
      //^~~~~~~~~~~~~~~~ warning[SYN011]: 'schema:ignore' names no rule
      //^~~~~~~~~~~~~~~~ warning[SYN013]: 'schema:ignore' gives no reason
      }
      """#,
      fixed: #"""
        schema S 1.0.0
        @Model class Trip {
          // schema:ignore NAM02 NAM002 -- misspelt
          var Name: String
          // schema:ignore NAM002
          var Place: String
          var day: String
          // schema:ignore
        }
        """#)
  }

  /// Text that only resembles a suppression.
  @Test func textResemblingASuppression() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        /// schema:ignore NAM002 -- documentation
        var Name: String = "// schema:ignore NAM002 -- text"
        //  ^~~~ warning[NAM002]: 'Trip.Name' is not in lowerCamelCase
        // see schema:ignore NAM002 -- inside
        var Place: String
        //  ^~~~~ warning[NAM002]: 'Trip.Place' is not in lowerCamelCase
      }
      """#)
  }
}
