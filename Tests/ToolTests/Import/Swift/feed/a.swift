import SwiftData
import Foundation
typealias CurrentSchema = FeedSchemaV3
typealias Post = CurrentSchema.Post
enum FeedSchemaV3: VersionedSchema { static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Post.self, Comment.self] }
  @Model final class Post { #Unique<Post>([\.slug]); var slug: String; var comments: [Comment] = []; var author: Author?
    init(slug: String) { self.slug = slug } }
  @Model final class Comment { var text: String = ""; @Relationship(inverse: \Post.comments) var post: Post?; var hashValue: Int = 0; init() {} } }
enum FeedSchemaV1: VersionedSchema { static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Article.self] }
  @Model final class Article { var slug: String?; var body: Data?; init() {} } }
enum FeedSchemaV2: VersionedSchema { static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Post.self] }
  @Model(originalName: "Article") final class Post { var slug: String = ""; @Attribute(.externalStorage) var body: Data?; init() {} } }
enum FeedPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [FeedSchemaV1.self, FeedSchemaV2.self, CurrentSchema.self] }
  static var stages: [MigrationStage] { [a, b] }
  static let a = MigrationStage.lightweight(fromVersion: FeedSchemaV1.self, toVersion: FeedSchemaV2.self)
  static let b = MigrationStage.custom(fromVersion: FeedSchemaV2.self, toVersion: CurrentSchema.self) { context in
    let seen = try context.fetch(FetchDescriptor<FeedSchemaV2.Post>()); print(seen.count) } didMigrate: { _ in } }
@Model final class Author { var name: String = ""; var posts: [FeedSchemaV3.Post] = []; init() {} }
