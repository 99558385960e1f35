import Foundation
import Trellis

// Members that are followed by `#if`, `#Index` or a semicolon, and values of recursive types.

@Model final class Outline: Identifiable {
  var id: UUID = UUID()
  var title = ""
  var items: [OutlineItem] = []
  var content: OutlineContent?
  init(_ title: String) { self.title = title }

  var isEmpty: Bool { items.isEmpty }
  #if !NEVER
    static let preview = "preview"
  #endif
  var count: Int { items.count }; func firstItem() -> OutlineItem? { items.first }
  var last: OutlineItem? { items.last }
  #Index<Outline>([\.title])
}

/// A superclass whose initializer takes a trailing closure.
@Model class Chapter {
  var pages: Int
  init(pages: Int = 1, more: () -> Int) { self.pages = pages + more() }
}

@Model final class Appendix: Chapter {
  var letter = "A"
  init(_ letter: String) {
    self.letter = letter
    super.init(pages: 3) { 10 }
  }
}

struct OutlineItem: Codable, Equatable {
  var name: String
  var parts: [OutlineItem] = []
  static let none = OutlineItem(name: "")
}

struct OutlineBlock: Codable, Equatable {
  var text: String
  var children: [OutlineBlock]?
}

enum OutlineContent: Codable, Equatable {
  case text(String)
  case list(items: [OutlineContent])
  case block(OutlineBlock)
}
