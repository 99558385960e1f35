import SwiftData

@Model final class Task {
    var priority: Priority = Priority.standard
    var state: State = Task.State.initial
    var size: Size = Size.small
    init() {}
    enum State: String, Codable { case open, done }
}

enum Priority: Int, Codable { case low, medium, high }

struct Size: Codable, Hashable {
    var width: Int
    static let small = Size(width: 1)
}
