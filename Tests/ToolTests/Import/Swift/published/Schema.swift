// Recipes: four versions with enum payloads, static defaults in extensions, a custom stage in an extension.
import Foundation
import SwiftData

public enum RecipesSchemaV1: VersionedSchema {
    public static let versionIdentifier: Schema.Version = Schema.Version(1, 0, 0)
    public static var models: [any PersistentModel.Type] { [Recipe.self, Ingredient.self] }

    @Model
    public final class Recipe {
        public var title: String
        public var difficulty: Difficulty = Difficulty.standard
        public var source: Source?
        public var isDeleted: Bool = false
        @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe)
        public var ingredients: [Ingredient] = []
        public init(title: String) { self.title = title }
    }
    @Model
    public final class Ingredient {
        public var name: String
        public var recipe: Recipe?
        public init(name: String) { self.name = name }
    }
}
public enum RecipesSchemaV2: VersionedSchema {
    public static let versionIdentifier: Schema.Version = Schema.Version(2, 0, 0)
    public static var models: [any PersistentModel.Type] { [Recipe.self, Ingredient.self, Tag.self] }

    @Model
    public final class Recipe {
        public var title: String
        public var difficulty: Difficulty = Difficulty.standard
        public var source: Source?
        public var isDeleted: Bool = false
        public var tags: [Tag] = []
        @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe)
        public var ingredients: [Ingredient] = []
        public init(title: String) { self.title = title }
        public var visible: Bool { !isDeleted }
    }
    @Model
    public final class Ingredient {
        public var name: String
        public var amount: Measure = Measure.zero
        public var recipe: Recipe?
        public init(name: String) { self.name = name }
    }
    @Model public final class Tag {
        @Attribute(.unique) public var name: String
        @Relationship(inverse: \Recipe.tags) public var recipes: [Recipe] = []
        public init(name: String) { self.name = name }
    }
}
public enum Difficulty: String, Codable, CaseIterable { case easy, medium, hard }
extension Difficulty { public static var standard: Difficulty { .medium } }
public enum Source: Codable, Hashable { case book(title: String, page: Int), web(URL), unknown }
public struct Measure: Codable, Hashable { public var value: Double; public var unit: String }
extension Measure { static let zero = Measure(value: 0, unit: "") }
enum RecipesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [RecipesSchemaV1.self, RecipesSchemaV2.self] }
    static var stages: [MigrationStage] { [v1ToV2] }
}
extension RecipesPlan {
    static let v1ToV2 = MigrationStage.custom(fromVersion: RecipesSchemaV1.self, toVersion: RecipesSchemaV2.self, willMigrate: nil) { context in
        try context.save()
    }
}
