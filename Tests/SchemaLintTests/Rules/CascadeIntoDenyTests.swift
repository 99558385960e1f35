import Testing

@Suite struct CascadeIntoDenyTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Customer {
        @Relationship(deleteRule: .cascade, inverse: \Order.customer) var orders: [Order]
        //            ^~~~~~~~~~~~~~~~~~~~ warning[REL012]: deleting 'Customer' also deletes 'Order', which 'Order.invoices' denies
      }
      @Model class Order {
        var customer: Customer?
        @Relationship(deleteRule: .deny, inverse: \Invoice.order) var invoices: [Invoice]
      }
      @Model class Invoice { var order: Order? }
      """#)
  }

  @Test func throughTheHierarchy() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip { @Relationship(.cascade, inverse: nil) var legs: [Leg] }
      //                                ^~~~~~~~ warning[REL012]: deleting 'Trip' also deletes 'Leg', which 'Flight.seat' denies
      @Model class Leg { var name: String }
      @Model class Flight: Leg { @Relationship(deleteRule: .deny, inverse: nil) var seat: Seat? }
      @Model class Charter: Flight { var owner: Airline? }
      @Model class Seat { var row: Int }
      @Model class Airline {
        @Relationship(deleteRule: .cascade, inverse: \Charter.owner) var charters: [Charter]
        //            ^~~~~~~~~~~~~~~~~~~~ warning[REL012]: deleting 'Airline' also deletes 'Charter', which 'Flight.seat' denies
      }
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Customer {
        @Relationship(deleteRule: .cascade, inverse: \Order.customer) var orders: [Order]
        @Relationship(deleteRule: .cascade, inverse: \Invoice.customer) var invoices: [Invoice]
      }
      @Model class Order {
        @Relationship(deleteRule: .deny) var customer: Customer?
        @Relationship(deleteRule: .deny, inverse: \Invoice.order) var invoices: [Invoice]
      }
      @Model class Invoice { var customer: Customer?; var order: Order? }
      @Model class Shelf { @Relationship(deleteRule: .nullify, inverse: nil) var orders: [Order] }
      """#)
  }
}
