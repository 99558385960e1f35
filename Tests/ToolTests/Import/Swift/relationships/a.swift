import Foundation
import SwiftData

// The version lists one model of four; SwiftData finds the others through relationships.
enum LibrarySchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Author.self] }

    @Model final class Author {
        var name: String = ""
        @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []
        init(name: String) { self.name = name }
    }

    @Model final class Book {
        var title: String = ""
        var author: Author?
        var shelf: Shelf?
        init(title: String) { self.title = title }
    }

    // Nothing leads here.
    @Model final class Visitor {
        var name: String = ""
        init() {}
    }
}

@Model class Furniture {
    var material: String = ""
    init() {}
}

@available(iOS 26, *)
@Model final class Shelf: Furniture {
    var number: Int = 0
    @Relationship(inverse: \LibrarySchemaV1.Book.shelf) var books: [LibrarySchemaV1.Book] = []
    override init() { super.init() }
}
