import SwiftData

enum SchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item { var text: String = ""; var done: Bool = false; init() {} }
}
enum SchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item { var text: String = ""; init() {} }
}
enum SchemaV10: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 1)
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item { var text: String = ""; var done: Bool = false; var due: Int?; init() {} }
}
