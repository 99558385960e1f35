import SchemaLint
import Testing

@Suite struct FloatingMoneyTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Item {
        var price: Double
        //  ^~~~~ info[TYP012]: 'price' appears to be money, and 'Double' rounds it
        var listPrice: Float? = nil
        //  ^~~~~~~~~ info[TYP012]: 'listPrice' appears to be money, and 'Float' rounds it
        var deliveryFee = 2.5
        //  ^~~~~~~~~~~ info[TYP012]: 'deliveryFee' appears to be money, and 'Double' rounds it
      }
      """#,
      of: "TYP012")
  }

  @Test func customWords() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Item { var price: Double; var gesamtBetrag: Swift.Double }
      //                                         ^~~~~~~~~~~~ info[TYP012]: 'gesamtBetrag' appears to be money, and 'Double' rounds it
      """#,
      of: "TYP012", options: ["words": .words(["Betrag", "betrag"])])
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Item {
        var price: Decimal
        var cost: Int
        var taxRate: Double
        var weight: Double
      }
      """#,
      of: "TYP012")
  }
}
