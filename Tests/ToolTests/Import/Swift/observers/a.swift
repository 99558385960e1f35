import SwiftData
@Model final class Counter {
    var value: Int = 0 { didSet { print(oldValue) } }
    var other: Int = 0 {
        willSet { print(newValue) }
    }
    private(set) var total: Int = 0
    fileprivate(set) public var x = 3
    private var secret: String = "s"
    weak var delegate: AnyObject?
    unowned let parent: AnyObject
    static let shared = 1
    class var k: Int { 1 }
    subscript(i: Int) -> Int { i }
    deinit { }
}
