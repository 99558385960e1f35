import Testing

@Suite struct UnusedImportTests {
  @Test func firesAndFixes() {
    expectFindings(
      #"""
      schema S 1.0.0
      import Foundation
      import Swift
        public import Foundation // again
      //^~~~~~~~~~~~~~~~~~~~~~~~ warning[SYN010]: 'Foundation' is already imported
        import struct Foundation.Date
      //^~~~~~~~~~~~~~~~~~~~~~~~~~~~~ warning[SYN010]: 'Foundation' is already imported
      @Model class Trip { var name: String }
      """#,
      of: "SYN010",
      fixed: #"""
        schema S 1.0.0
        import Foundation
        import Swift
          // again
        @Model class Trip { var name: String }
        """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      import Foundation
      import CoreLocation
      @Model class Trip { var name: String }
      """#,
      of: "SYN010")
  }
}
