import SwiftData
@Model final class Box<T: Codable> { var value: String = "" }
@Model final class Holder { var name: String = ""; var boxes: [Page<Int>] = [] }
struct Page<Element: Codable>: Codable { var items: [Element] }
