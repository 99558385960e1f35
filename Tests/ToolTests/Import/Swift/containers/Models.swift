import Foundation
import SwiftData

typealias Entry = SchemaV2.Entry

enum SchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Entry.self] }
    @Model final class Entry { var text: String = ""; init() {} }
}

enum SchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Entry.self] }
    @Model final class Entry { var text: String = ""; var mood: Int = 0; init() {} }
}

enum JournalPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)] }
}

@Model final class Setting { var key: String = ""; var sound: Sound?; init() {} }
@Model final class Sound { var file: String = ""; @Relationship(inverse: \Setting.sound) var settings: [Setting] = []; init() {} }
@Model final class Reminder { var at: Date = Date.distantPast; init() {} }
@Model final class Draft { var text: String = ""; init() {} }
