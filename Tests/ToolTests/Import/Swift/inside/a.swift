import SwiftData
import struct Foundation.URL
@testable import Kit; import OSLog
#if os(iOS)
@Model class Screen { var ios = 1 }
#else
@Model class Screen { var mac = 1 }
#endif
@Model
class Order {
    var id: UUID
    var lines: [Line]
    var total: Decimal { lines.reduce(0) { $0 + $1.price } }
    struct Line: Codable, Hashable {
        var price: Decimal
        var tags: Set<String> = []
    }
    enum CodingKeys: CodingKey { case id, lines }
    init(id: UUID = .init(), lines: [Line] = []) {
        self.id = id
        self.lines = lines
    }
    func add(_ line: Line) { lines.append(line) }
    static func == (a: Order, b: Order) -> Bool { a.id == b.id }
    var text = """
      line
        indented
      """
    @Relationship(deleteRule: .cascade) var notes: [OrderNote]?
}
@Model class OrderNote { var order: Order?; var body: String = "a // b /* c" }
