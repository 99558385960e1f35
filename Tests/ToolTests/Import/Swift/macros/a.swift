import SwiftData
@Model
final class Note {
    #Unique<Note>([\.id], [\.slug, \.folder])
    #Index<Note>([\.created])
    @Attribute(.unique) var id: UUID = UUID()
    var slug: String = ""
    var folder: String = ""
    var created: Date = Date.now
    @Transient var handler: (() -> Void)? = nil
    static let recent = #Predicate<Note> { note in
        note.slug.contains("x")
    }
    var isRecent: Bool { created > .now.addingTimeInterval(-60) }
}
