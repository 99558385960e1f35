import Foundation
import SwiftData

@Model
public final class Plan {
  @Attribute(.unique) public var code: String
  public var price: Money = Money.free
  public var cycle: BillingCycle
  public var trialDays: Int8 = 14
  @Relationship(deleteRule: .nullify, inverse: \Subscription.plan) public var subscriptions: [Subscription] = []

  public init(code: String, price: Money, cycle: BillingCycle = .monthly) {
    self.code = code
    self.price = price
    self.cycle = cycle
  }
}

@Model
public final class Subscription {
  public var startedAt: Date
  public var endedAt: Date?
  public var renews: Bool = true
  public var reader: Reader?
  public var plan: Plan?
  @Relationship(deleteRule: .cascade, inverse: \Payment.subscription) public var payments: [Payment] = []

  public init(reader: Reader, plan: Plan, startedAt: Date, endedAt: Date? = nil) {
    self.reader = reader
    self.plan = plan
    self.startedAt = startedAt
    self.endedAt = endedAt
  }
}

@Model
public final class Payment {
  public var amount: Decimal
  public var paidAt: Date
  public var reference: String = UUID().uuidString
  public var subscription: Subscription

  public init(_ amount: Decimal, paidAt: Date, for subscription: Subscription) {
    self.amount = amount
    self.paidAt = paidAt
    self.subscription = subscription
  }
}

@Model
public final class Newsletter {
  public var title: String
  public var publication: Publication?
  @Relationship(inverse: \Reader.newsletters) public var readers: [Reader] = []
  @Relationship(deleteRule: .cascade, inverse: \NewsletterIssue.newsletter) public var issues: [NewsletterIssue]?

  public init(title: String, publication: Publication?) {
    self.title = title
    self.publication = publication
  }
}

@Model
public final class NewsletterIssue {
  public var subject: String
  public var sentAt: Date?
  public var openRate: Double?
  public var newsletter: Newsletter?

  public init(subject: String, sentAt: Date? = nil) {
    self.subject = subject
    self.sentAt = sentAt
  }
}

@Model
public final class Advertiser {
  public var name: String
  public var budgetInCents: Int64 = 0
  @Relationship(deleteRule: .cascade, inverse: \Campaign.advertiser) public var campaigns: [Campaign] = []

  public init(name: String, budgetInCents: Int64) {
    self.name = name
    self.budgetInCents = budgetInCents
  }
}

@Model
public final class Campaign {
  public var name: String
  public var startsAt: Date
  public var endsAt: Date
  public var advertiser: Advertiser?
  public var topics: [Topic] = []
  @Relationship(deleteRule: .cascade, inverse: \Banner.campaign) public var banners: [Banner] = []

  public init(name: String, from startsAt: Date, to endsAt: Date, advertiser: Advertiser) {
    self.name = name
    self.startsAt = startsAt
    self.endsAt = endsAt
    self.advertiser = advertiser
  }
}

@Model
public final class Banner {
  public var title: String
  public var clicks: UInt32 = 0
  public var image: Data?
  public var widths: [Int] = [320, 640]
  public var campaign: Campaign?

  public init(title: String, campaign: Campaign? = nil) {
    self.title = title
    self.campaign = campaign
  }
}
