import SwiftData

enum SchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Note.self] }
    @Model final class Note { var text: String = ""; var stars: Int = 0; init() {} }
}

// A beta that the plan leaves out.
enum SchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Note.self, Tag.self] }
    @Model final class Note { var text: String = ""; var rating: Double = 0; init() {} }
    @Model final class Tag { var name: String = ""; init() {} }
}

enum SchemaV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Note.self] }
    @Model final class Note { var text: String = ""; var rating: Double; init() { rating = 0 } }
}

enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV3.self] }
    static var stages: [MigrationStage] { [rate] }
    static let rate = MigrationStage.custom(
        fromVersion: SchemaV1.self,
        toVersion: SchemaV3.self,
        willMigrate: nil,
        didMigrate: { context in
            for note in try context.fetch(FetchDescriptor<SchemaV3.Note>()) { note.rating = 5 }
            try context.save()
        }
    )
}
