import Foundation
import SwiftData

extension Article {
  /// Articles published since a time.
  public static func published(since start: Date) -> Predicate<Article> {
    let published = ArticleStatus.published
    let never = Date.distantPast
    return #Predicate<Article> { $0.status == published && ($0.publishedAt ?? never) >= start }
  }

  /// Articles that match what readers type into the search field.
  public static func matching(_ query: String, in desk: String?) -> Predicate<Article> {
    let isAnywhere = desk == nil
    let name = desk ?? ""
    return #Predicate<Article> {
      (isAnywhere || $0.desk?.name == name)
        && (query == "" || $0.headline.localizedStandardContains(query) || $0.body.contains(query))
    }
  }
}

extension Checker {
  func checkArticles(in context: ModelContext) throws {
    let slug = "story-7"
    let slugs: Set<String> = ["story-1", "story-20", "story-31", "missing"]
    let identifier = try context.find(#Predicate<Article> { $0.slug == "story-12" }).id
    let breaking = Importance.breaking
    let limit: Int64 = 2_000_000_000_000
    let start = time(40)
    let end = time(90)
    let handle = "a1"
    let world = try context.find(#Predicate<Desk> { $0.name == "World" }).persistentModelID
    let desks = ["World", "Sport"]
    let statuses = [ArticleStatus.draft, .review]

    try check("slug", #Predicate<Article> { $0.slug == slug }, in: context) { $0.slug == "story-7" }
    try check("identifier", #Predicate<Article> { $0.id == identifier }, in: context) { $0.slug == "story-12" }
    try check("several slugs", #Predicate<Article> { slugs.contains($0.slug) }, in: context) {
      slugs.contains($0.slug)
    }
    try check("all but these", #Predicate<Article> { !slugs.contains($0.slug) && $0.isPremium }, in: context) {
      !slugs.contains($0.slug) && $0.isPremium
    }
    try check("pinned or premium", #Predicate<Article> { $0.isPinned || $0.isPremium }, in: context) {
      $0.isPinned || $0.isPremium
    }
    try check("breaking", #Predicate<Article> { $0.importance == breaking }, in: context) {
      $0.importance == .breaking
    }
    try check("withdrawn", #Predicate<Article> { $0.status == .withdrawn && $0.teaser != nil }, in: context) {
      $0.status == .withdrawn && $0.teaser != nil
    }
    try check("unfinished", #Predicate<Article> { statuses.contains($0.status) && !$0.isPinned }, in: context) {
      ($0.status == .draft || $0.status == .review) && !$0.isPinned
    }
    try check("popular", #Predicate<Article> { $0.views > limit }, in: context) { $0.views > limit }
    try check("updated", #Predicate<Article> { $0.updatedAt >= start && $0.updatedAt < end }, in: context) {
      $0.updatedAt >= start && $0.updatedAt < end
    }
    try check("published later", #Predicate<Article> { $0.publishedAt == nil || $0.publishedAt! > end }, in: context) {
      ($0.publishedAt ?? .distantFuture) > end
    }
    try check(
      "published in between",
      #Predicate<Article> {
        if let published = $0.publishedAt {
          published >= start && published <= end
        } else {
          false
        }
      }, in: context
    ) { $0.publishedAt.map { (start...end).contains($0) } ?? false }
    try check("no words", #Predicate<Article> { $0.body == "" }, in: context) { $0.wordCount == 0 }
    try check("words and premium", #Predicate<Article> { $0.wordCount > 20 && $0.isPremium == true }, in: context) {
      $0.wordCount > 20 && $0.isPremium
    }
    try check("a keyword", #Predicate<Article> { $0.keywords.contains("vote") }, in: context) {
      $0.keywords.contains("vote")
    }
    try check("of the world", #Predicate<Article> { $0.desk?.persistentModelID == world }, in: context) {
      $0.desk?.name == "World"
    }
    try check(
      "of two desks", #Predicate<Article> { $0.desk.flatMap { desks.contains($0.name) } ?? false }, in: context
    ) { desks.contains($0.desk?.name ?? "") }
    try check("corrections", #Predicate<Correction> { $0.article?.desk?.name == "Sport" }, in: context) {
      $0.article?.desk?.name == "Sport"
    }
    try check("without a desk", #Predicate<Article> { $0.desk == nil }, in: context) { $0.desk == nil }
    try check(
      "of a publication", #Predicate<Article> { $0.desk?.publication?.title == "The Daily Fjord" }, in: context
    ) { $0.desk?.publication?.title == "The Daily Fjord" }
    try check("by José", #Predicate<Article> { $0.authors.contains { $0.handle == handle } }, in: context) {
      $0.authors.contains { $0.handle == "a1" }
    }
    try check("two authors", #Predicate<Article> { $0.authors.count == 2 }, in: context) { $0.authors.count == 2 }
    try check(
      "about sports", #Predicate<Article> { $0.topics.contains { $0.parent?.name == "sport" } }, in: context
    ) { $0.topics.contains { $0.parent?.name == "sport" } }
    try check(
      "followed by somebody",
      #Predicate<Article> { $0.topics.contains { $0.followers.contains { $0.nickname != nil } } }, in: context
    ) { $0.topics.contains { $0.followers.contains { $0.nickname != nil } } }
    try check("related to nothing", #Predicate<Article> { $0.related.isEmpty && $0.relatedFrom.isEmpty }, in: context) {
      $0.related.isEmpty && $0.relatedFrom.isEmpty
    }
    try check("anonymous sources", #Predicate<Article> { $0.sources.contains { $0.isAnonymous } }, in: context) {
      $0.sources.contains(where: \.isAnonymous)
    }
    try check("on a photo of Ola", #Predicate<Article> { $0.lead?.photographer?.name == "Ola" }, in: context) {
      $0.lead?.photographer?.name == "Ola"
    }
  }

  func checkComposedSearches(in context: ModelContext) throws {
    let since = time(30)
    let recent = Article.published(since: since)
    try check("recent", recent, in: context) { $0.status == .published && $0.publishedAt! >= since }
    let searches: [(String, String?)] = [
      ("", nil), ("ELECTION", nil), ("word word word", "Sport"), ("story 1", "World"),
    ]
    for (query, desk) in searches {
      try check("search \(query) \(desk ?? "anywhere")", Article.matching(query, in: desk), in: context) { article in
        guard desk == nil || article.desk?.name == desk else { return false }
        let headline = article.headline.replacing("É", with: "E").lowercased()
        return query.isEmpty || headline.contains(query.lowercased()) || article.body.contains(query)
      }
    }
    let mine = Article.matching("", in: "Culture")
    try check("both", #Predicate<Article> { recent.evaluate($0) && mine.evaluate($0) }, in: context) {
      $0.status == .published && $0.publishedAt! >= since && $0.desk?.name == "Culture"
    }
    let hidden = #Expression<[ReaderComment], Int> { $0.filter { $0.isHidden }.count }
    let loved = #Expression<[ReaderComment], Int> { $0.filter { $0.score > 50 }.count }
    let answered = #Expression<[ReaderComment], Bool> { $0.contains { !$0.replies.isEmpty } }
    try check(
      "sums", #Predicate<Article> { hidden.evaluate($0.comments) + loved.evaluate($0.comments) >= 1 }, in: context
    ) { $0.comments.filter(\.isHidden).count + $0.comments.filter { $0.score > 50 }.count >= 1 }
    try check(
      "answers", #Predicate<Article> { answered.evaluate($0.comments) && !$0.isPinned }, in: context
    ) { $0.comments.contains { !$0.replies.isEmpty } && !$0.isPinned }
    let nothing = false
    try check("nothing", #Predicate<Article> { _ in nothing }, in: context) { _ in false }
  }

  func checkReaders(in context: ModelContext) throws {
    let token = UInt64(Int64.max)
    let email = "reader3@mail.example"
    let year = 1980
    let words = "comment 1"
    let like = Reaction.Kind.like.rawValue
    let monthly = BillingCycle.monthly
    let price: Decimal = 50
    let now = time(0)
    let titles = ["Morning"]

    try check("large tokens", #Predicate<Reader> { $0.token > token }, in: context) { $0.token > token }
    try check("years", #Predicate<Reader> { ($0.birthYear ?? 1900) < year }, in: context) {
      ($0.birthYear ?? 1900) < 1980
    }
    try check("nicknames", #Predicate<Reader> { $0.nickname == nil && $0.birthYear != nil }, in: context) {
      $0.nickname == nil && $0.birthYear != nil
    }
    try check("morning", #Predicate<Reader> { $0.newsletters.contains { titles.contains($0.title) } }, in: context) {
      $0.newsletters.contains { $0.title == "Morning" }
    }
    try check(
      "former subscribers", #Predicate<Reader> { $0.subscriptions.contains { $0.endedAt != nil } }, in: context
    ) { $0.subscriptions.contains { $0.endedAt != nil } }
    try check(
      "no subscription or a free one",
      #Predicate<Reader> { $0.subscriptions.allSatisfy { $0.plan?.code == "gift" } }, in: context
    ) { $0.subscriptions.allSatisfy { $0.plan?.code == "gift" } }
    try check("comments", #Predicate<ReaderComment> { $0.text.localizedStandardContains(words) }, in: context) {
      $0.text.hasPrefix("Comment 1")
    }
    try check("replies to others", #Predicate<ReaderComment> { $0.replyTo?.reader?.email != email }, in: context) {
      $0.replyTo?.reader?.email != email
    }
    try check(
      "shown and liked",
      #Predicate<ReaderComment> { !$0.isHidden && $0.reactions.contains { $0.kindRaw == like } }, in: context
    ) { !$0.isHidden && $0.reactions.contains { $0.kind == .like } }
    try check("negative", #Predicate<ReaderComment> { $0.score < 0 && $0.reader != nil }, in: context) {
      $0.score < 0 && $0.reader != nil
    }
    try check("likes", #Predicate<Reaction> { $0.kindRaw == like }, in: context) { $0.kind == .like }
    try check("payments of yearly plans", #Predicate<Payment> { $0.subscription.plan?.cycle != monthly }, in: context) {
      $0.subscription.plan?.cycle != .monthly
    }
    try check("dear plans", #Predicate<Plan> { $0.price.amount > price }, in: context) { $0.price.amount > 50 }
    try check("plans", #Predicate<Plan> { $0.cycle == .yearly || $0.subscriptions.isEmpty }, in: context) {
      $0.cycle == .yearly || $0.subscriptions.isEmpty
    }
    try check("running campaigns", #Predicate<Campaign> { $0.startsAt <= now && now < $0.endsAt }, in: context) {
      $0.startsAt <= now && now < $0.endsAt
    }
    try check("clicks", #Predicate<Banner> { $0.clicks == 4_294_967_295 }, in: context) { $0.clicks == .max }
    try check("entries of a blog", #Predicate<LiveEntry> { $0.blog.endedAt == nil && $0.isPinned }, in: context) {
      $0.isPinned
    }
    try check("long talks", #Predicate<Episode> { $0.duration / 60 > 45 && $0.transcript != nil }, in: context) {
      $0.duration > 2_700 && $0.transcript != nil
    }
  }
}
