/// An unnamed item, identified by its list of names and an occurrence number.
struct Occurrence<Item> {
  var key: String
  var item: Item
}

enum Occurrences {
  static func number<Item>(_ items: [Item], by list: (Item) -> [String]) -> [Occurrence<Item>] {
    var seen: [[String]: Int] = [:]
    return items.map { item in
      let names = list(item)
      seen[names, default: 0] += 1
      return Occurrence(
        key: (names + ["\(seen[names, default: 0])"]).joined(separator: ","), item: item)
    }
  }
}
