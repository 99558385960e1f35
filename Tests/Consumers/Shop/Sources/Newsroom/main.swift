import Foundation
import SwiftData

func openNewsroom(_ url: URL) throws -> ModelContext {
  let schema = Schema([
    Publication.self, Desk.self, Edition.self, Article.self, Topic.self, Correction.self, LiveBlog.self,
    LiveEntry.self, Author.self, Assignment.self, Source.self, Interview.self, Reader.self, ReaderComment.self,
    Reaction.self, ExportProfile.self, Photo.self, Photographer.self, Gallery.self, Video.self, Podcast.self,
    Episode.self, Transcript.self, Plan.self, Subscription.self, Payment.self, Newsletter.self,
    NewsletterIssue.self, Advertiser.self, Campaign.self, Banner.self,
  ])
  let configuration = ModelConfiguration("news", schema: schema, url: url, cloudKitDatabase: .none)
  let context = ModelContext(try ModelContainer(for: schema, configurations: [configuration]))
  context.autosaveEnabled = false
  return context
}

func create(at url: URL, seed: UInt64, _ checker: Checker) throws {
  var before: [String] = []
  do {
    let context = try openNewsroom(url)
    _ = try SampleNewsroom(seed: seed, in: context)
    try context.save()
    before = try Inventory(of: context).lines
  }
  let context = try openNewsroom(url)
  checker.equal("the same values", try Inventory(of: context).lines, before)
  checker.equal("articles", try context.count(Article.self), 40)
  checker.equal("comments", try context.count(ReaderComment.self), 30)
  checker.equal("videos without the empty one", try context.count(Video.self), 2)

  let reader = try context.find(#Predicate<Reader> { $0.email == "reader0@mail.example" })
  checker.equal("largest token", reader.token, UInt64.max)
  checker.equal("year", reader.birthYear, 1950)
  let photo = try context.find(#Predicate<Photo> { $0.file == "img4.jpg" })
  checker.equal("licence with a payload", photo.licence, .agency(name: "Nordlys", fee: 40))
  checker.equal("caption", photo.caption, "50% of the \"crowd\" _left_")
  let large = try context.find(#Predicate<Photo> { $0.file == "img3.jpg" })
  checker.equal("pixels", large.pixels, Data((0..<3_000).map { UInt8(truncatingIfNeeded: $0 * 7) }))
  checker.equal("rate", large.photographer?.rate, Money(amount: Decimal(string: "99.9")!, currency: "NOK"))
  let article = try context.find(#Predicate<Article> { $0.slug == "story-4" })
  checker.equal("revisions", article.revisions, [Revision(number: 1, editor: "Kim", savedAt: time(4))])
  checker.equal("identifier", article.id.uuidString, "5F0E0000-0000-4000-A000-000000000014")
  checker.equal("correction", article.corrections.map(\.text), ["Wrong name in 4"])
  checker.equal("assignment", article.assignment?.author?.handle, "a2")
  checker.that("defaults of what is not stored", !article.isBeingEdited && article.previewHTML == nil)
  let gallery = try context.find(#Predicate<Gallery> { $0.cover != nil })
  checker.equal("photos", gallery.photos.map(\.file).sorted(), ["img0.jpg", "img1.jpg", "img2.jpg"])
  let liv = try context.find(#Predicate<Author> { $0.name == "Liv Ås" })
  checker.equal("awards", liv.awards?.map(\.rank), [.gold, .bronze, .bronze])
  checker.equal("podcasts", liv.podcasts.map(\.title), ["Fjord talks"])
  let blog = try context.find(#Predicate<LiveBlog> { $0.endedAt == nil })
  checker.equal("newest entry", blog.entries.newestFirst().first?.text, "Count 4")
  checker.that("young", blog.entries.allSatisfy { $0.isYounger(than: 2, on: time(24)) })
}

func change(at url: URL, _ checker: Checker) throws {
  do {
    let context = try openNewsroom(url)
    let article = try context.find(#Predicate<Article> { $0.slug == "story-9" })
    let art = try context.find(#Predicate<Topic> { $0.name == "art" })
    article.write("Four words are here", at: time(500))
    article.topics = [art]
    article.status = .review
    article.importance = .minor
    article.isBeingEdited = true
    let max = try context.find(#Predicate<Author> { $0.handle == "a4" })
    max.articles.append(contentsOf: [article].filter { !$0.authors.contains(max) })
    max.biography = nil
    let weekend = try context.find(#Predicate<Newsletter> { $0.title == "Weekend" })
    weekend.readers.removeAll { $0.email == "reader1@mail.example" }
    weekend.issues = [NewsletterIssue(subject: "Saturday")]
    for reaction in try context.fetch(FetchDescriptor<Reaction>()) where reaction.kind == .dislike {
      reaction.kind = .laugh
    }
    let text = Data(#"{"name": "Views", "columns": ["slug"], "delimiter": "|"}"#.utf8)
    context.insert(try JSONDecoder().decode(ExportProfile.self, from: text))
    context.insert(Article(headline: "Øl og brød: 3 tips"))
    try context.save()
  }
  let context = try openNewsroom(url)
  let article = try context.find(#Predicate<Article> { $0.slug == "story-9" })
  checker.equal("words", article.wordCount, 4)
  checker.equal("topics", article.topics.map(\.name), ["art"])
  checker.equal("revisions", article.revisions.count, 2)
  checker.equal("importance", article.importance, .minor)
  checker.that("an ephemeral property", !article.isBeingEdited)
  checker.that("an author is added once", article.authors.filter { $0.handle == "a4" }.count == 1)
  let weekend = try context.find(#Predicate<Newsletter> { $0.title == "Weekend" })
  checker.equal(
    "readers", weekend.readers.map(\.email).sorted().map { $0.prefix(7) },
    [
      "reader0", "reader2", "reader3", "reader4", "reader5",
    ])
  checker.equal("issues", weekend.issues?.map(\.subject), ["Saturday"])
  checker.that("no dislikes", try context.fetch(FetchDescriptor<Reaction>()).allSatisfy { $0.kind != .dislike })
  let profile = try context.find(#Predicate<ExportProfile> { $0.delimiter == "|" })
  checker.equal("columns", profile.columns, ["slug"])
  let copy = try JSONDecoder().decode(ExportProfile.self, from: try JSONEncoder().encode(profile))
  checker.equal("a coded profile", [copy.name, copy.delimiter], ["Views", "|"])
  let tips = try context.find(#Predicate<Article> { $0.slug == "øl-og-brød-3-tips" })
  checker.equal("headline", tips.headline, "Øl og brød: 3 tips")
  do {
    _ = try Reader(email: "nobody", joinedAt: time(0), token: 0)
    checker.that("a bad address is refused", false)
  } catch let error as Reader.InvalidEmail {
    checker.equal("the bad address", error.text, "nobody")
  }
}

func delete(at url: URL, _ checker: Checker) throws {
  var comments = 0
  var reactions = 0
  var subscriptions = 0
  var payments = 0
  do {
    let context = try openNewsroom(url)
    let articles = try context.fetch(FetchDescriptor<Article>())
    guard let article = articles.max(by: { $0.comments.count < $1.comments.count }) else {
      throw NotFound(type: "Article")
    }
    checker.that("somebody commented", article.comments.count > 1)
    comments = try context.count(ReaderComment.self) - article.comments.count
    let reader = try context.find(#Predicate<Reader> { $0.email == "reader8@mail.example" })
    let gone = Set(article.comments.flatMap(\.reactions) + reader.reactions)
    reactions = try context.count(Reaction.self) - gone.count
    subscriptions = try context.count(Subscription.self) - reader.subscriptions.count
    payments = try context.count(Payment.self) - reader.subscriptions.reduce(0) { $0 + $1.payments.count }
    let sport = try context.find(#Predicate<Topic> { $0.name == "sport" })
    let desk = try context.find(#Predicate<Desk> { $0.name == "World" })
    for model in [article, reader, sport, desk] as [any PersistentModel] { context.delete(model) }
    try context.delete(model: Advertiser.self)
    try context.save()
  }
  let context = try openNewsroom(url)
  checker.equal("comments", try context.count(ReaderComment.self), comments)
  checker.equal("reactions", try context.count(Reaction.self), reactions)
  checker.equal("subscriptions", try context.count(Subscription.self), subscriptions)
  checker.equal("payments", try context.count(Payment.self), payments)
  checker.equal("topics", try context.fetch(FetchDescriptor<Topic>()).map(\.name).sorted(), ["art", "politics"])
  checker.equal("articles", try context.count(Article.self), 40)
  checker.equal("banners", try context.count(Banner.self), 0)
  checker.equal("readers", try context.count(Reader.self), 9)
  let articles = try context.fetch(FetchDescriptor<Article>())
  checker.that("the desk is gone", articles.allSatisfy { $0.desk?.name != "World" })
  checker.that("topics are gone", articles.allSatisfy { article in article.topics.allSatisfy { $0.parent == nil } })
  let orphans = try context.fetchCount(FetchDescriptor<ReaderComment>(predicate: #Predicate { $0.article == nil }))
  checker.equal("comments without an article", orphans, 0)

  let daily = try context.find(#Predicate<Publication> { $0.language == "en" })
  context.delete(daily)
  try context.save()
  checker.equal("desks", try context.count(Desk.self), 0)
  checker.equal("editions", try context.count(Edition.self), 0)
  checker.equal("issues", try context.count(NewsletterIssue.self), 0)
  checker.equal("articles stay", try context.count(Article.self), 40)
  checker.that("no editions", try context.fetch(FetchDescriptor<Article>()).allSatisfy { $0.editions.isEmpty })
}

guard CommandLine.arguments.count == 2 else {
  print("usage: Newsroom FOLDER")
  exit(2)
}
let seed: UInt64 = 20_240_611
let checker = Checker()
do {
  let folder = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory).appending(path: "newsroom")
  if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let url = folder.appending(path: "news.store")
  print("seed \(seed)")
  try create(at: url, seed: seed, checker)
  var done = checker.closeSection("create and reopen", since: 0)
  let context = try openNewsroom(url)
  try checker.checkArticles(in: context)
  try checker.checkComposedSearches(in: context)
  try checker.checkReaders(in: context)
  let title = "\(checker.predicates) predicates, \(checker.useful) of them find a part"
  done = checker.closeSection(title, since: done)
  try change(at: url, checker)
  done = checker.closeSection("change and reopen", since: done)
  try delete(at: url, checker)
  done = checker.closeSection("delete and reopen", since: done)
} catch {
  checker.that("stopped by \(error)", false)
}
checker.finish("Newsroom")
