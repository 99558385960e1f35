import Foundation
import SwiftData

@Model
final class Photo {
    var name: String = ""
    lazy var cache = Cache()
    lazy var size: Int = 3
    var pair: (Int, Int) = (0, 0)

    init(name: String, cache: Cache) {
        self.name = name
        self.cache = cache
        self.pair = (1,
            2)
    }
    convenience init() { self.init(name: "", cache: Cache()) }
    var title: String { "\(name) \(size)" }
    func show() -> String { title }
    func rename(_ name: String) { self.name = name; pair = (0, 1) }
}
