import Foundation
import SwiftData

@Model
public final class Author {
  @Attribute(.unique) public var handle: String
  public var name: String
  public var biography: String?
  public var links: [String: String] = [:]
  public var awards: [Award]?
  public var desks: [Desk] = []
  @Relationship(inverse: \Article.authors) public var articles: [Article] = []
  @Relationship(inverse: \Podcast.hosts) public var podcasts: [Podcast] = []
  @Relationship(deleteRule: .cascade, inverse: \Assignment.author) public var assignments: [Assignment] = []
  @Relationship(deleteRule: .nullify, inverse: \Interview.author) public var interviews: [Interview] = []

  public init(handle: String, name: String, desks: [Desk] = []) {
    self.handle = handle
    self.name = name
    self.desks = desks
  }
}

@Model
public final class Assignment {
  public var title: String
  public var deadline: Date?
  public var priority: Importance = Importance.normal
  public var fee: Decimal?
  public var author: Author?
  public var article: Article?

  public init(title: String, deadline: Date? = nil, author: Author? = nil, article: Article? = nil) {
    self.title = title
    self.deadline = deadline
    self.author = author
    self.article = article
  }
}

@Model
public final class Source {
  public var name: String
  public var isAnonymous: Bool = false
  public var reliability: Float?
  @Attribute(.externalStorage) public var dossier: Data?
  @Relationship(inverse: \Article.sources) public var articles: [Article] = []
  @Relationship(deleteRule: .cascade, inverse: \Interview.source) public var interviews: [Interview] = []

  public init(name: String, isAnonymous: Bool = false, reliability: Float? = nil) {
    self.name = name
    self.isAnonymous = isAnonymous
    self.reliability = reliability
  }
}

@Model
public final class Interview {
  public var heldAt: Date
  public var minutes: UInt16
  public var recording: URL?
  public var quotes: [String] = []
  public var source: Source?
  public var author: Author?

  public init(heldAt: Date, minutes: UInt16, source: Source, author: Author? = nil) {
    self.heldAt = heldAt
    self.minutes = minutes
    self.source = source
    self.author = author
  }
}

@Model
public final class Reader {
  public struct InvalidEmail: Error, Equatable {
    public var text: String
  }

  @Attribute(.unique) public var email: String
  public var nickname: String?
  public var joinedAt: Date
  public var birthYear: Int?
  public var token: UInt64
  public var followedTopics: [Topic] = []
  public var newsletters: [Newsletter] = []
  @Relationship(inverse: \Article.savedBy) public var savedArticles: [Article] = []
  @Relationship(deleteRule: .nullify, inverse: \ReaderComment.reader) public var comments: [ReaderComment] = []
  @Relationship(deleteRule: .cascade, inverse: \Reaction.reader) public var reactions: [Reaction] = []
  @Relationship(deleteRule: .cascade, inverse: \Subscription.reader) public var subscriptions: [Subscription] = []

  public init(email: String, joinedAt: Date, token: UInt64, birthYear: Int? = nil) throws {
    guard email.contains("@") else { throw InvalidEmail(text: email) }
    self.email = email
    self.joinedAt = joinedAt
    self.token = token
    self.birthYear = birthYear
  }
}

@Model
public final class ReaderComment: Dated {
  public var text: String
  public var date: Date
  public var isHidden: Bool = false
  public var score: Int32 = 0
  public var article: Article?
  public var reader: Reader?
  public var replyTo: ReaderComment?
  @Relationship(deleteRule: .cascade, inverse: \ReaderComment.replyTo) public var replies: [ReaderComment] = []
  @Relationship(deleteRule: .cascade, inverse: \Reaction.comment) public var reactions: [Reaction] = []

  public init(_ text: String, date: Date, on article: Article, by reader: Reader?, replyTo: ReaderComment? = nil) {
    self.text = text
    self.date = date
    self.article = article
    self.reader = reader
    self.replyTo = replyTo
  }
}

@Model
public final class Reaction {
  public enum Kind: String, CaseIterable, Sendable {
    case like, dislike, laugh
  }

  public private(set) var kindRaw: String
  public var reader: Reader?
  public var comment: ReaderComment?

  public init(_ kind: Kind, reader: Reader, comment: ReaderComment) {
    kindRaw = kind.rawValue
    self.reader = reader
    self.comment = comment
  }

  public var kind: Kind {
    get { Kind(rawValue: kindRaw) ?? .like }
    set { kindRaw = newValue.rawValue }
  }
}

/// Settings of an export, which users also keep in files.
@Model
public final class ExportProfile: Codable {
  public var name: String
  public var columns: [String]
  public var delimiter: String = ";"
  public var lastRun: Date?

  private enum CodingKeys: String, CodingKey {
    case name, columns, delimiter
  }

  public init(name: String, columns: [String]) {
    self.name = name
    self.columns = columns
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    columns = try container.decode([String].self, forKey: .columns)
    delimiter = try container.decodeIfPresent(String.self, forKey: .delimiter) ?? ","
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(columns, forKey: .columns)
    try container.encode(delimiter, forKey: .delimiter)
  }
}
