import Foundation
import SwiftData

/// Numbers that look random and are the same for the same seed.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }

  mutating func roll(_ sides: Int) -> Int { Int(next() >> 33) % sides }
}

func time(_ hours: Int) -> Date {
  Date(timeIntervalSinceReferenceDate: 770_000_400.5 + Double(hours) * 3_600)
}

/// A newspaper with 40 articles and their readers.
struct SampleNewsroom {
  let context: ModelContext
  var dice: Dice

  init(seed: UInt64, in context: ModelContext) throws {
    self.context = context
    dice = Dice(state: seed)
    let daily = Publication(
      title: "The Daily Fjord", foundedAt: time(-900_000), desks: [Desk("World"), Desk("Sport"), Desk("Culture")])
    daily.colours = ["light": "#FFFFFF", "dark": "#101010"]
    context.insert(daily)
    let desks = daily.desks.sorted { $0.name < $1.name }
    let topics = addTopics()
    let authors = addAuthors(desks)
    let photos = addMedia(authors)
    let articles = addArticles(desks, authors, topics, photos)
    for number in 1...4 {
      let edition = Edition(number: number, publishedAt: time(number * 24), publication: daily)
      edition.pageCount = number == 3 ? nil : Int16(number * 8)
      edition.articles = articles.enumerated().filter { ($0.offset + number) % 5 == 0 }.map(\.element)
      context.insert(edition)
    }
    let readers = try addReaders(daily, topics, articles)
    addComments(readers, articles)
    addAdvertising(topics)
  }

  private func addTopics() -> [Topic] {
    let sport = Topic(name: "sport")
    let politics = Topic(name: "politics")
    let chess = Topic(name: "chess", parent: sport)
    let topics = [sport, politics, chess, Topic(name: "skiing", parent: sport), Topic(name: "art")]
    for topic in topics { context.insert(topic) }
    sport.keywords = ["match", "league"]
    return topics
  }

  private func addAuthors(_ desks: [Desk]) -> [Author] {
    let names = ["Ingrid Vik", "José Peña", "Kim Sand", "Liv Ås", "Max Roe"]
    return names.enumerated().map { index, name in
      let author = Author(handle: "a\(index)", name: name, desks: Array(desks.prefix(index % 3)))
      author.biography = index % 2 == 0 ? "Writes about \(index) things" : nil
      author.awards = index == 2 ? nil : (0..<index).map { Award(name: "Prize \($0)", rank: $0 == 0 ? .gold : .bronze) }
      author.links = index == 1 ? ["web": "https://pena.example", "mail": "jose@fjord.example"] : [:]
      context.insert(author)
      return author
    }
  }

  private func addMedia(_ authors: [Author]) -> [Photo] {
    let ola = Photographer(name: "Ola", agency: "Nordlys")
    ola.rate = Money(amount: Decimal(string: "99.90")!, currency: "NOK")
    let photos = (0..<6).map { index in
      let photo = Photo(file: "img\(index).jpg", photographer: index % 3 == 0 ? ola : nil)
      if index % 3 == 1 { photo.licence = .agency(name: "Nordlys", fee: Decimal(index * 10)) }
      if index % 3 == 2 { photo.licence = .creativeCommons(version: 4.0) }
      photo.caption = index == 4 ? "50% of the \"crowd\" _left_" : nil
      photo.crop = index == 2 ? Crop(x: 0.125, y: 0.25, width: 0.5, height: 0.75) : nil
      photo.pixels = index == 3 ? Data((0..<3_000).map { UInt8(truncatingIfNeeded: $0 * 7) }) : nil
      context.insert(photo)
      return photo
    }
    context.insert(Gallery(title: "Best of the week", photos: photos.prefix(3)))
    context.insert(Gallery(title: "Empty", photos: Set<Photo>()))
    let podcast = Podcast(title: "Fjord talks", hosts: [authors[0], authors[3]])
    context.insert(podcast)
    for number in 1...3 {
      let episode = Episode(
        number: number, title: "Talk \(number)", duration: 1_800.25 * Double(number), podcast: podcast)
      episode.audio = number == 1 ? URL(string: "https://fjord.example/talk/1.mp3") : nil
      episode.chapters = number == 2 ? [0, 312.5] : nil
      episode.transcript = number == 3 ? nil : Transcript(text: "Welcome to talk \(number)")
      context.insert(episode)
    }
    return photos
  }

