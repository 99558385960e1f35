import Foundation
import SwiftData

/// Something that happened at a time.
public protocol Dated {
  var date: Date { get }
}

extension Dated {
  public func isYounger(than days: Int, on day: Date) -> Bool {
    day.timeIntervalSince(date) < Double(days) * 86_400
  }
}

extension Sequence where Element: Dated {
  public func newestFirst() -> [Element] { sorted { $0.date > $1.date } }
}

public final class Checker {
  private var checks = 0
  private var failures: [String] = []
  public private(set) var predicates = 0
  public private(set) var useful = 0

  public init() {}

  public func that(_ name: String, _ condition: Bool) {
    checks += 1
    if !condition { failures.append(name) }
  }

  public func equal<Value: Equatable>(_ name: String, _ value: Value, _ expected: Value) {
    checks += 1
    if value != expected { failures.append("\(name): \(value) instead of \(expected)") }
  }

  /// Fetches and counts models with a predicate, and compares the results with those of a closure.
  public func check<Model: PersistentModel>(
    _ name: String, _ predicate: Predicate<Model>, in context: ModelContext, _ expected: (Model) -> Bool
  ) throws {
    predicates += 1
    let everything = try context.fetch(FetchDescriptor<Model>())
    let right = Set(everything.filter(expected).map(\.persistentModelID))
    let found = try context.fetch(FetchDescriptor<Model>(predicate: predicate))
    equal(name, Set(found.map(\.persistentModelID)), right)
    equal("\(name), count", try context.fetchCount(FetchDescriptor<Model>(predicate: predicate)), right.count)
    that("\(name), evaluated", try found.allSatisfy { try predicate.evaluate($0) })
    if !right.isEmpty && right.count < everything.count { useful += 1 }
  }

  public func closeSection(_ name: String, since start: Int) -> Int {
    print("\(name): \(checks - start) checks")
    return checks
  }

  public func finish(_ program: String) -> Never {
    for failure in failures { print("failed: \(failure)") }
    if failures.isEmpty {
      print("\(program): ok, \(checks) checks")
      exit(EXIT_SUCCESS)
    } else {
      print("\(program): \(failures.count) failures in \(checks) checks")
      exit(EXIT_FAILURE)
    }
  }
}

/// The values of all models as lines of text.
struct Inventory {
  private(set) var lines: [String] = []
  private let context: ModelContext

