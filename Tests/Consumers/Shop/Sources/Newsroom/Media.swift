import Foundation
import SwiftData

@Model
public final class Photo {
  @Attribute(.unique) public var file: String
  public var caption: String?
  public var takenAt: Date?
  public var licence: Licence = Licence.own
  public var crop: Crop?
  @Attribute(.externalStorage) public var pixels: Data?
  public var photographer: Photographer?
  public var galleries: [Gallery] = []
  public var leadOf: [Article] = []
  @Relationship(deleteRule: .nullify, inverse: \Gallery.cover) public var coverOf: [Gallery] = []

  public init(file: String, photographer: Photographer? = nil, licence: Licence = .own) {
    self.file = file
    self.photographer = photographer
    self.licence = licence
  }
}

@Model
public final class Photographer {
  public var name: String
  public var agency: String?
  public var rate: Money?
  @Relationship(deleteRule: .nullify, inverse: \Photo.photographer) public var photos: [Photo] = []

  public init(name: String, agency: String? = nil) {
    self.name = name
    self.agency = agency
  }
}

@Model
public final class Gallery {
  public var title: String
  public var cover: Photo?
  @Relationship(inverse: \Photo.galleries) public var photos: [Photo] = []

  public init<Photos: Sequence>(title: String, photos: Photos) where Photos.Element == Photo {
    self.title = title
    self.photos = Array(photos)
    cover = self.photos.first
  }
}

@Model
public final class Video {
  public var title: String
  public var seconds: Double
  public var address: URL
  public var formats: [String] = ["mp4"]
  public var article: Article?

  public init?(title: String, seconds: Double, address: String) {
    guard seconds > 0, let address = URL(string: address) else { return nil }
    self.title = title
    self.seconds = seconds
    self.address = address
  }
}

@Model
public final class Podcast {
  public var title: String
  public var hosts: [Author] = []
  @Relationship(deleteRule: .cascade, inverse: \Episode.podcast) public var episodes: [Episode] = []

  public init(title: String, hosts: [Author]) {
    self.title = title
    self.hosts = hosts
  }
}

@Model
public final class Episode {
  public var number: Int
  public var title: String
  public var duration: TimeInterval
  public var audio: URL?
  public var chapters: [Double]?
  public var podcast: Podcast?
  @Relationship(deleteRule: .cascade, inverse: \Transcript.episode) public var transcript: Transcript?

  public init(number: Int, title: String, duration: TimeInterval, podcast: Podcast?) {
    self.number = number
    self.title = title
    self.duration = duration
    self.podcast = podcast
  }
}

@Model
public final class Transcript {
  public var text: String
  public var language: String = "en"
  public var episode: Episode?

  public init(text: String) {
    self.text = text
  }
}
