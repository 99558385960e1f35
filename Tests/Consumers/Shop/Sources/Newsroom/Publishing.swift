import Foundation
import SwiftData

@Model
public final class Publication {
  @Attribute(.unique) public var title: String
  public var foundedAt: Date
  public var language: String = "en"
  public var colours: [String: String] = [:]
  @Relationship(deleteRule: .cascade, inverse: \Desk.publication) public var desks: [Desk] = []
  @Relationship(deleteRule: .cascade, inverse: \Edition.publication) public var editions: [Edition] = []
  @Relationship(deleteRule: .cascade, inverse: \Newsletter.publication) public var newsletters: [Newsletter] = []

  public init(title: String, foundedAt: Date, desks: [Desk] = []) {
    self.title = title
    self.foundedAt = foundedAt
    self.desks = desks
  }
}

@Model
public final class Desk {
  public var name: String
  public var publication: Publication?
  @Relationship(deleteRule: .nullify, inverse: \Article.desk) public var articles: [Article] = []
  @Relationship(inverse: \Author.desks) public var authors: [Author] = []

  public init(_ name: String) {
    self.name = name
  }
}

@Model
public final class Edition {
  #Unique<Edition>([\.number, \.language])
  #Index<Edition>([\.publishedAt], [\.number])

  public var number: Int
  public var language: String = "en"
  public var publishedAt: Date
  public var pageCount: Int16?
  public var publication: Publication?
  @Relationship(inverse: \Article.editions) public var articles: [Article] = []

  public init(number: Int, publishedAt: Date, publication: Publication?) {
    self.number = number
    self.publishedAt = publishedAt
    self.publication = publication
  }
}

@Model
public final class Article: Dated {
  #Index<Article>([\.publishedAt], [\.headline])

  @Attribute(.unique) public var id: UUID = UUID()
  @Attribute(.unique) public var slug: String
  public var headline: String
  public var teaser: String?
  public var body: String = ""
  public var status: ArticleStatus = ArticleStatus.draft
  public var importance: Importance = Importance.normal
  public var publishedAt: Date?
  public var updatedAt: Date = Date.now
  public private(set) var wordCount = 0
  public var views: Int64 = 0
  public var isPremium: Bool = false
  public var isPinned: Bool = false
  public var keywords: [String] = []
  public var revisions: [Revision] = []
  @Attribute(.ephemeral) public var isBeingEdited: Bool = false
  @Transient public var previewHTML: String?

  public var desk: Desk?
  public var editions: [Edition] = []
  public var authors: [Author] = []
  public var topics: [Topic] = []
  public var sources: [Source] = []
  public var savedBy: [Reader] = []
  public var related: [Article] = []
  @Relationship(inverse: \Article.related) public var relatedFrom: [Article] = []
  @Relationship(inverse: \Photo.leadOf) public var lead: Photo?
  @Relationship(deleteRule: .cascade, inverse: \Correction.article) public var corrections: [Correction] = []
  @Relationship(deleteRule: .cascade, inverse: \ReaderComment.article) public var comments: [ReaderComment] = []
  @Relationship(deleteRule: .nullify, inverse: \Video.article) public var videos: [Video] = []
  @Relationship(deleteRule: .nullify, inverse: \Assignment.article) public var assignment: Assignment?

  public init(id: UUID = UUID(), slug: String, headline: String, desk: Desk? = nil, authors: [Author] = []) {
    self.id = id
    self.slug = slug
    self.headline = headline
    self.desk = desk
    self.authors = authors
  }

  public convenience init(headline: String) {
    let words = headline.lowercased().split { !$0.isLetter && !$0.isNumber }
    self.init(slug: words.joined(separator: "-"), headline: headline)
  }

  public var date: Date { publishedAt ?? updatedAt }

  public func write(_ text: String, at date: Date, by editor: String? = nil) {
    body = text
    wordCount = text.split(separator: " ").count
    updatedAt = date
    revisions.append(Revision(number: revisions.count + 1, editor: editor, savedAt: date))
  }
}

@Model
public final class Topic {
  @Attribute(.unique) public var name: String
  public var keywords: [String] = []
  public var parent: Topic?
  @Relationship(deleteRule: .cascade, inverse: \Topic.parent) public var children: [Topic] = []
  @Relationship(inverse: \Article.topics) public var articles: [Article] = []
  @Relationship(inverse: \Reader.followedTopics) public var followers: [Reader] = []
  @Relationship(inverse: \Campaign.topics) public var campaigns: [Campaign] = []

  public init(name: String, parent: Topic? = nil) {
    self.name = name
    self.parent = parent
  }
}

@Model
public final class Correction {
  public var text: String
  public var madeAt: Date
  public var article: Article?

  public init(text: String, madeAt: Date, article: Article) {
    self.text = text
    self.madeAt = madeAt
    self.article = article
  }
}

@Model
public final class LiveBlog {
  public var title: String
  public var startedAt: Date
  public var endedAt: Date?
  @Relationship(deleteRule: .cascade, inverse: \LiveEntry.blog) public var entries: [LiveEntry] = []

  public init(title: String, startedAt: Date) {
    self.title = title
    self.startedAt = startedAt
  }
}

@Model
public final class LiveEntry: Dated {
  public var text: String
  public var date: Date
  public var isPinned: Bool
  public var blog: LiveBlog

  public init(_ text: String, date: Date, isPinned: Bool = false, in blog: LiveBlog) {
    self.text = text
    self.date = date
    self.isPinned = isPinned
    self.blog = blog
  }
}
