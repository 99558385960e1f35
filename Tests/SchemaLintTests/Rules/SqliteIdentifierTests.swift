import SchemaLint
import Testing

@Suite struct SqliteIdentifierTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Order {
        //         ^~~~~ warning[POR004]: 'Order' is an SQL keyword and must be quoted to read the table
        var from: String
        //  ^~~~ warning[POR004]: 'from' is an SQL keyword and must be quoted to read the column
        var rowID: Int
        //  ^~~~~ warning[POR004]: 'rowID' is an SQL keyword and must be quoted to read the column
        var table: Stop?
        //  ^~~~~ warning[POR004]: 'table' is an SQL keyword and must be quoted to read the column
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
