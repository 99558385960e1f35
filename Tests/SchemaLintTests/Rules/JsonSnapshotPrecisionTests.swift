import SchemaLint
import Testing

@Suite struct JsonSnapshotPrecisionTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var prices: [Decimal]
        //          ^~~~~~~~~ warning[POR005]: 'prices' is a JSON number with more digits than some readers support
        var place: Place?
        var payment: Payment
        @Attribute(.flattened) var address: Address
      }
      struct Place: Codable { var number: Int64; var inner: Inner }
      //                          ^~~~~~ warning[POR005]: 'Place.number' is a JSON number with more digits than some readers support
      struct Inner: Codable { var amount: Decimal? }
      //                          ^~~~~~ warning[POR005]: 'Inner.amount' is a JSON number with more digits than some readers support
      enum Payment: Codable { case cash, card(number: UInt64) }
      //                                 ^~~~ warning[POR005]: 'Payment.card' is a JSON number with more digits than some readers support
      struct Address: Codable { var number: Int64; var lines: [Line] }
      struct Line: Codable { var size: Decimal }
      //                         ^~~~ warning[POR005]: 'Line.size' is a JSON number with more digits than some readers support
      """#,
      profiles: [.portable],
      of: "POR005")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        var price: Decimal
        var number: Int64
        var sizes: [Double]
        @Transient var prices: [Decimal] = []
        @Attribute(.flattened) var address: Address
        var level: Level
      }
      struct Address: Codable { var number: Int64 }
      struct Level: RawRepresentable, Codable { var rawValue: Int64 }
      struct Unused: Codable { var number: Int64 }
      """#,
      profiles: [.portable],
      of: "POR005")
  }
}
