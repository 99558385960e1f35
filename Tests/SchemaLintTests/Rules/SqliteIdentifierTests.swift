import SchemaLint
import Testing

@Suite struct SqliteIdentifierTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Order {
        //         ^~~~~ warning[POR004]: 'Order' is a word of SQL: whoever reads the table has to quote it
        var from: String
        //  ^~~~ warning[POR004]: 'from' is a word of SQL: whoever reads the column has to quote it
        var rowID: Int
        //  ^~~~~ warning[POR004]: 'rowID' is a word of SQL: whoever reads the column has to quote it
        var table: Stop?
        //  ^~~~~ warning[POR004]: 'table' is a word of SQL: whoever reads the column has to quote it
      }
      @Model class Stop { var values: [Order] = [] }
      """#,
      profiles: [.sqlite],
      of: "POR004")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var key: String
        var action: String
        @Transient var order: Int = 0
        @Relationship(inverse: \Stop.trip) var values: [Stop] = []
      }
      @Model class Group: Trip { var size: Int }
      @Model class Stop { var trip: Trip? }
      """#,
      profiles: [.sqlite],
      of: "POR004")
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Order { var from: String }
      """#,
      of: "POR004")
  }
}