  private mutating func addArticles(
    _ desks: [Desk], _ authors: [Author], _ topics: [Topic], _ photos: [Photo]
  ) -> [Article] {
    let sources = [
      Source(name: "A minister", reliability: 0.75), Source(name: "Deep water", isAnonymous: true),
      Source(name: "A coach", reliability: 0.5),
    ]
    sources[1].dossier = Data("secret".utf8)
    var articles: [Article] = []
    for index in 0..<40 {
      let article = Article(
        slug: "story-\(index)", headline: index % 6 == 0 ? "Élection \(index)" : "Story \(index) of the day",
        desk: index % 7 == 0 ? nil : desks[index % 3], authors: [authors[dice.roll(5)]])
      article.id = UUID(uuidString: "5F0E0000-0000-4000-A000-0000000000" + String(10 + index))!
      article.teaser = dice.roll(3) == 0 ? nil : "Read \(index)"
      article.write(String(repeating: "word ", count: dice.roll(60)), at: time(index), by: index % 4 == 0 ? "Kim" : nil)
      article.status = ArticleStatus.allCases[dice.roll(4)]
      article.importance = Importance.allCases[dice.roll(4)]
      article.publishedAt = article.status == .published || article.status == .withdrawn ? time(index * 3) : nil
      article.views = Int64(dice.roll(1_000)) * 4_000_000_000
      article.isPremium = dice.roll(2) == 0
      article.isPinned = index % 9 == 0
      article.keywords = index % 3 == 0 ? ["poll", "vote"] : []
      context.insert(article)
      article.topics = [topics[dice.roll(5)]]
      let second = topics[dice.roll(2)]
      if !article.topics.contains(second) { article.topics.append(second) }
      if index % 4 == 1, let helper = authors.first(where: { !article.authors.contains($0) }) {
        article.authors.append(helper)
      }
      if index % 5 == 2 { article.sources = [sources[index % 3]] }
      if index % 8 == 3 { article.lead = photos[dice.roll(6)] }
      if index > 10 { article.related = [articles[index - 10], articles[dice.roll(index - 10)]] }
      if index % 10 == 4 {
        context.insert(Correction(text: "Wrong name in \(index)", madeAt: time(index + 5), article: article))
      }
      articles.append(article)
    }
    let interview = Interview(heldAt: time(3), minutes: 65_000, source: sources[0], author: authors[1])
    interview.quotes = ["No", "\"Yes\", he said"]
    context.insert(interview)
    for (index, author) in authors.enumerated() {
      let task = Assignment(title: "Task \(index)", author: author, article: index < 3 ? articles[index * 2] : nil)
      task.deadline = index == 1 ? nil : time(index * 100)
      task.fee = index == 2 ? Decimal(string: "-0.05") : nil
      context.insert(task)
    }
    for (index, seconds) in [12.5, 0, 90].enumerated() {
      let address = "https://fjord.example/v/\(index)"
      guard let video = Video(title: "Clip \(index)", seconds: seconds, address: address) else { continue }
      video.article = articles[index]
      context.insert(video)
    }
    let blog = LiveBlog(title: "Election night", startedAt: time(0))
    context.insert(blog)
    for index in 0..<5 {
      context.insert(LiveEntry("Count \(index)", date: time(index), isPinned: index == 2, in: blog))
    }
    return articles
  }

  private mutating func addReaders(_ daily: Publication, _ topics: [Topic], _ articles: [Article]) throws -> [Reader] {
    let plans = [
      Plan(code: "basic", price: Money(amount: Decimal(string: "4.99")!, currency: "EUR")),
      Plan(code: "full", price: Money(amount: 99, currency: "EUR"), cycle: .yearly), Plan(code: "gift", price: .free),
    ]
    for plan in plans { context.insert(plan) }
    let morning = Newsletter(title: "Morning", publication: daily)
    let weekend = Newsletter(title: "Weekend", publication: daily)
    context.insert(weekend)
    context.insert(morning)
    morning.issues = [NewsletterIssue(subject: "Monday", sentAt: time(1)), NewsletterIssue(subject: "Tuesday")]
    morning.issues?.first { $0.sentAt != nil }?.openRate = 0.4375
    var readers: [Reader] = []
    for index in 0..<10 {
      let reader = try Reader(
        email: "reader\(index)@mail.example", joinedAt: time(-index * 500), token: UInt64.max / UInt64(index + 1),
        birthYear: index % 3 == 2 ? nil : 1950 + index * 5)
      reader.nickname = index % 2 == 1 ? "R\(index)" : nil
      context.insert(reader)
      reader.followedTopics = index % 4 == 3 ? [] : [topics[index % 5], topics[(index + 1) % 5]]
      reader.newsletters = index < 4 ? [morning, weekend] : index < 6 ? [weekend] : []
      reader.savedArticles = (0..<index % 4).map { articles[(index * 7 + $0 * 11) % 40] }
      if index % 3 != 0 {
        let subscription = Subscription(reader: reader, plan: plans[index % 3], startedAt: time(-index * 300))
        subscription.endedAt = index == 4 ? time(-10) : nil
        subscription.renews = index % 2 == 0
        context.insert(subscription)
        for month in 0..<index / 2 {
          let amount = Decimal(month) + Decimal(string: "0.99")!
          context.insert(Payment(amount, paidAt: time(month * 720), for: subscription))
        }
      }
      readers.append(reader)
    }
    return readers
  }

  private mutating func addComments(_ readers: [Reader], _ articles: [Article]) {
    var comments: [ReaderComment] = []
    for index in 0..<30 {
      let reply = index % 4 == 3 ? comments[index - 2] : nil
      let article = articles[dice.roll(12)]
      let comment = ReaderComment(
        "Comment \(index)", date: time(index * 2), on: reply?.article ?? article,
        by: index % 7 == 6 ? nil : readers[dice.roll(10)], replyTo: reply)
      comment.isHidden = index % 6 == 5
      comment.score = Int32(dice.roll(200) - 100)
      context.insert(comment)
      if index % 3 == 0 {
        let kind = Reaction.Kind.allCases[index % 2]
        context.insert(Reaction(kind, reader: readers[index % 10], comment: comment))
      }
      comments.append(comment)
    }
  }

  private func addAdvertising(_ topics: [Topic]) {
    let shop = Advertiser(name: "Ski & Co", budgetInCents: 12_500_000_000)
    context.insert(shop)
    for index in 0..<3 {
      let campaign = Campaign(
        name: "Spring \(index)", from: time(index * 50), to: time(index * 80 + 60), advertiser: shop)
      campaign.topics = Array(topics.prefix(index + 1))
      context.insert(campaign)
      for number in 0...index {
        let banner = Banner(title: "Banner \(index).\(number)", campaign: campaign)
        banner.clicks = UInt32.max - UInt32(number)
        banner.image = number == 1 ? Data([1, 2, 3]) : nil
        context.insert(banner)
      }
    }
    context.insert(ExportProfile(name: "All", columns: ["slug", "views"]))
  }
}
