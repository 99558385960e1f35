import Foundation
import SwiftData

@Model
final class Message {
    #Index<Message>([\.isDeleted], [\.text, \.hash])
    var text: String = ""
    @Attribute(.spotlight) var isDeleted: Bool = false
    var hash: String
    var thread: MessageThread?

    init(text: String, isDeleted: Bool = false, hash: String) {
        self.text = text
        self.isDeleted = isDeleted
        self.hash = hash
    }

    var label: String { isDeleted ? "gone \(hash)" : "\(self.hash) \(text)" }
    func restore() { isDeleted = false; thread?.touch() }
    static var kept: Predicate<Message> { #Predicate<Message> { !$0.isDeleted } }
}

@Model
final class MessageThread {
    @Relationship(inverse: \Message.thread) var messages: [Message] = []
    var last: Message?
    @Transient var hasChanges: Bool = false
    init() {}
    func touch() {
        hasChanges = true
        if last?.isDeleted ?? false { last = nil }
    }
    var sorted: [Message] { messages.sorted(using: KeyPathComparator(\Message.hash)) }
    var count: Int { messages.filter { !$0.isDeleted }.count }
}