  init(of context: ModelContext) throws {
    self.context = context
    try add(Publication.self) { [$0.title, $0.foundedAt, $0.language, pairs($0.colours), names($0.desks, \.name)] }
    try add(Desk.self) { [$0.name, $0.publication?.title, names($0.articles, \.slug), names($0.authors, \.handle)] }
    try add(Edition.self) { [$0.number, $0.language, $0.publishedAt, $0.pageCount, names($0.articles, \.slug)] }
    try add(Article.self) { [$0.id, $0.slug, $0.headline, $0.teaser, $0.body, $0.status, $0.importance, $0.wordCount] }
    try add(Article.self) { [$0.publishedAt, $0.updatedAt, $0.views, $0.isPremium, $0.keywords, $0.revisions] }
    try add(Article.self) { [$0.slug, names($0.authors, \.handle), names($0.topics, \.name)] }
    try add(Article.self) { [$0.slug, names($0.related, \.slug), names($0.sources, \.name)] }
    try add(Article.self) { [$0.slug, $0.lead?.file, $0.assignment?.title, $0.comments.count, $0.corrections.count] }
    try add(Topic.self) { [$0.name, $0.keywords, $0.parent?.name, names($0.children, \.name), $0.followers.count] }
    try add(Correction.self) { [$0.text, $0.madeAt, $0.article?.slug] }
    try add(LiveBlog.self) { [$0.title, $0.startedAt, $0.endedAt, names($0.entries, \.text)] }
    try add(LiveEntry.self) { [$0.text, $0.date, $0.isPinned, $0.blog.title] }
    try add(Author.self) { [$0.handle, $0.name, $0.biography, pairs($0.links), $0.awards, names($0.desks, \.name)] }
    try add(Assignment.self) { [$0.title, $0.deadline, $0.priority, $0.fee, $0.author?.handle, $0.article?.slug] }
    try add(Source.self) { [$0.name, $0.isAnonymous, $0.reliability, $0.dossier?.base64EncodedString()] }
    try add(Interview.self) { [$0.heldAt, $0.minutes, $0.recording, $0.quotes, $0.source?.name, $0.author?.name] }
    try add(Reader.self) { [$0.email, $0.nickname, $0.joinedAt, $0.birthYear, $0.token] }
    try add(Reader.self) { [$0.email, names($0.savedArticles, \.slug), $0.subscriptions.count] }
    try add(Reader.self) { [$0.email, names($0.followedTopics, \.name), names($0.newsletters, \.title)] }
    try add(ReaderComment.self) { [$0.text, $0.date, $0.isHidden, $0.score, $0.reader?.email, $0.replyTo?.text] }
    try add(Reaction.self) { [$0.kindRaw, $0.reader?.email, $0.comment?.text] }
    try add(ExportProfile.self) { [$0.name, $0.columns, $0.delimiter, $0.lastRun] }
    try add(Photo.self) { [$0.file, $0.caption, $0.takenAt, $0.licence, $0.crop, $0.pixels?.base64EncodedString()] }
    try add(Photographer.self) { [$0.name, $0.agency, $0.rate, names($0.photos, \.file)] }
    try add(Gallery.self) { [$0.title, $0.cover?.file, names($0.photos, \.file)] }
    try add(Video.self) { [$0.title, $0.seconds, $0.address, $0.formats, $0.article?.slug] }
    try add(Podcast.self) { [$0.title, names($0.hosts, \.handle), names($0.episodes, \.title)] }
    try add(Episode.self) { [$0.number, $0.title, $0.duration, $0.audio, $0.chapters, $0.transcript?.text] }
    try add(Plan.self) { [$0.code, $0.price, $0.cycle, $0.trialDays, $0.subscriptions.count] }
    try add(Subscription.self) { [$0.startedAt, $0.endedAt, $0.renews, $0.reader?.email, $0.plan?.code] }
    try add(Payment.self) { [$0.amount, $0.paidAt, $0.reference, $0.subscription.startedAt] }
    try add(Newsletter.self) { [$0.title, $0.publication?.title, $0.issues.map { names($0, \.subject) }] }
    try add(NewsletterIssue.self) { [$0.subject, $0.sentAt, $0.openRate, $0.newsletter?.title] }
    try add(Advertiser.self) { [$0.name, $0.budgetInCents, names($0.campaigns, \.name)] }
    try add(Campaign.self) { [$0.name, $0.startsAt, $0.endsAt, names($0.topics, \.name), names($0.banners, \.title)] }
    try add(Banner.self) { [$0.title, $0.clicks, $0.image?.base64EncodedString(), $0.widths, $0.campaign?.name] }
  }

  private mutating func add<Model: PersistentModel>(_ type: Model.Type, _ values: (Model) -> [Any?]) throws {
    let models = try context.fetch(FetchDescriptor<Model>())
    lines += models.map { "\(type): \(values($0).map(written).joined(separator: "; "))" }.sorted()
  }
}

private func written(_ value: Any?) -> String {
  switch value {
  case .none: "none"
  case .some(let date as Date): String(date.timeIntervalSinceReferenceDate)
  case .some(let value): String(describing: value)
  }
}

private func pairs(_ table: [String: String]) -> [String] {
  table.map { "\($0.key) = \($0.value)" }.sorted()
}

/// Returns the names of related models in a stable order.
private func names<Model: PersistentModel>(_ models: [Model], _ name: KeyPath<Model, String>) -> [String] {
  models.map { $0[keyPath: name] }.sorted()
}

extension ModelContext {
  func find<Model: PersistentModel>(_ predicate: Predicate<Model>) throws -> Model {
    var descriptor = FetchDescriptor<Model>(predicate: predicate)
    descriptor.fetchLimit = 1
    guard let model = try fetch(descriptor).first else { throw NotFound(type: "\(Model.self)") }
    return model
  }

  func count<Model: PersistentModel>(_ type: Model.Type) throws -> Int { try fetchCount(FetchDescriptor<Model>()) }
}

struct NotFound: Error {
  var type: String
}
