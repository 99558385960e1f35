import SwiftData
@Model final class Thing {
    var id = UUID()
    var uuidText = UUID().uuidString
    var date = Date.now
    var later: Date = Calendar.current.date(byAdding: .day, value: 1, to: .now) ?? .now
    var colour = Colour.red
    var list = [String]()
    var dict = [String: Int]()
    var set = Set<Int>()
    var opt = Optional<Int>.none
    var computed = { 3 }()
    var cfg = Config.default
    var text = String(localized: "Untitled")
    var num = 1_000.5
    var neg = -1
    var t = (1, 2)
    var closure: (Int) -> Int = { $0 }
    var any: any Codable = 3
    var first, second: Int?
    var a = 1, b = "x", c: Double = 2
}
enum Colour: String, Codable { case red }
struct Config: Codable { var x = 1; static let `default` = Config() }
