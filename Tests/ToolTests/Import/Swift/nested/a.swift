import SwiftData
struct Feature {
    @Model final class Item { var kind: Kind = .a
        enum Kind: String, Codable { case a, b }
        struct Payload: Codable { var x: Int }
        var payload: Payload?
        @Model final class Inner { var t: String = "" } }
}
enum Models { @Model final class Deep { var s: Sort = .up; enum Sort: Int, Codable { case up, down } } }
extension Models { @Model final class Deeper { var n: Int = 0 } }
