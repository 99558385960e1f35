import Foundation
import TestSupport
import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Typical queries of a database course, compared with handwritten SQL.
@Suite final class ShopTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private let url: URL
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appending(path: "shop.store")
    let fixture = try AggregateFixture(ModelConfiguration(url: url))
    container = fixture.container
    context = ModelContext(container)
    var dice = SeededGenerator(seed: SeededGenerator.seed("ShopTests"))
    try Self.fill(fixture.context, &dice)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static func fill(_ context: ModelContext, _ dice: inout SeededGenerator) throws {
    let products = (0..<8).map { Product(name: "Product \($0)", isDiscontinued: $0 % 3 == 0) }
    for product in products { context.insert(product) }
    for index in 0..<12 {
      let customer = Customer(
        name: "Customer \(index)", country: dice.pick([nil, "Norway", "Iceland", "Chile"]))
      context.insert(customer)
      for _ in 0..<Int.random(in: 0...6, using: &dice) {
        let order = Order(
          placed: Date(timeIntervalSinceReferenceDate: .random(in: 0...1e6, using: &dice)),
          status: dice.pick(Status.allCases),
          freight: Decimal(Int.random(in: 0...5000, using: &dice)) / 100)
        order.customer = customer
        context.insert(order)
        for _ in 0..<Int.random(in: 0...5, using: &dice) {
          let line = OrderLine(
            quantity: .random(in: 1...20, using: &dice),
            price: Decimal(Int.random(in: 1...9999, using: &dice)) / 100,
            // Sums of these values are exact in any order.
            weight: Double(Int.random(in: 0...64, using: &dice)) / 8)
          line.order = order
          line.product = dice.pick(products)
          context.insert(line)
        }
      }
    }
    try context.save()
  }

  /// The result of SQLite, one line per row.
  private func byHand(_ sql: SQLFragment) throws -> [String] {
    let connection = try Connection(url.path, .readOnly)
    return try connection.rows(sql).map { row in row.map(Self.text).joined(separator: "|") }
  }

  private static func text(_ value: SQLValue) -> String {
    switch value {
    case .null: "nil"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): value
    case .blob, .list: "?"
    }
  }

  private func line(_ values: Any?...) -> String {
    values.map { value in
      guard let value else { return "nil" }
      if let decimal = value as? Decimal { return "\(decimal * 100)" }
      if let date = value as? Date { return "\(date.timeIntervalSinceReferenceDate)" }
      if let status = value as? Status { return status.rawValue }
      return "\(value)"
    }.joined(separator: "|")
  }

  @Test func ordersByStatus() throws {
    let ours = try context.groups(by: \Order.status, computing: .count, .sum(\.freight))
    #expect(
      try ours.map { line($0, $1, $2) }
        == byHand(
          """
          SELECT status, count(*), sum(CAST(round(freight * 100) AS INTEGER)) FROM "Order"
          GROUP BY status ORDER BY status
          """))
    #expect(ours.count == 3)
  }

  @Test func bestCustomers() throws {
    let ours = try context.groups(
      of: FetchDescriptor<Order>(predicate: #Predicate { $0.customer != nil }),
      by: \.customer?.name, computing: .count, .maximum(\.placed), having: .count > 1,
      orderedBy: [.descending(.count)], limit: 5)
    #expect(
      try ours.map { line($0, $1, $2) }
        == byHand(
          """
          SELECT c.name, count(*), max(o.placed) FROM "Order" o JOIN Customer c ON c.id = o.customer
          GROUP BY c.name HAVING count(*) > 1 ORDER BY count(*) DESC, c.name LIMIT 5
          """))
  }

  @Test func unitsSoldByProduct() throws {
    let ours = try context.groups(
      of: FetchDescriptor<OrderLine>(predicate: #Predicate { $0.order?.status.rawValue == "shipped" }),
      by: \.product?.name, computing: .sum(\.quantity), .average(\.weight), .countDistinct(\.quantity))
    #expect(
      try ours.map { line($0, $1, $2, $3) }
        == byHand(
          """
          SELECT p.name, sum(l.quantity), avg(l.weight), count(DISTINCT l.quantity)
          FROM OrderLine l JOIN "Order" o ON o.id = l."order" LEFT JOIN Product p ON p.id = l.product
          WHERE o.status = 'shipped' GROUP BY p.name ORDER BY p.name
          """))
    #expect(context.isUntouched)
  }

  @Test func customersByCountry() throws {
    let ours = try context.groups(by: \Customer.country, computing: .count, .minimum(\.name))
    #expect(
      try ours.map { line($0, $1, $2) }
        == byHand(
          "SELECT country, count(*), min(name) FROM Customer GROUP BY country ORDER BY country"))
  }

  @Test func revenueByCountryAndStatus() throws {
    let ours = try context.groups(
      of: FetchDescriptor<OrderLine>(), by: \.order?.customer?.country, \.order?.status,
      computing: .sum(\.price))
    #expect(
      try ours.map { line($0, $1, $2) }
        == byHand(
          """
          SELECT c.country, o.status, sum(CAST(round(l.price * 100) AS INTEGER)) FROM OrderLine l
          LEFT JOIN "Order" o ON o.id = l."order" LEFT JOIN Customer c ON c.id = o.customer
          GROUP BY c.country, o.status ORDER BY c.country, o.status
          """))
    #expect(context.isUntouched)
  }

  @Test func totals() throws {
    let (lines, units, weight, heaviest) = try context.aggregate(
      .count, .sum(\OrderLine.quantity), .sum(\.weight), .maximum(\.weight))
    #expect(
      try [line(lines, units, weight, heaviest)]
        == byHand(
          "SELECT count(*), sum(quantity), total(weight), max(weight) FROM OrderLine"))
  }

  @Test func namesOfDiscontinuedProducts() throws {
    let ours = try context.values(
      of: \.name, \.persistentModelID,
      fetching: FetchDescriptor<Product>(
        predicate: #Predicate { $0.isDiscontinued }, sortBy: [SortDescriptor(\.name)]))
    #expect(
      try ours.map { line($0, $1.row ?? 0) }
        == byHand(
          "SELECT name, id FROM Product WHERE isDiscontinued = 1 ORDER BY name"))
  }

  @Test func ordersOfEachCustomer() throws {
    let counts = try context.fetch(FetchDescriptor<Customer>(sortBy: [SortDescriptor(\.name)]))
      .map { line($0.name, try $0.related(\.orders).count, try $0.related(\.orders).aggregate(.sum(\.freight))) }
    #expect(
      try counts
        == byHand(
          """
          SELECT c.name, count(o.id), coalesce(sum(CAST(round(o.freight * 100) AS INTEGER)), 0)
          FROM Customer c LEFT JOIN "Order" o ON o.customer = c.id GROUP BY c.id ORDER BY c.name
          """))
  }
}
